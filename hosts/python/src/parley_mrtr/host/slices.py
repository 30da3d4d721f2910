"""Messages that are too long for one step: wasm/ABI.md, Slices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MOST_AT_ONCE = 256 << 10  # bytes that the engine gets at once: nobody waits longer than that takes


class Happened(NamedTuple):
    """What happens to a session: an event, what failed, and the call it happens to."""

    event: dict[str, Any]
    cause: BaseException | None = None
    call: int | None = None


@dataclass(eq=False)
class _Sliced:
    """A message that is being fed, and what of its exchange waits until it is."""

    message: Happened
    done: asyncio.Future[None]
    at: int = 0
    behind: list[Happened] = field(default_factory=list)


class Slices:
    """Feeds long messages in slices, and gives whatever else happens a turn between them."""

    def __init__(
        self,
        part: Callable[[Happened], None],
        last: Callable[[Happened, bytes, list[Happened]], None],
    ) -> None:
        self._part = part  # feeds a slice
        self._last = last  # feeds the last one with the whole text, and then what waited for it
        self._sliced: dict[int, _Sliced] = {}  # by exchange

    def take(self, happened: Happened) -> bool:
        """Takes a long message, and what comes of its exchange before it is fed."""
        exchange = _exchange(happened.event)
        if exchange is None:
            return False
        before = self._sliced.get(exchange)
        if before is not None:
            before.behind.append(happened)
            return True
        if happened.event["type"] != "message" or len(happened.event["body"]) <= MOST_AT_ONCE:
            return False
        sliced = self._sliced[exchange] = _Sliced(happened, asyncio.get_running_loop().create_future())
        self._feed(exchange, sliced)
        return True

    def room(self, event: dict[str, Any]) -> asyncio.Future[None] | None:
        """What is done when there is room for more of an exchange, if there is none now."""
        exchange = _exchange(event)
        sliced = None if exchange is None else self._sliced.get(exchange)
        return None if sliced is None else sliced.done

    def drop(self, exchange: int) -> None:
        """Forgets what is left of an exchange."""
        sliced = self._sliced.pop(exchange, None)
        if sliced and not sliced.done.done():
            sliced.done.set_result(None)

    def clear(self) -> None:
        for exchange in list(self._sliced):
            self.drop(exchange)

    def _feed(self, exchange: int, sliced: _Sliced) -> None:
        if self._sliced.get(exchange) is not sliced:
            return  # it was dropped
        whole: bytes = sliced.message.event["body"]
        body = whole[sliced.at : sliced.at + MOST_AT_ONCE]
        sliced.at += len(body)
        if sliced.at < len(whole):
            self._part(sliced.message._replace(event={"type": "part", "exchange": exchange, "body": body}))
            asyncio.get_running_loop().call_soon(self._feed, exchange, sliced)
        else:
            self.drop(exchange)
            last = sliced.message._replace(event={**sliced.message.event, "body": body})
            self._last(last, whole, sliced.behind)


def _exchange(event: dict[str, Any]) -> int | None:
    """Whose order an event is in: all of a process is in one."""
    return 0 if event["type"] == "down" else event.get("exchange")

"""What happens to a session, in order. Long messages come in slices: wasm/ABI.md, Slices."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from parley_mrtr.host.core import Event, SessionCore

if TYPE_CHECKING:
    from parley_mrtr.host.call import Call

MAX_SLICE = 256 << 10  # bytes that the engine gets in one event: nothing else waits longer than that takes


@dataclass(eq=False)
class Happened:
    """An event and what caused it. `call` is whose event it is, `core` the one that a transport's event is for."""

    event: Event
    cause: BaseException | None = None
    call: Call | None = None
    core: SessionCore | None = None
    whole: bytes | None = None
    """The message whose last slice it has."""
    fed: int = 0
    """How much of a long message was stepped."""
    over: bool = False
    room: asyncio.Future[None] | None = None

    def end(self) -> None:
        """Nothing more comes of it: its transport may feed more."""
        self.over = True
        if self.room is not None and not self.room.done():
            self.room.set_result(None)


class Queue:
    """First in, first out, but that other events come between the slices of a long message."""

    def __init__(self) -> None:
        self._items: deque[Happened] = deque()
        self._behind: dict[int, list[Happened]] = {}  # by exchange: what waits until its long message was fed

    def __bool__(self) -> bool:
        return bool(self._items)

    def add(self, happened: Happened) -> None:
        self._items.append(happened)

    def next(self) -> Happened | None:
        """What is to be stepped next: it, or a slice of it. None if that waits for something else."""
        happened = self._items.popleft()
        exchange = _exchange(happened.event)
        if exchange is None:
            return happened
        if exchange in self._behind and not happened.fed:
            self._behind[exchange].append(happened)
            return None
        if happened.event["type"] != "message":
            return happened
        whole: bytes = happened.event["body"]
        rest = len(whole) - happened.fed
        if rest > MAX_SLICE:
            body = whole[happened.fed : happened.fed + MAX_SLICE]
            happened.fed += MAX_SLICE
            self._behind.setdefault(exchange, [])
            self._items.append(happened)
            part = {"type": "part", "exchange": exchange, "body": body}
            return Happened(part, happened.cause, core=happened.core)
        if happened.fed:
            happened.event = {**happened.event, "body": whole[happened.fed :]}
            happened.whole = whole
            self._items.extendleft(reversed(self._behind.pop(exchange)))
        return happened

    def drop(self, exchange: int) -> None:
        """Drops what is left of a long message, and what waits behind it."""
        if exchange in self._behind:
            fed = [item for item in self._items if item.fed and _exchange(item.event) == exchange]
            self._items = deque(item for item in self._items if item not in fed)
            for item in fed + self._behind.pop(exchange):
                item.end()

    def clear(self) -> None:
        """Drops what came from the transport."""
        dropped = [item for item in self._items if _exchange(item.event) is not None]
        self._items = deque(item for item in self._items if _exchange(item.event) is None)
        for behind in self._behind.values():
            dropped += behind
        self._behind.clear()
        for item in dropped:
            item.end()


def _exchange(event: Event) -> int | None:
    """Which order an event is in: everything of a process is in one."""
    return 0 if event["type"] == "down" else event.get("exchange")

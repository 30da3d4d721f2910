"""A transport over a connection that somebody else has made: another client's, or a function in a test."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from parley_mrtr.host.core import Action
from parley_mrtr.host.reason import failed
from parley_mrtr.host.transport import Carrier, Receive

_PATIENCE = 5.0  # s: how long a request may take whose answer nobody waits for


@dataclass(frozen=True)
class Outbound:
    """A request to send: `params` and `capabilities`, the clientCapabilities to declare with it, are JSON text.

    `leg` is 0 if nobody waits for the answer. `progress` takes the params of each notifications/progress for this
    request, as JSON text: it restarts the leg's clock.
    """

    leg: int
    method: str
    params: bytes
    capabilities: bytes
    progress: Callable[[bytes], None] = field(repr=False)


Send = Callable[[Outbound], Awaitable[bytes]]
"""Sends a JSON-RPC request of MCP 2026-07-28 with a fresh id and returns the whole response, an error response
included. If it raises, no answer will come; with an UnsentError the server certainly never saw the request. It is
cancelled when the answer is not wanted any more."""


class Requests:
    """Ids, header fields and the protocol version are the connection's own."""

    def __init__(self, send: Send) -> None:
        self._send = send

    @property
    def kind(self) -> Literal["requests"]:
        return "requests"

    def open(self, receive: Receive) -> Carrier:
        return _Requests(self._send, receive)


class _Requests:
    def __init__(self, send: Send, receive: Receive) -> None:
        self._send = send
        self._receive = receive
        self._exchanges: dict[int, asyncio.Task[None]] = {}
        self._waiting: set[int] = set()  # whose task has not begun
        self._last: set[asyncio.Task[None]] = set()  # for whose answer nobody waits

    def perform(self, action: Action) -> bool:
        exchange = action["exchange"]
        if action["type"] == "abort":
            waits = exchange in self._waiting
            self._end(exchange)
            return waits
        self._waiting.add(exchange)
        task = asyncio.create_task(self._run(action))
        self._exchanges[exchange] = task
        if not action.get("leg"):
            self._last.add(task)
            task.add_done_callback(self._last.discard)
            asyncio.get_running_loop().call_later(_PATIENCE, task.cancel)
        return False

    def reset(self) -> None:
        for exchange in list(self._exchanges):
            self._end(exchange)

    async def close(self) -> None:
        for exchange, task in list(self._exchanges.items()):
            if task not in self._last:
                self._end(exchange)
        if self._last:
            await asyncio.wait(self._last, timeout=_PATIENCE)
        self.reset()

    def _end(self, exchange: int) -> None:
        self._waiting.discard(exchange)
        task = self._exchanges.pop(exchange, None)
        if task is not None:
            task.cancel()

    async def _run(self, action: Action) -> None:
        exchange = action["exchange"]
        self._waiting.discard(exchange)
        own = asyncio.current_task()

        def progress(params: bytes) -> None:
            if self._exchanges.get(exchange) is own:
                body = b'{"jsonrpc":"2.0","method":"notifications/progress","params":%b}' % params
                self._receive({"type": "message", "exchange": exchange, "body": body})

        outbound = Outbound(action.get("leg", 0), action["method"], action["params"], action["capabilities"], progress)
        cause: BaseException | None = None
        try:
            body = await self._send(outbound)
            if not isinstance(body, bytes):
                raise TypeError("parley: send must return the response as bytes")
            event = {"type": "message", "exchange": exchange, "body": body, "last": True}
        except (Exception, asyncio.CancelledError) as error:
            cause = error
            event = {"type": "ended", "exchange": exchange, **failed(error)}
        if self._exchanges.get(exchange) is own:
            del self._exchanges[exchange]
            self._receive(event, cause)

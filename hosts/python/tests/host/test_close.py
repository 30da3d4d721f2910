"""What a server hears of a session that is closed at once after a call was cancelled."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import httpx2
import pytest

from parley_mrtr.host import Requests, StreamableHTTP, Watchers, connect
from parley_mrtr.host import http as transport
from parley_mrtr.host import requests as another

VERSION = "2025-11-25"


class Server:
    """One of an earlier era, whose tool never ends. It notes what it is told last."""

    def __init__(self, answers: Callable[[str], Awaitable[None]]) -> None:
        self.answers = answers
        self.log: list[str] = []
        self.called = asyncio.Event()

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            return httpx2.Response(405)
        message = json.loads(request.content or b"{}")
        name = message.get("method", request.method)
        if name == "initialize":
            hello = {"protocolVersion": VERSION, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": hello}
            return httpx2.Response(200, json=answer, headers={"Mcp-Session-Id": "s"})
        if name == "tools/call":
            self.called.set()
            await asyncio.Event().wait()
        if name in ("notifications/cancelled", "DELETE"):
            self.log.append(name)
            await self.answers(name)
            self.log.append(f"{name} answered")
        return httpx2.Response(202)


async def leave(server: Server) -> None:
    """Cancels a call and closes its session at once."""
    client = httpx2.AsyncClient(transport=httpx2.MockTransport(server))
    session = connect(StreamableHTTP("http://localhost/mcp", client=client), shape={"known": VERSION})
    call = asyncio.create_task(session.call_tool("t"))
    await server.called.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await session.close()
    server.log.append("closed")


def test_the_server_is_told_in_turn() -> None:
    async def test() -> None:
        begun = asyncio.Event()
        answer = asyncio.Event()

        async def answers(name: str) -> None:
            if name == "notifications/cancelled":
                begun.set()
                await answer.wait()

        server = Server(answers)
        leaving = asyncio.create_task(leave(server))
        await begun.wait()
        for _ in range(100):  # turns of the loop, in which all would happen that does not wait
            await asyncio.sleep(0)
        assert server.log == ["notifications/cancelled"]
        answer.set()
        await leaving
        told = ["notifications/cancelled", "notifications/cancelled answered", "DELETE", "DELETE answered", "closed"]
        assert server.log == told

    asyncio.run(test())


def test_a_server_that_does_not_answer_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "_PATIENCE", 0.05)
    monkeypatch.setattr(another, "_PATIENCE", 0.05)

    async def never(_: str) -> None:
        await asyncio.Event().wait()

    async def test() -> None:
        server = Server(never)
        await leave(server)
        assert server.log == ["notifications/cancelled", "DELETE", "closed"]

        told: list[str] = []

        async def send(outbound: another.Outbound) -> bytes:
            told.append(outbound.method)
            if outbound.method == "tools/call":
                task = {"resultType": "task", "taskId": "1", "status": "working", "createdAt": "2026-07-28T00:00:00Z"}
                task |= {"lastUpdatedAt": "2026-07-28T00:00:00Z", "ttlMs": None, "pollIntervalMs": 600_000}
                return json.dumps({"jsonrpc": "2.0", "id": 1, "result": task}).encode()
            await asyncio.Event().wait()
            return b""

        works = asyncio.Event()
        session = connect(Requests(send), tasks=True)
        call = asyncio.create_task(session.call_tool("t", watchers=Watchers(task=lambda *_: works.set())))
        await works.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await session.close()
        assert told == ["tools/call", "tasks/cancel"]

    asyncio.run(test())

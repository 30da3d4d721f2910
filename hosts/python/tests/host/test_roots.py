"""The first call of a session at a server of an earlier era that asks for roots."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from parley_mrtr.host import Question, StreamableHTTP, connect


class Stream(httpx2.AsyncByteStream):
    """The server's own stream: it asks for roots, and stays open."""

    def __init__(self) -> None:
        self.over = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b'data: {"jsonrpc":"2.0","id":0,"method":"roots/list"}\n\n'
        await self.over.wait()

    async def aclose(self) -> None:
        self.over.set()


class Files:
    """Lets a tool run once it has been told the roots, and has looked at them."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.knows = False

    async def answer(self, request: httpx2.Request) -> httpx2.Response:
        if request.method != "POST":
            self.heard.append(request.method)
            return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Stream())
        message = json.loads(await request.aread())
        self.heard.append(message.get("method", "roots"))
        result: dict[str, Any]
        if message.get("method") == "initialize":
            result = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "serverInfo": {"name": "files", "version": "1"},
            }
        elif message.get("method") == "tools/call":
            result = {"content": [], "isError": not self.knows}
        else:
            if "result" in message:
                asyncio.get_running_loop().call_soon(self.look)
            return httpx2.Response(202)
        return httpx2.Response(200, json={"jsonrpc": "2.0", "id": message["id"], "result": result})

    def look(self) -> None:
        self.knows = True


def test_the_first_call_leaves_when_the_server_knows_the_roots() -> None:
    asyncio.run(call_twice())


async def call_twice() -> None:
    server = Files()
    asked: list[Question] = []

    def list_roots(question: Question) -> dict[str, Any]:
        asked.append(question)
        return {"roots": [{"uri": "file:///work"}]}

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(server.answer)) as client:
        transport = StreamableHTTP("http://localhost/mcp", client=client)
        async with connect(transport, list_roots=list_roots, shape={"versions": ["2025-11-25"]}) as session:
            for _ in range(2):
                assert not (await session.call_tool("list")).is_error
    assert server.heard[:6] == ["initialize", "notifications/initialized", "GET", "roots", "tools/call", "tools/call"]
    assert len(asked) == 1


def test_what_the_transport_tells_of_a_stream() -> None:
    async def told(status: int, kind: str, action: str) -> list[str]:
        async def answer(_: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(status, headers={"Content-Type": kind}, content=b"data: {}\n\n")

        events: list[str] = []
        over = asyncio.Event()

        def receive(event: dict[str, Any], cause: BaseException | None = None, call: int | None = None) -> None:
            events.append(event["type"])
            if event["type"] == "ended" or event.get("last"):
                over.set()

        async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
            carrier = StreamableHTTP("http://localhost/mcp", client=client).open(receive)
            carrier.perform({"type": action, "exchange": 1, "headers": [], "body": "{}"})
            await over.wait()
            await carrier.close()
        return events

    assert asyncio.run(told(200, "text/event-stream", "listen")) == ["opened", "message", "ended"]
    assert asyncio.run(told(405, "text/event-stream", "listen")) == ["message"]
    assert asyncio.run(told(200, "text/html", "listen")) == ["message"]
    assert asyncio.run(told(200, "text/event-stream", "post")) == ["message", "ended"]

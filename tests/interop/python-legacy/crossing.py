"""The official client of the Python SDK, version 1, with three calls of one session open at once. It answers each
question with the name of the call whose stream the question came on, in the reverse order of the questions. Prints what
each call came to, and every question with its stream."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.context import RequestContext

NAMES = ["Ada", "Bob", "Cy"]
PATIENCE = 180  # s: how long anything may take. Nobody waits for it on a good day.


class Streams(httpx.AsyncBaseTransport):
    """Reads every stream before the SDK does."""

    def __init__(self, no_get: bool) -> None:
        self.no_get = no_get
        self.under = httpx.AsyncHTTPTransport()
        self.get = asyncio.Event()
        self.asked: list[dict[str, str]] = []
        self.of: dict[Any, str] = {}  # whose stream each question came on, by the question's id
        self.waves: dict[int, list[asyncio.Event]] = {}  # first questions, second ones …, held until each call has its own
        self.wave_of: dict[Any, int] = {}  # by the question's id

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET" and self.no_get:
            return httpx.Response(405)
        message = json.loads(await request.aread()) if request.method == "POST" else {"method": "none"}
        response = await self.under.handle_async_request(request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        if request.method == "GET":
            self.get.set()
            response.stream = Watched(response.stream, self, "GET")
        elif "method" not in message:
            self.let_one_go(self.wave_of[message["id"]])  # that was an answer
        elif message["method"] == "tools/call":
            response.stream = Watched(response.stream, self, message["params"]["arguments"]["who"])
        return response

    async def arrived(self, message: dict[str, Any], on: str) -> None:
        if "id" not in message or "method" not in message:
            return
        params = message.get("params") or {}
        text = params.get("message") or "".join(one["content"]["text"] for one in params.get("messages", []))
        wave = sum(one["on"] == on for one in self.asked)
        self.of[message["id"]], self.wave_of[message["id"]] = on, wave
        self.asked.append({"method": message["method"], "message": text, "on": on})
        if on == "GET":
            return  # there the next question comes behind this one
        goes = asyncio.Event()
        held = self.waves.setdefault(wave, [])
        held.append(goes)
        if len(held) == len(NAMES):
            self.let_one_go(wave)
        await goes.wait()

    def let_one_go(self, wave: int) -> None:
        if held := self.waves.get(wave):
            held.pop().set()


class Watched(httpx.AsyncByteStream):
    def __init__(self, under: httpx.AsyncByteStream, streams: Streams, on: str) -> None:
        self.under, self.streams, self.on = under, streams, on

    async def __aiter__(self) -> AsyncIterator[bytes]:
        rest = b""
        async for chunk in self.under:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.startswith(b"data: {"):
                    await self.streams.arrived(json.loads(line[6:]), self.on)
            yield chunk

    async def aclose(self) -> None:
        await self.under.aclose()


async def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--no-get", action="store_true")
    flags.add_argument("url")
    given = flags.parse_args()
    streams = Streams(given.no_get)

    async def elicit(context: RequestContext[Any, Any], params: types.ElicitRequestParams) -> types.ElicitResult:
        form = not isinstance(params, types.ElicitRequestURLParams)
        return types.ElicitResult(action="accept", content={"a": streams.of[context.request_id]} if form else None)

    async def sample(context: RequestContext[Any, Any], _: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        said = types.TextContent(type="text", text=streams.of[context.request_id])
        return types.CreateMessageResult(role="assistant", model="none", content=said)

    async def roots(context: RequestContext[Any, Any]) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": f"file:///{streams.of[context.request_id]}"})])

    async with (
        httpx.AsyncClient(transport=streams, timeout=PATIENCE) as http,
        streamable_http_client(given.url, http_client=http) as (read, write, _),
        ClientSession(
            read,
            write,
            timedelta(seconds=PATIENCE),
            elicitation_callback=elicit,
            sampling_callback=sample,
            list_roots_callback=roots,
        ) as session,
    ):
        await session.initialize()
        if not given.no_get:
            await streams.get.wait()

        async def call(who: str) -> str:
            (block,) = (await session.call_tool("each", {"who": who})).content
            return block.text if isinstance(block, types.TextContent) else block.type

        texts = dict(zip(NAMES, await asyncio.gather(*map(call, NAMES)), strict=True))
    print(json.dumps({"texts": texts, "asked": streams.asked}))


asyncio.run(main())

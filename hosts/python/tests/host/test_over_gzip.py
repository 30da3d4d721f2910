"""A small answer that unpacks to much: what a host gives the SDK's client so that it is bounded."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import tracemalloc

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from parley_mrtr.host import CallFailed, connect
from parley_mrtr.host.over import over

pytestmark = pytest.mark.anyio
ABOUT = {
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}


async def refuse_packed(response: httpx2.Response) -> None:
    """As README.md has it."""
    if "Content-Encoding" in response.headers:
        raise httpx2.DecodingError("the server packs its answers")


async def test_a_client_that_takes_no_packed_answer_leaves_the_call_in_doubt() -> None:
    packed = gzip.compress(b" " * (64 << 20))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = int(head.partition("content-length: ")[2].partition("\r\n")[0] or 0)
                message = json.loads(await reader.readexactly(length) or b"{}")
                encoding, body = "", b""
                if message.get("method") == "tools/call":
                    assert "accept-encoding: identity" in head
                    encoding, body = "Content-Encoding: gzip\r\n", packed
                elif "id" in message:
                    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": ABOUT}).encode()
                status = "405 No" if head.startswith("get") else "200 OK" if body else "202 Accepted"
                about = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{encoding}Content-Length: {len(body)}\r\n\r\n"
                writer.write(about.encode() + body)
                await writer.drain()

    said: list[bool] = []
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        headers = {"Accept-Encoding": "identity"}
        http = httpx2.AsyncClient(headers=headers, event_hooks={"response": [refuse_packed]})
        tracemalloc.start()
        with contextlib.suppress(Exception):
            client = Client(streamable_http_client(url, http_client=http), mode="2026-07-28")
            async with http, client, connect(over(client.session)) as session:
                try:
                    await session.call("tools/call", {"name": "pay", "arguments": {}})
                except CallFailed as failed:
                    said.append(failed.in_doubt)
                except asyncio.CancelledError as cancelled:  # the SDK's client ends, and its user with it
                    assert isinstance(cancelled.__cause__, CallFailed)
                    said.append(cancelled.__cause__.in_doubt)
                    raise
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert said == [True]
    assert peak < 32 << 20, "the answer was unpacked"

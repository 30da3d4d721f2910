"""What a transport has not begun of a call that is cancelled was not sent: wasm/GUIDE.md, duty 7."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from parley_mrtr.host import CallFailed, Outbound, Requests, Stdio, StreamableHTTP, connect
from parley_mrtr.host.core import Action, Event
from parley_mrtr.host.transport import Transport

EARLIER = "2025-11-25"


async def turns(done: Callable[[], bool]) -> None:
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never comes")


async def cancelled(transport: Transport, until: Callable[[], bool], version: str) -> CallFailed:
    async with connect(transport, shape={"known": version, "versions": [version]}) as session:
        call = asyncio.create_task(session.call_tool("t"))
        await turns(until)
        call.cancel()
        with pytest.raises(asyncio.CancelledError) as canceled:
            await call
    failed = canceled.value.__cause__
    assert isinstance(failed, CallFailed)
    return failed


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("version", ["2026-07-28", EARLIER])
def test_http(waits: bool, version: str) -> None:
    """A request that waits for its authorization has not begun."""

    async def test() -> None:
        wants: list[bool] = []  # an authorization, which the last one waits for
        heard: list[str] = []

        async def authorization() -> str:
            wants.append(True)
            if waits and len(wants) == last:
                await asyncio.Event().wait()
            return "Bearer a"

        async def answer(request: httpx2.Request) -> httpx2.Response:
            message: dict[str, Any] = json.loads(request.content or b"{}")
            name = message.get("method", request.method)
            heard.append(name)
            if name == "initialize":
                hello = {"protocolVersion": EARLIER, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
                return httpx2.Response(200, json={"jsonrpc": "2.0", "id": message["id"], "result": hello})
            if name == "tools/call":
                await asyncio.Event().wait()
            return httpx2.Response(405 if name == "GET" else 202)

        last = 1 if version == "2026-07-28" else 4  # after initialize, what follows it, and the stream
        client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
        transport = StreamableHTTP("http://localhost/mcp", client=client, authorization=authorization)
        until = (lambda: len(wants) == last) if waits else (lambda: "tools/call" in heard)
        failed = await cancelled(transport, until, version)
        assert failed.resumable
        assert failed.in_doubt != waits
        assert ("tools/call" in heard) != waits
        assert ("notifications/cancelled" in heard) == (version == EARLIER and not waits)

    asyncio.run(test())


def test_http_that_connects() -> None:
    """A request that has no connection yet has not begun."""

    async def test() -> None:
        connects = asyncio.Event()

        class Network(httpx2.AsyncHTTPTransport):
            async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
                await request.extensions["trace"]("connection.connect_tcp.started", {"host": "localhost"})
                connects.set()
                await asyncio.Event().wait()
                raise AssertionError

        transport = StreamableHTTP("http://localhost/mcp", client=httpx2.AsyncClient(transport=Network()))
        assert not (await cancelled(transport, connects.is_set, "2026-07-28")).in_doubt

    asyncio.run(test())


PROGRAM = """
import sys
for line in sys.stdin:
    print(line, file=sys.stderr, flush=True)
"""


def test_stdio(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message for a program that is still being started was not written, nor is what cancels it."""

    async def test() -> None:
        starts = asyncio.Event()
        started = asyncio.Event()
        begin = asyncio.create_subprocess_exec

        async def slowly(*arguments: Any, **options: Any) -> Any:
            starts.set()
            await started.wait()
            return await begin(*arguments, **options)

        monkeypatch.setattr(asyncio, "create_subprocess_exec", slowly)
        carrier = Stdio(sys.executable, ["-c", PROGRAM]).open(lambda event, cause=None: told.append(event))
        told: list[Event] = []
        carrier.perform({"type": "post", "exchange": 1, "body": b"{}"})
        carrier.perform({"type": "post", "exchange": 2, "body": b"{}"})
        await starts.wait()
        assert carrier.perform({"type": "post", "exchange": 3, "cancels": 2, "body": b"{}"})
        assert carrier.perform({"type": "abort", "exchange": 1})
        assert not carrier.perform({"type": "abort", "exchange": 1})
        started.set()
        carrier.reset()
        await carrier.close()
        assert not told

    asyncio.run(test())


def test_stdio_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        starts = asyncio.Event()

        async def never(*_: Any, **__: Any) -> Any:
            starts.set()
            for _ in range(100):  # turns, in which the call is cancelled
                await asyncio.sleep(0)
            raise OSError

        monkeypatch.setattr(asyncio, "create_subprocess_exec", never)
        transport = Stdio("program")
        failed = await cancelled(transport, starts.is_set, "2026-07-28")
        assert (failed.in_doubt, failed.resumable) == (False, True)

    asyncio.run(test())


def test_requests() -> None:
    async def test() -> None:
        told: list[Event] = []
        sent: list[Outbound] = []

        async def send(outbound: Outbound) -> bytes:
            sent.append(outbound)
            return await asyncio.Event().wait() and b""

        carrier = Requests(send).open(lambda event, cause=None: told.append(event))
        post: Action = {"type": "request", "leg": 1, "method": "ping", "params": b"{}", "capabilities": b"{}"}
        carrier.perform({**post, "exchange": 1})
        assert carrier.perform({"type": "abort", "exchange": 1})
        carrier.perform({**post, "exchange": 2})
        await turns(lambda: bool(sent))
        assert not carrier.perform({"type": "abort", "exchange": 2})
        await carrier.close()
        assert (len(told), len(sent)) == (0, 1)

    asyncio.run(test())

"""A trap ends calls, not sessions: wasm/GUIDE.md, duty 9. The rest is in the scripts of hosts/testdata/drivers."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2
import pytest
from wasmtime import Trap

from parley_mrtr.host import (
    Askers,
    CallFailed,
    Code,
    InstanceError,
    Outbound,
    Question,
    Requests,
    Session,
    Stdio,
    StreamableHTTP,
    Watchers,
    accept,
    connect,
)
from parley_mrtr.host import instance as engine
from parley_mrtr.host.core import Action
from parley_mrtr.host.transport import Carrier, Receive

VERSION = "2025-11-25"
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
DONE = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}'

Traps = Callable[[str], None]


@pytest.fixture
def traps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Traps]:
    """Has the next call of an export trap."""
    trapping: list[str] = []
    call = engine.Instance.call

    def calls(self: engine.Instance, export: str, *arguments: float) -> int:
        if export in trapping:
            trapping.remove(export)
            raise Trap("unreachable")
        return call(self, export, *arguments)

    monkeypatch.setattr(engine.Instance, "call", calls)
    yield trapping.append
    assert not trapping


class Earlier:
    """A server of an earlier era behind a balancer, over HTTP."""

    def __init__(self) -> None:
        self.log: list[tuple[str, str | None, str | None]] = []
        self.answers = asyncio.Event()
        self.called = asyncio.Event()

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        message = json.loads(request.content or b"{}")
        name = message.get("method", request.method)
        self.log.append((name, request.headers.get("Mcp-Session-Id"), request.headers.get("Cookie")))
        if name == "GET":
            return httpx2.Response(405)
        if name == "initialize":
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": HELLO}
            headers = {"Mcp-Session-Id": f"s{len(self.log)}", "Set-Cookie": "node=1"}
            return httpx2.Response(200, json=answer, headers=headers)
        if name == "tools/call":
            self.called.set()
            await self.answers.wait()
            return httpx2.Response(200, content=DONE % message["id"], headers={"Content-Type": "application/json"})
        return httpx2.Response(202)


def test_over_http(traps: Traps, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        server = Earlier()
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        client = httpx2.AsyncClient(transport=httpx2.MockTransport(server), cookies=no_cookies)
        monkeypatch.setattr("parley_mrtr.host.http._client", lambda: client)
        async with connect(StreamableHTTP("http://localhost/mcp"), shape={"known": VERSION}) as session:
            calls = [asyncio.create_task(session.call_tool("t")) for _ in range(2)]
            await server.called.wait()
            traps("parley_session_step")
            server.answers.set()
            for failed in await asyncio.gather(*calls, return_exceptions=True):
                assert isinstance(failed, CallFailed)
                assert (failed.code, failed.in_doubt, failed.snapshot) == (Code.INSTANCE, True, None)
                assert isinstance(failed.__cause__, InstanceError)
            assert (await session.call_tool("t")).content == []
        assert [line for line in server.log if line[0] == "initialize"][1] == ("initialize", None, None)
        calls_and_ends = [line for line in server.log if line[0] in ("DELETE", "tools/call")]
        second = calls_and_ends[-1][1]
        assert calls_and_ends[:2] == [("tools/call", "s1", "node=1")] * 2
        assert sorted(calls_and_ends[2:-1]) == [("DELETE", "s1", "node=1"), ("tools/call", second, "node=1")]
        assert calls_and_ends[-1] == ("DELETE", second, "node=1") and second not in (None, "s1")

    asyncio.run(test())


PROGRAM = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    if request["method"] == "server/discover":
        answer = {"supportedVersions": ["2026-07-28"], "capabilities": {}}
    else:
        answer = {"content": [{"type": "text", "text": str(os.getpid())}]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer}), flush=True)
"""


def test_a_program_is_started_again(traps: Traps) -> None:
    async def test() -> None:
        async with connect(Stdio(sys.executable, ["-c", PROGRAM])) as session:
            first = (await session.call_tool("t")).text
            assert (await session.call_tool("t")).text == first
            traps("parley_session_step")
            with pytest.raises(CallFailed) as failed:
                await session.call_tool("t")
            assert (failed.value.code, failed.value.in_doubt) == (Code.INSTANCE, False)  # nothing of it was sent
            assert (await session.call_tool("t")).text != first

    asyncio.run(test())


class Peer:
    """The other end of a connection of the host's own."""

    def __init__(self) -> None:
        self.sent = asyncio.Event()
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def send(self, outbound: Outbound) -> bytes:
        self.sent.set()
        return await self.answer

    def session(self, **askers: Any) -> Session:
        return connect(Requests(self.send), **askers)


async def fail(call: asyncio.Task[Any]) -> CallFailed:
    with pytest.raises(CallFailed) as failed:
        await call
    assert failed.value.code == Code.INSTANCE
    return failed.value


def test_a_call_that_was_resumed_has_the_snapshot_that_it_came_from(traps: Traps) -> None:
    async def test() -> None:
        kept: list[str] = []
        async with Peer().session() as session:
            with pytest.raises(CallFailed) as failed:

                def full(snapshot: str) -> None:
                    kept.append(snapshot)
                    raise OSError

                await session.call("tools/call", {"name": "t"}, save=full)
            came_from = failed.value.snapshot
            assert came_from is not None
            never = asyncio.Event()
            saving = asyncio.Event()

            async def save(snapshot: str) -> None:
                saving.set()
                await never.wait()

            calling = asyncio.create_task(session.resume_call(came_from, save=save))
            await saving.wait()
            traps("parley_session_step")
            session._driver.step({"type": "tick"})
            lost = await fail(calling)
            assert (lost.snapshot, lost.in_doubt) == (came_from, False)

            traps("parley_session_step")
            lost = await fail(asyncio.create_task(session.resume_call(came_from)))
            assert (lost.snapshot, lost.in_doubt) == (None, False)

    asyncio.run(test())


@pytest.mark.parametrize("export", ["restore", "info"])
def test_a_call_that_cannot_be_restored(traps: Traps, export: str) -> None:
    async def test() -> None:
        peer = Peer()
        async with peer.session() as session:
            with pytest.raises(asyncio.CancelledError) as canceled:
                calling = asyncio.create_task(session.call("tools/call", {"name": "t"}))
                await peer.sent.wait()
                calling.cancel()
                await calling
            failed = canceled.value.__cause__
            assert isinstance(failed, CallFailed) and failed.snapshot is not None
            for save in (None, lambda _: None):
                traps(f"parley_session_{export}")
                lost = await fail(asyncio.create_task(session.resume_call(failed.snapshot, save=save)))
                assert lost.snapshot == (failed.snapshot if save else None)
                assert lost.in_doubt == (save is not None)

    asyncio.run(test())


@pytest.mark.parametrize("export", ["_initialize", "parley_session_new", "parley_session_call", "parley_session_step"])
def test_no_core_can_be_made(traps: Traps, export: str) -> None:
    async def test() -> None:
        peer = Peer()
        peer.answer.set_result(DONE % 1)
        async with peer.session() as session:
            for trapping in ("parley_session_step", export):
                traps(trapping)
                lost = await fail(asyncio.create_task(session.call_tool("t")))
                assert not lost.in_doubt
            assert (await session.call_tool("t")).content == []

    asyncio.run(test())


def test_what_cannot_be_read_of_a_snapshot_is_in_doubt(traps: Traps) -> None:
    async def test() -> None:
        for method, in_doubt in ("tools/call", True), ("prompts/get", False):
            peer = Peer()
            async with peer.session() as session:
                calling = asyncio.create_task(session.call(method, {"name": "t"}, save=lambda _: None))
                await peer.sent.wait()
                traps("parley_session_step")
                traps("parley_snapshot_info")
                peer.answer.set_result(DONE % 1)
                assert (await fail(calling)).in_doubt == in_doubt

    asyncio.run(test())


def test_a_session_is_closed(traps: Traps) -> None:
    async def test() -> None:
        peer = Peer()
        session = peer.session()
        calling = asyncio.create_task(session.call_tool("t"))
        await peer.sent.wait()
        traps("parley_session_step")
        await session.close()
        assert (await fail(calling)).in_doubt

    asyncio.run(test())


class Late:
    """A transport that feeds an answer to what the core before has sent."""

    kind = "requests"

    def __init__(self) -> None:
        self.performed: list[Action] = []

    def open(self, receive: Receive) -> Carrier:
        self.receive = receive
        return self

    def perform(self, action: Action) -> None:
        self.performed.append(action)

    def reset(self) -> None:
        self.answer(b"late")

    async def close(self) -> None:
        pass

    def answer(self, text: bytes) -> None:
        exchange = self.performed[-1]["exchange"]
        body = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%b"}]}}' % text
        self.receive({"type": "message", "exchange": exchange, "body": body, "last": True})


@pytest.mark.parametrize("is_thread", [False, True])
def test_what_comes_late_is_dropped(traps: Traps, is_thread: bool) -> None:
    async def test() -> None:
        transport = Late()
        async with connect(transport) as session:  # type: ignore[arg-type]
            calling = asyncio.create_task(session.call_tool("t"))
            while not transport.performed:
                await asyncio.sleep(0)
            next_call = asyncio.create_task(session.call_tool("t"))
            await asyncio.sleep(0)  # it begins in the next turn
            if is_thread:  # what it reports comes in the turn after the new core was made
                thread = threading.Thread(target=transport.answer, args=(b"late",))
                thread.start()
                thread.join()
            traps("parley_session_step")
            transport.answer(b"trap")
            assert (await fail(calling)).in_doubt
            while len(transport.performed) < 2:
                await asyncio.sleep(0)
            for _ in range(10):
                await asyncio.sleep(0)
            transport.answer(b"in time")
            assert (await next_call).text == "in time"

    asyncio.run(test())


def test_what_a_call_runs_has_the_context_of_its_caller() -> None:
    """Whatever task the event came in."""
    who: ContextVar[str] = ContextVar("who")
    asks = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"type": "object"}}}
    results = [{"resultType": "input_required", "requestState": "s", "inputRequests": {"a": asks}}, {"content": []}]

    async def call(session: Session, name: str) -> list[str]:
        who.set(name)
        seen: list[str] = []

        async def ask(_: Question) -> dict[str, Any]:
            seen.append(f"ask {who.get()}")
            return accept({})

        def save(_: str) -> None:
            seen.append(f"save {who.get()}")

        watchers = Watchers(leg=lambda _: seen.append(f"leg {who.get()}"))
        await session.call("tools/call", {"name": "t"}, askers=Askers(elicit=ask), watchers=watchers, save=save)
        return seen

    async def test() -> None:
        count: dict[str, int] = {}

        async def send(_: Outbound) -> bytes:
            count[who.get()] = count.get(who.get(), -1) + 1
            await asyncio.sleep(0)
            return json.dumps({"jsonrpc": "2.0", "id": 1, "result": results[count[who.get()]]}).encode()

        async with connect(Requests(send)) as session:
            names = ["ada", "grace"]
            for name, seen in zip(names, await asyncio.gather(*(call(session, name) for name in names)), strict=True):
                assert seen and all(said.endswith(name) for said in seen)
                assert {said.split()[0] for said in seen} == {"ask", "save", "leg"}

    asyncio.run(test())

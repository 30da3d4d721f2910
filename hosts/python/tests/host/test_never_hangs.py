"""What a host does to its own session: it is told so, and nothing waits for ever."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import httpx2
import pytest

from parley_mrtr.host import (
    CallFailed,
    Code,
    Outbound,
    ParleyError,
    Question,
    Requests,
    SessionWatchers,
    Stdio,
    StreamableHTTP,
    Watchers,
    accept,
    connect,
)
from parley_mrtr.host.transport import Transport

QUESTION = {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": {"type": "object"}}}
ASKS = {"resultType": "input_required", "requestState": "s1", "inputRequests": {"who": QUESTION}}
DONE = {"content": []}


def answering(*results: dict[str, Any]) -> Requests:
    left = list(results)

    async def send(_: Outbound) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": 1, "result": left.pop(0)}).encode()

    return Requests(send)


async def turns(done: Callable[[], bool], most: int = 1000) -> bool:
    """Whether something comes within so many turns of the event loop."""
    for _ in range(most):
        if done():
            return True
        await asyncio.sleep(0)
    return False


class Ends(BaseException):
    """Of a framework that ends a task by it."""


@pytest.mark.parametrize("raised", [Ends, asyncio.CancelledError, SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("waits", [False, True])
def test_an_asker_that_raises_what_is_no_exception(raised: type[BaseException], waits: bool) -> None:
    async def later(_: Question) -> dict[str, Any]:
        await asyncio.sleep(0)
        raise raised

    def now(_: Question) -> dict[str, Any]:
        raise raised

    async def call() -> CallFailed:
        async with connect(answering(ASKS), elicit=later if waits else now) as session:
            calling = asyncio.ensure_future(session.call_tool("t"))
            assert await turns(calling.done)
            with pytest.raises(CallFailed) as failed:
                calling.result()
            return failed.value

    check(raised, call)


@pytest.mark.parametrize("raised", [Ends, asyncio.CancelledError, SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("waits", [False, True])
def test_a_save_that_raises_what_is_no_exception(raised: type[BaseException], waits: bool) -> None:
    async def later(_: str) -> None:
        await asyncio.sleep(0)
        raise raised

    def now(_: str) -> None:
        raise raised

    async def call() -> CallFailed:
        async with connect(answering(DONE)) as session:
            calling = asyncio.ensure_future(session.call_tool("t", save=later if waits else now))
            assert await turns(calling.done)
            with pytest.raises(CallFailed) as failed:
                calling.result()
            return failed.value

    assert check(raised, call).code == Code.SAVE


def check(raised: type[BaseException], call: Callable[[], Coroutine[Any, Any, CallFailed]]) -> CallFailed:
    """The call fails because of what was raised. What ends a program still does."""
    loop = asyncio.new_event_loop()
    try:
        task = loop.create_task(call())
        interrupted = False
        while not task.done():
            try:
                loop.run_until_complete(task)
            except (SystemExit, KeyboardInterrupt):
                assert not interrupted
                interrupted = True
        failed = task.result()
        assert interrupted == (raised in (SystemExit, KeyboardInterrupt))
        assert isinstance(failed.__cause__, raised)
        return failed
    finally:
        loop.close()


@pytest.mark.parametrize("raised", [Ends, asyncio.CancelledError])
def test_a_watcher_that_raises_what_is_no_exception(raised: type[BaseException]) -> None:
    def watch(_: object) -> None:
        raise raised

    async def test() -> None:
        async with connect(answering(DONE)) as session:
            calling = asyncio.ensure_future(session.call_tool("t", watchers=Watchers(leg=watch)))
            assert await turns(calling.done)
            assert calling.result().raw == b'{"content": []}'

    asyncio.run(test())


@pytest.mark.parametrize("most", range(4))
def test_a_call_that_begins_while_its_session_is_closed(most: int) -> None:
    async def test() -> None:
        session = connect(answering(DONE))
        calling = asyncio.create_task(session.call_tool("t"))
        for _ in range(most):
            await asyncio.sleep(0)
        await session.close()
        assert await turns(calling.done)
        raised = calling.exception()
        assert isinstance(raised, (ParleyError, CallFailed)) or calling.result().content == []

    asyncio.run(test())


def test_a_call_that_ends_as_it_begins_leaves_no_task() -> None:
    async def test() -> None:
        async def send(_: Outbound) -> bytes:
            raise OSError

        async with connect(Requests(send)) as session:
            with pytest.raises(CallFailed) as failed:
                await session.call("tools/call", {"name": "t"})
            assert failed.value.snapshot is not None
            with pytest.raises(CallFailed, match="only on request"):
                await session.resume_call(failed.value.snapshot, park=asyncio.Event())
            await asyncio.sleep(0)  # in which what was cancelled ends
            assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(test())


def elsewhere(use: Callable[[], Awaitable[object]]) -> BaseException | None:
    """What comes of a use of a session in the event loop of another thread."""
    raised: list[BaseException | None] = []

    async def using() -> None:
        calling = asyncio.ensure_future(use())
        assert await turns(calling.done), "it hangs"
        raised.append(calling.exception())

    def thread() -> None:
        try:
            asyncio.run(using())
        except AssertionError as error:
            raised.append(error)

    other = threading.Thread(target=thread)
    other.start()
    other.join()
    return raised[0]


def test_another_event_loop_is_refused() -> None:
    async def test() -> None:
        asked = asyncio.Event()
        answer = asyncio.Event()

        async def ask(_: Question) -> dict[str, Any]:
            asked.set()
            await answer.wait()
            return accept({})

        async with connect(answering(ASKS, DONE, DONE), elicit=ask) as session:
            calling = asyncio.create_task(session.call_tool("t"))
            await asked.wait()
            uses: list[Callable[[], Awaitable[object]]] = [
                lambda: session.call_tool("t"),
                lambda: session.resume_call("{}"),
                session.close,
            ]
            for use in uses:
                refused = await asyncio.to_thread(elsewhere, use)
                assert isinstance(refused, ParleyError), refused
                assert refused.code == Code.ORDER and "event loop" in str(refused)
            answer.set()
            assert (await calling).raw == b'{"content": []}'
            await session.call_tool("t")

    asyncio.run(test())


def test_an_event_loop_after_another_is_refused() -> None:
    async def make() -> Any:
        session = connect(answering(DONE, DONE))
        await session.call_tool("t")
        return session

    session = asyncio.run(make())
    for use in (lambda: session.call_tool("t"), session.close):
        assert isinstance(elsewhere(use), ParleyError)


def test_progress_comes_from_another_thread() -> None:
    async def test() -> None:
        threads: set[int] = set()
        done = asyncio.Event()

        async def send(outbound: Outbound) -> bytes:
            said = b'{"progressToken":1,"progress":1}'
            await asyncio.to_thread(lambda: [outbound.progress(said) for _ in range(100)])
            await done.wait()
            return b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'

        seen: list[bytes] = []

        def progress(_: int, params: bytes) -> None:
            threads.add(threading.get_ident())
            seen.append(params)
            if len(seen) == 100:
                done.set()

        async with connect(Requests(send)) as session:
            await session.call_tool("t", watchers=Watchers(progress=progress))
        assert threads == {threading.get_ident()}

    asyncio.run(test())


NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
RESULT = b'{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}'

PROGRAM = """
import json, sys
out = sys.stdout.buffer
for line in sys.stdin.buffer:
    request = json.loads(line)
    if request["method"] == "server/discover":
        answer = {"supportedVersions": ["2026-07-28"], "capabilities": {}}
    else:
        answer = {"content": []}
        out.write(NOTE * 2000)
    out.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer}).encode() + b"\\n")
    out.flush()
"""


def over_http(body: Callable[[bytes], bytes], kind: str) -> Transport:
    def answer(request: httpx2.Request) -> httpx2.Response:
        id = request.content.split(b'"id":')[1].split(b",")[0]
        return httpx2.Response(200, headers={"Content-Type": kind}, content=body(RESULT % id))

    client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    return StreamableHTTP("http://localhost/mcp", client=client)


TRANSPORTS: dict[str, tuple[int, Transport]] = {
    "events": (
        5000,
        over_http(lambda last: b"data: %b\n\n" % NOTE * 5000 + b"data: %b\n\n" % last, "text/event-stream"),
    ),
    "a batch": (1000, over_http(lambda last: b"[%b%b]" % ((NOTE + b",") * 1000, last), "application/json")),
    "lines": (2000, Stdio(sys.executable, ["-c", PROGRAM.replace("NOTE", repr(NOTE + b"\n"))])),
}


@pytest.mark.parametrize("name", TRANSPORTS)
def test_other_tasks_have_their_turns_between_notifications(name: str) -> None:
    notes, transport = TRANSPORTS[name]

    async def test() -> None:
        told = most = since = behind = 0

        def tell(*_: object) -> None:
            nonlocal told, since, behind
            told += 1
            since += 1
            behind = max(behind, len(session._driver._queue._items))

        async def other() -> None:
            """Notes how many notifications it waits for."""
            nonlocal most, since
            while True:
                most, since = max(most, since), 0
                await asyncio.sleep(0)

        beside = asyncio.create_task(other())
        async with connect(transport, watchers=SessionWatchers(notification=tell)) as session:
            assert (await session.call_tool("t")).content == []
        beside.cancel()
        assert told == notes
        assert 0 < most <= 256
        assert behind <= 1  # the transport waits until there is room

    asyncio.run(test())

"""Sessions over a connection of the test's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from parley_mrtr.host import (
    PARK,
    Askers,
    CallFailed,
    Code,
    Done,
    Outbound,
    Outcome,
    Parked,
    ParleyError,
    Pending,
    Question,
    Requests,
    accept,
    connect,
    decline,
)

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
ADA = accept({"name": "Ada"})


def ask(message: str) -> dict[str, Any]:
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": FORM}}


def asks(state: str, **questions: dict[str, Any]) -> dict[str, Any]:
    return {"resultType": "input_required", "requestState": state, "inputRequests": questions}


class Server:
    """Answers request after request, and keeps what it was sent."""

    def __init__(self, *results: dict[str, Any] | bytes) -> None:
        self._results = list(results)
        self.heard: list[dict[str, Any]] = []

    async def send(self, outbound: Outbound) -> bytes:
        self.heard.append(json.loads(outbound.params))
        result = self._results.pop(0)
        text = result if isinstance(result, bytes) else json.dumps(result).encode()
        return b'{"jsonrpc":"2.0","id":1,"result":%b}' % text

    @property
    def transport(self) -> Requests:
        return Requests(self.send)


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def wrapped() -> None:
        asyncio.run(test())

    wrapped.__name__ = test.__name__
    return wrapped


def pending(outcome: Outcome) -> Pending:
    assert isinstance(outcome, Pending)
    return outcome


@run
async def test_what_is_not_answered_waits_on() -> None:
    server = Server(asks("s1", who=ask("Who?"), where=ask("Where?")), {"content": []})
    async with connect(server.transport) as session:
        first = pending(await session.start("tools/call", {"name": "t"}))
    assert [question.message for question in first.questions] == ["Who?", "Where?"]
    who, where = (question.id for question in first.questions)

    async with connect(server.transport) as session:
        second = pending(await session.resume(first.snapshot, {who: ADA}))
        assert [question.message for question in second.questions] == ["Where?"]
        assert len(server.heard) == 1
        done = await session.resume(second.snapshot, {where: decline()})
    assert isinstance(done, Done)
    assert server.heard[1]["inputResponses"] == {"who": ADA, "where": decline()}
    assert server.heard[1]["requestState"] == "s1"


@run
async def test_an_answer_that_cannot_be_used_is_asked_for_again() -> None:
    server = Server(asks("s1", who=ask("Who?")), {"content": []})
    async with connect(server.transport) as session:
        first = pending(await session.start("tools/call", {"name": "t"}))
        (question,) = first.questions
        second = pending(await session.resume(first.snapshot, {question.id: accept({"name": 5})}))
        (again,) = second.questions
        assert again.id == question.id and again.problem
        assert isinstance(await session.resume(second.snapshot, {again.id: ADA}), Done)


@run
async def test_answers_are_for_one_question_each() -> None:
    server = Server(asks("s1", who=ask("Who?")), asks("s2", who=ask("Who else?")))
    async with connect(server.transport) as session:
        first = pending(await session.start("tools/call", {"name": "t"}))
        second = pending(await session.resume(first.snapshot, {first.questions[0].id: ADA}))
    (question,) = second.questions
    assert (question.key, question.message) == ("who", "Who else?")
    assert question.id != first.questions[0].id


@run
async def test_a_snapshot_is_for_who_made_the_call() -> None:
    server = Server(asks("s1", who=ask("Who?")))
    async with connect(server.transport) as session:
        first = pending(await session.start("tools/call", {"name": "t"}, options={"principal": "ada"}))
        with pytest.raises(ParleyError) as refused:
            await session.resume(first.snapshot, {}, expect={"principal": "eve"})
    assert refused.value.code == Code.PEER
    assert "s1" in first.snapshot and "s1" not in repr(first)


@run
async def test_pages_wait_only_where_they_may() -> None:
    server = Server({"content": []}, {"content": []})
    declared: list[Any] = []

    async def send(outbound: Outbound) -> bytes:
        declared.append(json.loads(outbound.capabilities))
        return await server.send(outbound)

    async with connect(Requests(send)) as session:
        await session.start("tools/call", {"name": "t"})
        await session.start("tools/call", {"name": "t"}, url=False)
    assert declared == [{"elicitation": {"form": {}, "url": {}}}, {"elicitation": {"form": {}}}]


@run
async def test_long_results_come_in_slices_and_stay_as_they_are() -> None:
    text = b'{"content":[{"type":"text","text":"%b"}],"x": 1.0,"y":9007199254740993}' % (b"\xc3\xa9" * (600 << 10))
    steps: list[int] = []
    async with connect(Server(text).transport) as session:
        core = session._driver._core
        step = core.step
        session._driver._core.step = lambda now, event: (  # type: ignore[method-assign]
            steps.append(len(event.get("body", b""))) or step(now, event)  # type: ignore[func-returns-value]
        )
        done = await session.call("tools/call", {"name": "t"})
    assert isinstance(done, Done)
    assert done.result == text
    assert len([size for size in steps if size]) == 5
    assert max(steps) <= 256 << 10


@run
async def test_cancelling_says_what_became_of_the_call() -> None:
    sent = asyncio.Event()

    async def send(_: Outbound) -> bytes:
        sent.set()
        return await asyncio.Event().wait() and b""

    causes: list[BaseException | None] = []

    async def call() -> None:
        try:
            await session.call("tools/call", {"name": "t"})
        except asyncio.CancelledError as error:
            causes.append(error.__cause__)
            raise

    async with connect(Requests(send)) as session:
        task = asyncio.create_task(call())
        await sent.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    (cause,) = causes
    assert isinstance(cause, CallFailed)
    assert (cause.code, cause.in_doubt, cause.resumable) == (Code.CANCELED, True, True)


@run
async def test_closing_ends_calls_that_run() -> None:
    asked = asyncio.Event()

    async def never(_: Question) -> dict[str, Any]:
        asked.set()
        await asyncio.Event().wait()
        return {}

    session = connect(Server(asks("s1", who=ask("Who?"))).transport, elicit=never)
    task = asyncio.create_task(session.call_tool("t"))
    await asked.wait()
    await session.close()
    with pytest.raises(CallFailed) as failed:
        await task
    assert (failed.value.code, failed.value.in_doubt, failed.value.resumable) == (Code.CANCELED, False, True)
    with pytest.raises(ParleyError, match="closed"):
        await session.call("ping")


@run
async def test_results() -> None:
    shown = b'{"content":[{"type":"text","text":"Hi"}],"structuredContent":{"n":1},"isError":true}'
    server = Server(shown, {"content": [{"type": "text"}]}, asks("s1", who=ask("Who?")))
    async with connect(server.transport, elicit=lambda _: PARK) as session:
        result = await session.call_tool("t", {"n": 1})
        assert (result.text, result.structured_content, result.is_error) == ("Hi", {"n": 1}, True)
        assert result.raw == shown
        with pytest.raises(CallFailed) as failed:
            await session.call_tool("t")
        assert failed.value.raw == b'{"content": [{"type": "text"}]}'
        with pytest.raises(Parked) as parked:
            await session.call_tool("t")
        assert [question.key for question in parked.value.pending.questions] == ["who"]


@run
async def test_a_task_is_asked_for_beside_the_arguments() -> None:
    server = Server(*[b'{"content":[]}'] * 2)
    async with connect(server.transport) as session:
        await session.call_tool("t", task={})
        await session.call_tool("t", {"n": 1}, task={"ttl": 90_000})
    sent = [{name: value for name, value in params.items() if name != "_meta"} for params in server.heard]
    assert sent == [{"name": "t", "task": {}}, {"name": "t", "arguments": {"n": 1}, "task": {"ttl": 90_000}}]


@run
async def test_a_save_that_fails_sends_nothing() -> None:
    def full(_: str) -> Awaitable[None]:
        raise OSError("the disk is full")

    server = Server()
    async with connect(server.transport) as session:
        with pytest.raises(CallFailed) as failed:
            await session.call("tools/call", {"name": "t"}, save=full)
    assert (failed.value.code, failed.value.in_doubt, server.heard) == (Code.SAVE, False, [])
    assert isinstance(failed.value.__cause__, OSError)


def test_what_can_be_answered_is_declared() -> None:
    said = Askers(elicit=lambda _: decline(), tasks=True).can()
    assert [name for name, value in said.items() if value] == ["form", "tasks"]

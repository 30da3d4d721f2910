from __future__ import annotations

import asyncio
import inspect
import sys
from typing import Any, Literal
from unittest.mock import AsyncMock, Mock

import anyio
import pytest
from fastmcp.server.elicitation import AcceptedElicitation
from mcp.shared.exceptions import MCPError
from mcp_types import ClientCapabilities, ElicitResult
from pydantic import BaseModel, Field

from parley_mrtr.server import Ask, AskError, Cancelled, Declined, Suspended, asking, elicit, form, roots, sampling
from rounds import EVERYTHING, fill, guard, leg, steps

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


class Room(BaseModel):
    name: Literal["blue", "red"]
    beds: int = Field(2, ge=1, le=4)


async def book(ask: Ask) -> str:
    room = await ask.form("Which room?", Room)
    reply = await ask.elicit(f"Book {room.name} with {room.beds} beds?", bool)
    if not (isinstance(reply, AcceptedElicitation) and reply.data):
        return "not booked"
    text, folders = await ask.all(sampling("Say it."), roots())
    return f"{text} {len(folders)}"


def test_straight_code() -> None:
    first = leg(book)
    assert list(first["inputRequests"]) == ["elicitation-1"]
    second = leg(book, first["requestState"], fill("elicitation-1", name="blue"))
    (question,) = second["inputRequests"].values()
    assert question["params"]["message"] == "Book blue with 2 beds?"
    third = leg(book, second["requestState"], fill("elicitation-2", value=True))
    assert list(third["inputRequests"]) == ["roots-4", "sampling-3"]
    said = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Booked."}}
    some = leg(book, third["requestState"], {"sampling-3": said})
    assert list(some["inputRequests"]) == ["roots-4"]
    assert leg(book, some["requestState"], {"roots-4": {"roots": []}}) == {"text": "Booked. 0"}


def test_a_no() -> None:
    async def ask_room(ask: Ask) -> str:
        try:
            return (await ask.form("Which room?", Room)).name
        except Declined:
            return "declined"
        except Cancelled:
            return "cancelled"

    state = leg(ask_room)["requestState"]
    for action in "decline", "cancel":
        assert leg(ask_room, state, {"elicitation-1": {"action": action}})["text"].startswith(action)
    second = leg(book, leg(book)["requestState"], fill("elicitation-1", name="red"))["requestState"]
    assert leg(book, second, {"elicitation-2": {"action": "decline"}}) == {"text": "not booked"}
    with pytest.raises(Declined):
        leg(book, leg(book)["requestState"], {"elicitation-1": {"action": "decline"}})


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "accept", "content": {"name": "green"}},
        {"action": "accept", "content": {"name": "blue", "beds": 9}},
        {"action": "accept"},
        {"action": "shrug"},
        {"action": "accept", "content": [1]},
        {"roots": []},
        "yes",
        None,
    ],
)
def test_what_does_not_fit_is_no_answer(answer: Any) -> None:
    again = leg(book, leg(book)["requestState"], {"elicitation-1": answer})
    assert list(again["inputRequests"]) == ["elicitation-1"]
    assert leg(book, again["requestState"], fill("elicitation-1", name="red"))["inputRequests"]


def test_answers_that_nobody_asked_for() -> None:
    assert list(leg(book, None, fill("elicitation-1", name="red"))["inputRequests"]) == ["elicitation-1"]
    first = leg(book)["requestState"]
    ahead = leg(book, first, {**fill("elicitation-1", name="red"), **fill("elicitation-2", value=True)})
    assert list(ahead["inputRequests"]) == ["elicitation-2"]


def names(first: str, second: str) -> Any:
    async def handler(ask: Ask) -> str:
        a = await ask.form(first, SCHEMA)
        b = await ask.form(second, SCHEMA)
        return f"{a['a']} {b['a']}"

    return handler


def test_a_question_that_changed_is_asked_anew_or_refused() -> None:
    old, new = names("Name?", "Friend?"), names("Full name?", "Friend?")
    first = leg(old)["requestState"]
    second = leg(old, first, fill("elicitation-1", a="Ada"))["requestState"]
    anew = leg(new, second, fill("elicitation-2", a="Bob"))
    assert list(anew["inputRequests"]) == ["elicitation-1"]
    for token, answers in (first, fill("elicitation-1", a="Ada")), (second, fill("elicitation-2", a="Bob")):
        with pytest.raises(AskError, match="asked otherwise"):
            leg(new, token, answers, strict=True)
    assert leg(old, second, fill("elicitation-2", a="Bob"), strict=True) == {"text": "Ada Bob"}


def test_once() -> None:
    ran: list[int] = []

    async def handler(ask: Ask) -> str:
        async def order() -> dict[str, int]:
            ran.append(1)
            return {"number": 4711}

        number = (await ask.once("order", order))["number"]
        a = await ask.form(f"Pay {number}?", SCHEMA)
        again = await ask.once("pay", lambda: a["a"] + "!")
        return f"{number} {again}"

    first = leg(handler)
    assert leg(handler, first["requestState"], fill("elicitation-1", a="yes")) == {"text": "4711 yes!"}
    assert len(ran) == 1


def test_finally_runs_every_round_and_swallowing_changes_nothing() -> None:
    left: list[str] = []

    async def handler(ask: Ask) -> str:
        try:
            return str((await ask.form("Name?", SCHEMA))["a"])
        except BaseException:
            try:
                await ask.form("Another?", SCHEMA)
            except Suspended:
                return "dropped"
            raise
        finally:
            left.append("left")

    first = leg(handler)
    assert list(first["inputRequests"]) == ["elicitation-1"]
    assert leg(handler, first["requestState"], fill("elicitation-1", a="Ada")) == {"text": "Ada"}
    assert left == ["left", "left"]


async def trip(ask: Ask) -> str:
    a, b = await asyncio.gather(ask.form("From?", SCHEMA, key="from"), ask.form("To?", SCHEMA, key="to"))
    return f"{a['a']} {b['a']}"


async def trip_at_once(ask: Ask) -> str:
    a, b = await ask.all(form("From?", SCHEMA, key="from"), form("To?", SCHEMA, key="to"))
    return f"{a['a']} {b['a']}"


def test_gather_is_all() -> None:
    first = leg(trip)
    assert first == leg(trip_at_once)
    second = leg(trip, first["requestState"], fill("to", a="Oslo"))
    assert list(second["inputRequests"]) == ["from"] and len(steps(second["requestState"])[0]) == 1
    assert leg(trip_at_once, second["requestState"], fill("from", a="Rome")) == {"text": "Rome Oslo"}
    assert leg(trip, second["requestState"], fill("from", a="Rome")) == {"text": "Rome Oslo"}


async def by_anyio(ask: Ask) -> str:
    said = {}

    async def one(key: str) -> None:
        said[key] = (await ask.form(f"{key}?", SCHEMA, key=key))["a"]

    async with anyio.create_task_group() as group:
        for key in "x", "y":
            group.start_soon(one, key)
    return f"{said['x']} {said['y']}"


async def by_asyncio(ask: Ask) -> str:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ask.form(f"{key}?", SCHEMA, key=key)) for key in ("x", "y")]
    return " ".join(task.result()["a"] for task in tasks)


async def in_groups(ask: Ask) -> str:
    async with anyio.create_task_group(), anyio.create_task_group() as group:
        group.start_soon(by_anyio, ask)
    return "1 2"


# asyncio has task groups since Python 3.11.
@pytest.mark.parametrize("handler", [by_anyio, in_groups, *([by_asyncio] if sys.version_info >= (3, 11) else [])])
def test_a_task_group_is_unwrapped(handler: Any) -> None:
    first = leg(handler)
    assert list(first["inputRequests"]) == ["x", "y"]
    assert leg(handler, first["requestState"], {**fill("x", a="1"), **fill("y", a="2")}) == {"text": "1 2"}


def test_what_is_refused_in_a_task_group_is_unwrapped() -> None:
    async def handler(ask: Ask) -> str:
        async with anyio.create_task_group() as group:
            group.start_soon(ask.form, "x?", SCHEMA)
            group.start_soon(ask.form, "y?", SCHEMA)
        return "never"

    with pytest.raises(AskError, match="need a key= each"):
        leg(handler)


def test_gather_without_keys_is_refused_at_once() -> None:
    async def handler(ask: Ask) -> str:
        await asyncio.gather(ask.form("From?", SCHEMA), ask.form("To?", SCHEMA))
        return "never"

    with pytest.raises(AskError, match="need a key= each"):
        leg(handler)


def test_gather_that_awaits_something_else_first_is_refused() -> None:
    async def late(ask: Ask) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        await ask.form("To?", SCHEMA, key="to")

    async def handler(ask: Ask) -> str:
        await asyncio.gather(ask.form("From?", SCHEMA, key="from"), late(ask), return_exceptions=True)
        return "never"

    with pytest.raises(AskError, match="must all start before"):
        leg(handler)


def test_two_questions_with_one_key() -> None:
    async def handler(ask: Ask) -> str:
        await ask.all(form("From?", SCHEMA, key="x"), form("To?", SCHEMA, key="x"))
        return "never"

    with pytest.raises(AskError, match="one key"):
        leg(handler)


def test_what_does_not_fit_a_state() -> None:
    first = leg(names("Name?", "Friend?"))["requestState"]
    with pytest.raises(AskError, match="do not fit a requestState"):
        leg(names("Name?", "Friend?"), first, fill("elicitation-1", a="x" * 9000))


def test_an_error_of_the_handler_is_its_own() -> None:
    async def handler(ask: Ask) -> str:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        leg(handler)


def test_what_the_client_did_not_declare() -> None:
    with pytest.raises(MCPError) as caught:
        leg(book, session=Mock(client_capabilities=ClientCapabilities()))
    assert caught.value.code == -32021


def test_a_client_without_rounds_is_asked_by_requests() -> None:
    def answered(*contents: dict[str, Any]) -> Any:
        session = Mock(client_capabilities=EVERYTHING)
        session.send_request = AsyncMock(side_effect=[ElicitResult(action="accept", content=one) for one in contents])
        return session

    session = answered({"name": "red"}, {"value": False})
    assert leg(book, session=session, version="2025-11-25") == {"text": "not booked"}
    asked = session.send_request.await_args_list
    assert [call.args[0].params.message for call in asked] == ["Which room?", "Book red with 2 beds?"]
    assert [call.kwargs["metadata"].related_request_id for call in asked] == [1, 1]  # the call's stream
    with pytest.raises(AskError, match="does not fit"):
        leg(book, session=answered({"name": "green"}), version="2025-11-25")


def test_a_state_of_another_version_of_the_handler() -> None:
    for state in (
        "step 1",
        '{"asking":2,"steps":[]}',
        '{"asking":1,"steps":[[{}]]}',
        "[]",
        '{"asking":1,"steps":5}',
        "7",
    ):
        of = guard()
        opened, exchange = of.inbound("tools/call", '{"name":"ask","arguments":{}}')
        assert exchange is not None
        token = of.seal(exchange, state, [])
        assert list(leg(book, token)["inputRequests"]) == ["elicitation-1"]


def test_the_tools_signature() -> None:
    async def tool(city: str, ask: Ask, nights: int = 1) -> str:
        """Books."""
        return city

    asks = asking(guard())(tool)
    assert str(inspect.signature(asks)) == "(city: str, nights: int = 1) -> str"
    assert asks.__annotations__ == {"city": str, "nights": int, "return": str}
    assert (asks.__name__, asks.__doc__) == ("tool", "Books.") and not hasattr(asks, "__wrapped__")
    assert inspect.iscoroutinefunction(asks)


def test_what_cannot_ask() -> None:
    def sync(ask: Ask) -> str:
        return ""

    async def none(city: str) -> str:
        return city

    async def both(a: Ask, b: Ask) -> str:
        return ""

    for tool, text in (sync, "needs an async def"), (none, "and has 0"), (both, "and has 2"):
        with pytest.raises(TypeError, match=text):
            asking(guard())(tool)  # type: ignore[arg-type]


def test_a_server_without_the_guard_says_so() -> None:
    with pytest.raises(MCPError, match="without protecting its requestState"):
        asyncio.run(asking(guard())(book)())  # type: ignore[arg-type]


def test_elicit_takes_what_fastmcp_takes() -> None:
    async def handler(ask: Ask) -> str:
        (level,) = await ask.all(elicit("Level?", {"low": {"title": "Low"}, "high": {"title": "High"}}))
        many = await ask.elicit("Which?", [["a", "b"]])
        return f"{level.data} {many.data}"

    first = leg(handler)
    second = leg(handler, first["requestState"], fill("elicitation-1", value="low"))
    again = leg(handler, second["requestState"], fill("elicitation-2", value=["c"]))
    assert leg(handler, again["requestState"], fill("elicitation-2", value=["b"])) == {"text": "low ['b']"}


class Count(BaseModel):
    n: int


@pytest.mark.parametrize(
    "number", [9007199254740993, 9223372036854775807, -9223372036854775808, 18446744073709551615], ids=str
)
def test_whole_numbers_are_not_rounded(number: int) -> None:
    bounds = {"minimum": number, "maximum": number, "default": number}

    async def count(ask: Ask) -> str:
        left_out = await ask.form("How many?", {"type": "object", "properties": {"n": {"type": "integer", **bounds}}})
        return f"{left_out['n']} {(await ask.form('And?', Count)).n}"

    first = leg(count)
    second = leg(count, first["requestState"], {"elicitation-1": {"action": "accept", "content": {}}})
    beside = {"elicitation-1": {"action": "accept", "content": {"n": number + 1}}}
    assert list(leg(count, first["requestState"], beside)["inputRequests"]) == ["elicitation-1"]
    answer = ElicitResult.model_validate_json(f'{{"action":"accept","content":{{"n":{number}}}}}')
    third = leg(count, second["requestState"], {"elicitation-2": answer.model_dump(mode="json", exclude_none=True)})
    assert third == {"text": f"{number} {number}"}

"""Parameters that ask by their type, at real clients; and the SDK's own, which a Guard seals as well."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Annotated, Any, Literal

import pytest
from fastmcp import Client as FastClient
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from mcp import Client, MCPError
from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import BaseModel, Field

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import Ask, Asked, Declined, asking, protect
from rounds import fill, leg

guard = Guard(KEY, audience="tests")
anything: Any = asking
BOTH = [MCPServer, FastMCP]


class Room(BaseModel):
    name: str


class Note(BaseModel):
    text: str


def booking(mcp: Any, times: list[str]) -> None:
    @mcp.tool()
    @asking(guard)
    async def book(  # noqa: PLR0917
        city: str,
        room: Annotated[Room, Asked(lambda city, stars: f"Which room in {city}, with {stars} stars?")],
        nights: Annotated[int, Field(ge=1), Asked("How many nights?")],
        note: Annotated[Note | None, Asked("Anything else?")],
        ask: Ask,
        stars: int = 3,
    ) -> str:
        times.append(city)
        sure = await ask.form("Sure?", Note)
        return f"{city} {room.name} {nights} {note and note.text} {stars} {sure.text}"


class Person:
    def __init__(self, **answers: dict[str, Any] | None) -> None:
        self.asked: list[str] = []
        self.schemas: dict[str, Any] = {}
        self._answers = {"Which": {"name": "blue"}, "How": {"value": 2}, "Anything": {"text": "late"}, **answers}

    def __call__(self, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        self.schemas[params.message] = params.requested_schema
        content = self._answers[params.message.split()[0].strip("?")]
        return ElicitResult(action="decline" if content is None else "accept", content=content)

    async def official(self, _context: Any, params: Any) -> ElicitResult:
        return self(params)

    async def fast(self, _message: str, _type: Any, params: Any, _context: Any) -> ElicitResult:
        return self(params)


async def call(server: Any, person: Person, name: str, mode: Any = "auto", **arguments: Any) -> Any:
    async with AsyncExitStack() as stack:
        if isinstance(server, FastMCP):
            fast = FastClient(server, elicitation_handler=person.fast)
            return await (await stack.enter_async_context(fast)).call_tool(name, arguments, raise_on_error=False)
        client = Client(server, mode=mode, elicitation_callback=person.official)
        opened = await stack.enter_async_context(client)
        try:
            return await opened.call_tool(name, arguments)
        except MCPError as error:
            return error


def text(result: Any) -> str:
    return str(result.content[0].text)


@pytest.mark.parametrize(("make", "mode"), [(MCPServer, "auto"), (MCPServer, "legacy"), (FastMCP, "auto")])
def test_a_tool_whose_parameters_ask(make: Any, mode: Any) -> None:
    server, times, person = make("tests"), list[str](), Person(Sure={"text": "yes"})
    booking(server, times)
    protect(server, guard)
    result = asyncio.run(call(server, person, "book", mode, city="Oslo"))
    assert text(result) == "Oslo blue 2 late 3 yes"
    asked = ["Which room in Oslo, with 3 stars?", "How many nights?", "Anything else?"]
    assert sorted(person.asked[:3]) == sorted(asked) and person.asked[3:] == ["Sure?"]  # each of them once
    nights = person.schemas["How many nights?"]
    assert nights["properties"] == {"value": {"type": "integer", "minimum": 1, "title": "Nights"}}
    assert len(times) == (1 if mode == "legacy" else 2)  # the body ran from its beginning, for its own question


@pytest.mark.parametrize("make", BOTH)
def test_the_model_cannot_set_them(make: Any) -> None:
    async def run() -> None:
        server, person = make("tests"), Person(Sure={"text": "yes"})
        booking(server, [])
        protect(server, guard)
        (tool,) = await server.list_tools()
        schema = tool.input_schema if isinstance(server, MCPServer) else tool.parameters
        assert list(schema["properties"]) == ["city", "stars"]
        result = await call(server, person, "book", city="Oslo", nights=99, room={"name": "mine"})
        assert result.is_error or "blue 2" in text(result)

    asyncio.run(run())


@pytest.mark.parametrize("make", BOTH)
def test_a_no(make: Any) -> None:
    server, times = make("tests"), list[str]()
    booking(server, times)
    protect(server, guard)
    person = Person(Anything=None, Sure={"text": "yes"})
    assert text(asyncio.run(call(server, person, "book", city="Oslo"))) == "Oslo blue 2 None 3 yes"
    times.clear()
    result = asyncio.run(call(server, Person(Which=None), "book", city="Oslo"))
    assert result.is_error and text(result).endswith("the person declined") and not times


def test_all_of_them_are_one_round_and_need_no_ask() -> None:
    async def book(
        room: Annotated[Room, Asked("Which room?")],
        level: Annotated[Literal["low", "high"] | None, Asked("Level?")],
    ) -> str:
        return f"{room.name} {level}"

    first = leg(book)
    assert list(first["inputRequests"]) == ["level", "room"]
    bad = leg(book, first["requestState"], {**fill("room", name="blue"), **fill("level", value="middle")})
    assert list(bad["inputRequests"]) == ["level"]
    assert leg(book, bad["requestState"], fill("level", value="low")) == {"text": "blue low"}
    assert leg(book, bad["requestState"], {"level": {"action": "cancel"}}) == {"text": "blue None"}
    with pytest.raises(Declined):
        leg(book, first["requestState"], {**fill("level", value="low"), "room": {"action": "decline"}})


def test_the_tools_signature() -> None:
    async def book(room: Annotated[Room, Asked(lambda stars: f"Which, with {stars}?")], stars: int = 3) -> str:
        return room.name

    asks = asking(guard)(book)
    assert str(inspect.signature(asks)) == "(stars: int = 3) -> str"
    assert asks.__annotations__ == {"stars": int, "return": str}
    (asked,) = leg(book)["inputRequests"].values()
    assert asked["params"]["message"] == "Which, with 3?"  # a default is an argument


def test_it_asks_with_the_words_that_a_form_asks_with() -> None:
    async def by_parameter(elicitation: Annotated[Room, Asked("Which room?")]) -> str:
        return ""

    async def by_ask(ask: Ask) -> str:
        return (await ask.form("Which room?", Room, key="elicitation")).name

    assert leg(by_parameter)["inputRequests"] == leg(by_ask)["inputRequests"]


@pytest.mark.parametrize("make", BOTH)
def test_a_context_beside_them(make: Any) -> None:
    server = make("tests")
    context: Any = FastContext if make is FastMCP else Context

    async def tool(ctx: Any, room: Annotated[Room, Asked("Which room?")]) -> str:
        assert ctx.request_id
        return room.name

    tool.__annotations__["ctx"] = context
    tool.__annotations__["room"] = Annotated[Room, Asked("Which room?")]
    tool.__annotations__["return"] = str
    server.tool()(asking(guard)(tool))
    protect(server, guard)
    assert text(asyncio.run(call(server, Person(), "tool"))) == "blue"


class Nested(BaseModel):
    room: Room


async def default(room: Annotated[Room, Asked("?")] = Room(name="x")) -> str: ...  # noqa: B008
async def union(room: Annotated[Room, Asked("?")] | None) -> str: ...
async def twice(room: Annotated[Room, Asked("?"), Asked("?")]) -> str: ...
async def uncalled(room: Annotated[Room, Asked]) -> str: ...
async def no_argument(city: str, room: Annotated[Room, Asked(lambda town: town)]) -> str: ...
async def of_another(a: Annotated[Room, Asked("?")], b: Annotated[Room, Asked(lambda a: "?")]) -> str: ...
async def of_ask(ask: Ask, b: Annotated[Room, Asked(lambda ask: "?")]) -> str: ...
async def no_form(room: Annotated[Nested, Asked("?")]) -> str: ...
async def no_type(room: Annotated[list[Room], Asked("?")]) -> str: ...


WRITTEN = "must be written Annotated"


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        (default, "default: the parameter room is asked for, so it has no default"),
        (union, f"union: the parameter room {WRITTEN}"),
        (twice, f"twice: the parameter room {WRITTEN}"),
        (uncalled, f"uncalled: the parameter room {WRITTEN}"),
        (no_argument, "the question for room is made of town, no argument of the tool"),
        (of_another, "the question for b is made of a, no argument of the tool"),
        (of_ask, "the question for b is made of ask, no argument of the tool"),
        (no_form, 'form: MCP allows no such "type" for the field "room" of a form'),
        (no_type, "form: MCP allows no such"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_when_it_is_written(tool: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        asking(guard)(tool)


@pytest.mark.parametrize("message", [7, None, Room, pytest.param(asyncio.sleep, id="async")])
def test_what_is_no_question(message: Any) -> None:
    with pytest.raises(TypeError, match="Asked: message must be a str, or a plain function"):
        Asked(message)
    with pytest.raises(ValueError, match="message is empty"):
        Asked("")


@pytest.mark.parametrize("make", BOTH)
def test_without_asking_it_is_refused(make: Any) -> None:
    async def book(city: str, room: Annotated[Room, Asked("Which room?")]) -> str:
        return city

    book.__annotations__["room"] = Annotated[Room, Asked("Which room?")]
    with pytest.raises(TypeError, match=r"Asked was registered without asking: write @asking\(guard\) directly above"):
        make("tests").tool()(book)


# Both ways in one tool.


async def which(ctx: Context) -> Elicit[Room]:  # type: ignore[type-arg]
    return Elicit("Which room?", Room)


async def resolved(room: Annotated[Room, Resolve(which)], ask: Ask) -> str: ...
async def resolved_and_asked(a: Annotated[Room, Resolve(which)], b: Annotated[Room, Asked("?")]) -> str: ...
async def returns(ask: Ask) -> str | InputRequiredResult: ...


@pytest.mark.parametrize("tool", [resolved, resolved_and_asked, returns])
def test_both_ways_are_refused_when_they_are_written(tool: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=f"^{tool.__name__} asks in two ways.*annotate one with Asked"):
        anything(guard)(tool)


@pytest.mark.parametrize("make", BOTH)
@pytest.mark.parametrize("asks_before", [False, True])
def test_both_ways_are_refused_when_a_tool_does_it_all_the_same(make: Any, asks_before: bool) -> None:
    server, person = make("tests"), Person()

    @server.tool()
    @asking(guard)
    async def sly(ask: Ask) -> Any:
        if asks_before:
            await ask.form("Which room?", Room)
        params = ElicitRequestFormParams(message="Which?", requested_schema={"type": "object", "properties": {}})
        return InputRequiredResult(input_requests={"q": ElicitRequest(params=params)}, request_state="mine")

    protect(server, guard)
    told = asyncio.run(call(server, person, "sly"))
    said = told.message if isinstance(told, MCPError) else text(told)
    assert "This tool asks in two ways" in said and "annotate one with Asked" in said
    assert person.asked == ["Which room?"] * asks_before


# The SDK's own way alone.


async def certain(room: Annotated[Room, Resolve(which)]) -> Elicit[Note]:
    return Elicit("Sure?", Note)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_resolve_is_sealed_by_the_guard(mode: Any) -> None:
    server, person = MCPServer("tests"), Person(Sure={"text": "yes"})
    states: list[Any] = []

    @server.tool()
    async def book(city: str, room: Annotated[Room, Resolve(which)], sure: Annotated[Note, Resolve(certain)]) -> str:
        return f"{city} {room.name} {sure.text}"

    protect(server, guard)

    async def watch(ctx: Any, call_next: Any) -> Any:
        states.append((ctx.params or {}).get("requestState") if ctx.method == "tools/call" else None)
        return await call_next(ctx)

    server.middleware.insert(0, watch)
    assert text(asyncio.run(call(server, person, "book", mode, city="Oslo"))) == "Oslo blue yes"
    assert person.asked == ["Which room?", "Sure?"]
    tokens = [state for state in states if state is not None]
    assert len(tokens) == (0 if mode == "legacy" else 2)
    for token in tokens:  # the Guard's, and its own alone
        opened, _ = guard.inbound(
            "tools/call", f'{{"name":"book","arguments":{{"city":"Oslo"}},"requestState":"{token}"}}'
        )
        assert "outcomes" in opened

"""Forms made of types: asked of the official client, which is strict, and answered into the type."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

import pytest
from fastmcp import Client as FastClient
from fastmcp import FastMCP
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import ElicitResult
from mcp_types._v2026_07_28 import PrimitiveSchemaDefinition
from pydantic import BaseModel, ConfigDict, EmailStr, Field, SecretStr, TypeAdapter

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import Ask, asking, elicit, form, protect
from rounds import fill, leg

guard = Guard(KEY, audience="tests")
strict: TypeAdapter[Any] = TypeAdapter(PrimitiveSchemaDefinition)


class Color(Enum):
    """A color."""

    RED = "red"
    BLUE = "blue"


class Everything(BaseModel):
    """All that a form can have."""

    model_config = ConfigDict(extra="forbid")

    nights: Annotated[int, Field(gt=0, lt=10)]
    guests: Optional[int]  # noqa: UP045 - as many write it
    wall: Color
    floor: Color = Color.BLUE
    ceiling: Color | None = None
    meal: Literal["fish", "meat"] | None = None
    only: Literal["yes"] = "yes"
    days: set[Literal["Mon", "Tue"]] = Field(default={"Mon"}, min_length=1)
    start: date
    size: Annotated[float, Field(ge=0.5, multiple_of=1)] = 2
    number: int = 9007199254740993


FIELDS = {
    "nights": {"title": "Nights", "type": "integer", "minimum": 1, "maximum": 9},
    "guests": {"title": "Guests", "type": "integer"},
    "wall": {"title": "Wall", "description": "A color.", "type": "string", "enum": ["red", "blue"]},
    "floor": {
        "title": "Floor",
        "description": "A color.",
        "type": "string",
        "enum": ["red", "blue"],
        "default": "blue",
    },
    "ceiling": {"title": "Ceiling", "description": "A color.", "type": "string", "enum": ["red", "blue"]},
    "meal": {"title": "Meal", "type": "string", "enum": ["fish", "meat"]},
    "only": {"title": "Only", "type": "string", "enum": ["yes"], "default": "yes"},
    "days": {
        "title": "Days",
        "type": "array",
        "items": {"type": "string", "enum": ["Mon", "Tue"]},
        "minItems": 1,
        "default": ["Mon"],
    },
    "start": {"title": "Start", "type": "string", "format": "date"},
    "size": {"title": "Size", "type": "integer", "minimum": 0.5, "default": 2},
    "number": {"title": "Number", "type": "integer", "default": 9007199254740993},
}


@pytest.mark.parametrize(("make", "mode"), [(MCPServer, "auto"), (MCPServer, "legacy"), (FastMCP, "auto")])
def test_the_official_client_is_asked_and_the_type_is_filled(make: Any, mode: str) -> None:
    got: list[Everything] = []
    asked: list[dict[str, Any]] = []

    async def run() -> None:
        server = make("tests")

        @server.tool()
        @asking(guard)
        async def book(ask: Ask) -> str:
            got.append(await ask.form("Which room?", Everything))
            return "booked"

        protect(server, guard)

        async def answer(_context: Any, params: Any) -> ElicitResult:
            asked.append(params.requested_schema)
            content = {"nights": 9, "wall": "red", "start": "2026-07-28", "number": 18446744073709551615}
            return ElicitResult(action="accept", content=content)

        async def fast_answer(_message: str, _type: Any, params: Any, context: Any) -> ElicitResult:
            return await answer(context, params)

        if isinstance(server, FastMCP):
            async with FastClient(server, elicitation_handler=fast_answer) as fast:
                await fast.call_tool("book", {})
        else:
            async with Client(server, mode=mode, elicitation_callback=answer) as client:
                await client.call_tool("book", {})

    asyncio.run(run())
    (schema,) = asked
    assert schema["properties"] == FIELDS
    assert list(schema["properties"]) == list(FIELDS)
    assert schema["required"] == ["nights", "wall", "start"]
    assert schema.keys() <= {"type", "title", "description", "properties", "required"}
    for field in schema["properties"].values():
        strict.validate_python(field)
    (room,) = got
    assert (room.nights, room.guests, room.wall, room.ceiling, room.meal) == (9, None, Color.RED, None, None)
    assert (room.floor, room.days, room.number) == (Color.BLUE, {"Mon"}, 18446744073709551615)


class Part(BaseModel):
    name: str


@pytest.mark.parametrize(
    ("of", "field", "keyword"),
    [
        (Annotated[float, Field(gt=0)], "a", "exclusiveMinimum"),
        (Annotated[int, Field(multiple_of=5)], "a", "multipleOf"),
        (Annotated[str, Field(pattern="^[A-Z]+$")], "a", "pattern"),
        (Annotated[str, Field(examples=["x"])], "a", "examples"),
        (list[str], "a", "items"),
        (dict[str, str], "a", "type"),
        (Part, "a", "type"),
        (Decimal, "a", "anyOf"),
        (int | str, "a", "anyOf"),
        (UUID, "a", "format"),
        (SecretStr, "a", "format"),
        (Literal[1, 2], "a", "enum"),
        (Literal[True], "a", "const"),
        (Any, "a", "type"),
    ],
    ids=str,
)
def test_what_mcp_has_no_form_for_is_an_error_when_the_question_is_made(of: Any, field: str, keyword: str) -> None:
    model: Any = type("Model", (BaseModel,), {"__annotations__": {"a": of}})
    with pytest.raises(TypeError, match=rf'^form: MCP allows no such "{keyword}" for the field "{field}" of a form: .'):
        form("?", model)


def test_null_beside_a_default_is_an_error() -> None:
    class Model(BaseModel):
        n: int | None = 5

    with pytest.raises(TypeError, match=r'no such "default" for the field "n" of a form: .* leave it out beside null'):
        form("?", Model)


def test_what_fastmcp_lets_pass_is_an_error() -> None:
    class Model(BaseModel):
        code: Annotated[str, Field(pattern="^[A-Z]+$")]

    with pytest.raises(TypeError, match=r'^elicit: MCP allows no such "pattern" for the field "code" of a form: '):
        elicit("?", Model)
    with pytest.raises(TypeError):
        elicit("?", list[str])


def test_what_fastmcp_takes_is_asked() -> None:
    async def handler(ask: Ask) -> str:
        return str([(await ask.elicit("?", kind)).data for kind in (Color, list[Color], ["x", "y"], [["x", "y"]], int)])

    answers: list[Any] = ["red", ["blue"], "x", ["y"], 9007199254740993]
    result: dict[str, Any] = leg(handler)
    for number, answer in enumerate(answers, 1):
        (question,) = result["inputRequests"].values()
        strict.validate_python(question["params"]["requestedSchema"]["properties"]["value"])
        result = leg(handler, result["requestState"], fill(f"elicitation-{number}", value=answer))
    assert result == {"text": "[<Color.RED: 'red'>, [<Color.BLUE: 'blue'>], 'x', ['y'], 9007199254740993]"}


def test_a_secret_in_a_default_is_not_told() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "default": "hunter2", "title": "hunter2"}}}
    with pytest.raises(TypeError) as error:
        form("?", schema)
    assert "hunter2" not in str(error.value)


def test_email_is_a_format() -> None:
    pytest.importorskip("email_validator")

    class Model(BaseModel):
        a: EmailStr

    assert form("?", Model).wire["params"]["requestedSchema"]["properties"]["a"]["format"] == "email"

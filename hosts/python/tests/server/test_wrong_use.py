"""Wrong use is refused when it is written, with what is right, and without the value: it may be a secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import (
    Ask,
    GuardMiddleware,
    SealCodec,
    asking,
    elicit,
    form,
    protect,
    roots,
    sampling,
    url,
)
from rounds import leg

guard = Guard(KEY, audience="tests")
anything: Any = asking
ORDER = r"write @asking\(guard\) directly above the async def, and what registers the tool above that"


class Room(BaseModel):
    name: str


async def book(city: str, ask: Ask) -> str:
    return city


class Called:
    async def __call__(self, ask: Ask) -> str:
        return ""


async def who(_ctx: Any) -> str:
    return "ada"


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
def test_a_tool_without_asking_and_in_the_wrong_order(make: Any) -> None:
    mcp = make("tests")
    with pytest.raises(TypeError, match="^A tool with a parameter of type Ask was registered without asking: " + ORDER):
        mcp.tool()(book)
    with pytest.raises(TypeError, match=ORDER):
        asking(guard)(mcp.tool()(book))
    mcp.tool()(asking(guard)(book))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: anything(book), r"write @asking\(guard\), not @asking above the function$"),
        (lambda: anything(KEY), r"write @asking\(guard\), not asking\(bytes\)$"),
        (lambda: anything(Guard), r"not asking\(the class Guard\)$"),
        (lambda: anything(FastMCP("tests")), r"not asking\(FastMCP\)$"),
        (lambda: anything(guard, strict="no"), "strict must be True or False, not str$"),
        (lambda: anything(guard, max_record="8"), "max_record must be a whole number of bytes, not str$"),
        (lambda: asking(guard)(anything(guard)(book)), "needs one parameter of type Ask, and has 0: " + ORDER),
        (lambda: asking(guard)(Called()), "an async function, not Called: " + ORDER),
        (lambda: asking(guard)(Called), "an async function, not the class Called: " + ORDER),
        (lambda: protect(MCPServer("tests"), KEY), "take a Guard, not bytes$"),  # type: ignore[arg-type]
        (lambda: protect(guard, MCPServer("tests")), "a server of the MCP SDK or FastMCP, not Guard$"),  # type: ignore[arg-type]
        (lambda: protect(MCPServer, guard), "a server of the MCP SDK or FastMCP, not "),
        (lambda: protect(MCPServer("tests"), guard, who="ada"), "a str or None, not str$"),  # type: ignore[arg-type]
        (lambda: protect(MCPServer("tests"), guard, who=who), "a str or None, not an async one$"),  # type: ignore[arg-type]
        (lambda: protect(MCPServer("tests"), guard, unpinned="pay"), r'such as \["pay"\], not str$'),
        (lambda: GuardMiddleware(KEY), "take a Guard, not bytes$"),  # type: ignore[arg-type]
        (lambda: SealCodec(KEY), r"SealCodec\(Codec\(keys\)\), not bytes$"),  # type: ignore[arg-type]
        (lambda: form(1, Room), "form: message must be a str, not int$"),  # type: ignore[call-overload]
        (lambda: form("Room?", Room(name="x")), "a JSON Schema as a dict, not Room$"),  # type: ignore[call-overload]
        (lambda: form("Room?", str), "a JSON Schema as a dict, not the class str$"),  # type: ignore[type-var]
        (lambda: form("Room?", Room, key=1), "the key of a question must be a str, not int$"),  # type: ignore[call-overload]
        (lambda: elicit(1, bool), "elicit: message must be a str, not int$"),  # type: ignore[arg-type]
        (lambda: url(1, "https://a.example"), "url: message must be a str, not int$"),  # type: ignore[arg-type]
        (lambda: url("Open it.", 1), "url: address must be a str, not int$"),  # type: ignore[arg-type]
        (lambda: sampling(1), "a list of SamplingMessage, not int$"),  # type: ignore[call-overload]
        (lambda: sampling(["Hello"]), "each message is a SamplingMessage, not str$"),  # type: ignore[list-item]
        (lambda: sampling("Hello", max_tokens="9"), "max_tokens must be a whole number, not str$"),  # type: ignore[call-overload]
        (lambda: roots(key=1), "the key of a question must be a str, not int$"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_type(wrong: Callable[[], Any], says: str) -> None:
    with pytest.raises(TypeError, match=says) as caught:
        wrong()
    assert KEY.decode() not in str(caught.value)


def test_a_record_of_no_size() -> None:
    with pytest.raises(ValueError, match="max_record must be at least 1"):
        asking(guard, max_record=0)


def test_what_ask_is_given() -> None:
    async def methods(ask: Ask) -> str:
        await ask.all(ask.form("Room?", Room))  # type: ignore[call-overload]
        return "never"

    async def no_key(ask: Ask) -> str:
        return str(await ask.once(len, lambda: 1))  # type: ignore[arg-type]

    async def no_work(ask: Ask) -> str:
        return str(await ask.once("number", 1))  # type: ignore[arg-type]

    for handler, says in (
        (methods, "of parley_mrtr.server make them, not coroutine$"),
        (no_key, "key must be a str, not builtin_function_or_method$"),
        (no_work, "work must be a function, not int$"),
    ):
        with pytest.raises(TypeError, match=says):
            leg(handler)

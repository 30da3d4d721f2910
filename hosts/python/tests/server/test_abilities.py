"""What a tool is told of its client: clients of the official SDK and of FastMCP, in both eras."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import httpx2
import pytest
from fastmcp import Client as FastClient
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from mcp import Client
from mcp.client.extension import advertise
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ClientCapabilities

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import TASKS_EXTENSION, Abilities, Ask, abilities, asking, protect

guard = Guard(KEY, audience="tests")
NONE = Abilities(way=None, form=False, url=False, sampling=False, sampling_tools=False, roots=False, tasks=False)


async def never(*_: Any) -> Any:
    raise AssertionError("asked")


def serve(found: list[Abilities]) -> MCPServer[Any]:
    server = MCPServer("tests")

    @server.tool()
    async def by_context(ctx: Context) -> str:  # type: ignore[type-arg]
        found.append(abilities(ctx))
        return ""

    @server.tool()
    @asking(guard)
    async def by_ask(ask: Ask) -> str:
        found.append(abilities(ask))
        return ""

    protect(server, guard)
    return server


@pytest.mark.parametrize(("mode", "way"), [("auto", "rounds"), ("legacy", "requests")])
def test_the_official_client(mode: Any, way: Any) -> None:
    async def run() -> list[Abilities]:
        found: list[Abilities] = []
        server = serve(found)
        async with Client(server, mode=mode) as client:
            await client.call_tool("by_context", {})
        more = {"elicitation_callback": never, "list_roots_callback": never, "extensions": [advertise(TASKS_EXTENSION)]}
        async with Client(server, mode=mode, **more) as client:
            await client.call_tool("by_context", {})
            await client.call_tool("by_ask", {})
        return found

    nothing, some, same = asyncio.run(run())
    assert nothing == NONE
    assert (some.way, some.form, some.url, some.roots, some.sampling) == (way, True, True, True, False)
    assert some.tasks is (way == "rounds")  # earlier revisions have no extensions
    assert same == some


def test_a_client_that_no_request_can_reach() -> None:
    async def run() -> list[Abilities]:
        found: list[Abilities] = []
        app = serve(found).streamable_http_app(stateless_http=True)
        http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app))
        async with app.router.lifespan_context(app), http:
            at = streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)
            async with Client(at, mode="legacy", elicitation_callback=never) as client:
                await client.call_tool("by_context", {})
        return found

    (found,) = asyncio.run(run())
    assert found.way is None


def test_the_context_of_fastmcp() -> None:
    found: list[Abilities] = []
    server = FastMCP("tests")

    @server.tool
    async def look(ctx: FastContext) -> str:
        found.append(abilities(ctx))
        return ""

    async def run() -> None:
        async with FastClient(server, elicitation_handler=never) as client:
            await client.call_tool("look", {})

    asyncio.run(run())
    assert found[0].form and not found[0].sampling and found[0].way is not None


@pytest.mark.parametrize(
    ("declared", "can"),
    [
        ({}, {}),
        ({"elicitation": {}}, {"way": "rounds", "form": True}),  # no mode stands for forms
        ({"elicitation": {"url": {}}}, {"way": "rounds", "url": True}),
        ({"sampling": {}}, {"way": "rounds", "sampling": True}),
        ({"sampling": {"tools": {}}}, {"way": "rounds", "sampling": True, "sampling_tools": True}),
        ({"roots": {}}, {"way": "rounds", "roots": True}),
        ({"extensions": {TASKS_EXTENSION: {}}}, {"tasks": True}),
        (None, {}),
    ],
)
def test_what_is_declared(declared: Any, can: dict[str, Any]) -> None:
    session = Mock(client_capabilities=declared if declared is None else ClientCapabilities.model_validate(declared))
    ctx: ServerRequestContext[Any, Any] = ServerRequestContext(
        session=session, lifespan_context={}, protocol_version="2026-07-28", method="tools/call", request_id=1
    )
    assert abilities(ctx) == Abilities(**{**vars(NONE), **can})


def test_something_else() -> None:
    with pytest.raises(TypeError, match="takes a tool's Ask or the context of a request, not str"):
        abilities("ctx")

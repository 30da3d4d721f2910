"""Tools that ask, on the SDK's server and on FastMCP, called by the official client."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Annotated, Any

import httpx2
import pytest
from fastmcp import Client as FastClient
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from fastmcp.dependencies import Depends
from fastmcp.server.elicitation import AcceptedElicitation
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent
from pydantic import BaseModel, Field

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import Ask, asking, protect, roots, sampling

guard = Guard(KEY, audience="tests")


class Room(BaseModel):
    name: str


class Person:
    """Answers everything, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def elicit(self, _context: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        content: dict[str, Any] = (
            {"name": "blue"} if "name" in params.requested_schema["properties"] else {"value": True}
        )
        return ElicitResult(action="accept", content=content)

    async def sample(self, *_: Any) -> CreateMessageResult:
        self.asked.append("sampling")
        return CreateMessageResult(role="assistant", model="m", content=TextContent(type="text", text="Booked."))

    async def roots(self, *_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri="file:///books")])


def booking(mcp: Any) -> None:
    @mcp.tool()
    @asking(guard)
    async def book(city: str, ask: Ask) -> str:
        room = await ask.form("Which room?", Room)  # pydantic model; raises Declined or Cancelled
        reply = await ask.elicit(f"Book {room.name}?", bool)  # FastMCP's result types, so that old code keeps working
        if not (isinstance(reply, AcceptedElicitation) and reply.data):
            return "not booked"
        text, folders = await ask.all(sampling("…"), roots())  # several questions in one round
        return f"{city}: {text} {len(folders)}"


def extras(mcp: Any) -> None:
    """What frameworks put into a tool goes beside what asks."""
    if isinstance(mcp, FastMCP):

        @mcp.tool
        @asking(guard)
        async def beside(
            ctx: FastContext, ask: Ask, number: Annotated[int, Field(ge=1)] = 3, hotel: str = Depends(lambda: "Ritz")
        ) -> str:
            room = await ask.form("Which room?", Room)
            return f"{hotel} {room.name} {number} {ctx.fastmcp.name}"
    else:

        @mcp.tool()
        @asking(guard)
        async def beside(ctx: Context, ask: Ask, number: Annotated[int, Field(ge=1)] = 3) -> str:  # type: ignore[type-arg]
            room = await ask.form("Which room?", Room)
            assert ctx.request_id
            return f"Ritz {room.name} {number} tests"


async def connected(stack: AsyncExitStack, server: Any, person: Person) -> Any:
    if isinstance(server, FastMCP):

        async def elicit(_message: str, _type: Any, params: Any, context: Any) -> ElicitResult:
            return await person.elicit(context, params)

        fast = FastClient(server, elicitation_handler=elicit, sampling_handler=person.sample, roots=["file:///books"])
        return await stack.enter_async_context(fast)
    client = Client(
        server,
        elicitation_callback=person.elicit,
        sampling_callback=person.sample,
        list_roots_callback=person.roots,
    )
    return await stack.enter_async_context(client)


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
def test_a_tool_that_asks(make: Any) -> None:
    async def run() -> None:
        server, person = make("tests"), Person()
        booking(server)
        extras(server)
        protect(server, guard)
        async with AsyncExitStack() as stack:
            client = await connected(stack, server, person)
            listed = {tool.name: tool.input_schema for tool in (await client.session.list_tools()).tools}
            assert list(listed["book"]["properties"]) == ["city"]
            assert list(listed["beside"]["properties"]) == ["number"]
            said = await client.call_tool("book", {"city": "Oslo"})
            assert said.content[0].text == "Oslo: Booked. 1"
            assert person.asked == ["Which room?", "Book blue?", "sampling"]  # each of them once
            assert (await client.call_tool("beside", {})).content[0].text == "Ritz blue 3 tests"

    asyncio.run(run())


@pytest.mark.parametrize("way", ["json_response", "stateless_http"])
def test_a_server_that_cannot_ask_an_older_client_says_so(way: Any) -> None:
    async def run() -> None:
        server = MCPServer("tests")
        booking(server)
        protect(server, guard)
        app = server.streamable_http_app(**{way: True})
        http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app))
        async with app.router.lifespan_context(app), http:
            at = streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)
            async with Client(at, mode="legacy", elicitation_callback=Person().elicit) as client:
                with pytest.raises(MCPError, match="cannot ask a client of protocol revision 2025-11-25"):
                    await client.call_tool("book", {"city": "Oslo"})

    asyncio.run(run())

"""A server on the Python SDK 2, with MCPServer, as its documentation shows: questions are resolvers."""

import sys
from typing import Annotated

from mcp.server.mcpserver import (
    AcceptedElicitation,
    Context,
    Elicit,
    ElicitationResult,
    ListRoots,
    MCPServer,
    Resolve,
    Sample,
)
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel, Field

mcp = MCPServer("restaurant", version="1.0.0")


class Weather(BaseModel):
    city: str
    celsius: float


class Booking(BaseModel):
    guests: int = Field(description="How many will come?", ge=1, le=8)
    window: bool = Field(default=False, description="A table at the window?")


async def ask_booking(date: str) -> Elicit[Booking]:
    return Elicit(f"A table on {date}?", Booking)


async def ask_model(text: str) -> Sample:
    prompt = TextContent(type="text", text=f"Summarize: {text}")
    return Sample([SamplingMessage(role="user", content=prompt)], max_tokens=100)


async def ask_folders() -> ListRoots:
    return ListRoots()


@mcp.tool()
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Hello, {name}!"


@mcp.tool()
def weather(city: str) -> Weather:
    """Says what the weather is."""
    return Weather(city=city, celsius=4.5)


@mcp.tool()
def divide(a: float, b: float) -> float:
    """Divides a by b."""
    if b == 0:
        raise ToolError("cannot divide by zero")
    return a / b


@mcp.tool()
async def book(date: str, booking: Annotated[ElicitationResult[Booking], Resolve(ask_booking)]) -> str:
    """Books a table."""
    if not isinstance(booking, AcceptedElicitation):
        return "Nothing was booked."
    return f"Booked for {booking.data.guests} on {date}."


@mcp.tool()
async def summarize(text: str, said: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
    """Has the client's model summarize a text."""
    assert isinstance(said.content, TextContent)
    return f"Summary: {said.content.text}"


@mcp.tool()
async def folders(roots: Annotated[ListRootsResult, Resolve(ask_folders)]) -> str:
    """Says which folders the client works on."""
    return "\n".join(str(root.uri) for root in roots.roots)


@mcp.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and reports progress."""
    await ctx.info(f"counting to {to}")
    for n in range(1, to + 1):
        await ctx.report_progress(n, to, f"at {n}")
    return f"Counted to {to}."


@mcp.resource("config://app", mime_type="application/json")
def config() -> str:
    """How the app is configured."""
    return '{"theme":"dark"}'


@mcp.resource("users://{id}/name", mime_type="text/plain")
def user(id: str) -> str:
    """What a user is called."""
    return f"User {id}"


@mcp.prompt()
def review(code: str, language: str) -> str:
    """Asks for a review."""
    return f"Review this {language} code: {code}"


if __name__ == "__main__":
    if "--http" in sys.argv:
        mcp.run("streamable-http", port=0)
    else:
        mcp.run()

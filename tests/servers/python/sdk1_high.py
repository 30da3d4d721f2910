"""A server on the Python SDK 1, with FastMCP, as its README shows."""

import sys

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel, Field

mcp = FastMCP("restaurant", port=0)


class Weather(BaseModel):
    city: str
    celsius: float


class Booking(BaseModel):
    guests: int = Field(description="How many will come?", ge=1, le=8)
    window: bool = Field(default=False, description="A table at the window?")


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
        raise ValueError("cannot divide by zero")
    return a / b


@mcp.tool()
async def book(date: str, ctx: Context) -> str:
    """Books a table."""
    answer = await ctx.elicit(message=f"A table on {date}?", schema=Booking)
    if answer.action != "accept":
        return "Nothing was booked."
    return f"Booked for {answer.data.guests} on {date}."


@mcp.tool()
async def summarize(text: str, ctx: Context) -> str:
    """Has the client's model summarize a text."""
    prompt = TextContent(type="text", text=f"Summarize: {text}")
    said = await ctx.session.create_message(messages=[SamplingMessage(role="user", content=prompt)], max_tokens=100)
    return f"Summary: {said.content.text}"


@mcp.tool()
async def folders(ctx: Context) -> str:
    """Says which folders the client works on."""
    said = await ctx.session.list_roots()
    return "\n".join(str(root.uri) for root in said.roots)


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
    mcp.run(transport="streamable-http" if "--http" in sys.argv else "stdio")

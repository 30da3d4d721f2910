"""A server on FastMCP, as its documentation shows: a tool that asks is a guard on connections of 2026-07-28, and calls ctx.elicit
on earlier ones."""

import sys
from dataclasses import dataclass

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)

mcp = FastMCP("restaurant")


@dataclass
class Weather:
    city: str
    celsius: float


@dataclass
class Booking:
    guests: int
    window: bool = False


FORM = {
    "type": "object",
    "properties": {"guests": {"type": "integer"}, "window": {"type": "boolean", "default": False}},
    "required": ["guests"],
}


def is_modern(ctx: Context) -> bool:
    return ctx.request_context.protocol_version >= "2026-07-28"


@mcp.tool
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Hello, {name}!"


@mcp.tool
def weather(city: str) -> Weather:
    """Says what the weather is."""
    return Weather(city=city, celsius=4.5)


@mcp.tool
def divide(a: float, b: float) -> float:
    """Divides a by b."""
    if b == 0:
        raise ToolError("cannot divide by zero")
    return a / b


@mcp.tool
async def book(date: str, ctx: Context) -> str | InputRequiredResult:
    """Books a table."""
    message = f"A table on {date}?"
    if not is_modern(ctx):
        answer = await ctx.elicit(message, response_type=Booking)
        return f"Booked for {answer.data.guests} on {date}." if answer.action == "accept" else "Nothing was booked."
    if ctx.input_responses is None:
        params = ElicitRequestFormParams(message=message, requested_schema=FORM)
        return InputRequiredResult(input_requests={"booking": ElicitRequest(params=params)})
    answer = ctx.input_responses["booking"]
    return f"Booked for {answer.content['guests']} on {date}." if answer.action == "accept" else "Nothing was booked."


@mcp.tool
async def summarize(text: str, ctx: Context) -> str | InputRequiredResult:
    """Has the client's model summarize a text."""
    messages = [SamplingMessage(role="user", content=TextContent(text=f"Summarize: {text}"))]
    if not is_modern(ctx):
        said = await ctx.session.create_message(messages, max_tokens=100, related_request_id=ctx.request_id)
        return f"Summary: {said.content.text}"
    if ctx.input_responses is None:
        request = CreateMessageRequest(params=CreateMessageRequestParams(messages=messages, max_tokens=100))
        return InputRequiredResult(input_requests={"summary": request})
    return f"Summary: {ctx.input_responses['summary'].content.text}"


@mcp.tool
async def folders(ctx: Context) -> str | InputRequiredResult:
    """Says which folders the client works on."""
    if not is_modern(ctx):
        said = await ctx.session.list_roots()
    elif ctx.input_responses is None:
        return InputRequiredResult(input_requests={"folders": ListRootsRequest()})
    else:
        said = ctx.input_responses["folders"]
    return "\n".join(str(root.uri) for root in said.roots)


@mcp.tool
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


@mcp.prompt
def review(code: str, language: str) -> str:
    """Asks for a review."""
    return f"Review this {language} code: {code}"


if __name__ == "__main__":
    if "--http" in sys.argv:
        mcp.run(transport="http", host="127.0.0.1", port=0)
    else:
        mcp.run()

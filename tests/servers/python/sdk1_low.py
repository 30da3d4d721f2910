"""A server on the low-level Server of the Python SDK 1, as its README shows: handlers by decorators, lists in pages."""

import asyncio
import contextlib
import json
import sys

import uvicorn
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import AnyUrl
from starlette.applications import Starlette
from starlette.routing import Mount

PAGE = 3
server = Server("restaurant", version="1.0.0")


def schema(*required: str, kind: str = "string") -> dict:
    return {"type": "object", "properties": {name: {"type": kind} for name in required}, "required": list(required)}


WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "celsius": {"type": "number"}},
    "required": ["city", "celsius"],
}
BOOKING = {
    "type": "object",
    "properties": {
        "guests": {"type": "integer", "minimum": 1, "description": "How many will come?"},
        "window": {"type": "boolean", "default": False},
    },
    "required": ["guests"],
}
TOOLS = [
    types.Tool(name="greet", description="Greets somebody.", inputSchema=schema("name")),
    types.Tool(name="weather", description="Says the weather.", inputSchema=schema("city"), outputSchema=WEATHER),
    types.Tool(name="divide", description="Divides a by b.", inputSchema=schema("a", "b", kind="number")),
    types.Tool(name="book", description="Books a table.", inputSchema=schema("date")),
    types.Tool(name="summarize", description="Has the client's model summarize.", inputSchema=schema("text")),
    types.Tool(name="folders", description="Says where the client works.", inputSchema={"type": "object"}),
    types.Tool(name="count", description="Counts.", inputSchema=schema("to", kind="integer")),
]


@server.list_tools()
async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
    params = request and request.params  # the SDK itself asks without a request
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return types.ListToolsResult(tools=TOOLS[start:end], nextCursor=str(end) if end < len(TOOLS) else None)


def said(text: str) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=text)]


@server.call_tool()
async def call_tool(name: str, given: dict) -> list[types.TextContent] | tuple[list[types.TextContent], dict]:
    ctx = server.request_context
    match name:
        case "greet":
            return said(f"Hello, {given['name']}!")
        case "weather":
            found = {"city": given["city"], "celsius": 4.5}
            return said(json.dumps(found)), found
        case "divide":
            if given["b"] == 0:
                raise ValueError("cannot divide by zero")
            return said(str(given["a"] / given["b"]))
        case "book":
            answer = await ctx.session.elicit(f"A table on {given['date']}?", BOOKING, ctx.request_id)
            if answer.action != "accept":
                return said("Nothing was booked.")
            return said(f"Booked for {answer.content['guests']} on {given['date']}.")
        case "summarize":
            prompt = types.SamplingMessage(role="user", content=said(f"Summarize: {given['text']}")[0])
            answer = await ctx.session.create_message([prompt], max_tokens=100)
            return said(f"Summary: {answer.content.text}")
        case "folders":
            answer = await ctx.session.list_roots()
            return said("\n".join(str(root.uri) for root in answer.roots))
        case "count":
            await ctx.session.send_log_message(
                level="info", data=f"counting to {given['to']}", related_request_id=ctx.request_id
            )
            for n in range(1, given["to"] + 1):
                if ctx.meta and ctx.meta.progressToken is not None:
                    await ctx.session.send_progress_notification(
                        ctx.meta.progressToken, n, given["to"], f"at {n}", related_request_id=str(ctx.request_id)
                    )
            return said(f"Counted to {given['to']}.")
    raise ValueError(f"Unknown tool: {name}")


@server.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri=AnyUrl("config://app"), name="config", mimeType="application/json")]


@server.list_resource_templates()
async def list_templates() -> list[types.ResourceTemplate]:
    return [types.ResourceTemplate(uriTemplate="users://{id}/name", name="user", mimeType="text/plain")]


@server.read_resource()
async def read_resource(uri: AnyUrl) -> list[ReadResourceContents]:
    if str(uri) == "config://app":
        return [ReadResourceContents('{"theme":"dark"}', "application/json")]
    if uri.scheme == "users":
        return [ReadResourceContents(f"User {uri.host}", "text/plain")]
    raise ValueError(f"Unknown resource: {uri}")


@server.list_prompts()
async def list_prompts() -> list[types.Prompt]:
    arguments = [types.PromptArgument(name=name, required=True) for name in ("code", "language")]
    return [types.Prompt(name="review", arguments=arguments)]


@server.get_prompt()
async def get_prompt(name: str, given: dict[str, str] | None) -> types.GetPromptResult:
    if name != "review" or given is None:
        raise ValueError(f"Unknown prompt: {name}")
    text = said(f"Review this {given['language']} code: {given['code']}")[0]
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


async def serve_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def serve_http() -> None:
    sessions = StreamableHTTPSessionManager(server)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette):
        async with sessions.run():
            yield

    uvicorn.run(Starlette(routes=[Mount("/mcp", app=sessions.handle_request)], lifespan=lifespan), port=0)


if __name__ == "__main__":
    serve_http() if "--http" in sys.argv else asyncio.run(serve_stdio())

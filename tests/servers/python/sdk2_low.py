"""A server on the low-level Server of the Python SDK 2, as its documentation shows: every result by hand, lists in pages."""

import asyncio
import sys

import mcp_types as types
import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

PAGE = 3


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
    types.Tool(name="greet", description="Greets somebody.", input_schema=schema("name")),
    types.Tool(
        name="weather", description="Says what the weather is.", input_schema=schema("city"), output_schema=WEATHER
    ),
    types.Tool(name="divide", description="Divides a by b.", input_schema=schema("a", "b", kind="number")),
    types.Tool(name="book", description="Books a table.", input_schema=schema("date")),
    types.Tool(name="summarize", description="Has the client's model summarize.", input_schema=schema("text")),
    types.Tool(name="folders", description="Says where the client works.", input_schema={"type": "object"}),
    types.Tool(name="count", description="Counts.", input_schema=schema("to", kind="integer")),
]


async def list_tools(_: ServerRequestContext, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return types.ListToolsResult(tools=TOOLS[start:end], next_cursor=str(end) if end < len(TOOLS) else None)


def said(text: str, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)


async def call_tool(
    ctx: ServerRequestContext, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    given = params.arguments or {}
    match params.name:
        case "greet":
            return said(f"Hello, {given['name']}!")
        case "weather":
            found = {"city": given["city"], "celsius": 4.5}
            text = types.TextContent(text=f"It is {found['celsius']} degrees in {found['city']}.")
            return types.CallToolResult(content=[text], structured_content=found)
        case "divide":
            if given["b"] == 0:
                return said("cannot divide by zero", is_error=True)
            return said(str(given["a"] / given["b"]))
        case "book":
            form = types.ElicitRequestFormParams(message=f"A table on {given['date']}?", requested_schema=BOOKING)
            answer = (params.input_responses or {}).get("booking")
            if answer is None:
                return types.InputRequiredResult(input_requests={"booking": types.ElicitRequest(params=form)})
            if answer.action != "accept":
                return said("Nothing was booked.")
            return said(f"Booked for {answer.content['guests']} on {given['date']}.")
        case "summarize":
            answer = (params.input_responses or {}).get("summary")
            if answer is None:
                prompt = types.TextContent(text=f"Summarize: {given['text']}")
                request = types.CreateMessageRequestParams(
                    messages=[types.SamplingMessage(role="user", content=prompt)], max_tokens=100
                )
                return types.InputRequiredResult(input_requests={"summary": types.CreateMessageRequest(params=request)})
            return said(f"Summary: {answer.content.text}")
        case "folders":
            answer = (params.input_responses or {}).get("folders")
            if answer is None:
                return types.InputRequiredResult(input_requests={"folders": types.ListRootsRequest()})
            return said("\n".join(str(root.uri) for root in answer.roots))
        case "count":
            await ctx.session.send_log_message(
                "info", f"counting to {given['to']}", related_request_id=ctx.request_id
            )
            for n in range(1, given["to"] + 1):
                await ctx.session.report_progress(n, given["to"], f"at {n}")
            return said(f"Counted to {given['to']}.")
    raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")


async def list_resources(*_) -> types.ListResourcesResult:
    config = types.Resource(uri="config://app", name="config", mime_type="application/json")
    return types.ListResourcesResult(resources=[config])


async def list_templates(*_) -> types.ListResourceTemplatesResult:
    user = types.ResourceTemplate(uri_template="users://{id}/name", name="user", mime_type="text/plain")
    return types.ListResourceTemplatesResult(resource_templates=[user])


async def read_resource(_: ServerRequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = str(params.uri)
    if uri == "config://app":
        text = types.TextResourceContents(uri=uri, mime_type="application/json", text='{"theme":"dark"}')
    elif uri.startswith("users://"):
        text = types.TextResourceContents(uri=uri, mime_type="text/plain", text=f"User {uri.split('/')[2]}")
    else:
        raise MCPError(types.INVALID_PARAMS, f"Unknown resource: {uri}")
    return types.ReadResourceResult(contents=[text])


async def list_prompts(*_) -> types.ListPromptsResult:
    arguments = [types.PromptArgument(name=name, required=True) for name in ("code", "language")]
    return types.ListPromptsResult(prompts=[types.Prompt(name="review", arguments=arguments)])


async def get_prompt(_: ServerRequestContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name != "review":
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name}")
    given = params.arguments or {}
    text = types.TextContent(text=f"Review this {given['language']} code: {given['code']}")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


server = Server(
    "restaurant",
    version="1.0.0",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_list_resource_templates=list_templates,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
)


async def serve_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if "--http" in sys.argv:
        uvicorn.run(server.streamable_http_app(), port=0)
    else:
        asyncio.run(serve_stdio())

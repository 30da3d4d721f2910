"""A server on the SDK's low-level `Server` with Parley's Guard around every request.

With the key file and audience of tests/stories/go-server and tests/stories/js-server it is one more instance of the same
service: a round begun on one of them may be finished here, and the other way round.
"""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from parley_mrtr.codec import Guard
from parley_mrtr.server import protect
from starlette.applications import Starlette

import program
from stories import STORIES, TOOLS, Round

_ARGUMENTS = {tool.name: Draft202012Validator(tool.input_schema) for tool in TOOLS}


def make_server(guard: Guard) -> Server[Any]:
    """The server, without a transport. `streamable_http_app` gives it one."""
    server: Server[Any] = Server(
        "parley-python-server",
        title="Parley example server",
        version="0.1.0",
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )
    protect(server, guard)
    return server


async def _list_tools(_ctx: ServerRequestContext[Any], _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=TOOLS)


async def _call_tool(
    _ctx: ServerRequestContext[Any], params: CallToolRequestParams
) -> CallToolResult | InputRequiredResult:
    arguments = params.arguments or {}
    if params.name not in STORIES:
        raise MCPError(INVALID_PARAMS, "Unknown tool")
    if not _ARGUMENTS[params.name].is_valid(arguments):
        raise MCPError(INVALID_PARAMS, "Arguments that do not fit the tool's inputSchema")
    return STORIES[params.name](arguments, Round(params))


def main() -> None:
    at = program.settings("fleet.py", "An MCP server that shares its rounds with others.", "parley-go-server")

    def make(keys: bytes) -> tuple[Guard, Starlette]:
        guard = Guard(keys, audience=at.audience, ttl=at.ttl)
        return guard, make_server(guard).streamable_http_app(host=at.host)

    program.run(at, make)


if __name__ == "__main__":
    main()

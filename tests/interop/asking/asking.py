"""Servers whose tools ask in straight code: those of main.go, on each kind of server there is in Python."""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvicorn
from fastmcp import FastMCP
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import MCPServer
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    EmptyResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    SetLevelRequestParams,
    TextContent,
    Tool,
)
from parley_mrtr.codec import Guard, new_key, read_key_file
from parley_mrtr.server import Ask, Cancelled, Declined, asking, form, protect
from starlette.types import ASGIApp

sys.path.append(str(Path(__file__).parents[1] / "python"))
from server import handshake_only

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


async def said(asked: Awaitable[Any]) -> str:
    try:
        return str((await asked)["a"])
    except Declined:
        return "decline"
    except Cancelled:
        return "cancel"


async def names(ask: Ask) -> str:
    """Asks for two names."""
    first = await said(ask.form("Your name?", SCHEMA))
    second = await said(ask.form("Your friend's?", SCHEMA))
    return f"{first} and {second}"


async def trip(ask: Ask) -> str:
    """Asks for two places at once, then for the rest."""
    where, start = await ask.all(form("Where to?", SCHEMA, key="to"), form("From?", SCHEMA, key="from"))
    (root, *_) = await ask.roots()
    river = await ask.sampling("Name a river.")
    return f"{start['a']} {where['a']} {root.uri} {river}"


async def each(who: str, ask: Ask) -> str:
    """Asks every kind of question, one after the other."""
    liked = await said(ask.form(f"What does {who} like?", SCHEMA))
    await ask.url(f"Please open the page of {who}.", "https://example.com/page")
    (root, *_) = await ask.roots()
    river = await ask.sampling(f"Name a river for {who}.")
    return f"{liked} {root.uri} {river}"


HANDLERS: dict[str, Callable[..., Awaitable[Any]]] = {"names": names, "trip": trip, "each": each}


async def set_level(_ctx: ServerRequestContext[Any], _params: SetLevelRequestParams) -> EmptyResult:
    """What clients of earlier eras begin with here."""
    return EmptyResult()


def low_level(guard: Guard) -> ASGIApp:
    tools: dict[str, Callable[..., Awaitable[Any]]] = {name: asking(guard)(HANDLERS[name]) for name in HANDLERS}

    async def list_tools(_ctx: ServerRequestContext[Any], _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name=name, input_schema={"type": "object"}) for name in tools])

    async def call_tool(
        _ctx: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        result = await tools[params.name](**(params.arguments or {}))
        if isinstance(result, InputRequiredResult):
            return result
        return CallToolResult(content=[TextContent(type="text", text=result)])

    server: Server[Any] = Server(
        "asking-low-level", on_list_tools=list_tools, on_call_tool=call_tool, on_set_logging_level=set_level
    )
    protect(server, guard)
    return server.streamable_http_app()


def high_level(guard: Guard) -> ASGIApp:
    server = MCPServer("asking-mcpserver", log_level="WARNING")
    protect(server, guard)
    server._lowlevel_server.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)
    for handler in HANDLERS.values():
        server.add_tool(asking(guard)(handler), structured_output=False)
    return server.streamable_http_app()


def fast(guard: Guard) -> ASGIApp:
    server = FastMCP("asking-fastmcp")
    protect(server, guard)
    for handler in HANDLERS.values():
        server.tool(asking(guard)(handler), output_schema=None)
    return server.http_app()


KINDS = {"lowlevel": low_level, "mcpserver": high_level, "fastmcp": fast}


async def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--kind", choices=KINDS, default="mcpserver")
    flags.add_argument("--key-file", help="the same for every instance; without it the key ends with the process")
    flags.add_argument("--legacy", action="store_true", help="speak the protocol revisions before 2026-07-28 alone")
    given = flags.parse_args()
    guard = Guard(read_key_file(given.key_file) if given.key_file else new_key(), audience="interop-asking")
    app = KINDS[given.kind](guard)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        config = uvicorn.Config(
            handshake_only(app) if given.legacy else app, log_level="warning", timeout_graceful_shutdown=1
        )
        await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(main())

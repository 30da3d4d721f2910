"""The interoperability server on the Python SDK: half of its features declare what they ask, half build it by hand."""

from __future__ import annotations

import argparse
import asyncio
import socket

import uvicorn
from mcp.server.mcpserver import MCPServer, RequestStateSecurity
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import built
import declared
import plain
import watched
from events import Events
from state import State


def make_server(legacy: bool, key: str | None) -> MCPServer:
    """The server. With the key of another process it finishes the rounds begun there."""
    security = RequestStateSecurity(keys=[key]) if key else RequestStateSecurity.ephemeral()
    server = MCPServer("interop-python", version="1", log_level="WARNING", request_state_security=security)
    state = State()
    declared.add(server, state)
    built.add(server, state)
    plain.add(server, state, legacy)
    watched.add(server, legacy)
    return server


def main() -> None:
    flags = argparse.ArgumentParser()
    where = flags.add_mutually_exclusive_group(required=True)
    where.add_argument("--http", metavar="PORT", type=int)
    where.add_argument("--stdio", action="store_true")
    flags.add_argument("--legacy", action="store_true")
    flags.add_argument("--key", help="seals requestState, alike in every process of one service")
    given = flags.parse_args()
    server = make_server(given.legacy, given.key)
    if not given.stdio:
        asyncio.run(serve_http(server, given.http, given.legacy))
    elif given.legacy:
        asyncio.run(serve_legacy_stdio(server))
    else:
        server.run("stdio")


async def serve_http(server: MCPServer, port: int, legacy: bool) -> None:
    if legacy:
        app: ASGIApp = handshake_only(server.streamable_http_app(event_store=Events(), retry_interval=50))
    else:
        app = server.streamable_http_app()
    with socket.create_server(("127.0.0.1", port)) as listener:
        print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        await uvicorn.Server(config).serve(sockets=[listener])


def handshake_only(app: ASGIApp) -> ASGIApp:
    """Refuses the modern era as the SDK's version 1 does; version 2 has no option for that."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", []))
        if headers.get(b"mcp-protocol-version", b"") >= b"2026-07-28":
            refusal = PlainTextResponse("Bad Request: Unsupported protocol version", 400)
            await refusal(scope, receive, send)
        else:
            await app(scope, receive, send)

    return refuse


async def serve_legacy_stdio(server: MCPServer) -> None:
    lowlevel = server._lowlevel_server  # `server.run` serves both eras
    async with stdio_server() as (read, write), lowlevel.lifespan(lowlevel) as state:
        await serve_loop(lowlevel, read, write, lifespan_state=state)


if __name__ == "__main__":
    main()

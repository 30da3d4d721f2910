"""A server on the Python SDK, version 1, which speaks the earlier era only: a tool that waits, and one that asks."""

from __future__ import annotations

import argparse
import asyncio
import socket

import anyio
import uvicorn
from mcp.server.fastmcp import Context, FastMCP
from pydantic import BaseModel, Field

server = FastMCP("interop-python-legacy", log_level="WARNING")
outcomes: dict[str, str] = {}


@server.tool()
async def slow(id: str, seconds: float, ctx: Context) -> str:
    """Takes its time."""
    outcomes[id] = "running"
    await ctx.report_progress(1)  # tells that it runs
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        outcomes[id] = "cancelled"
        raise
    outcomes[id] = "finished"
    return "finished"


@server.tool()
async def outcome(id: str) -> str:
    """Says what became of a slow call."""
    return outcomes.get(id, "unknown")


class Order(BaseModel):
    """What the SDK makes a form of that is not in the specification's subset."""

    seats: int | None
    shelf: int | str
    tags: list[str]
    share: float = Field(gt=0, lt=1, multiple_of=0.25)
    code: str = Field(pattern="^[A-Z]{3}$", examples=["ABC"])
    note: str | None = None


@server.tool()
async def order(ctx: Context) -> str:
    """Asks for an order."""
    answer = await ctx.elicit("Your order?", Order)
    return answer.data.model_dump_json() if answer.action == "accept" else answer.action


async def serve(port: int) -> None:
    with socket.create_server(("127.0.0.1", port)) as listener:
        print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        config = uvicorn.Config(server.streamable_http_app(), log_level="warning", timeout_graceful_shutdown=1)
        await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    flags = argparse.ArgumentParser()
    flags.add_argument("--http", metavar="PORT", type=int, required=True)
    flags.add_argument("--legacy", action="store_true", help="as it is in any case")
    asyncio.run(serve(flags.parse_args().http))

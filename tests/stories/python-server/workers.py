"""A server on the SDK's high-level `MCPServer`, with Parley's codec in its `RequestStateSecurity`.

Workers that share a key file finish each other's rounds: start this several times behind any load balancer, with no
affinity and no storage in common.
"""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Elicit, MCPServer, RequestStateSecurity, Resolve
from parley_mrtr.codec import Codec
from parley_mrtr.server import SealCodec
from pydantic import BaseModel, Field
from starlette.applications import Starlette

import program


class Sitting(BaseModel):
    sitting: Literal["early", "late"]


class Seats(BaseModel):
    seats: int = Field(ge=1, le=8)


async def ask_sitting(day: str) -> Elicit[Sitting]:
    return Elicit(f"Which sitting on {day}?", Sitting)


async def ask_seats(day: str, sitting: Annotated[Sitting, Resolve(ask_sitting)]) -> Elicit[Seats]:
    return Elicit(f"How many seats at the {sitting.sitting} sitting on {day}?", Seats)


async def book_table(
    day: str,
    sitting: Annotated[Sitting, Resolve(ask_sitting)],
    seats: Annotated[Seats, Resolve(ask_seats)],
) -> str:
    """Books a table. Asks for the sitting, and then how many seats."""
    return f"Booked for {day}: {seats.seats} seats at the {sitting.sitting} sitting."


def make_server(codec: Codec, audience: str, ttl: int = 600) -> MCPServer:
    """The server, without a transport. `streamable_http_app` gives it one."""
    server = MCPServer(
        "parley-python-workers",
        log_level="WARNING",
        request_state_security=RequestStateSecurity(codec=SealCodec(codec), audience=audience, ttl=ttl),
    )
    server.add_tool(book_table)
    return server


def main() -> None:
    at = program.settings("workers.py", "An MCP server whose workers finish each other's rounds.", "parley-workers")

    def make(keys: bytes) -> tuple[Codec, Starlette]:
        codec = Codec(keys)
        return codec, make_server(codec, at.audience, at.ttl).streamable_http_app(host=at.host)

    program.run(at, make)


if __name__ == "__main__":
    main()

"""An MCP server with two tools that ask before they answer. README.md says how to run it."""

import argparse
import json
import os
import socket
from typing import Annotated, Literal

import uvicorn
from mcp.server.mcpserver import AcceptedElicitation, Elicit, ElicitationResult, MCPServer, RequestStateSecurity, Resolve
from pydantic import BaseModel, Field
from starlette.types import ASGIApp

from authorization import Introspection, Protected, Wanted
from parley_codec import Codec, new_key, read_key_file
from parley_mcp import SealCodec, authenticated


class Wish(BaseModel):
    units: Literal["metric", "imperial"] = Field("metric", title="Units")


async def ask_units(location: str) -> Elicit[Wish]:
    return Elicit(f"Which units should the weather in {location} be in?", Wish)


async def get_weather(location: str, wish: Annotated[ElicitationResult[Wish], Resolve(ask_units)]) -> str:
    """Tells the weather at a location."""
    if wish.action == "cancel":
        return f"The user cancelled: no weather for {location}."
    if wish.action == "accept" and wish.data.units == "imperial":
        return f"{location}: 64 °F, light rain, wind 9 mph."
    return f"{location}: 18 °C, light rain, wind 15 km/h."  # also for who declines: no preference


class How(BaseModel):
    resolution: Literal["Fixed", "Won't fix", "Duplicate", "By design"] = Field(title="Resolution")


class Original(BaseModel):
    original_id: int = Field(title="Original work item", ge=1)
    comment: str | None = Field(None, title="Comment", max_length=200)


async def ask_resolution(id: int, state: str) -> Elicit[How] | None:
    return Elicit(f"How was work item {id} resolved?", How) if state == "Resolved" else None


Resolution = Annotated[ElicitationResult[How], Resolve(ask_resolution)]


async def ask_original(id: int, how: Resolution) -> Elicit[Original] | None:
    """Asks only if the answer to the first question calls for it."""
    if not isinstance(how, AcceptedElicitation) or how.data is None or how.data.resolution != "Duplicate":
        return None
    return Elicit(f"Which other work item does {id} duplicate?", Original)


async def update_work_item(
    id: int, state: str, how: Resolution, original: Annotated[ElicitationResult[Original], Resolve(ask_original)]
) -> str:
    """Moves a work item to another state."""
    if state != "Resolved":
        return f"Work item {id} is now {state}."
    if how.action == "decline":
        return f"Work item {id} is unchanged: the user declined to give a resolution."
    if how.action == "cancel":
        return f"Work item {id} is unchanged: the user cancelled."
    if how.data.resolution != "Duplicate":
        return f"Work item {id} is now Resolved as {how.data.resolution}."
    if original.action == "decline":
        return f"Work item {id} is unchanged: the user declined to name the original."
    if original.action == "cancel":
        return f"Work item {id} is unchanged: the user cancelled after choosing Duplicate."
    if original.data.original_id == id:
        return f"Work item {id} is unchanged: it cannot duplicate itself."
    text = f"Work item {id} is now Resolved as a duplicate of {original.data.original_id}."
    if original.data.comment:
        text += f" Comment: {json.dumps(original.data.comment, ensure_ascii=False)}."
    return text


def scopes(wanted: Wanted) -> list[str] | None:
    """What a request needs: the weather is for everybody, a question about a work item for who works on them, and what
    changes one wants more."""
    if wanted.name != "update_work_item":
        return None
    return ["items", "items:write"] if wanted.answers else ["items"]


def main() -> None:
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--port", type=int, default=8082, help="0 takes a free one")
    flags.add_argument("--key-file", help="the same for every instance; without it the key ends with the process")
    flags.add_argument("--issuer", help="whose tokens update_work_item needs; without it nobody signs in")
    flags.add_argument("--client-id", default="", help="looks tokens up there, with CLIENT_SECRET in the environment")
    options = flags.parse_args()

    # What seals requestState: instances with the same keys and audience go on with each other's calls.
    codec = SealCodec(Codec(read_key_file(options.key_file) if options.key_file else new_key()))
    # A refreshed token, or another client of the same user, goes on with a call.
    security = RequestStateSecurity(
        codec=codec, audience="parley-example-python", ttl=24 * 60 * 60, bind_principal=authenticated
    )
    server = MCPServer("parley-example-python", log_level="WARNING", request_state_security=security)
    server.add_tool(get_weather)
    server.add_tool(update_work_item)

    with socket.create_server(("127.0.0.1", options.port)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        app: ASGIApp = server.streamable_http_app()
        if options.issuer:
            verifier = Introspection.find(options.issuer, options.client_id, os.environ.get("CLIENT_SECRET", ""), url)
            app = Protected(app, resource=url, issuer=options.issuer, verifier=verifier, scopes=scopes)
        print(f"listening on {url}", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main()

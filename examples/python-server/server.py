"""An MCP server with two tools that ask before they answer. README.md says how to run it."""

import argparse
import json
import os
import socket
from typing import Literal

from fastmcp import FastMCP
from mcp.server.auth.middleware.auth_context import get_access_token
from pydantic import BaseModel, Field
from starlette.types import ASGIApp

from authorization import Introspection, Protected, Wanted
from limits import Bounds, Sessions, Share, serve
from parley_mrtr.codec import Guard, new_key, principal, read_key_file
from parley_mrtr.server import Ask, Cancelled, Declined, asking, protect


class Wish(BaseModel):
    units: Literal["metric", "imperial"] = Field("metric", title="Units")


class How(BaseModel):
    resolution: Literal["Fixed", "Won't fix", "Duplicate", "By design"] = Field(title="Resolution")


class Original(BaseModel):
    original_id: int = Field(title="Original work item", ge=1)
    comment: str | None = Field(None, title="Comment", max_length=200)


def user(_ctx: object) -> str | None:
    """Whose call it is: the token's user, so that another client of theirs can go on with it. The tokens are of one issuer.
    Without this it is the client, the issuer and the user, and a call stays with the client that began it."""
    token = get_access_token()
    return principal(None, None, token.subject) if token else None


def make_server(keys: bytes) -> FastMCP:
    # What seals the answers on their way from question to question: instances with the same keys and audience go on with
    # each other's calls.
    guard = Guard(keys, audience="parley-example-python", ttl=24 * 60 * 60)
    server = FastMCP("parley-example-python")
    protect(server, guard, who=user)

    @server.tool
    @asking(guard)
    async def get_weather(location: str, ask: Ask) -> str:
        """Tells the weather at a location."""
        try:
            wish = await ask.form(f"Which units should the weather in {location} be in?", Wish)
        except Declined:
            wish = Wish()  # no preference
        except Cancelled:
            return f"The user cancelled: no weather for {location}."
        if wish.units == "imperial":
            return f"{location}: 64 °F, light rain, wind 9 mph."
        return f"{location}: 18 °C, light rain, wind 15 km/h."

    @server.tool
    @asking(guard)
    async def update_work_item(id: int, state: str, ask: Ask) -> str:
        """Moves a work item to another state."""
        if state != "Resolved":
            return f"Work item {id} is now {state}."
        try:
            how = await ask.form(f"How was work item {id} resolved?", How)
        except Declined:
            return f"Work item {id} is unchanged: the user declined to give a resolution."
        except Cancelled:
            return f"Work item {id} is unchanged: the user cancelled."
        if how.resolution != "Duplicate":
            return f"Work item {id} is now Resolved as {how.resolution}."
        try:
            original = await ask.form(f"Which other work item does {id} duplicate?", Original)
        except Declined:
            return f"Work item {id} is unchanged: the user declined to name the original."
        except Cancelled:
            return f"Work item {id} is unchanged: the user cancelled after choosing Duplicate."
        if original.original_id == id:
            return f"Work item {id} is unchanged: it cannot duplicate itself."
        text = f"Work item {id} is now Resolved as a duplicate of {original.original_id}."
        if original.comment:
            text += f" Comment: {json.dumps(original.comment, ensure_ascii=False)}."
        return text

    return server


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
    flags.add_argument(
        "--stall", type=float, default=60, help="seconds that a request may take to arrive, or a connection wait for one"
    )
    options = flags.parse_args()

    bounds = Bounds(stall=options.stall)
    server = make_server(read_key_file(options.key_file) if options.key_file else new_key())
    try:
        listener = socket.create_server(("127.0.0.1", options.port))
    except OSError as error:
        flags.exit(1, f"server.py: {error}: choose a port with --port N, or have a free one chosen with --port 0\n")
    with listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        app: ASGIApp = Share(Sessions(server.http_app(), bounds), bounds)
        if options.issuer:
            verifier = Introspection.find(options.issuer, options.client_id, os.environ.get("CLIENT_SECRET", ""), url)
            app = Protected(app, resource=url, issuer=options.issuer, verifier=verifier, scopes=scopes)
        print(f"listening on {url}", flush=True)
        serve(app, listener, bounds)


if __name__ == "__main__":
    main()

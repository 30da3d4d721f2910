"""The params of a request as the client wrote them.

Serialised again, JSON is not the same text: Python reads 0.10000000000000000001 and 0.1 as one number, and two
members of one name as the last. A Guard binds a state to what was sent, on every host alike, so it should see that.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mcp.server.context import ServerRequestContext
from starlette.requests import Request

_SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


async def params_text(ctx: ServerRequestContext[Any, Any]) -> str:
    """The params' JSON text: over HTTP as received, else what the SDK decoded, serialised.

    ValueError if they hold what JSON cannot, such as NaN, which Python's decoder lets through.
    """
    if isinstance(ctx.request, Request):
        # The SDK has read the body, so that this one is a copy kept by the request.
        text = received(await ctx.request.body(), ctx.params)
        if text is not None:
            return text
    return json.dumps(ctx.params or {}, separators=(",", ":"), allow_nan=False)


def received(body: bytes, params: Any) -> str | None:
    """The text of a message's params, if that is what the handler will get; None otherwise.

    The two differ where a middleware has changed the params, and where a message in another encoding than UTF-8 came.
    """
    try:
        found = member(body.decode(), "params")
    except (ValueError, IndexError):
        return None
    return found[0] if found is not None and found[1] == params else None


def member(message: str, name: str) -> tuple[str, Any] | None:
    """The text and the value of a member of a JSON object: of the last of that name, as `json.loads` takes it."""
    found = None
    at = _skip(message, 0) + 1
    while message[at := _skip(message, at)] != "}":
        key, at = _decode(message, at)
        start = _skip(message, _skip(message, at) + 1)
        value, at = _decode(message, start)
        if key == name:
            found = message[start:at], value
        at = _skip(message, at)
        if message[at] == ",":
            at += 1
    return found


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at

"""The params of a request as the client wrote them.

Serialised again, JSON is not the same text: Python reads 0.10000000000000000001 and 0.1 as one number, and two members
of one name as the last. A Guard binds a state to what was sent, on every host alike, so it should see that.
"""

from __future__ import annotations

import json
from typing import Any

from mcp.server.context import ServerRequestContext

from ..codec import Code, CodecError
from ..codec.canonical import simple
from ..codec.raw_json import NotJSON, scan
from ..codec.request import Request


async def read_request(ctx: ServerRequestContext[Any, Any], who: str | None) -> Request:
    """A request as a Guard binds it: over HTTP as received, else what the SDK decoded, serialised."""
    request: Any = ctx.request
    text: str | None = None
    if hasattr(request, "body") and hasattr(request, "receive"):  # a Request of Starlette
        # The SDK has read the body, so that this one is a copy kept by the request.
        body: bytes = await request.body()
        quick = _quick(ctx, body, who)
        if quick is not None:
            return quick
        text = received(body, ctx.params)
    if text is None:
        try:
            text = json.dumps(ctx.params or {}, separators=(",", ":"), allow_nan=False)
        except ValueError:  # what JSON cannot hold, such as NaN, which Python's decoder lets through
            raise CodecError(Code.MALFORMED) from None
    return Request(ctx.method, text, who)


def _quick(ctx: ServerRequestContext[Any, Any], body: bytes, who: str | None) -> Request | None:
    """The same for most requests, of the message read at once."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    message = simple(text)
    if message is None:
        return None
    params = message.get("params")
    if not isinstance(params, dict) or params != ctx.params:
        return None
    return Request.of_simple(ctx.method, params, who)


def received(body: bytes, params: Any) -> str | None:
    """The text of a message's params, if that is what the handler will get; None otherwise.

    The two differ where a middleware has changed the params, and where a message in another encoding than UTF-8 came.
    """
    try:
        found = None
        for member in scan(body.decode()):
            if member.name == "params":  # of two, the last, as the SDK takes it
                found = member.text
        return found if found is not None and json.loads(found) == params else None
    except (NotJSON, ValueError, RecursionError):
        return None

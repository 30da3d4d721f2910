"""A tool behind a Guard, called one round at a time as a client calls it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any
from unittest.mock import Mock

from mcp.server.context import HandlerResult, ServerRequestContext
from mcp_types import (
    ClientCapabilities,
    ElicitationCapability,
    FormElicitationCapability,
    RootsCapability,
    SamplingCapability,
    UrlElicitationCapability,
)
from mcp_types.methods import serialize_server_result

from checkout import KEY
from parley_mrtr.codec import CONTEXT_GUARD, Codec, Guard, inspect
from parley_mrtr.server import GuardMiddleware, asking

EVERYTHING = ClientCapabilities(
    elicitation=ElicitationCapability(form=FormElicitationCapability(), url=UrlElicitationCapability()),
    sampling=SamplingCapability(),
    roots=RootsCapability(),
)

Tool = Callable[..., Awaitable[Any]]


def guard(**options: Any) -> Guard:
    return Guard(KEY, audience="asking", now=lambda: 1_800_000_000, entropy=lambda size: b"\7" * size, **options)


def leg(
    tool: Tool,
    token: str | None = None,
    answers: dict[str, Any] | None = None,
    *,
    session: Any = None,
    version: str = "2026-07-28",
    **options: Any,
) -> dict[str, Any]:
    """One round, on an instance of its own: what the client gets. A result is {"text": …}."""
    of = guard()
    asks = asking(of, **options)(tool)
    params: dict[str, Any] = {"name": "ask", "arguments": {}}
    if token is not None:
        params["requestState"] = token
    if answers is not None:
        params["inputResponses"] = answers
    ctx: ServerRequestContext[Any, Any] = ServerRequestContext(
        session=session or Mock(client_capabilities=EVERYTHING),
        lifespan_context={},
        protocol_version=version,
        method="tools/call",
        params=params,
        request_id=1,
    )

    async def handler(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        result = await asks()
        if isinstance(result, str):
            return {"text": result}
        # As the SDK's runner does behind every middleware.
        dump = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        return serialize_server_result("tools/call", version, dump)

    result = asyncio.run(GuardMiddleware(of)(ctx, handler))
    assert isinstance(result, dict)
    return result


def record(token: str) -> str:
    """The handler's record in a token."""
    state = inspect(Codec(KEY).open(token, CONTEXT_GUARD)).state
    assert state is not None
    return state.decode()


def steps(token: str) -> Any:
    return json.loads(record(token))["steps"]


def fill(key: str, **content: Any) -> dict[str, Any]:
    return {key: {"action": "accept", "content": content}}

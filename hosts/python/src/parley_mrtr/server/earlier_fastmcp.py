"""FastMCP's own refusal of rounds at clients of protocol revisions without them, passed by."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from fastmcp.server.middleware import Middleware, MiddlewareContext

from .earlier import let_out

_inside: ContextVar[bool] = ContextVar("parley_inside", default=False)


class RoundsOut(Middleware):
    """Outermost, so that all other middleware sees what a component asks as FastMCP has it. Only the call of the client
    is let out: a tool that calls another one gets what that asks as its result."""

    async def __call__(self, context: MiddlewareContext[Any], call_next: Any) -> Any:
        if _inside.get():
            return await call_next(context)
        token = _inside.set(True)
        try:
            result = await call_next(context)
        finally:
            _inside.reset(token)
        let_out(getattr(result, "input_required", None))
        return result

"""Puts a Guard into a server, in the place of the SDK's own boundary."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.request_state import RequestStateBoundary

from ..codec import Guard
from .authenticated import authenticated
from .earlier import let_results_out
from .middleware import GuardMiddleware
from .tasks.run import TaskMiddleware


def protect(
    server: Any,
    guard: Guard,
    *,
    who: Callable[[ServerRequestContext[Any, Any]], str | None] = authenticated,
    unpinned: Collection[str] = (),
) -> None:
    """Has a `Guard` seal and open the requestState of a server: the SDK's low-level `Server`, its `MCPServer`, or a
    `FastMCP` of version 4.

    The SDK's `RequestStateBoundary` would seal once more what the Guard sealed, so it is replaced, and this fails unless
    there is exactly one in an MCPServer or FastMCP. See `GuardMiddleware` for the arguments. Call it before the server
    starts.
    """
    chain, built_in = _chain(server)
    boundaries = [at for at, middleware in enumerate(chain) if isinstance(middleware, RequestStateBoundary)]
    if any(isinstance(middleware, GuardMiddleware) for middleware in chain):
        raise ValueError("the server has a GuardMiddleware already: protect it once")
    if any(isinstance(middleware, TaskMiddleware) for middleware in chain):
        raise ValueError(
            "the server has Tasks already, which take from protect whose call it is: call Tasks.add after it"
        )
    if len(boundaries) > 1 or (built_in and not boundaries):
        raise ValueError(
            f"the server has {len(boundaries)} boundaries for requestState where parley_mrtr knows one to replace: "
            "use the versions of mcp and fastmcp that parley_mrtr was tested with, or add GuardMiddleware yourself"
        )
    middleware = GuardMiddleware(guard, who=who, unpinned=unpinned)
    if boundaries:
        chain[boundaries[0]] = middleware
    else:
        chain.append(middleware)
    let_results_out(low_level(server, "protect"), server)


def _chain(server: Any) -> tuple[list[Any], bool]:
    """A server's middleware, outermost first, and whether the SDK puts a boundary into it."""
    low = low_level(server, "protect")
    return low.middleware, low is not server


def low_level(server: Any, what: str) -> Any:
    """The SDK's low-level server in a server. Neither framework has a public way to it."""
    for name in "_lowlevel_server", "_mcp_server":  # MCPServer's, FastMCP's
        inner = getattr(server, name, None)
        if isinstance(getattr(inner, "middleware", None), list):
            return inner
    if not isinstance(getattr(server, "middleware", None), list):
        raise TypeError(f"{what} takes a server of the MCP SDK or FastMCP, not {type(server).__name__}")
    return server

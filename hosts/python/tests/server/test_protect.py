"""The Guard takes the place of the SDK's own boundary, in each kind of server."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import FastMCP
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import GuardMiddleware, protect


def chain(server: Any) -> list[Any]:
    low_level = getattr(server, "_mcp_server", None)
    return list((low_level or server).middleware)


def count(server: Any, kind: type) -> int:
    return sum(isinstance(middleware, kind) for middleware in chain(server))


@pytest.mark.parametrize("make", [Server, MCPServer, FastMCP])
def test_exactly_one(make: Any) -> None:
    server = make("tests")
    before = [type(middleware) for middleware in chain(server)]
    protect(server, Guard(KEY, audience="tests"))
    assert count(server, GuardMiddleware) == 1 and count(server, RequestStateBoundary) == 0
    after = [type(middleware) for middleware in chain(server)]
    if make is Server:
        assert after == [*before, GuardMiddleware]
    else:
        at = before.index(RequestStateBoundary)
        assert after == [*before[:at], GuardMiddleware, *before[at + 1 :]]
    with pytest.raises(ValueError, match="protect it once"):
        protect(server, Guard(KEY, audience="tests"))


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
def test_another_version_of_the_sdk_is_refused(make: Any) -> None:
    """None to replace would seal nothing of ours, two would seal twice."""
    for boundaries in 0, 2:
        server = make("tests")
        middleware = getattr(server, "_mcp_server", server).middleware
        middleware[:] = [m for m in middleware if not isinstance(m, RequestStateBoundary)]
        middleware += [RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="x")] * boundaries
        with pytest.raises(ValueError, match=f"the server has {boundaries} boundaries"):
            protect(server, Guard(KEY, audience="tests"))
        assert count(server, GuardMiddleware) == 0


def test_what_is_no_server() -> None:
    with pytest.raises(TypeError, match="not dict"):
        protect({}, Guard(KEY, audience="tests"))

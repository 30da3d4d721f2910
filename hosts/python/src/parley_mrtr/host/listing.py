"""The tools of a server, page after page."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypedDict

from parley_mrtr.host.errors import CallFailed, Code
from parley_mrtr.host.outcome import Done, Outcome

_MOST_PAGES = 1000
_MOST_CURSOR = 16 << 10  # bytes
_METHOD_NOT_FOUND = -32601  # JSON-RPC's code for a method that a server does not have


class _Named(TypedDict):
    name: str
    inputSchema: dict[str, Any]


class Tool(_Named, total=False):
    """A tool, as the server describes it. Its texts are the server's."""

    title: str
    description: str
    outputSchema: dict[str, Any]
    annotations: dict[str, Any]


async def tools(call: Callable[[dict[str, Any]], Awaitable[Outcome]]) -> AsyncIterator[Tool]:
    """The tools that `call` brings for the params of tools/list; none if the server has no tools."""
    cursors: set[str] = set()
    params: dict[str, Any] = {}
    while True:
        try:
            outcome = await call(params)
        except CallFailed as failed:
            if not cursors and _is_absent(failed):
                return
            raise
        assert isinstance(outcome, Done)
        page = outcome.value
        found = page.get("tools") if isinstance(page, dict) else None
        if not isinstance(found, list) or not all(map(_is_tool, found)):
            raise _broken(Code.MALFORMED, "tools is no list of tools", outcome.result)
        for tool in found:
            yield tool
        cursor = page.get("nextCursor")
        if cursor is None:
            return
        if not isinstance(cursor, str):
            raise _broken(Code.MALFORMED, "nextCursor is no string", outcome.result)
        if len(cursor) > _MOST_CURSOR or len(cursors) + 2 > _MOST_PAGES:
            raise _broken(
                Code.LIMIT, "a cursor is longer than 16 KiB, or there are more than 1,000 pages", outcome.result
            )
        if cursor in cursors:
            raise _broken(Code.MALFORMED, "the server gave a cursor a second time", outcome.result)
        cursors.add(cursor)
        params = {"cursor": cursor}


def _is_tool(tool: object) -> bool:
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        return False
    return isinstance(tool.get("inputSchema"), dict) and isinstance(tool.get("description", ""), str)


def _is_absent(failed: CallFailed) -> bool:
    return failed.response is not None and json.loads(failed.response).get("code") == _METHOD_NOT_FOUND


def _broken(code: Code, what: str, raw: bytes) -> CallFailed:
    return CallFailed(code, f"tools/list: {what}", raw=raw)

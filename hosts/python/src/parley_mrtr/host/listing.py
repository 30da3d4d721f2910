"""The tools of a server, page after page. The rules are those of hosts/testdata/lists."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypedDict

from parley_mrtr.host.errors import CallFailed, Code
from parley_mrtr.host.outcome import Done, Outcome

_MOST_PAGES = 1000
_MOST_TOOLS = 10_000  # of a page
_MOST_ICONS = 100  # of a tool, that are read
_METHOD_NOT_FOUND = -32601  # JSON-RPC's code for a method that a server does not have
_AGAIN = "the server gave a cursor a second time, so its pages would never end: the list ends here"


class _Named(TypedDict):
    name: str
    inputSchema: dict[str, Any]


class Tool(_Named, total=False):
    """A tool, as the server describes it. Its texts are the server's. A member of another type than the protocol's is
    left out; without a schema the tool takes any arguments."""

    title: str
    description: str
    outputSchema: dict[str, Any]
    annotations: dict[str, Any]
    execution: dict[str, str]
    icons: list[dict[str, Any]]


async def tools(
    call: Callable[[bytes], Awaitable[Outcome]], warn: Callable[[str], object] = lambda _: None
) -> AsyncIterator[Tool]:
    """The tools that `call` brings for the params of tools/list; none if the server has no tools."""
    cursors: set[bytes] = set()
    cursor: bytes | None = None  # as the server wrote it
    names: set[str] = set()
    while True:
        try:
            outcome = await call(b"{}" if cursor is None else b'{"cursor":%b}' % cursor)
        except CallFailed as failed:
            code = _code_of(failed)
            if cursor is None and code == _METHOD_NOT_FOUND:
                return
            if cursor is not None and _is_odd(cursor) and code is not None:
                taken = f"does not take the cursor {cursor.decode()} that it gave (JSON-RPC error {code})"
                warn(f"tools/list: the server {taken}: the list ends here, and pages may be missing")
                return
            raise
        assert isinstance(outcome, Done)
        page = _Page(outcome)
        if page.left_out:
            of = len(page.left_out) + len(page.tools)
            warn(f"left out {len(page.left_out)} of the {of} entries of tools/list: {page.left_out[0]}")
        cursor = outcome.next
        ends = cursor in cursors
        for tool in page.tools:
            if not (ends and tool["name"] in names):
                names.add(tool["name"])
                yield tool
        if cursor is None:
            return
        if ends:
            warn(f"tools/list: {_AGAIN}")
            return
        cursors.add(cursor)
        if len(cursors) == _MOST_PAGES:
            raise page.broken(Code.LIMIT, "there are more than 1,000 pages")


class _LeftOut(Exception):
    """Why a tool cannot be used."""


class _Page:
    """A page, read as a whole before its first tool is handed out."""

    def __init__(self, outcome: Done) -> None:
        self._raw = outcome.result
        if outcome.lacks is not None:
            raise self.broken(Code.MALFORMED, outcome.lacks)
        found = outcome.value.get("tools")
        if found and len(found) > _MOST_TOOLS:
            raise self.broken(Code.LIMIT, "tools has more than 10,000 entries")
        self.tools: list[Tool] = []
        self.left_out: list[str] = []
        for at, tool in enumerate(found or ()):
            try:
                self.tools.append(self._tool(at, tool))
            except _LeftOut as why:
                self.left_out.append(str(why))

    def broken(self, code: Code, what: str) -> CallFailed:
        return CallFailed(code, f"tools/list: {what}", raw=self._raw)

    def _tool(self, at: int, tool: Any) -> Tool:
        if not isinstance(tool, dict):
            raise _LeftOut(f"tools[{at}] is not an object")
        if not _is_text(tool.get("name")):
            raise _LeftOut(f"tools[{at}].name is not a string")
        read = _typed(tool, _MEMBERS)
        if "annotations" in read:
            read["annotations"] = _typed(read["annotations"], _ANNOTATIONS)
        if "execution" in read:
            support = read["execution"].get("taskSupport")
            if support in _SUPPORT:
                read["execution"] = {"taskSupport": support}
            else:
                del read["execution"]
        if "icons" in read:
            icons = (_typed(icon, _ICON) for icon in read["icons"][:_MOST_ICONS] if isinstance(icon, dict))
            read["icons"] = [_sized(icon) for icon in icons if "src" in icon]
        return {"inputSchema": {"type": "object"}, **read}  # type: ignore[typeddict-item]


def _sized(icon: dict[str, Any]) -> dict[str, Any]:
    if "sizes" not in icon:
        return icon
    return {**icon, "sizes": [size for size in icon["sizes"] if _is_text(size)]}


def _typed(value: dict[str, Any], types: dict[str, type]) -> dict[str, Any]:
    """An object without the members whose types are others."""
    return {name: member for name, member in value.items() if name not in types or _is(member, types[name])}


def _is(value: Any, kind: type) -> bool:
    return _is_text(value) if kind is str else isinstance(value, kind)


_MEMBERS: dict[str, type] = {
    **{"title": str, "description": str, "inputSchema": dict, "outputSchema": dict},
    **{"annotations": dict, "execution": dict, "icons": list},
}
_SUPPORT = ("required", "optional", "forbidden")
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_ANNOTATIONS: dict[str, type] = {"title": str, **dict.fromkeys(_HINTS, bool)}
_ICON: dict[str, type] = {"src": str, "mimeType": str, "sizes": list, "theme": str}


def _is_text(value: object) -> bool:
    """Whether a value is a string of Unicode text, without lone surrogates."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _is_odd(cursor: bytes) -> bool:
    """Whether a cursor is one that a server may not have meant."""
    return cursor == b'""' or not cursor.startswith(b'"')


def _code_of(failed: CallFailed) -> int | None:
    """The code of the error that the server has answered with."""
    return None if failed.response is None else json.loads(failed.response).get("code")

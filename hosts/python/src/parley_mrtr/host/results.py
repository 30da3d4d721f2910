"""Results of tools, as values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from parley_mrtr.host.errors import CallFailed, Code
from parley_mrtr.host.outcome import Outcome, Pending


@dataclass(frozen=True)
class ToolResult:
    """What a tool gave: its content blocks as values, and `raw`, the whole as JSON text, byte for byte."""

    content: list[dict[str, Any]]
    structured_content: Any
    is_error: bool
    raw: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The text of its content, a line for each block."""
        return "\n".join(block["text"] for block in self.content if block["type"] == "text")


class Parked(Exception):
    """Raised where a result was wanted of a call that an asker has parked: `pending` has its snapshot."""

    def __init__(self, pending: Pending) -> None:
        super().__init__("parley: the call is parked")
        self.pending = pending


def tool_result(outcome: Outcome) -> ToolResult:
    """The result of a call of `tools/call`. It raises Parked, and CallFailed if the result is not a tool's."""
    if isinstance(outcome, Pending):
        raise Parked(outcome)
    try:
        value = json.loads(outcome.result)
    except (ValueError, RecursionError):
        raise _broken("it is no JSON that can be read", outcome.result) from None
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, list) or not all(map(_is_block, content)):
        raise _broken("content is no list of blocks", outcome.result)
    return ToolResult(content, value.get("structuredContent"), value.get("isError") is True, outcome.result)


def _is_block(block: object) -> bool:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return False
    return block["type"] != "text" or isinstance(block.get("text"), str)


def _broken(what: str, raw: bytes) -> CallFailed:
    """The call was carried out, and its result cannot be used."""
    return CallFailed(Code.MALFORMED, f"tools/call: {what}", raw=raw)

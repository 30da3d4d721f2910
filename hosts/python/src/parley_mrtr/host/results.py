"""Results of tools, as values."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from typing import Any

from parley_mrtr.copyable import CopyableError
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


class Parked(CopyableError):
    """Raised where a result was wanted of a call that an asker has parked: `pending` has its snapshot."""

    def __init__(self, pending: Pending) -> None:
        super().__init__("parley: the call is parked")
        self.pending = pending


def tool_result(outcome: Outcome) -> ToolResult:
    """The result of a call of `tools/call`. It raises Parked, and CallFailed if the result lacks what a tool's must bring.
    The rules are those of hosts/testdata/results."""
    if isinstance(outcome, Pending):
        raise Parked(outcome)
    try:
        value = json.loads(outcome.result)
    except (ValueError, RecursionError):
        raise _broken("it is no JSON that can be read", outcome.result) from None
    flaw = _flaw(value)
    if flaw is not None:
        raise _broken(flaw, outcome.result)
    return ToolResult(
        value.get("content") or [], value.get("structuredContent"), value.get("isError") or False, outcome.result
    )


def _flaw(value: Any) -> str | None:
    """What a tool's result lacks."""
    if not isinstance(value, dict):
        return "the result is not an object"
    if not isinstance(value.get("isError"), bool | None):  # a failure must not pass for a success
        return "isError is not a boolean"
    content = value.get("content")
    if content is None and value.get("structuredContent") is not None:
        content = []
    if not isinstance(content, list):
        return "the result has no list of content"  # as the engine says it
    flaws = (_block_flaw(block, f"content[{at}]") for at, block in enumerate(content))
    return next((flaw for flaw in flaws if flaw is not None), None)


def _block_flaw(block: Any, where: str) -> str | None:
    """What a block lacks that its type must bring."""
    if not isinstance(block, dict):
        return f"{where} is not an object"
    match block.get("type"):
        case "text" if not isinstance(block.get("text"), str):
            return f"{where}.text is not a string"
        case "image" | "audio" if not _is_base64(block.get("data")):
            return f"{where}.data is not base64"
        case "resource_link" if not isinstance(block.get("uri"), str):
            return f"{where}.uri is not a string"
        case "resource":
            return _resource_flaw(block.get("resource"), f"{where}.resource")
        case kind if not isinstance(kind, str):
            return f"{where}.type is not a string"
    return None


def _resource_flaw(resource: Any, where: str) -> str | None:
    if not isinstance(resource, dict):
        return f"{where} is not an object"
    text, blob = resource.get("text"), resource.get("blob")
    if isinstance(text, str) or _is_base64(blob):
        return None
    return f"{where}.blob is not base64" if isinstance(blob, str) else f"{where} has neither text nor blob"


def _is_base64(data: Any) -> bool:
    """Whether a value is a text in base64. White space in it counts for nothing."""
    try:
        return isinstance(data, str) and base64.b64decode(re.sub(r"[ \t\r\n]", "", data), validate=True) is not None
    except ValueError:
        return False


def _broken(what: str, raw: bytes) -> CallFailed:
    """The call was carried out, and its result cannot be used."""
    return CallFailed(Code.MALFORMED, f"tools/call: {what}, though the tool has run", raw=raw)

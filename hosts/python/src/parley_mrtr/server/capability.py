"""How a client is asked, and which questions it said that it can answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import MISSING_REQUIRED_CLIENT_CAPABILITY, ClientCapabilities
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..codec import Question


def has_rounds(protocol_version: str) -> bool:
    """Whether a protocol revision has rounds, and extensions."""
    return protocol_version in MODERN_PROTOCOL_VERSIONS


def undeclared(questions: Iterable[Question], declared: ClientCapabilities | None) -> MCPError | None:
    """The error -32021 for the first kind of question that a client did not declare in its request, in the order of the
    specification; None if all of them may be asked. The questions' params are decoded.

    Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 7.
    """
    kinds = {_kind(q.method, q.params or {}) for q in questions}
    elicitation = None if declared is None else declared.elicitation
    sampling = None if declared is None else declared.sampling
    if "form" in kinds and (elicitation is None or (elicitation.form is None and elicitation.url is not None)):
        # An elicitation capability that names no mode stands for forms.
        return _required("elicitation", {"elicitation": {"form": {}}})
    if "url" in kinds and (elicitation is None or elicitation.url is None):
        return _required("elicitation in url mode", {"elicitation": {"url": {}}})
    if kinds & {"sampling", "tools"} and sampling is None:
        return _required("sampling", {"sampling": {}})
    if "tools" in kinds and (sampling is None or sampling.tools is None):
        return _required("sampling with tools", {"sampling": {"tools": {}}})
    if "roots" in kinds and (declared is None or declared.roots is None):
        return _required("roots", {"roots": {}})
    return None


def _kind(method: str, params: Any) -> str:
    if method == "elicitation/create":
        return "url" if params.get("mode") == "url" else "form"
    if method == "sampling/createMessage":
        return "tools" if params.get("tools") or params.get("toolChoice") is not None else "sampling"
    return "roots"


def _required(name: str, capabilities: dict[str, Any]) -> MCPError:
    return MCPError(
        MISSING_REQUIRED_CLIENT_CAPABILITY,
        f"This needs a client that declares the {name} capability",
        {"requiredCapabilities": capabilities},
    )

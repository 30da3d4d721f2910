"""What the client of a request can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..codec import Question
from ..given import kind
from .capability import has_rounds, undeclared

#: What clients and servers declare that have tasks.
TASKS_EXTENSION = "io.modelcontextprotocol/tasks"


@dataclass(frozen=True)
class Abilities:
    """What a client said that it can do, in its request or at its initialization."""

    #: How it is asked in the middle of a call: in "rounds" by results (2026-07-28), or by "requests" of the server while the
    #: call waits (earlier revisions). None for a client that declares none of the kinds below, and for one of an earlier
    #: revision that no request can reach, as with `stateless_http` and `json_response`.
    way: Literal["rounds", "requests"] | None
    form: bool  #: elicitation by a form
    url: bool  #: elicitation by a page to open
    sampling: bool
    sampling_tools: bool  #: sampling with tools
    roots: bool
    tasks: bool  #: the call may become a task; see `Tasks`


_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "form": ("elicitation/create", {}),
    "url": ("elicitation/create", {"mode": "url"}),
    "sampling": ("sampling/createMessage", {}),
    "sampling_tools": ("sampling/createMessage", {"toolChoice": {}}),
    "roots": ("roots/list", {}),
}


def abilities(of: Any) -> Abilities:
    """What the client can do that sent a request, so that a tool can do without an answer that it cannot get: a question of
    a kind that the client did not declare fails with -32021.

    `of` is the tool's Ask, its Context of the SDK or of FastMCP, or the ServerRequestContext of a low-level handler.
    """
    ctx = _request(of)
    declared, rounds = ctx.session.client_capabilities, has_rounds(ctx.protocol_version)
    can = {name: undeclared([Question("", *asked)], declared) is None for name, asked in _KINDS.items()}
    way: Literal["rounds", "requests"] | None = None
    if any(can.values()):
        way = "rounds" if rounds else "requests" if ctx.session.can_send_request else None
    extensions = None if declared is None else declared.extensions
    return Abilities(way=way, **can, tasks=rounds and TASKS_EXTENSION in (extensions or {}))


def _request(of: Any) -> Any:
    """What a request has as session and protocol_version; FastMCP's contexts have a class of their own for it."""
    found = getattr(of, "request_context", of)
    if not (hasattr(found, "session") and hasattr(found, "protocol_version")):
        raise TypeError(f"abilities takes a tool's Ask or the context of a request, not {kind(of)}")
    return found

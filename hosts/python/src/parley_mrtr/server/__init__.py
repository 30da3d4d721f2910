"""Middleware and handlers for MCP servers on the official SDK and on FastMCP."""

from .ask import Ask, AskError, Suspended
from .asking import asking
from .authenticated import authenticated
from .current import exchange, verdict
from .middleware import GuardMiddleware
from .protect import protect
from .questions import Cancelled, Declined, Question, elicit, form, roots, sampling, url
from .request_state import SealCodec

__all__ = [
    "Ask",
    "AskError",
    "Cancelled",
    "Declined",
    "GuardMiddleware",
    "Question",
    "SealCodec",
    "Suspended",
    "asking",
    "authenticated",
    "elicit",
    "exchange",
    "form",
    "protect",
    "roots",
    "sampling",
    "url",
    "verdict",
]

"""What the middleware tells the handlers behind it."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

from mcp.server.context import ServerRequestContext
from mcp_types import InputRequest

from ..codec import Exchange, Guard, Verdict
from .sent import as_sent


class Current(NamedTuple):
    """The request being served."""

    guard: Guard
    ctx: ServerRequestContext[Any, Any]
    exchange: Exchange | None  # None for a client of a protocol revision without rounds
    state: str | None
    answers: Mapping[str, Any]  # that may be used, as they came
    earlier: Exchange | None = None  # of such a client: what its answers were given to


current: ContextVar[Current | None] = ContextVar("parley_request", default=None)


def exchange() -> Exchange | None:
    """What the middleware around a handler knows of the request: its binding, with the principal, and which answers may
    be used. None without the middleware and for clients of protocol revisions without rounds."""
    at = current.get()
    return None if at is None else at.exchange


def verdict(key: str, question: InputRequest) -> Verdict:
    """Whether the answer under `key` answers this question.

    For handlers behind a `GuardMiddleware` that return an `InputRequiredResult` themselves: one that decides by its
    arguments and answers alone uses an answer only if it is `Verdict.SAME`.
    """
    here = current.get()
    exchange = None if here is None else here.exchange or here.earlier
    if here is None or exchange is None:
        return Verdict.UNPROVEN
    return exchange.verdict(as_sent({key: question}, here.ctx)[key])

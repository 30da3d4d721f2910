"""A Guard around the requests of a server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from inspect import iscoroutinefunction
from typing import Any

from anyio.to_thread import run_sync
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from mcp_types.methods import is_input_required
from pydantic import BaseModel

from ..codec import Code, CodecError, Exchange, Guard, Question
from ..codec.binding import METHODS
from ..given import check, names
from .authenticated import authenticated
from .capability import has_rounds, undeclared
from .current import Current, current
from .earlier import first_round, in_rounds
from .raw_params import read_request

logger = logging.getLogger(__name__)


class GuardMiddleware:
    """Server middleware that opens every requestState before a handler sees it, removes answers nobody asked for, and
    seals what a handler returns. `protect` puts it into a server.

    A handler's request_state is plain text: what it returned in the round before. Every state that is refused gets the
    same error -32602, every result that cannot be sealed the same -32603; only the log says why. Questions of a kind
    that the client did not declare are held back with the error -32021.

    Clients of protocol revisions without rounds are asked by requests, and the handler is called again with the answers
    and its state, as often as the Guard's `max_rounds` has it. States and answers that they send are ignored. Without
    `protect`, the SDK refuses what a handler returns to them.

    Over Streamable HTTP a state is bound to the arguments as they were written. Over stdio, and where another middleware
    changed them, only what Python decoded can be had: there numbers beyond double precision are bound as the double that
    Python made of them, so a call with such numbers cannot go on in another language.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        who: Callable[[ServerRequestContext[Any, Any]], str | None] = authenticated,
        unpinned: Collection[str] = (),
    ) -> None:
        """`who` names the principal of a request; see `parley_mrtr.codec.principal`. What it raises goes to the log and
        refuses rounds, not calls without any.

        `unpinned` are tools and prompts by name, and resources by uri, whose questions go out without a requestState
        unless their handler sets one. Then nothing proves that an answer was ever asked for.
        """
        check(isinstance(guard, Guard), "protect and GuardMiddleware take a Guard", guard)
        needs = "who must be a plain function that takes the request's context and returns a str or None"
        check(callable(who), needs, who)
        if iscoroutinefunction(who):
            raise TypeError(f"{needs}, not an async one")
        self.guard = guard
        self.who: Callable[[ServerRequestContext[Any, Any]], str | None] = who
        self._unpinned = names(unpinned, "unpinned")

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.request_id is None or ctx.method not in METHODS:
            return await call_next(ctx)
        if not has_rounds(ctx.protocol_version):
            here = first_round(Current(self.guard, ctx, None, None, {}))
            return await in_rounds(here, partial(_serve, call_next))
        here, nobody = await self._inbound(ctx)
        result = await _serve(call_next, here)
        if not is_input_required(result):
            return result
        assert here.exchange is not None
        return await self._outbound(here.ctx, here.exchange, as_wire(result), nobody)

    async def _inbound(self, ctx: ServerRequestContext[Any, Any]) -> tuple[Current, Exception | None]:
        """The request as the handler may see it, and why nobody knows whose it is."""
        who, nobody = None, None
        try:
            try:
                found = self.who(ctx)
                check(found is None or isinstance(found, str), "who must return a str or None", found)
                who = found
            except Exception as error:
                nobody = error
            request = await read_request(ctx, who)
            if nobody is not None and request.token is not None:
                raise CodecError(Code.PRINCIPAL)
            state, exchange = await self.guard.open_async(
                request.binding, request.token, request.keys, run_sync=run_sync
            )
        except CodecError as error:
            logger.warning("requestState refused on %s: %s", ctx.method, _why(error, nobody))
            raise MCPError(**error.response) from None
        answers: Any = (ctx.params or {}).get("inputResponses")
        answers = {key: answers[key] for key in exchange.answers} if exchange.answers else {}
        if not request.untouched(exchange):
            params = dict(ctx.params or {})
            params.pop("requestState", None)
            params.pop("inputResponses", None)
            if state is not None:
                params["requestState"] = state
            if answers:
                params["inputResponses"] = answers
            ctx = replace(ctx, params=params)
        return Current(self.guard, ctx, exchange, state, answers), nobody

    async def _outbound(
        self, ctx: ServerRequestContext[Any, Any], exchange: Exchange, result: dict[str, Any], nobody: Exception | None
    ) -> HandlerResult:
        state, requests = result.get("requestState"), result.get("inputRequests") or {}
        if state is None and not requests:
            return result
        try:
            questions = [Question(key, str(entry["method"]), entry.get("params")) for key, entry in requests.items()]
            missing = undeclared(questions, ctx.session.client_capabilities)
            if missing is not None:
                raise missing
            if nobody is not None:
                raise self._not_sealed(ctx, str(nobody))
            if not (state is None or isinstance(state, str)):
                raise self._not_sealed(ctx, "a requestState that is not a string")
            if state is None and exchange.binding.target in self._unpinned:
                return result
            token = await self.guard.seal_async(exchange, state, questions)
        except CodecError as error:
            raise self._not_sealed(ctx, _why(error)) from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:  # whose text may repeat what they were given
            raise self._not_sealed(ctx, type(error).__name__) from None
        return {**result, "requestState": token}

    @staticmethod
    def _not_sealed(ctx: ServerRequestContext[Any, Any], why: str) -> MCPError:
        logger.error("requestState not sealed on %s: %s", ctx.method, why)
        return MCPError(code=INTERNAL_ERROR, message="Internal error")


def _why(error: CodecError, nobody: Exception | None = None) -> str:
    """What the log says: the reason, and what a codec, a replay store or `who` has raised."""
    cause = error.__cause__ if nobody is None else nobody
    return f"{error}: {cause}" if cause else str(error)


async def _serve(call_next: CallNext, here: Current) -> HandlerResult:
    token = current.set(here)
    try:
        return await call_next(here.ctx)
    finally:
        current.reset(token)


def as_wire(result: Any) -> dict[str, Any]:
    """A result as it will be sent. The SDK's own are that already; a middleware may answer with a model."""
    if type(result) is not dict and isinstance(result, BaseModel):
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return result

"""Parley's Guard around the requests of the SDK's low-level `Server`."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, InputRequest, InputRequiredResult
from mcp_types.methods import is_input_required
from pydantic import BaseModel

from parley_codec import Code, CodecError, Exchange, Guard, InstanceError, Verdict, principal

from .raw_params import params_text

logger = logging.getLogger(__name__)

_current: ContextVar[tuple[Guard, Exchange | None]] = ContextVar("parley_exchange")


def authenticated(_ctx: ServerRequestContext[Any, Any]) -> str | None:
    """The user of the request's access token, None only where the server has no authentication.

    It fails on a token whose verifier sets no subject, because its users could not be told apart. The same as
    gosdk.TokenPrincipal in Go; a server that accepts tokens of several issuers writes its own, on all instances alike.
    """
    token = get_access_token()
    if token is None:
        return None
    if token.subject is None:
        raise LookupError("the token's verifier sets no subject; set it, or give GuardMiddleware another who")
    return principal(None, None, token.subject)


def verdict(key: str, question: InputRequest) -> Verdict:
    """Whether the answer under `key` answers this question. For handlers behind a `GuardMiddleware`.

    A handler that decides by its arguments and answers alone uses an answer only if it is `Verdict.SAME`.
    """
    guard, exchange = _current.get()
    params = None if question.params is None else question.params.model_dump_json(by_alias=True, exclude_none=True)
    return guard.verdict(exchange, key, question.method, params)


class GuardMiddleware:
    """Server middleware that opens every requestState before a handler sees it, and seals what a handler returns.

    Append it to `Server.middleware`. A handler's `request_state` is plain text: what it returned in the round before.
    Put it on no server that has the SDK's `RequestStateBoundary` too, as every `MCPServer` has.
    """

    def __init__(
        self, guard: Guard, *, who: Callable[[ServerRequestContext[Any, Any]], str | None] = authenticated
    ) -> None:
        """`who` names the principal of a request; see `parley_codec.principal`. What it raises goes to the log and
        refuses rounds, not calls without any."""
        self._guard = guard
        self._who = who

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.request_id is None:  # a notification
            return await call_next(ctx)
        opened, exchange, nobody = await self._inbound(ctx)
        token = _current.set((self._guard, exchange))
        try:
            result = await call_next(opened)
        finally:
            _current.reset(token)
        # The module decides what is sealed. The check only keeps large results out of it.
        if exchange is None or not is_input_required(result):
            return result
        if nobody is not None:
            raise _internal(ctx.method, str(nobody))
        return self._outbound(ctx.method, exchange, result)

    async def _inbound(
        self, ctx: ServerRequestContext[Any, Any]
    ) -> tuple[ServerRequestContext[Any, Any], Exchange | None, Exception | None]:
        """The request as the handler may see it, what is kept of it, and why nobody knows whose it is."""
        who, nobody = None, None
        try:
            try:
                who = self._who(ctx)
            except Exception as error:
                nobody = error
                if (ctx.params or {}).get("requestState") is not None:
                    raise CodecError.refusal(Code.PRINCIPAL) from error
            try:
                params = await params_text(ctx)
            except ValueError:  # what is no JSON text binds no state
                raise CodecError.refusal(Code.MALFORMED) from None
            opened, exchange = self._guard.inbound(ctx.method, params, who)
        except CodecError as error:
            cause = "" if nobody is None else f": {nobody}"
            logger.warning("requestState refused on %s: %s%s", ctx.method, error, cause)
            raise MCPError(**error.response) from None
        except Exception as error:
            raise _fault(ctx.method, error) from None
        return (ctx if opened is params else replace(ctx, params=json.loads(opened))), exchange, nobody

    def _outbound(self, method: str, exchange: Exchange, result: InputRequiredResult | dict[str, Any]) -> HandlerResult:
        try:
            text = json.dumps(_wire(result), separators=(",", ":"), allow_nan=False)
            sealed = self._guard.outbound(exchange, text)
        except CodecError as error:
            logger.error("requestState not sealed on %s: %s", method, error)
            raise MCPError(**error.response) from None
        except Exception as error:
            raise _fault(method, error) from None
        return result if sealed is text else json.loads(sealed)


def _wire(result: BaseModel | Mapping[str, Any]) -> Mapping[str, Any]:
    """A result as it will be sent. The SDK's own are that already; a middleware may answer with a model."""
    if isinstance(result, BaseModel):
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return result


def _fault(method: str, error: Exception) -> MCPError:
    """The answer to what went wrong on this side: fail closed, say nothing."""
    # The text of errors from elsewhere may repeat what they were given.
    text = str(error) if isinstance(error, InstanceError) else type(error).__name__
    return _internal(method, text)


def _internal(method: str, text: str) -> MCPError:
    logger.error("requestState not processed on %s: %s", method, text)
    return MCPError(code=INTERNAL_ERROR, message="Internal error")

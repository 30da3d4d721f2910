"""Clients of protocol revisions without rounds: what a server asks them are requests of its own."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    CreateMessageRequest,
    CreateMessageResultWithTools,
    ElicitRequest,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsResult,
    Result,
    ServerRequest,
)
from mcp_types.methods import is_input_required
from pydantic import ValidationError

from ..codec import Binding, CodecError, Exchange, Question
from ..codec.binding import METHODS
from .capability import undeclared
from .current import Current, current
from .questions import Unusable
from .sent import as_sent

logger = logging.getLogger(__name__)

_PAUSE = 0.25  # seconds before a handler that asks nothing is called again, as clients with rounds wait

_RESULTS: dict[str, type[Result]] = {
    "elicitation/create": ElicitResult,
    "sampling/createMessage": CreateMessageResultWithTools,
    "roots/list": ListRootsResult,
}

Call = Callable[[Current], Awaitable[HandlerResult]]


class Asked(BaseException):
    """Carries what a handler asks past the SDK, which has no such result for these clients. It is no error: let it pass."""

    result: Any = None  # no argument, which the exception's text would show: it may hold a state


async def in_rounds(here: Current, call: Call) -> HandlerResult:
    """Serves a call whose handler may return what it asks: puts that to the client, and calls the handler again with the
    answers and its own state, for as many rounds as the Guard gives a call of any client."""
    for _ in range(here.guard.max_rounds):
        result = await _called(here, call)
        if not is_input_required(result):
            return result
        here = await _answered(here, result)
    result = await _called(here, call)
    if is_input_required(result):
        logger.error("too many rounds on %s", here.ctx.method)
        rounds = here.guard.max_rounds
        raise MCPError(
            INTERNAL_ERROR,
            f"The server still asks after {rounds} rounds, which is the most that a call has: it gave up the call",
        )
    return result


async def _called(here: Current, call: Call) -> HandlerResult:
    try:
        return await call(here)
    except Asked as asked:
        return asked.result  # type: ignore[no-any-return]


async def _answered(here: Current, result: Any) -> Current:
    """The call's next round."""
    ctx = here.ctx
    try:
        asked = result if isinstance(result, InputRequiredResult) else InputRequiredResult.model_validate(result)
        requests = asked.input_requests or {}
        questions = as_sent(requests, ctx) if requests else {}
        pins: dict[str, bytes | None] = {key: question.digest() for key, question in questions.items()}
    except (ValidationError, CodecError) as error:
        why = str(error) if isinstance(error, CodecError) else "a result that is no InputRequiredResult"
        logger.error("not asked on %s: %s", ctx.method, why)
        raise MCPError(INTERNAL_ERROR, "Internal error") from None
    if requests:
        check_reach(ctx, questions.values())
    else:
        await anyio.sleep(_PAUSE)
    answers = {}
    for key, request in requests.items():
        try:
            answers[key] = await reach(ctx, request)
        except Unusable:
            raise MCPError(INVALID_REQUEST, f"The client's answer is none to {request.method}") from None
    params = dict(_without(ctx.params))
    if asked.request_state is not None:
        params["requestState"] = asked.request_state
    if answers:
        params["inputResponses"] = answers
    earlier = Exchange(Binding(ctx.method, "", None, None), pins, proven=True)
    return here._replace(ctx=replace(ctx, params=params), state=asked.request_state, answers=answers, earlier=earlier)


def first_round(here: Current) -> Current:
    """The call as it came, without the states and answers that these clients cannot have from anybody."""
    ctx = here.ctx
    params = None if ctx.params is None else _without(ctx.params)
    earlier = Exchange(Binding(ctx.method, "", None, None), {}, proven=True)
    return here._replace(ctx=replace(ctx, params=params), earlier=earlier)


def _without(params: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return {name: value for name, value in (params or {}).items() if name not in ("requestState", "inputResponses")}


def check_reach(ctx: ServerRequestContext[Any, Any], questions: Iterable[Question]) -> None:
    """An MCPError unless the client can be asked all of these."""
    session = ctx.session
    if not session.can_send_request:
        raise MCPError(
            INVALID_REQUEST,
            f"This server cannot ask a client of protocol revision {session.protocol_version}: it answers with JSON or "
            "keeps no session. Call it with 2026-07-28, or run it without json_response and stateless_http",
        )
    missing = undeclared(questions, session.client_capabilities)
    if missing is not None:
        raise missing


async def reach(ctx: ServerRequestContext[Any, Any], question: InputRequest) -> dict[str, Any]:
    """The client's answer to a question; `Unusable` if MCP has no such answer to one.

    The question belongs to the call, so it goes out on the call's own stream: not every client has another one, and on
    that nothing would say which call it belongs to.
    """
    related = ServerMessageMetadata(related_request_id=ctx.request_id)
    try:
        answer = await ctx.session.send_request(_alone(question), _RESULTS[question.method], metadata=related)
    except ValidationError:  # whose text repeats the answer
        raise Unusable from None
    return answer.model_dump(by_alias=True, mode="json", exclude_none=True)


def _alone(question: InputRequest) -> ServerRequest:
    """A question as a request of its own."""
    if isinstance(question, ElicitRequest) and isinstance(question.params, ElicitRequestURLParams):
        id = question.params.elicitation_id or str(uuid.uuid4())
        return ElicitRequest(params=question.params.model_copy(update={"elicitation_id": id}))
    if isinstance(question, CreateMessageRequest):  # with a task the client would answer with one
        return CreateMessageRequest(params=question.params.model_copy(update={"meta": None, "task": None}))
    return question


def let_results_out(low: Any, server: Any) -> None:
    """Has the handlers of a server raise `Asked` for what they ask, before the SDK or FastMCP refuses it."""
    find = low.get_request_handler

    def found(method: str) -> Any:
        entry = find(method)
        if entry is None or method not in METHODS:
            return entry
        return replace(entry, handler=partial(_handled, entry.handler))

    low.get_request_handler = found
    if low is getattr(server, "_mcp_server", None):
        from .earlier_fastmcp import RoundsOut

        server.middleware.insert(0, RoundsOut())


async def _handled(handler: Callable[..., Awaitable[Any]], *request: Any) -> Any:
    return let_out(await handler(*request))


def let_out(result: Any) -> Any:
    here = current.get()
    if here is not None and here.earlier is not None and is_input_required(result):
        asked = Asked()
        asked.result = result
        raise asked
    return result

"""Calls whose handlers go on after the client was answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from mcp_types.methods import is_input_required

from ...given import check
from ..abilities import abilities
from ..middleware import as_wire
from .shelf import Shelf
from .store import NOBODY, TaskRecord
from .task import Call, TaskPlace, call
from .wire import failure, state

logger = logging.getLogger(__name__)

Who = Callable[[ServerRequestContext[Any, Any]], str | None]


class TaskMiddleware:
    """Server middleware that answers a call with a task as soon as its handler starts one, and has the handler go on."""

    def __init__(self, tasks: object, shelf: Shelf, who: Who, poll: float) -> None:
        self._tasks, self._shelf, self._who, self._poll = tasks, shelf, who, poll
        self._running: set[asyncio.Task[None]] = set()  # the event loop keeps none alive

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.request_id is None or ctx.method != "tools/call":
            return await call_next(ctx)
        at = Call(self._tasks, abilities(ctx).tasks, lambda: self._begin(ctx, at))
        token = call.set(at)
        try:
            if not at.may:
                return await call_next(ctx)
            work = asyncio.ensure_future(call_next(ctx))
        finally:
            call.reset(token)
        made = asyncio.ensure_future(at.made.wait())
        try:
            await asyncio.wait({work, made}, return_when=asyncio.FIRST_COMPLETED)
        except BaseException:  # the request is cancelled: no client will know of a task
            work.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait({work})
            raise
        finally:
            made.cancel()
        if at.record is None:
            return await work
        assert at.place is not None
        running = asyncio.ensure_future(self._see_through(at.record, at.place, work))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return {**state(at.record, self._poll), "resultType": "task"}

    async def _begin(self, ctx: ServerRequestContext[Any, Any], at: Call) -> None:
        at.record = await self._shelf.create(owner_of(ctx, self._who))
        at.place = self._shelf.place(at.record.id)
        at.made.set()

    async def _see_through(self, record: TaskRecord, place: TaskPlace, work: asyncio.Future[HandlerResult]) -> None:
        """Waits until the work is over, and keeps how it ended."""
        end = _end(work, await self._watch(record, place, work))

        def ended(kept: TaskRecord, now: float) -> None:
            kept.asked, kept.answers = {}, {}
            kept.expires = now + self._shelf.ttl
            for name, value in end.items():
                setattr(kept, name, value)

        try:
            await place.edit(ended)
        except Exception as error:
            logger.error("how a task ended is not kept: %s", type(error).__name__)

    async def _watch(self, record: TaskRecord, place: TaskPlace, work: asyncio.Future[HandlerResult]) -> str | None:
        """Waits until the work is over. If the client wants it to stop, or its time is over, stops it, and says why."""
        version, stopped = 0, None
        while not work.done():
            left = record.expires - self._shelf.now()
            if record.cancel or left <= 0:
                stopped = CANCELED if record.cancel else UNANSWERED if record.asked else LATE
                break
            changed = asyncio.ensure_future(place.wait(version))
            either: set[asyncio.Future[Any]] = {work, changed}
            await asyncio.wait(either, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not changed.done():
                changed.cancel()
            elif changed.exception() is None:
                record = changed.result()
                version = record.version
            else:
                logger.error("a task that is not kept is stopped: %s", type(changed.exception()).__name__)
                break
        work.cancel()  # nothing, if it is over
        await asyncio.wait({work})
        return stopped


CANCELED = "It was canceled."
LATE = "It took longer than it may"
UNANSWERED = "It was not answered in time"
FAILED = "It failed inside the server"


def _end(work: asyncio.Future[HandlerResult], stopped: str | None) -> dict[str, Any]:
    """What a record says of work that is over. `stopped` is why it was told to."""
    error = None if work.cancelled() else work.exception()
    if not work.cancelled() and error is None:
        result = as_wire(work.result())
        if not is_input_required(result):
            return {"status": "completed", "result": result}
        logger.error(
            "a task cannot return an InputRequiredResult: ask by the Ask of @asking(guard), or before Tasks.start"
        )
    elif stopped == CANCELED:
        return {"status": "cancelled", "message": CANCELED}
    elif stopped is None and isinstance(error, MCPError):
        told = error.error.model_dump(mode="json", exclude_none=True)
        return {"status": "failed", "message": error.message, "error": told}
    elif stopped is None:
        logger.error(FAILED, exc_info=error)
    failed = stopped or FAILED
    return {"status": "failed", "message": failed, "error": {"code": INTERNAL_ERROR, "message": failed}}


def owner_of(ctx: ServerRequestContext[Any, Any], who: Who) -> str:
    """Whose request it is, as records have it."""
    try:
        found = who(ctx)
        check(found is None or isinstance(found, str), "who must return a str or None", found)
    except Exception as error:
        logger.error("a user cannot be told from others: %s", error)
        raise failure("The server cannot tell who calls") from None
    return NOBODY if found is None else f"user {found}"

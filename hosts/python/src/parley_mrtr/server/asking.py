"""Tools that ask in straight code."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from ..codec import Guard
from ..given import check, is_whole, kind
from .ask import ORDER, Ask
from .current import Current, current

MAX_RECORD = 8 << 10  #: bytes: fits a token of the default size with 64 questions pinned

Handler = Callable[..., Awaitable[Any]]


def asking(guard: Guard, *, strict: bool = False, max_record: int = MAX_RECORD) -> Callable[[Handler], Handler]:
    """Makes a tool of an async function that asks: one with a parameter of type `Ask`, which the tool does not have.

        @mcp.tool()
        @asking(guard)
        async def book(city: str, ask: Ask) -> str:
            room = await ask.form("Which room?", Room)
            ...

    The server needs `protect` with the same Guard, which seals the answers that travel from round to round. With
    `strict`, a call fails whose handler asks otherwise than it did in the round before; else it is asked anew.
    `max_record` bounds what is recorded in a state, in bytes; raise it together with the Guard's max_token.
    """

    if not isinstance(guard, Guard):
        written = "@asking above the function" if inspect.isroutine(guard) else f"asking({kind(guard)})"
        raise TypeError(f"asking takes the Guard that protects the server: write @asking(guard), not {written}")
    check(isinstance(strict, bool), "asking: strict must be True or False", strict)
    check(is_whole(max_record), "asking: max_record must be a whole number of bytes", max_record)
    if max_record < 1:
        raise ValueError("asking: max_record must be at least 1")

    def decorate(handler: Handler) -> Handler:
        if not inspect.isroutine(handler):
            raise TypeError(f"asking takes an async function, not {kind(handler)}: {ORDER}")
        if not inspect.iscoroutinefunction(handler):
            raise TypeError(f"asking needs an async def, and {handler.__name__} is none: a question suspends it")
        hints = typing.get_type_hints(handler, include_extras=True)
        signature = inspect.signature(handler)
        names = [name for name in signature.parameters if hints.get(name) is Ask]
        if len(names) != 1:
            raise TypeError(f"{handler.__name__} needs one parameter of type Ask, and has {len(names)}: {ORDER}")
        (hidden,) = names

        async def asks(*args: Any, **arguments: Any) -> Any:
            ask = Ask(_here(guard), strict=strict, max_record=max_record)
            bound = shown.bind(*args, **arguments)  # by name, so that the hidden parameter may stand anywhere
            try:
                result = await handler(**_by_name(bound), **{hidden: ask})
            except (anyio.get_cancelled_exc_class(), KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # Suspended, alone or in a group, or what came of it
                pending = ask.outcome()
                if pending is None:
                    raise
                return pending
            return ask.outcome() or result

        shown = signature.replace(
            parameters=[
                parameter.replace(annotation=hints.get(name, parameter.annotation))
                for name, parameter in signature.parameters.items()
                if name != hidden
            ],
            return_annotation=hints.get("return", signature.return_annotation),
        )
        # functools.wraps would set __wrapped__, through which both frameworks find the hidden parameter again.
        for name in "__name__", "__qualname__", "__doc__", "__module__":
            setattr(asks, name, getattr(handler, name))
        asks.__annotations__ = {name: hint for name, hint in hints.items() if name != hidden}
        asks.__signature__ = shown  # type: ignore[attr-defined]
        return asks

    return decorate


def _by_name(bound: inspect.BoundArguments) -> dict[str, Any]:
    arguments = dict(bound.arguments)
    for name, parameter in bound.signature.parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            arguments.update(arguments.pop(name, {}))
    return arguments


def _here(guard: Guard) -> Current:
    """The request being served. What is wrong is the server's author's mistake, and said to the first client: nothing
    else would."""
    if _in_background():
        raise MCPError(INTERNAL_ERROR, "A background task of FastMCP cannot ask: register this tool without task=True")
    here = current.get()
    if here is None:
        raise MCPError(
            INTERNAL_ERROR, "This server asks without protecting its requestState: call parley_mrtr.server.protect"
        )
    if here.guard is not guard:
        raise MCPError(INTERNAL_ERROR, "This tool asks with another Guard than the one that protects its server")
    return here


def _in_background() -> bool:
    tasks = sys.modules.get("fastmcp_tasks.context")  # without it no worker runs here
    return tasks is not None and tasks.get_task_context() is not None

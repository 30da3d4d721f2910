"""Tools that ask in straight code."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp.server.mcpserver.resolve import find_resolved_parameters, returns_input_required
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from mcp_types.methods import is_input_required

from ..codec import Guard
from ..given import check, is_whole, kind
from .ask import Ask
from .asked import ORDER, asked_parameters
from .current import Current, current

MAX_RECORD = 8 << 10  #: bytes: fits a token of the default size with 64 questions pinned

_TWO_WAYS = (
    "asks in two ways, and a call has one requestState: under asking, ask by a parameter of type Ask or annotate one with "
    "Asked(…), not with the SDK's Resolve(…), and return no InputRequiredResult"
)

Handler = Callable[..., Awaitable[Any]]


def asking(guard: Guard, *, strict: bool = False, max_record: int = MAX_RECORD) -> Callable[[Handler], Handler]:
    """Makes a tool of an async function that asks: one with a parameter of type `Ask`, or with parameters that are `Asked`,
    which the tool does not have.

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
        if find_resolved_parameters(handler) or returns_input_required(handler):
            raise TypeError(f"{handler.__name__} {_TWO_WAYS}")
        names = [name for name in signature.parameters if hints.get(name) is Ask]
        asked = asked_parameters(handler, hints, names)
        if len(names) > 1 or not (names or asked):
            raise TypeError(f"{handler.__name__} needs one parameter of type Ask, and has {len(names)}: {ORDER}")
        hidden = {*names, *(parameter.name for parameter in asked)}

        async def asks(*args: Any, **arguments: Any) -> Any:
            ask = Ask(_here(guard), strict=strict, max_record=max_record)
            bound = shown.bind(*args, **arguments)  # by name, so that a hidden parameter may stand anywhere
            try:
                own: dict[str, Any] = dict.fromkeys(names, ask)
                if asked:
                    filled = shown.bind(*args, **arguments)
                    filled.apply_defaults()
                    answers = await ask.all(*(parameter.question(filled.arguments) for parameter in asked))
                    own |= {p.name: p.value(answer) for p, answer in zip(asked, answers, strict=True)}
                result = await handler(**_by_name(bound), **own)
            except (anyio.get_cancelled_exc_class(), KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # Suspended, alone or in a group, or what came of it
                pending = ask.outcome()
                if pending is None:
                    raise
                return pending
            pending = ask.outcome()
            if pending is None and is_input_required(result):
                raise MCPError(INTERNAL_ERROR, f"This tool {_TWO_WAYS}")
            return pending or result

        shown = signature.replace(
            parameters=[
                parameter.replace(annotation=hints.get(name, parameter.annotation))
                for name, parameter in signature.parameters.items()
                if name not in hidden
            ],
            return_annotation=hints.get("return", signature.return_annotation),
        )
        # functools.wraps would set __wrapped__, through which both frameworks find the hidden parameter again.
        for name in "__name__", "__qualname__", "__doc__", "__module__":
            setattr(asks, name, getattr(handler, name))
        asks.__annotations__ = {name: hint for name, hint in hints.items() if name not in hidden}
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

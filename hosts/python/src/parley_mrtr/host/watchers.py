"""Who is told about a call or a session. What a watcher returns or raises changes nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_log = logging.getLogger("parley_mrtr.host")


@dataclass(frozen=True)
class Watchers:
    """Who is told about a call. The records have the members of the actions in wasm/ABI.md.

    `progress` gets the params of progress notifications as JSON text, `task` the status of the task that a tool call
    has become and the server's message, `leg` what goes out and comes back, `pause` until when nothing happens,
    `note` the records of an audit, and `notification` the method and params of what else comes in the call's own
    responses, in place of the session's.
    """

    progress: Callable[[int, bytes], object] | None = None
    task: Callable[[str, str | None], object] | None = None
    leg: Callable[[dict[str, Any]], object] | None = None
    pause: Callable[[dict[str, Any]], object] | None = None
    note: Callable[[dict[str, Any]], object] | None = None
    notification: Callable[[str, bytes | None], object] | None = None


@dataclass(frozen=True)
class SessionWatchers:
    """Who is told about a session.

    `ready` is told the version that is spoken and what the server says about itself, `notification` gets the
    server's notifications but for progress, `warning` is told for a log what was ignored of what the server sent.
    """

    ready: Callable[[dict[str, Any]], object] | None = None
    notification: Callable[[str, bytes | None], object] | None = None
    warning: Callable[[str], object] | None = None


def observe(watcher: Callable[..., object] | None, *said: object) -> None:
    if watcher is None:
        return
    try:
        watcher(*said)
    except BaseException as error:
        _log.warning("a watcher failed", exc_info=True)
        reraise(error)


def reraise(error: BaseException | None) -> None:
    """Raises what is to end the program in the event loop itself, so that it ends nothing of a session halfway."""
    if isinstance(error, (KeyboardInterrupt, SystemExit)):
        asyncio.get_running_loop().call_soon(_raise, error)


def _raise(error: BaseException) -> None:
    raise error

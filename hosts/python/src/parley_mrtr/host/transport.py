"""How a session's messages travel."""

from __future__ import annotations

import asyncio
from typing import Literal, Protocol

from parley_mrtr.host.core import Action, Event


class Receive(Protocol):
    """Takes what came; `cause` is what failed.

    It never raises, and may be called from another thread. While it is behind, it returns what is done once it is not:
    until then, feed no more of that exchange where you can, as it would be kept.
    """

    def __call__(self, event: Event, cause: BaseException | None = None) -> asyncio.Future[None] | None: ...


class Carrier(Protocol):
    """A session's hold on its transport."""

    def perform(self, action: Action) -> bool | None:
        """Starts an exchange, or ends one, after which nothing more of it may be fed. It does not wait.

        If an exchange that is to end, or that a post `cancels`, has not begun, it is dropped, and that post with it:
        then this returns True, in place of an `ended` with `unsent`.
        """

    def reset(self) -> None:
        """Ends every exchange at once: the core that had them is gone, and the next one counts from 1 again."""

    async def close(self) -> None:
        """Gives what is the session's own, such as cancellations, a time to come to an end; ends the rest at once."""


class Transport(Protocol):
    """`kind` tells the session what to ask for: see wasm/ABI.md. `open` is called once for each session."""

    @property
    def kind(self) -> Literal["http", "stdio", "requests"]: ...

    def open(self, receive: Receive) -> Carrier: ...

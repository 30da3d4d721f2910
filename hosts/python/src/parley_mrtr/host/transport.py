"""How a session's messages travel."""

from __future__ import annotations

import asyncio
from typing import Literal, Protocol

from parley_mrtr.host.core import Action, Event


class Receive(Protocol):
    """Takes what came: `cause` is what failed, `call` that of the post whose exchange it is.

    It never raises. A long message is taken bit by bit: until what then comes back is done, feed no more of that
    exchange where you can, as it would be kept.
    """

    def __call__(
        self, event: Event, cause: BaseException | None = None, call: int | None = None
    ) -> asyncio.Future[None] | None: ...


class Carrier(Protocol):
    """A session's hold on its transport."""

    def perform(self, action: Action) -> None:
        """Starts an exchange, or ends one, after which nothing more of it may be fed. It does not wait."""

    def reset(self) -> None:
        """Ends every exchange at once: the session that had them is gone."""

    async def close(self) -> None:
        """Gives what is the session's own, such as cancellations, a time to come to an end; ends the rest at once."""


class Transport(Protocol):
    """`kind` tells the session what to ask for: see wasm/ABI.md. `open` is called once for each session."""

    @property
    def kind(self) -> Literal["http", "stdio", "requests"]: ...

    def open(self, receive: Receive) -> Carrier: ...

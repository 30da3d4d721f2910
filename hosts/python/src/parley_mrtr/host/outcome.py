"""How a call ends, if it does not fail."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from parley_mrtr.host.question import Question


@dataclass(frozen=True)
class Done:
    """The server's final result, as JSON text, byte for byte. `no_store` says that it must not be cached.

    Of a page of a list, `next` asks for the next one: the JSON text of a cursor, which goes back as it is. `lacks` says
    what the result does not have that its method must bring; it is what came of the call all the same.
    """

    result: bytes
    no_store: bool = False
    next: bytes | None = None
    lacks: str | None = None

    @property
    def value(self) -> Any:
        """The result as values: a number that a float cannot hold is rounded."""
        return json.loads(self.result)


@dataclass(frozen=True)
class Pending:
    """A call that waits, with what it was asked. The snapshot holds everything that was collected, and a secret."""

    questions: tuple[Question, ...]
    snapshot: str = field(repr=False)


Outcome = Done | Pending

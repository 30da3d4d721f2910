"""How a call ends, if it does not fail."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from parley_mrtr.host.question import Question


@dataclass(frozen=True)
class Done:
    """The server's final result, as JSON text, byte for byte. `no_store` says that it must not be cached."""

    result: bytes
    no_store: bool = False

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

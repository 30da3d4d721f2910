"""A session of the engine: a whole client without its input and output. See wasm/ABI.md, Sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parley_mrtr.host.instance import Compiled, Instance
from parley_mrtr.host.options import Expect, Options

Event = dict[str, Any]
"""What happens, by its `type`; raw members are bytes."""

Action = dict[str, Any]
"""What the engine wants done, by its `type`; raw members are bytes."""


class SessionCore:
    """A session without its input and output; `new_session` makes one. Calls are numbered. After a trap it is of no use any more."""

    def __init__(self, compiled: Compiled, shape: Mapping[str, Any]) -> None:
        self._instance = Instance(compiled)
        self._handle: int = self._instance.tell("parley_session_new", shape)["session"]

    @property
    def live(self) -> int:
        """How many sessions and calls it holds, 0 once it is freed."""
        return self._instance.live

    def call(self, method: str, params: bytes | str = b"{}", options: Options | None = None) -> int:
        """A call for one request, which `begin` starts. Raises ParleyError with Code.OPTIONS."""
        request = {"method": method, "params": params, "options": options or {}}
        number: int = self._instance.tell("parley_session_call", request, self._handle)["call"]
        return number

    def restore(self, snapshot: bytes, expect: Expect | None = None) -> int:
        """A call from a snapshot, which `begin` continues. Raises ParleyError with Code.SNAPSHOT or Code.PEER."""
        request = {**(expect or {}), "snapshot": snapshot}
        number: int = self._instance.tell("parley_session_restore", request, self._handle)["call"]
        return number

    def step(self, now: int, event: Event) -> list[Action]:
        """Advances the session by one event and returns every action that follows, of all its calls."""
        actions: list[Action] = self._instance.tell("parley_session_step", event, self._handle, float(now))["actions"]
        return actions

    def snapshot(self, call: int) -> bytes:
        """Everything needed to continue a call, here or elsewhere. It holds a secret."""
        snapshot: bytes = self._instance.ask("parley_session_snapshot", self._handle, call)["snapshot"]
        return snapshot

    def info(self, call: int) -> dict[str, Any]:
        """What the call is, for a list of parked calls."""
        return self._instance.ask("parley_session_info", self._handle, call)

    def drop(self, call: int) -> None:
        """Frees the call."""
        self._instance.let_go("parley_session_drop", self._handle, call)

    def free(self) -> None:
        """Frees the session and its calls."""
        self._instance.let_go("parley_session_free", self._handle)

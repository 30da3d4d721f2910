"""The stage on which scripts of hosts/testdata/drivers are played: the package's driver, in a time of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from wasmtime import Engine, Module, Trap

from host.driver_lines import in_order
from host.driver_script import Impossible
from host.played import Played
from host.standing_time import StandingLoop
from parley_mrtr.host import Session, module
from parley_mrtr.host.instance import Compiled, Instance

_REPEAT = re.compile(r"@repeat\((.),(\d+)\)")


def small() -> Compiled:
    """An engine with so little memory that a large message traps it."""
    engine = Engine()
    return Compiled(engine, Module(engine, module.wasm()), 40 << 16)


class Trapping:
    """Instances of the engine that trap where a script says so, while it lasts."""

    def __init__(self) -> None:
        self.next: set[str] = set()
        """The exports of which the next call traps."""
        self._patch = patch.object(Instance, "call", self._watched(Instance.call))

    def __enter__(self) -> Trapping:
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()

    def _watched(self, call: Callable[..., int]) -> Callable[..., int]:
        def watched(instance: Instance, export: str, *arguments: float) -> int:
            if export in self.next:
                self.next.discard(export)
                raise Trap("unreachable")
            return call(instance, export, *arguments)

        return watched


class Stage:
    """Where one script is played. What it raises is a fault of the driver, unless it is Impossible."""

    def __init__(self, compiled: Compiled, trapping: Trapping) -> None:
        self.compiled = compiled
        self.lines: list[str] = []
        self.over = False
        self.faults: list[BaseException] = []
        """What the driver has raised that is none of its errors."""
        self.live: list[Session] = []
        self.loop = StandingLoop()
        self.loop.set_exception_handler(self._unheard)
        self._trapping = trapping
        self._calls = (Played(self, ""), Played(self, "other "))

    @property
    def open(self) -> bool:
        return any(call.open for call in self._calls)

    def do(self, line: str) -> list[str]:
        """Lets something happen, and answers what was called by the time everything stands still."""
        line = _REPEAT.sub(lambda m: m[1] * int(m[2]), line)
        call = self._calls[line.startswith("other ")]
        verb, _, rest = line.removeprefix("other ").partition(" ")
        if verb == "until":
            self._until(rest)
        elif verb == "traps":
            self._trapping.next.add(f"parley_session_{rest}")
        else:
            self.loop.done(lambda: call.do(verb, rest))
        return self.called()

    def called(self) -> list[str]:
        """What was called since the last time."""
        if self.faults:
            raise self.faults.pop(0)
        lines, self.lines = self.lines, []
        return in_order(lines)

    def end(self) -> list[str]:
        """Lets every callback return, and answers what is called even then. Nothing of the driver may be left."""
        self.over = True
        self.lines = []
        try:
            self.loop.done(lambda: [call.release() for call in self._calls])
            late = self.called()
            closing = self.loop.done(lambda: [asyncio.create_task(session.close()) for session in self.live])
            if not self.loop.until(lambda: all(task.done() for task in closing)):
                raise RuntimeError("a session does not close")
            for task in closing:
                task.result()
            late += self.called()
            left = asyncio.all_tasks(self.loop)
            if left:
                raise RuntimeError(f"tasks are left: {left}")
            held = sum(session._driver.live for session in self.live)
            if held:
                raise RuntimeError(f"the engine still holds {held} sessions and calls")
            return late
        finally:
            self.loop.close()

    def _until(self, name: str) -> None:
        def come() -> bool:
            return any(f"{line} ".startswith(f"{name} ") for line in self.lines)

        if not self.loop.until(lambda: come() or not self.open):
            raise Impossible(f"nothing called {name} comes")
        if not come():
            raise Impossible(f"the call is over, and nothing called {name} came")

    def _unheard(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.faults.append(context.get("exception") or RuntimeError(context["message"]))

"""An event loop whose time stands still until it is let pass."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any, TypeVar

from parley_mrtr.host import clock

T = TypeVar("T")

_DAY = 86_400.0  # s
_BEGUN = 1_785_196_800.0  # 2026-07-28


class _Selector(selectors.SelectSelector):
    """Says that it would have to wait, and never does."""

    idle: Callable[[float | None], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout > 0:
            self.idle(timeout)
        return []


class StandingClock:
    """What stands in for the module `time`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def monotonic(self) -> float:
        return self._loop.time()

    def time(self) -> float:
        return _BEGUN + self._loop.time()


class StandingLoop(asyncio.SelectorEventLoop):
    """A loop that runs until nothing is left but timers. What runs in it has its time."""

    def __init__(self) -> None:
        self._now = 0.0
        self._rings: float | None = None  # the next timer, from now on
        self._clock: Any = StandingClock(self)
        selector = _Selector()
        selector.idle = self._idle
        super().__init__(selector)

    def time(self) -> float:
        return self._now

    def still(self) -> None:
        """Runs until nothing is left but timers."""
        platform, clock.time = clock.time, self._clock
        try:
            self.run_forever()
        finally:
            clock.time = platform

    def done(self, work: Callable[[], T]) -> T:
        """Does something in the loop, and runs until nothing is left but timers."""
        done: list[T] = []
        failed: list[Exception] = []

        def do() -> None:
            try:
                done.append(work())
            except Exception as error:
                failed.append(error)

        self.call_soon(do)
        self.still()
        if failed:
            raise failed[0]
        return done[0]

    def until(self, holds: Callable[[], bool]) -> bool:
        """Lets time pass until something holds, at most a day, and answers whether it does."""
        end = self._now + _DAY
        while True:
            self.still()
            if holds():
                return True
            if self._rings is None or self._now + self._rings > end:
                self._now = end
                return False
            self._now += self._rings

    def _idle(self, rings: float | None) -> None:
        self._rings = rings
        self.stop()

"""Time for the engine, in Unix milliseconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class Clock:
    """A clock that setting the wall clock does not move."""

    def __init__(self) -> None:
        self._epoch = time.time() - time.monotonic()

    def now(self) -> int:
        return int((self._epoch + time.monotonic()) * 1000)

    def catch_up(self) -> None:
        """Makes up for the time that the machine slept, which the clock may not have counted."""
        self._epoch = max(self._epoch, time.time() - time.monotonic())


class Alarm:
    """Rings at the given time, or a little later or earlier: who is woken too early sets it again."""

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._goes = 0
        self._until = 0

    def set(self, until: int) -> None:
        """Sets it, in place of any time before; 0 is never."""
        self._until = until
        # A timer that goes off before is left as it is: most are never needed.
        if self._timer is not None and until >= self._goes:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if until:
            self._start()

    def _start(self) -> None:
        self._goes = self._until
        wait = min(max(self._until - self._clock.now(), 0) / 1000, 86_400)
        self._timer = asyncio.get_running_loop().call_later(wait, self._goes_off)

    def _goes_off(self) -> None:
        self._timer = None
        if self._until > self._goes:
            self._start()
        elif self._until:
            self._ring()

"""Which states were used, and the memory of one process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Protocol

from ..given import check, is_whole


class ReplayStore(Protocol):
    """Remembers which states were used."""

    def consume(self, id: bytes, expires: int) -> bool:
        """Notes an id of 16 bytes until `expires`, in Unix seconds; True if it was not noted before.

        A store that is full or fails raises, and the state is refused.
        """
        ...


class ReplayError(Exception):
    """What a replay store refuses, and why. For the server's log."""


class MemoryReplay:
    """A `ReplayStore` for a single instance: it lets states open once.

    A full one refuses further states rather than forget one. A clock that jumps ahead and back opens nothing twice: what
    may have been forgotten is refused. It may be used from several threads.
    """

    def __init__(self, capacity: int = 1 << 20, *, now: Callable[[], float] = time.time) -> None:
        """`capacity` states are remembered at a time, about 200 bytes each: with a `ttl` of 24 hours, 1,048,576 are 12 a
        second. `now` is the time of day in Unix seconds: give it the Guard's."""
        check(is_whole(capacity), "MemoryReplay: capacity must be a whole number of states", capacity)
        if capacity < 1:
            raise ValueError("MemoryReplay: capacity must be at least 1")
        check(callable(now), "MemoryReplay: now must be a function that returns Unix seconds", now)
        self._capacity, self._now = capacity, now
        self._lock = threading.Lock()
        self._known: set[bytes] = set()
        self._expiry: list[tuple[int, bytes]] = []  # a heap, the earliest first
        # When the last state expired that is not remembered any more: of one that expires no later it cannot be told
        # whether it was used. It is ahead of the clock only after the clock was set back.
        self._forgotten = 0

    def __len__(self) -> int:
        return len(self._known)

    def consume(self, id: bytes, expires: int) -> bool:
        with self._lock:
            now = self._now()
            if now >= expires or self._forgotten >= expires:  # the first would be forgotten at once
                raise ReplayError("the state has expired by the replay store's clock")
            while self._expiry and now >= self._expiry[0][0]:
                self._forgotten, gone = heappop(self._expiry)
                self._known.discard(gone)
            if id in self._known:
                return False
            if len(self._known) >= self._capacity:
                raise ReplayError("the replay store is full")
            self._known.add(id)
            heappush(self._expiry, (expires, id))
            return True

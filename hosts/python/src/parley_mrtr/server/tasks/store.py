"""Where tasks are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ...given import check, is_whole

MOST_TASKS = 1000  #: bounds the memory that clients can take
NOBODY = "nobody"  #: the owner of a task whose call has no principal


class TooManyTasks(Exception):
    """What a TaskStore raises that has no room."""


@dataclass
class TaskRecord:
    """A task as it is kept; all of it survives JSON. Times are in Unix seconds."""

    id: str  #: cannot be guessed
    owner: str  #: whose it is, "nobody" without a principal
    created: float
    updated: float
    expires: float  #: when it is stopped, or forgotten if it is over
    left: float = 0.0  #: how long it may work on, while it waits for answers
    version: int = 1  #: of the record, for `wait`
    status: Literal["working", "completed", "failed", "cancelled"] = "working"
    message: str = ""  #: in words for a person
    cancel: bool = False  #: the client wants it to stop
    asked: dict[str, dict[str, Any]] = field(default_factory=dict)  #: open questions: method and params
    answers: dict[str, Any] = field(default_factory=dict)  #: to those that were asked, until the work takes them
    result: dict[str, Any] | None = None  #: of one that has completed
    error: dict[str, Any] | None = None  #: of one that has failed

    def ask(self, questions: dict[str, dict[str, Any]], now: float, patience: float) -> None:
        """Opens questions. The work's time stands still until none is open."""
        if not self.asked:
            self.left = max(0.0, self.expires - now)
        self.asked.update(questions)
        self.expires = now + patience

    def close(self, keys: list[str], now: float) -> None:
        """Closes questions; other keys mean nothing."""
        was_open = bool(self.asked)
        for key in keys:
            self.asked.pop(key, None)
        if was_open and not self.asked:
            self.expires = now + self.left


class TaskStore(Protocol):
    """Keeps tasks. One that instances share lets each of them answer a poll, or take an answer or a cancellation, while
    the one that made the task does its work. (If that one ends, the task stays as it is until it expires.)

    Records that are given and returned are the receiver's: they share nothing with the store that is ever changed.
    """

    async def create(self, record: TaskRecord, /) -> None:
        """Keeps a new task, and may forget those that had expired when it was created. Raises `TooManyTasks`."""

    async def load(self, id: str, /) -> TaskRecord | None: ...

    async def change(self, id: str, edit: Callable[[TaskRecord], None], /) -> None:
        """Has `edit` change a task as one atomic step, and adds 1 to its version. `edit` may be called several times,
        each time with the record as it is. Raises LookupError for an unknown id."""

    async def wait(self, id: str, version: int, /) -> TaskRecord:
        """`load`, as soon as the task's version is greater. Raises LookupError for an unknown id."""
        raise NotImplementedError


class TaskMemory:
    """A store in the memory of the process, for one event loop: its tasks end with it. One principal has at most a quarter
    of its room, so that no user takes the places of all others; where there are no principals, nothing is kept apart."""

    def __init__(self, most: int = MOST_TASKS) -> None:
        check(is_whole(most), "TaskMemory: most must be a whole number", most)
        self._most = most
        self._kept: dict[str, tuple[TaskRecord, asyncio.Event]] = {}

    async def create(self, record: TaskRecord, /) -> None:
        for id in [id for id, (kept, _) in self._kept.items() if record.created > kept.expires]:
            self._put(id, None)
        own = sum(kept.owner == record.owner for kept, _ in self._kept.values())
        if len(self._kept) >= self._most or (record.owner != NOBODY and own >= max(1, self._most // 4)):
            raise TooManyTasks
        self._put(record.id, deepcopy(record))

    async def load(self, id: str, /) -> TaskRecord | None:
        kept = self._kept.get(id)
        return None if kept is None else deepcopy(kept[0])

    async def change(self, id: str, edit: Callable[[TaskRecord], None], /) -> None:
        record = deepcopy(self._entry(id)[0])
        edit(record)
        record.version += 1
        self._put(id, deepcopy(record))

    async def wait(self, id: str, version: int, /) -> TaskRecord:
        while True:
            record, changed = self._entry(id)
            if record.version > version:
                return deepcopy(record)
            await changed.wait()

    def _entry(self, id: str) -> tuple[TaskRecord, asyncio.Event]:
        if id not in self._kept:
            raise LookupError("no such task")
        return self._kept[id]

    def _put(self, id: str, record: TaskRecord | None) -> None:
        """Keeps or forgets a record, and wakes who waits for a change of it."""
        kept = self._kept.pop(id, None)
        if record is not None:
            self._kept[id] = record, asyncio.Event()
        if kept is not None:
            kept[1].set()

"""The tasks that a server keeps, and how long they live."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from .store import TaskRecord, TaskStore, TooManyTasks
from .task import TaskPlace
from .wire import failure, no_such_task

T = TypeVar("T")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shelf:
    store: TaskStore
    ttl: float
    patience: float
    now: Callable[[], float]

    def place(self, id: str) -> TaskPlace:
        return TaskPlace(self.store, id, self.now, self.patience)

    async def create(self, owner: str) -> TaskRecord:
        now = self.now()
        record = TaskRecord(secrets.token_hex(16), owner, created=now, updated=now, expires=now + self.ttl)
        try:
            await _told(self.store.create(record), "The task cannot be made now")
        except TooManyTasks:
            raise failure("There are too many tasks already: try again later") from None
        return record

    async def find(self, id: str, owner: str) -> TaskRecord:
        """An owner's task. Why there is none, the caller is not told."""
        record = await _told(self.store.load(id), "The task cannot be read now")
        if record is None or record.owner != owner or self.now() > record.expires:
            raise no_such_task()
        return record

    async def change(self, id: str, edit: Callable[[TaskRecord, float], None]) -> None:
        await _told(self.place(id).edit(edit), "The task cannot be changed now")


async def _told(done: Awaitable[T], failed: str) -> T:
    """What a store does. Why it failed goes to the log."""
    try:
        return await done
    except TooManyTasks:
        raise
    except Exception as error:
        logger.error("%s: %s", failed, type(error).__name__)
        raise failure(failed) from None

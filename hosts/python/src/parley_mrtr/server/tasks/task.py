"""A tools/call that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

import anyio

from ...codec import Question
from ...given import check
from .store import TaskRecord, TaskStore

MOST_QUESTIONS = 1000  #: bounds what one task may ask, and with it its record


class TaskPlace:
    """Where a task is kept, and how long it has."""

    def __init__(self, store: TaskStore, id: str, now: Callable[[], float], patience: float) -> None:
        self._store, self.id, self._now, self._patience = store, id, now, patience
        self._used: set[str] = set()  # a key is the same question for the task's whole life

    async def edit(self, change: Callable[[TaskRecord, float], None]) -> None:
        """Edits the record of a task that is not over."""
        now = self._now()

        def edited(record: TaskRecord) -> None:
            if record.status == "working":
                change(record, now)
                record.updated = now

        await self._store.change(self.id, edited)

    async def wait(self, version: int) -> TaskRecord:
        return await self._store.wait(self.id, version)

    async def put(self, questions: Mapping[str, Question]) -> dict[str, Any]:
        """Asks, and returns the client's answers as they came."""
        names = {key: self._name(key) for key in questions}
        entries = {names[key]: _entry(question) for key, question in questions.items()}
        await self.edit(lambda record, now: record.ask(entries, now, self._patience))
        try:
            record = await self.wait(0)
            while not entries.keys() <= record.answers.keys():
                record = await self.wait(record.version)
            return {key: record.answers[name] for key, name in names.items()}
        finally:
            with anyio.CancelScope(shield=True):
                await self.edit(lambda record, now: _withdraw(record, list(entries), now))

    def has_room(self, questions: int) -> bool:
        return len(self._used) + questions <= MOST_QUESTIONS

    def _name(self, key: str) -> str:
        name, times = key, 1
        while name in self._used:
            times += 1
            name = f"{key}~{times}"
        self._used.add(name)
        return name


def _entry(question: Question) -> dict[str, Any]:
    entry: dict[str, Any] = {"method": question.method}
    return entry if question.params is None else {**entry, "params": question.params}


def _withdraw(record: TaskRecord, keys: list[str], now: float) -> None:
    """They have been answered, or nothing waits for them any more."""
    record.close(keys, now)
    for key in keys:
        record.answers.pop(key, None)


class Task:
    """What a call has become, for its handler: the handler goes on, asks by its Ask, and what it returns is what the client
    gets in the end."""

    def __init__(self, place: TaskPlace | None) -> None:
        self._place = place

    async def say(self, message: str) -> None:
        """Tells the client how the task stands, in words for a person. It does nothing if the call waits instead."""
        check(isinstance(message, str), "Task.say: message must be a str", message)

        def said(record: TaskRecord, _now: float) -> None:
            record.message = message

        if self._place is not None:
            await self._place.edit(said)


class Call:
    """A tools/call of a server with tasks, while its handler runs."""

    def __init__(self, tasks: object, may: bool, begin: Callable[[], Awaitable[None]]) -> None:
        self.tasks, self.may = tasks, may  # whose, and whether the client has tasks
        self.begin = begin
        self.begun = False
        self.record: TaskRecord | None = None  # as it was made
        self.place: TaskPlace | None = None
        self.made = asyncio.Event()


call: ContextVar[Call | None] = ContextVar("parley_call", default=None)

"""One call: who answers its questions, who is told of it, and who keeps it."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from typing import Protocol

from parley_mrtr.host.clock import Alarm, Clock
from parley_mrtr.host.core import Action, Event, SessionCore
from parley_mrtr.host.outcome import Outcome
from parley_mrtr.host.question import Askers, Question, ask
from parley_mrtr.host.watchers import Watchers, observe, reraise

Save = Callable[[str], "Awaitable[object] | object"]


class Step(Protocol):
    """Steps the engine with an event of a call."""

    def __call__(self, event: Event, cause: BaseException | None = None, call: Call | None = None) -> None: ...


class Call:
    """`make` makes the call in a core, and returns its number. `kept` is the snapshot that it continues from."""

    def __init__(
        self,
        make: Callable[[SessionCore], int],
        askers: Askers,
        watchers: Watchers | None,
        save: Save | None,
        park: asyncio.Event | None,
        *,
        kept: str | None = None,
    ) -> None:
        self.make = make
        self.watchers = watchers or Watchers()
        self.number = 0
        """In its core; 0 until it was made."""
        self.is_resumed = kept is not None
        self.is_tool = True
        """Until it is known."""
        self.in_doubt = False
        """Without a snapshot: whether the tool may have run."""
        self.kept = kept if save is not None else None
        """The snapshot that was kept last."""
        self.over: asyncio.Future[Outcome | Exception] = asyncio.get_running_loop().create_future()
        self._askers = askers
        self._save = save
        self._park = park
        self._context = contextvars.copy_context()  # what it runs is the caller's
        self._asks: dict[int, asyncio.Task[None]] = {}
        self._questions: dict[int, Question] = {}  # that were not answered
        self._parking: asyncio.Task[None] | None = None
        self._timer: Alarm | None = None

    def begin(self, step: Step, clock: Clock, **how: object) -> None:
        self._step = step
        self._timer = Alarm(clock, lambda: step({"type": "tick"}, None, self))
        is_watched = self.watchers.leg is not None or self.watchers.pause is not None
        saves = self._save is not None
        step({"type": "begin", "save": saves or None, "watch": is_watched or None, **how}, None, self)
        if self._park is not None:
            self._parking = asyncio.create_task(self._leave(self._park))

    def run(self, function: Callable[..., object], *arguments: object) -> object:
        """Runs something of the host's in the context of the caller."""
        return self._context.run(function, *arguments)

    def tell(self, watcher: Callable[..., object] | None, *said: object) -> None:
        self.run(observe, watcher, *said)

    def wait(self, until: int) -> None:
        if self._timer is not None:
            self._timer.set(until)

    def ask(self, action: Action) -> None:
        number: int = action["ask"]
        question = self._questions[number] = Question.of(action)

        async def asking() -> None:
            event, cause = await ask(self._askers, question)
            if self._asks.get(number) is asyncio.current_task():
                del self._asks[number]
                if event["type"] != "park":
                    del self._questions[number]
                self._step({**event, "ask": number}, cause, self)
            reraise(cause)

        self._asks[number] = self._context.run(asyncio.create_task, asking())

    def withdraw(self, number: int, *, is_parked: bool) -> None:
        """Ends an asker. Its question still waits if the call is parked."""
        if number in self._asks:
            self._asks.pop(number).cancel()
        if not is_parked:
            self._questions.pop(number, None)

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(self._questions.values())

    def save(self, snapshot: str) -> None:
        """Has a snapshot kept. What comes of it after the end of the call is dropped."""

        def saved() -> None:
            self.kept = snapshot
            self._step({"type": "saved"}, None, self)

        def failed(cause: BaseException) -> None:
            self._step({"type": "saveFailed"}, cause, self)
            reraise(cause)

        async def saving(kept: Awaitable[object]) -> None:
            try:
                await kept
            except GeneratorExit:
                raise
            except BaseException as cause:
                failed(cause)
            else:
                saved()

        assert self._save is not None
        try:
            kept = self._context.run(self._save, snapshot)
        except BaseException as cause:
            failed(cause)
            return
        if isinstance(kept, Awaitable):
            self._context.run(asyncio.create_task, saving(kept))
        else:
            saved()

    def end(self, outcome: Outcome | Exception) -> None:
        for task in (*self._asks.values(), *filter(None, [self._parking])):
            task.cancel()
        self._asks.clear()
        self.wait(0)
        self.over.set_result(outcome)

    async def _leave(self, park: asyncio.Event) -> None:
        await park.wait()
        self._step({"type": "park"}, None, self)

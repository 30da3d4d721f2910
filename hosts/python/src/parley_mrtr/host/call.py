"""One call: who answers its questions, who is told of it, and who keeps it."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from parley_mrtr.host.clock import Alarm
from parley_mrtr.host.core import Action, SessionCore
from parley_mrtr.host.outcome import Outcome
from parley_mrtr.host.question import Askers, Question, ask
from parley_mrtr.host.watchers import Watchers, observe, reraise

if TYPE_CHECKING:
    from parley_mrtr.host.driver import Driver

Save = Callable[[str], "Awaitable[object] | object"]


class Call:
    """`make` makes the call in a core and returns its number. `came_from` is the snapshot that it continues from."""

    def __init__(
        self,
        driver: Driver,
        make: Callable[[SessionCore], int],
        *,
        askers: Askers,
        watchers: Watchers | None,
        save: Save | None,
        park: asyncio.Event | None,
        came_from: str | None = None,
    ) -> None:
        self.make = make
        self.came_from = came_from
        self.watchers = watchers or Watchers()
        self.number = 0
        """In its core; 0 until it was made."""
        self.is_tool = True
        """Until it is known."""
        self.in_doubt = False
        """Without a snapshot: whether the tool may have run."""
        self.kept = came_from if save is not None else None
        """The snapshot that was kept last."""
        self.over: asyncio.Future[Outcome | Exception] = asyncio.get_running_loop().create_future()
        self._driver = driver
        self._askers = askers
        self._save = save
        self._park = park
        self._context = contextvars.copy_context()  # what the call runs has the context of its caller
        self._timer = Alarm(driver.clock, lambda: self.step("tick"))
        self._asks: dict[int, asyncio.Task[None]] = {}
        self._questions: dict[int, Question] = {}  # that were not answered
        self._parking: asyncio.Task[None] | None = None

    def step(self, type: str, cause: BaseException | None = None, **members: Any) -> None:
        self._driver.step({"type": type, **members}, cause, self)

    def begin(self, **how: Any) -> None:
        is_watched = self.watchers.leg is not None or self.watchers.pause is not None
        if self._park is not None:
            self._parking = asyncio.create_task(self._leave(self._park))
        self.step("begin", save=self._save is not None or None, watch=is_watched or None, **how)

    def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        return self._context.run(function, *arguments)

    def tell(self, watcher: Callable[..., object] | None, *said: object) -> None:
        self.run(observe, watcher, *said)

    def wait(self, until: int) -> None:
        self._timer.set(until)

    def ask(self, action: Action) -> None:
        number: int = action["ask"]
        question = self._questions[number] = Question.of(action)
        self._asks[number] = self.run(asyncio.create_task, self._ask(number, question))

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
        assert self._save is not None
        try:
            kept = self.run(self._save, snapshot)
        except BaseException as cause:
            self._unsaved(cause)
        else:
            if isinstance(kept, Awaitable):
                self.run(asyncio.create_task, self._wait_for(kept, snapshot))
            else:
                self._saved(snapshot)

    def end(self, outcome: Outcome | Exception) -> None:
        for task in self._asks.values():
            task.cancel()
        if self._parking is not None:
            self._parking.cancel()
        self._asks.clear()
        self.wait(0)
        self.over.set_result(outcome)

    async def _leave(self, park: asyncio.Event) -> None:
        await park.wait()
        self.step("park")

    async def _ask(self, number: int, question: Question) -> None:
        event, cause = await ask(self._askers, question)
        if self._questions.get(number) is question:  # it is still open
            self._asks.pop(number, None)
            if event["type"] != "park":
                del self._questions[number]
            self.step(**event, ask=number, cause=cause)
        reraise(cause)

    async def _wait_for(self, kept: Awaitable[object], snapshot: str) -> None:
        try:
            await kept
        except GeneratorExit:
            raise
        except BaseException as cause:
            self._unsaved(cause)
        else:
            self._saved(snapshot)

    def _saved(self, snapshot: str) -> None:
        self.kept = snapshot
        self.step("saved")

    def _unsaved(self, cause: BaseException) -> None:
        self.step("saveFailed", cause)
        reraise(cause)

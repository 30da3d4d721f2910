"""Performs the actions of one call, nothing more: what they mean is the engine's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from parley_mrtr.host.clock import Alarm, Clock
from parley_mrtr.host.core import Action, Event
from parley_mrtr.host.errors import CallFailed, Code, InstanceError, ParleyError
from parley_mrtr.host.outcome import Done, Outcome, Pending
from parley_mrtr.host.question import Askers, Question, Questions
from parley_mrtr.host.watchers import Watchers, observe

Save = Callable[[str], "Awaitable[object] | object"]

_GAVE_UP = "the caller gave up"


class Turn(NamedTuple):
    """What happens to a call: an event, actions that follow from one that was the session's, or its end by a trap."""

    event: Event | None = None
    actions: list[Action] | None = None
    cause: BaseException | None = None
    trap: InstanceError | None = None


class Router(Protocol):
    """The session of a call, as its driver sees it."""

    clock: Clock

    def step(self, call: Driver, event: Event) -> list[Action] | None: ...
    def snapshot(self, call: Driver) -> bytes: ...
    def in_doubt(self, call: Driver) -> bool: ...
    def perform(self, call: Driver, action: Action) -> None: ...
    def drop(self, call: Driver) -> None: ...


@dataclass
class Side:
    """The host's side of a call: who answers, who is told, who keeps it, and what parks it."""

    askers: Askers
    watchers: Watchers = field(default_factory=Watchers)
    save: Save | None = None
    park: asyncio.Event | None = None


class Driver:
    """One call."""

    def __init__(self, router: Router, number: int, side: Side, labels: dict[str, Any], begin: Event) -> None:
        self.number = number
        """In the session; another one after a trap."""
        self.labels: dict[str, Any] = {name: labels[name] for name in ("peer", "principal", "size") if name in labels}
        watchers = side.watchers
        self.begin: Event = {
            **begin,
            "type": "begin",
            "save": (side.save is not None) or None,
            "watch": (watchers.leg is not None or watchers.pause is not None) or None,
        }
        self.watchers = watchers
        self.over = False
        """Its end has come, and may still have to be performed."""
        self.saving = 0
        """How many saves stand between what the engine said last and what is done."""
        self.held: Action | None = None
        """The leg that waits for one of them."""
        self.trap: InstanceError | None = None
        """What ended the call where the engine did not."""
        self.kept: bytes | None = None
        """The last snapshot before a trap."""
        self.flying: int | None = None
        """The exchange of a leg that has gone out, 0 if that was in another session."""
        self.in_doubt = False
        """After a trap: a leg may have arrived that was not answered."""
        self.safe: bytes | None = None
        """What `save` has kept last."""

        self._router = router
        self._side = side
        self._alarm = Alarm(router.clock, self._ring)
        self._questions = Questions(side.askers, lambda event, cause: self._feed(Turn(event, cause=cause)))
        self._put: dict[int, Question] = {}  # that were not answered
        self._withdrawn: list[int] = []  # in this turn, which is what a call does that is parked
        self._turns: list[Turn] = []
        self._wake = asyncio.Event()
        self._due = False
        self._lives = 0  # how often it was continued in another session, or lost
        self._stopped: BaseException | None = None  # why the caller gave up
        self._moot = False  # what waits for a save is not to be done any more
        self._cause: BaseException | None = None

    async def run(self) -> Outcome:
        """Performs what the engine says until the call ends. A failure is raised, and so is a cancellation."""
        parking = asyncio.create_task(self._leave(self._side.park)) if self._side.park else None
        try:
            outcome = await self._loop()
        except InstanceError as trap:
            if trap is not self.trap:
                raise
            outcome = self._trapped(trap)
        finally:
            if parking:
                parking.cancel()
            self._alarm.set(0)
            self._questions.end()
            self._router.drop(self)
        if isinstance(self._stopped, asyncio.CancelledError):
            raise self._stopped from _unheard(outcome)
        if isinstance(outcome, CallFailed):
            raise outcome from (outcome.__cause__ or self._cause)
        return outcome

    def deliver(self, actions: list[Action], cause: BaseException | None) -> None:
        """Takes actions that follow from what happened in the session."""
        if any(map(_ends, actions)):
            self._moot = self.over = True
        self._feed(Turn(actions=actions, cause=cause))

    def restart(self, number: int) -> None:
        """The call continues in another session: what the one before had not done yet is moot."""
        self._lives += 1
        self.number = number
        self._moot = True
        self.saving = 0
        self.held = None
        self.flying = 0 if self.in_doubt else None
        self._turns = [turn for turn in self._turns if turn.actions is None]

    def lose(self, trap: InstanceError) -> None:
        """Ends the call, because there is nothing to continue."""
        self.restart(self.number)
        self.trap = trap
        self._feed(Turn(trap=trap))

    def stop(self, reason: Exception) -> None:
        """Cancels the call."""
        self._stopped = self._stopped or reason
        self._wake.set()

    def _feed(self, turn: Turn) -> None:
        self._turns.append(turn)
        self._wake.set()

    def _ring(self) -> None:
        self._due = True
        self._wake.set()

    async def _leave(self, park: asyncio.Event) -> None:
        await park.wait()
        self._feed(Turn({"type": "park"}))

    async def _loop(self) -> Outcome | CallFailed:
        try:
            await asyncio.sleep(0)  # where a caller is heard that gave up before
        except asyncio.CancelledError as error:
            self._stopped = error
            return self._failed({"code": Code.CANCELED, "detail": _GAVE_UP, "resumable": True})
        turn = Turn(self.begin)
        if self._side.park and self._side.park.is_set():
            self._turns.append(Turn({"type": "park"}))
        while True:
            if turn.trap is not None:
                raise turn.trap
            self._cause = turn.cause
            while self._withdrawn:
                self._put.pop(self._withdrawn.pop(), None)
            following: Turn | None = None
            moot = False
            actions = list(turn.actions) if turn.actions is not None else self._step(turn)
            lives = self._lives
            for action in actions:  # which grows as it goes
                if (moot or lives != self._lives) and not _ends(action):
                    continue
                if action["type"] == "save":
                    kept = await self._save()
                    moot = kept is None or kept.event is None or kept.event["type"] != "saved"
                    if kept is not None and not moot:
                        actions += self._step(kept)  # the engine knows before anything else is done
                    else:
                        following = kept
                else:
                    outcome = self._perform(action)
                    if outcome is not None:
                        return outcome
            turn = following or await self._next()

    def _step(self, turn: Turn) -> list[Action]:
        """The actions that follow from an event."""
        event = turn.event
        assert event is not None
        lives = self._lives
        try:
            actions = self._router.step(self, event)
        except ParleyError as error:
            if event["type"] == "park" and error.code == Code.NOT_PARKABLE:
                return []  # it goes on
            raise
        if actions is None:
            if event["type"] not in ("saved", "saveFailed"):
                self._turns.append(turn)  # after what has happened meanwhile
            return []
        if event.get("ask"):
            self._questions.answered(event["ask"])
            if event["type"] != "park":
                self._put.pop(event["ask"], None)
        self.over = self.over or any(map(_ends, actions))
        return actions if lives == self._lives else list(filter(_ends, actions))

    async def _save(self) -> Turn | None:
        """Keeps a snapshot, and answers what comes of that; None if what waited for it is moot."""
        turn = Turn({"type": "saved"})
        self._moot = self.over
        if self._moot or self._stopped is not None:
            return None
        try:
            snapshot = self._router.snapshot(self)
            assert self._side.save is not None
            saving = self._side.save(snapshot.decode())
            if isinstance(saving, Awaitable):
                await self._saved(saving)
            self.safe = snapshot
        except Exception as cause:
            if self.trap is not None:
                raise
            turn = Turn({"type": "saveFailed"}, cause=cause)
        if self._moot or self._stopped is not None:
            return None
        self.saving -= 1
        return turn

    async def _saved(self, saving: Awaitable[object]) -> None:
        """Waits for a save, but not any more once the call is to stop."""
        kept = asyncio.ensure_future(saving)
        try:
            while not kept.done() and self._stopped is None:
                self._wake.clear()
                waking = asyncio.ensure_future(self._wake.wait())
                try:
                    await asyncio.wait((kept, waking), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    waking.cancel()
        except asyncio.CancelledError as error:
            self._stopped = error
        if kept.done():
            kept.result()
        else:
            kept.add_done_callback(_forget)

    async def _next(self) -> Turn:
        """Waits for whatever happens first."""
        while True:
            turn = self._take()
            if turn is not None:
                return turn
            self._wake.clear()
            try:
                await self._wake.wait()
            except asyncio.CancelledError as error:
                self._stopped = error

    def _take(self) -> Turn | None:
        while self._turns:
            # What has happened in the session comes first. Then answers: what
            # else happened may end the call.
            turn = self._turns.pop(min(range(len(self._turns)), key=lambda i: (_rank(self._turns[i]), i)))
            # An asker that is cancelled comes back with no news.
            if self._stopped is None or turn.event is None or turn.event["type"] != "refuse":
                return turn
        if self._stopped is not None:
            return Turn({"type": "cancel"}, cause=self._stopped)
        if not self._due:
            return None
        self._due = False
        return Turn({"type": "tick"})

    def _perform(self, action: Action) -> Outcome | CallFailed | None:
        watchers = self.watchers
        match action["type"]:
            case "done":
                return Done(
                    action["result"], action.get("noStore", False), next=action.get("next"), lacks=action.get("lacks")
                )
            case "parked":
                return Pending(tuple(self._put.values()), self._router.snapshot(self).decode())
            case "failed":
                return self._failed(action)
            case "ask":
                self._put[action["ask"]] = Question.of(action)
                self._questions.put(action)
            case "withdraw":
                self._withdrawn.append(action["ask"])
                self._questions.close(action["ask"])
            case "wait":
                self._due = False
                self._alarm.set(action["until"])  # a tick too early is answered with the same wait
            case "note":
                observe(watchers.note, _content(action))
            case "leg":
                observe(watchers.leg, _content(action))
            case "pause":
                observe(watchers.pause, _content(action))
            case "progress":
                observe(watchers.progress, action["leg"], action["params"])
            case "task":
                observe(watchers.task, action["status"], action.get("message"))
            case _:
                self._router.perform(self, action)
        return None

    def _failed(self, failed: Action) -> CallFailed:
        snapshot: bytes | None = None
        in_doubt = self._router.in_doubt(self)
        if failed.get("resumable"):
            try:
                snapshot = self._router.snapshot(self)
            except InstanceError as error:
                self._cause = self._cause or error
        return CallFailed(
            failed["code"],
            failed["detail"],
            in_doubt=in_doubt,
            snapshot=None if snapshot is None else snapshot.decode(),
            response=failed.get("error"),
        )

    def _trapped(self, trap: InstanceError) -> CallFailed:
        snapshot = None if self.kept is None else self.kept.decode()
        failed = CallFailed(Code.INSTANCE, trap.detail, in_doubt=self.in_doubt, snapshot=snapshot)
        failed.__cause__ = trap
        return failed


def _unheard(outcome: Outcome | CallFailed) -> CallFailed:
    """What a caller that was cancelled is told of the call."""
    if isinstance(outcome, CallFailed):
        return outcome
    if isinstance(outcome, Pending):
        return CallFailed(Code.CANCELED, _GAVE_UP, snapshot=outcome.snapshot)
    return CallFailed(Code.CANCELED, _GAVE_UP, raw=outcome.result)


def _forget(kept: asyncio.Future[object]) -> None:
    if not kept.cancelled():
        kept.exception()  # nobody waits for it any more


def _rank(turn: Turn) -> int:
    if turn.event is None:
        return 0
    return 1 if turn.event["type"] == "answer" else 2


def _content(action: Action) -> dict[str, Any]:
    """What an action says beside whose it is."""
    return {name: value for name, value in action.items() if name not in ("type", "call")}


def _ends(action: Action) -> bool:
    return action["type"] in ("done", "parked", "failed")

"""Connects the engine's session, the transport and the drivers of the calls."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from parley_mrtr.host import doubt
from parley_mrtr.host.clock import Alarm, Clock
from parley_mrtr.host.core import Action, Event, SessionCore
from parley_mrtr.host.driver import Driver
from parley_mrtr.host.errors import InstanceError, ParleyError
from parley_mrtr.host.instance import Compiled
from parley_mrtr.host.reason import failed
from parley_mrtr.host.slices import Happened, Slices
from parley_mrtr.host.transport import Transport
from parley_mrtr.host.watchers import SessionWatchers, observe

T = TypeVar("T")

_CARRIED = ("post", "request")


class Router:
    """Hands each what is meant for it, and makes another session where the engine's instance trapped."""

    def __init__(
        self, compiled: Compiled, transport: Transport, shape: Mapping[str, Any], watchers: SessionWatchers
    ) -> None:
        self.clock = Clock()
        self._compiled = compiled
        self._shape = dict(shape)
        self._watchers = watchers
        self._core = SessionCore(compiled, {"firstId": _draw_id(), **shape})
        self._calls: dict[int, Driver] = {}  # by their numbers
        self._inbox: list[Happened] = []
        self._slices = Slices(self._sliced, self._sliced)
        self._busy = False
        self._closed = False
        self._carrier = transport.open(self._receive)
        self._alarm = Alarm(self.clock, lambda: self._happens(Happened({"type": "tick"})))

    @property
    def live(self) -> int:
        """How much the engine holds."""
        return self._core.live

    def call(self, method: str, params: bytes, options: Mapping[str, Any]) -> int:
        """A new call's number."""
        return self._asked(lambda core: core.call(method, params, options))

    def restore(self, snapshot: bytes, expect: Mapping[str, Any]) -> tuple[int, bool]:
        """The number of a call from a snapshot, and whether it is in doubt."""

        def restore(core: SessionCore) -> tuple[int, bool]:
            number = core.restore(snapshot, expect)
            return number, core.info(number).get("inDoubt", False)

        return self._asked(restore)

    def add(self, call: Driver) -> None:
        if not self._calls:
            self.clock.catch_up()
        self._calls[call.number] = call

    def drop(self, call: Driver) -> None:
        """Lets go of a call."""
        try:
            if not call.over and call.trap is None:
                self.step(call, {"type": "cancel"})
        except ParleyError:
            pass  # there is nothing to cancel
        if self._calls.get(call.number) is not call:
            return  # it was lost
        del self._calls[call.number]
        self._core.drop(call.number)
        self._mended()

    def step(self, call: Driver, event: Event) -> list[Action] | None:
        """Steps with an event of a call. What follows for that call is answered, the rest is done.

        None is the answer where it must be tried again after what has happened meanwhile.
        """
        gone = self._core
        core = self._mended(call)
        return self._step({**event, "call": call.number}, own=call) if core is gone else None

    def snapshot(self, call: Driver) -> bytes:
        return self._asked(lambda core: core.snapshot(call.number), call)

    def in_doubt(self, call: Driver) -> bool:
        """Whether a call that failed is in doubt. Where nobody knows any more it is, if a leg may have arrived."""
        flying = call.flying is not None
        try:
            info = self._asked(lambda core: core.info(call.number), call)
        except InstanceError:
            return flying
        return bool(info.get("inDoubt", False))

    def perform(self, call: Driver, action: Action) -> None:
        """Performs what a call's driver leaves to the session."""
        if action["type"] == "notification":
            watcher = call.watchers.notification or self._watchers.notification
            observe(watcher, action["method"], action.get("params"))
        elif action is call.held:
            call.held = None
            self._carry(action)

    async def close(self) -> None:
        """Ends the session, whose calls have ended."""
        self._receive({"type": "close"})
        self._closed = True
        self._slices.clear()
        self._alarm.set(0)
        try:
            await self._carrier.close()
        finally:
            self._core.free()

    def _receive(self, event: Event, cause: BaseException | None = None, call: int | None = None) -> Any:
        """Takes what happened, once what happened before it is done with."""
        self._happens(Happened(event, cause, call))
        return self._slices.room(event)

    def _happens(self, happened: Happened) -> None:
        self._inbox.append(happened)
        if not self._busy:
            self._drain()

    def _drain(self) -> None:
        while self._inbox:
            happened = self._inbox.pop(0)
            if self._closed:
                continue
            if self._core.trap is not None:
                self._mended()  # what came is of the session that is gone
            elif not self._slices.take(happened):
                self._happen(happened)

    def _happen(self, happened: Happened, whole: bytes | None = None) -> None:
        event, cause, number = happened
        call = self._calls.get(number or 0)
        try:
            self._step(event, cause, culprit=call, whole=whole)
            if call is not None and doubt.answers(event, call):
                call.flying = None
        except InstanceError:
            pass  # the calls were told
        except ParleyError as error:
            self.warn(str(error))
            if event["type"] == "part":
                self._slices.drop(event["exchange"])
            if event["type"] == "part" or (event["type"] == "message" and event.get("last")):
                ended = {"type": "ended", "exchange": event["exchange"], "reason": "the answer cannot be read"}
                self._inbox.append(Happened(ended, error, number))

    def _sliced(self, happened: Happened, whole: bytes | None = None, behind: list[Happened] | None = None) -> None:
        """Steps with a slice of a message: with the last one of all, and then with what waited for it."""
        with self._alone():
            self._inbox[:0] = behind or ()
            if self._core.trap is not None:
                self._mended()
            else:
                self._happen(happened, whole)

    def _step(
        self,
        event: Event,
        cause: BaseException | None = None,
        *,
        own: Driver | None = None,
        culprit: Driver | None = None,
        whole: bytes | None = None,
    ) -> list[Action]:
        """`own` is whose event it is, `culprit` whose fault a trap, `whole` the message whose last slice it has."""
        with self._alone():
            try:
                actions = self._core.step(self.clock.now(), event)
                for action in actions:
                    if whole is not None and action["type"] == "done" and "result" not in action:
                        action["result"] = whole[action["from"] : action["to"]]
                if own is not None and event["type"] == "answer" and event["ask"] < 0:
                    own.labels["principal"] = self._core.info(own.number).get("principal")  # who signed in
                return self._route(actions, cause, own)
            except InstanceError as trap:
                self._mend(trap, own or culprit)
                raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Does something that nothing may come between."""
        if self._busy:
            yield
            return
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
            self._drain()

    def _route(self, actions: list[Action], cause: BaseException | None, own: Driver | None) -> list[Action]:
        """Performs the session's own actions and hands out those of its calls."""
        mine: list[Action] = []
        others: dict[int, list[Action]] = {}
        for action in actions:
            if "call" not in action:
                self._own(action)
                continue
            call = self._calls.get(action["call"])
            if action["type"] == "save" and call is not None:
                call.saving += 1
            if action["type"] in _CARRIED:
                if call is None or not call.saving:
                    self._carry(action)
                    continue
                call.held = action
                if call.flying:
                    call.flying = None  # what went out before is over
            if call is not None:
                (mine if call is own else others.setdefault(call.number, [])).append(action)
        for number, batch in others.items():
            if number in self._calls:
                self._calls[number].deliver(batch, cause)
        return mine

    def warn(self, text: str) -> None:
        """Tells who watches the session, for a log."""
        observe(self._watchers.warning, text)

    def _own(self, action: Action) -> None:
        match action["type"]:
            case "wait":
                self._alarm.set(action["until"])
            case "notification":
                observe(self._watchers.notification, action["method"], action.get("params"))
            case "ready":
                self._shape["known"] = action["version"]
                observe(self._watchers.ready, {name: value for name, value in action.items() if name != "type"})
            case "warning":
                self.warn(action["text"])
            case "abort":
                self._slices.drop(action["exchange"])
                for call in self._calls.values():
                    if call.held is not None and call.held["exchange"] == action["exchange"]:
                        call.held = None
                        return
                self._carry(action)
            case _:
                self._carry(action)

    def _carry(self, action: Action) -> None:
        call = self._calls.get(action.get("call", 0))
        if call is not None:
            call.flying = action["exchange"]
        try:
            self._carrier.perform(action)
        except Exception as error:
            self._receive({"type": "ended", "exchange": action["exchange"], **failed(error)}, error, action.get("call"))

    def _mended(self, call: Driver | None = None) -> SessionCore:
        """The session in use: a new one after a trap that was another call's fault."""
        trap = self._core.trap
        if trap is not None:
            gone = InstanceError("the engine's instance trapped")
            gone.__cause__ = trap
            with self._alone():
                self._mend(gone)
        if call is not None and call.trap is not None:
            raise call.trap
        return self._core

    def _asked(self, ask: Callable[[SessionCore], T], culprit: Driver | None = None) -> T:
        """Asks the session something. `culprit` is whose fault a trap is."""
        core = self._mended(culprit)
        try:
            return ask(core)
        except InstanceError as trap:
            with self._alone():
                self._mend(trap, culprit)
            raise

    def _mend(self, trap: InstanceError, culprit: Driver | None = None) -> None:
        """Makes a new session after a trap, and restores the calls whose snapshot is up to date.

        What was in flight is lost, and the culprit with it; so is a call at which the new session is gone, too.
        """
        calls = list(self._calls.values())
        for call in calls:
            call.kept = self._core.saved(call.number)
            call.in_doubt = False
            if call.over:
                call.trap = trap  # its end is still to be performed
        calls = [call for call in calls if not call.over]
        while True:
            for call in calls:
                call.in_doubt = call.in_doubt or call.flying is not None
            self._renew()
            for call in calls:
                if call is culprit or call.kept is None or self._core.trap is not None:
                    self._lose(call, trap)
            calls = [call for call in calls if call.trap is None]
            culprit = next((call for call in calls if not self._again(call, trap)), None)
            if culprit is None:
                return

    def _renew(self) -> None:
        """Gives up everything that the session began, and makes another one."""
        self._calls.clear()
        self._inbox.clear()
        self._slices.clear()
        self._alarm.set(0)
        self._carrier.reset()
        self._core.free()
        try:
            # What ids the one before used is not known.
            self._core = SessionCore(self._compiled, {**self._shape, "firstId": _draw_id()})
        except (InstanceError, ParleyError, RuntimeError):
            pass  # there is no memory, or less than ever: it is tried again when it is needed

    def _again(self, call: Driver, trap: InstanceError) -> bool:
        """Continues a call in a new session, if it can be. It fails where that is gone, too."""
        kept = call.kept or b""
        try:
            call.restart(self._core.restore(kept, call.labels))
            self._calls[call.number] = call
            begin = {  # what else it began with was for then
                "type": "begin",
                "call": call.number,
                "save": call.begin["save"],
                "watch": call.begin["watch"],
                "unsent": not call.in_doubt,
                "kept": (call.safe == kept) or None,
            }
            self._route(self._core.step(self.clock.now(), begin), trap.__cause__, None)
        except ParleyError:
            if self._core.trap is not None:
                return False
            self._calls.pop(call.number, None)
            self._lose(call, trap)
        return True

    def _lose(self, call: Driver, trap: InstanceError) -> None:
        """Ends a call that cannot go on by itself."""
        if call.kept is not None and self._core.trap is None:
            doubt.settle(self._compiled, self._shape, call, call.kept)
        call.lose(trap)


def _draw_id() -> int:
    """The first id of a session: nobody else's call began with it, in all likelihood."""
    return random.SystemRandom().randrange(1, 1 << 20)

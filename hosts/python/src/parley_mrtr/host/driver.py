"""Steps the engine with one event after the other and performs its actions: the program of wasm/GUIDE.md."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from parley_mrtr.host.call import Call
from parley_mrtr.host.clock import Alarm, Clock
from parley_mrtr.host.core import Action, Event, SessionCore
from parley_mrtr.host.errors import CallFailed, Code, InstanceError, ParleyError
from parley_mrtr.host.instance import Compiled, Instance
from parley_mrtr.host.outcome import Done, Outcome, Pending
from parley_mrtr.host.reason import failed
from parley_mrtr.host.slices import Happened, Queue
from parley_mrtr.host.transport import Transport
from parley_mrtr.host.watchers import SessionWatchers, observe

MAX_WORK = 256  # events, actions and KiB of messages, until everything else in the event loop has its turn

_OTHER_LOOP = "a session belongs to the event loop that used it first, and this is another: make a session for each"
_CLOSED = "the session is closed"
_NOT_SAVED = "no snapshot of it was saved"
_SAVED = "resume it from the snapshot that was saved last"


class Driver:
    """A session. After a trap it makes a new core when it is next used."""

    def __init__(
        self, compiled: Compiled, transport: Transport, shape: Mapping[str, Any], watchers: SessionWatchers
    ) -> None:
        self.clock = Clock()
        self._compiled = compiled
        self._shape = dict(shape)
        self._watchers = watchers
        self._core: SessionCore | None = self._make_core()
        self._calls: dict[int, Call] = {}  # by their numbers; 0 is one that is being made
        self._queue = Queue()
        self._actions: deque[Action] = deque()  # of the last step, that are not performed
        self._last = Happened({})  # what they follow from
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stepping = False
        self._work = 0
        self._turn_comes = False
        self._closed = self._over = False
        self._timer = Alarm(self.clock, lambda: self.step({"type": "tick"}))
        self._transport = transport.open(self.report)

    @property
    def live(self) -> int:
        """How much the core holds."""
        return self._core.live if self._core else 0

    def check(self) -> None:
        """Refuses another event loop, and a session that is closed."""
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if self._loop is not loop:
            raise ParleyError(Code.ORDER, _OTHER_LOOP)
        if self._closed:
            raise ParleyError(Code.ORDER, _CLOSED)

    def step(self, event: Event, cause: BaseException | None = None, call: Call | None = None) -> None:
        self._add(Happened(event, cause, call, self._core))

    def report(self, event: Event, cause: BaseException | None = None) -> asyncio.Future[None] | None:
        """Takes an event of the transport. It returns what is done once there is room for more of the exchange."""
        happened = Happened(event, cause, core=self._core)
        if self._loop is not None and _running_loop() is not self._loop:  # it is another thread's
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._add, happened)
            return None
        self._add(happened)
        if not happened.over:
            happened.room = asyncio.get_running_loop().create_future()
        return happened.room

    def warn(self, text: str) -> None:
        observe(self._watchers.warning, text)

    async def close(self) -> None:
        """Cancels every call, ends the session and gives the transport time to say so."""
        if self._closed:
            return
        self.check()
        self._closed = True
        reason = ConnectionAbortedError("parley: the session was closed")
        for call in list(self._calls.values()):
            call.step("cancel", reason)
        self.step({"type": "close"})
        try:
            while not self._over or self._actions:
                await asyncio.sleep(0)
        finally:
            self._over = True
            self._queue.clear()
            self._timer.set(0)
            try:
                await self._transport.close()
            finally:
                if self._core is not None:
                    self._core.free()

    def _add(self, happened: Happened) -> None:
        if self._over and happened.call is None:
            happened.end()
            return
        self._queue.add(happened)
        self._run()

    def _run(self) -> None:
        """Steps and performs until nothing is left, or until the rest of the event loop is to have its turn."""
        if self._stepping:
            return
        self._stepping = True
        try:
            while (self._actions or self._queue) and self._work < MAX_WORK:
                if not self._turn_comes:
                    self._turn_comes = True
                    asyncio.get_running_loop().call_soon(self._turn)
                self._work += 1
                try:
                    if self._actions:
                        self._perform(self._actions.popleft())
                    else:
                        self._next()
                except InstanceError as trap:
                    self._trapped(trap)
        finally:
            self._stepping = False
            if not self._actions:
                self._last = Happened({})  # its message may be long

    def _turn(self) -> None:
        self._turn_comes = False
        self._work = 0
        self._run()

    def _next(self) -> None:
        happened = self._queue.next()
        if happened is None:
            return
        event, call = happened.event, happened.call
        self._work += len(event.get("body", b"")) >> 10
        self._last = happened
        try:
            if call is not None:
                if call.over.done():
                    return
                if not call.number:
                    self._make(call)
                event["call"] = call.number
            elif self._core is None or happened.core is not self._core:
                self._over = self._over or event["type"] == "close"
                return  # it came late
            self._actions.extend(self._stepped(event))
            if event["type"] == "close":
                self._over = True
                self._queue.clear()
        except InstanceError:
            raise
        except ParleyError as error:
            self._refused(happened, error)
        finally:
            happened.end()

    def _stepped(self, event: Event) -> list[Action]:
        assert self._core is not None
        return self._core.step(self.clock.now(), event)

    def _make(self, call: Call) -> None:
        if not self._calls:
            self.clock.catch_up()
        self._calls[0] = call
        self.check()  # it may be closed by now
        if self._core is None:
            self._core = self._make_core()
        number = call.make(self._core)
        if call.came_from is not None:
            info = self._core.info(number)
            call.is_tool, call.in_doubt = info["method"] == "tools/call", info.get("inDoubt", False)
        call.number = number
        self._calls[number] = self._calls.pop(0)

    def _make_core(self) -> SessionCore:
        # No other call began with this id, in all likelihood.
        return SessionCore(self._compiled, {"firstId": random.SystemRandom().randrange(1, 1 << 20), **self._shape})

    def _refused(self, happened: Happened, error: ParleyError) -> None:
        """The engine has refused an event."""
        event, call = happened.event, happened.call
        if call is None:
            self.warn(str(error))
            if event["type"] == "part":
                self._queue.drop(event["exchange"])
            if event["type"] == "part" or event.get("last"):
                self.step(
                    {"type": "ended", "exchange": event["exchange"], "reason": "the answer cannot be read"}, error
                )
        elif event["type"] in ("begin", "cancel"):
            self._finish(call, error)
        elif event["type"] != "park" or error.code != Code.NOT_PARKABLE:  # else it goes on
            call.step("cancel", error)

    def _perform(self, action: Action) -> None:
        call = self._calls.get(action.get("call", 0))
        match action["type"]:
            case "post" | "request" | "listen" | "delete" | "abort":
                self._carry(action, call)
            case "wait" if "call" not in action:
                self._timer.set(action["until"])
            case "ready":
                self._shape["known"] = action["version"]
                observe(self._watchers.ready, _content(action))
            case "warning":
                self.warn(action["text"])
            case "notification":
                own = None if call is None else call.watchers.notification
                observe(own or self._watchers.notification, action["method"], action.get("params"))
            case _ if call is None:
                pass  # it is over
            case "save":
                call.save(self._snapshot(call))
            case "ask":
                call.ask(action)
            case "withdraw":
                parks = any(later["type"] == "parked" and later["call"] == call.number for later in self._actions)
                call.withdraw(action["ask"], is_parked=parks)
            case "wait":
                call.wait(action["until"])
            case "progress":
                call.tell(call.watchers.progress, action["leg"], action["params"])
            case "task":
                call.tell(call.watchers.task, action["status"], action.get("message"))
            case "note" | "leg" | "pause" as kind:
                call.tell(getattr(call.watchers, kind), _content(action))
            case "done" | "parked" | "failed":
                self._finish(call, self._outcome(call, action))

    def _carry(self, action: Action, call: Call | None) -> None:
        exchange = action["exchange"]
        unwanted = exchange if action["type"] == "abort" else action.get("cancels")
        if unwanted is not None:
            self._queue.drop(unwanted)
        if call is not None:
            call.in_doubt = call.is_tool
        perform = self._transport.perform
        try:
            if perform(action) if call is None else call.run(perform, action):  # it had not begun what is unwanted
                ended = {"type": "ended", "exchange": unwanted, "unsent": True}
                self._actions.extendleft(reversed(self._stepped(ended)))
        except InstanceError:
            raise
        except Exception as error:
            self.report({"type": "ended", "exchange": exchange, **failed(error)}, error)

    def _snapshot(self, call: Call) -> str:
        assert self._core is not None
        return self._core.snapshot(call.number).decode()

    def _outcome(self, call: Call, action: Action) -> Outcome | CallFailed:
        if action["type"] == "parked":
            return Pending(call.questions, self._snapshot(call))
        if action["type"] == "done":
            result = action.get("result")
            if result is None:
                assert self._last.whole is not None
                result = self._last.whole[action["from"] : action["to"]]
            return Done(result, action.get("noStore", False), next=action.get("next"), lacks=action.get("lacks"))
        assert self._core is not None
        ended = CallFailed(
            action["code"],
            action["detail"],
            in_doubt=self._core.info(call.number).get("inDoubt", False),
            snapshot=self._snapshot(call) if action.get("resumable") else None,
            response=action.get("error"),
        )
        ended.__cause__ = self._last.cause
        return ended

    def _finish(self, call: Call, outcome: Outcome | Exception) -> None:
        self._calls.pop(call.number, None)
        if self._core is not None and call.number:
            self._core.drop(call.number)
        call.end(outcome)

    def _trapped(self, trap: InstanceError) -> None:
        """Fails every call. Nothing in the core can be trusted."""
        if self._core is not None:
            self._core.free()
        self._core = None
        self._actions.clear()
        self._queue.clear()
        self._timer.set(0)
        self._transport.reset()
        reader: Instance | None = None
        with suppress(InstanceError):
            reader = Instance(self._compiled)
        for call in list(self._calls.values()):
            self._finish(call, _lost(call, trap, reader))


def _lost(call: Call, trap: InstanceError, reader: Instance | None) -> CallFailed:
    """How a trap ends a call: with the snapshot that was kept last, which says whether it is in doubt."""
    in_doubt = call.in_doubt
    if call.kept is not None:
        in_doubt = call.is_tool  # in case that it cannot be read
        if reader is not None:
            with suppress(ParleyError):
                in_doubt = reader.read("parley_snapshot_info", call.kept.encode()).get("inDoubt", False)
    detail = _NOT_SAVED if call.kept is None else _SAVED
    lost = CallFailed(Code.INSTANCE, detail, in_doubt=in_doubt, snapshot=call.kept)
    lost.__cause__ = trap
    return lost


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _content(action: Action) -> dict[str, Any]:
    """What an action says beside whose it is."""
    return {name: value for name, value in action.items() if name not in ("type", "call")}

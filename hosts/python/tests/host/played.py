"""A call of a script, and its callbacks."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from host.driver_lines import Raw, written
from host.driver_script import Impossible
from parley_mrtr.host import (
    PARK,
    Askers,
    CallFailed,
    Code,
    Done,
    Outbound,
    Outcome,
    ParleyError,
    Pending,
    Question,
    Requests,
    Session,
    SessionWatchers,
    UnsentError,
    Watchers,
)

if TYPE_CHECKING:
    from host.drivers import Stage

_ASKERS = {"elicit": "elicit", "elicitUrl": "elicit_url", "sample": "sample", "listRoots": "list_roots"}
_FLAGS = {"sampleTools": "sample_tools", "tasks": "tasks", "fill": "fill", "anyForm": "any_form"}


class Waiting:
    """A callback that has not returned."""

    def __init__(self, ends: str | None, progress: Callable[[bytes], None] | None) -> None:
        self.back: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.ends = ends
        self.progress = progress
        self.minds: Exception | None = None


class Played:
    """A call of a script."""

    open = False

    def __init__(self, stage: Stage, prefix: str) -> None:
        self._stage = stage
        self._prefix = prefix
        self._script: dict[str, Any] = {}
        self._waiting: dict[str, Waiting] = {}  # by leg, key or save
        self._left: list[Waiting] = []  # those of the call before it was resumed
        self._task: asyncio.Task[None] | None = None
        self._park = asyncio.Event()
        self._last: str | None = None
        self._saved: str | None = None
        self._threw: list[str] = []

    def do(self, verb: str, rest: str) -> None:
        target, _, words = rest.partition(" ")
        match verb:
            case "call":
                self._script = json.loads(rest)
                self._start(self._call)
            case "resume":
                how = json.loads(rest)
                if "callbacks" in how:
                    self._script["callbacks"] = how["callbacks"]
                snapshot = how.get("snapshot") or (self._saved if how.get("from") == "save" else self._last)
                if snapshot is None:
                    raise Impossible("there is no snapshot")
                self._start(lambda session: self._resume(session, snapshot, how))
            case "park":
                self._park.set()
            case "cancel":
                task = self._task
                if task is None:
                    raise Impossible("there is no call")
                self._threw.append(rest)
                task.cancel(rest)
            case "saved":
                self._take("save").set_result(None)
            case "unsaved":
                self._take("save").set_exception(self._error(rest))
            case "response":
                self._take(target).set_result(words.encode())
            case "answer":
                self._take(target).set_result(words)
            case "base64":
                self._take(target).set_result(base64.b64decode(words))
            case "trap":
                text = b"x" * ((1 << 20) - 1000)
                self._take(target).set_result(b'{"jsonrpc":"2.0","id":1,"result":{"text":"%b"}}' % text)
            case "lost" | "refuse" | "panic":
                self._take(target).set_exception(self._error(words))
            case "unsent":
                self._threw.append(words)
                self._take(target).set_exception(UnsentError(words))
            case "parks":
                self._take(target).set_result(PARK)
            case "minds":
                self._waits(target).minds = self._error(words)
            case "progress":
                progress = self._waits(target).progress
                if progress is None:
                    raise Impossible(f"{target} has no progress")
                progress(words.encode())
            case _:
                raise Impossible("nothing of this name can happen")

    def release(self) -> None:
        for waiting in itertools.chain(self._waiting.values(), self._left):
            if not waiting.back.done():
                waiting.back.set_exception(RuntimeError("the script is over"))
        self._waiting.clear()
        if self._task:
            self._task.cancel()

    def _start(self, run: Callable[[Session], Awaitable[Outcome]]) -> None:
        if self.open:
            raise Impossible("the call before is not over")
        for waiting in self._waiting.values():
            waiting.ends = None
        self._left += self._waiting.values()
        self._waiting = {}
        self._park = asyncio.Event()
        askers = self._askers(self._script.get("session") or [])
        session = Session(self._stage.compiled, Requests(self._send), askers, {}, SessionWatchers())
        self._stage.live.append(session)
        self.open = True
        self._task = asyncio.create_task(self._run(run(session)))
        self._task.add_done_callback(self._done)

    def _call(self, session: Session) -> Awaitable[Outcome]:
        script = self._script
        params = json.dumps(script.get("params", {}), separators=(",", ":"))
        return session.call(script["method"], params, options=script.get("options"), **self._side())

    def _resume(self, session: Session, snapshot: str, how: dict[str, Any]) -> Awaitable[Outcome]:
        return session.resume_call(
            snapshot,
            expect=how.get("expect"),
            resend=how.get("resend", False),
            again=how.get("again", False),
            more_rounds=how.get("moreRounds", 0),
            **self._side(),
        )

    async def _run(self, outcome: Awaitable[Outcome]) -> None:
        self._last = None
        canceled = self._script.pop("canceled", None)
        if canceled is not None:  # before the call begins
            own = asyncio.current_task()
            assert own
            own.cancel(str(self._error(canceled)))
        try:
            line = self._end(await outcome)
        except CallFailed as failed:
            line = self._failed(failed, failed.__cause__)
        except asyncio.CancelledError as canceled:
            assert isinstance(canceled.__cause__, CallFailed)
            failed = canceled.__cause__
            line = self._failed(failed, failed.__cause__ if failed.code == Code.INSTANCE else canceled)
        except ParleyError as error:
            line = written("misuse", {"code": error.code, "detail": error.detail})
        self.open = False
        self._note(line)

    def _end(self, outcome: Outcome) -> str:
        if isinstance(outcome, Pending):
            self._last = outcome.snapshot
            return "parked"
        assert isinstance(outcome, Done)
        try:
            text = '"result":' + outcome.result.decode()
        except UnicodeDecodeError:
            text = f'"base64":"{base64.b64encode(outcome.result).decode()}"'
        if outcome.no_store:
            text += ',"noStore":true'
        return f"done {{{text}}}"

    def _failed(self, failed: CallFailed, cause: BaseException | None) -> str:
        self._last = failed.snapshot
        said: list[str] = []
        while cause is not None:
            said.append(str(cause))
            cause = cause.__cause__
        why = [words for words in self._threw if any(words in text for text in said)]
        response = failed.response
        return written(
            "failed",
            {
                "code": int(failed.code),
                "detail": failed.detail,
                "resumable": failed.resumable or None,
                "inDoubt": failed.in_doubt or None,
                "response": Raw(response) if response else None,
                "cause": why[-1] if why else None,
            },
        )

    def _note(self, line: str) -> None:
        self._stage.lines.append(self._prefix + line)

    def _error(self, words: str) -> Exception:
        """An error of the script."""
        self._threw.append(words)
        return RuntimeError(words)

    def _done(self, task: asyncio.Task[None]) -> None:
        fault = asyncio.CancelledError("the call") if task.cancelled() else task.exception()
        if fault is not None:
            self.open = False
            self._stage.faults.append(fault)

    def _waits(self, name: str) -> Waiting:
        if name not in self._waiting:
            raise Impossible(f"no callback waits for {name}")
        return self._waiting[name]

    def _take(self, name: str) -> asyncio.Future[Any]:
        back = self._waits(name).back
        del self._waiting[name]
        return back

    async def _wait(
        self, name: str, line: str, ends: str | None = None, progress: Callable[[bytes], None] | None = None
    ) -> Any:
        """Notes a line and waits until the script lets the callback return, even if it is cancelled meanwhile."""
        self._note(line)
        if self._stage.over:
            raise RuntimeError("the script is over")
        waiting = self._waiting[name] = Waiting(ends, progress)
        while True:
            try:
                return await asyncio.shield(waiting.back)
            except asyncio.CancelledError:
                if waiting.back.done():
                    raise
                if waiting.minds:
                    del self._waiting[name]
                    raise waiting.minds from None
                if waiting.ends:
                    self._note(waiting.ends)
                    waiting.ends = None

    async def _send(self, outbound: Outbound) -> bytes:
        line = {
            "leg": outbound.leg or None,
            "method": outbound.method,
            "params": Raw(outbound.params),
            "capabilities": Raw(outbound.capabilities),
        }
        if not outbound.leg:
            self._note(written("tell", line))
            raise RuntimeError("nobody waits for it")
        leg = str(outbound.leg)
        return bytes(await self._wait(leg, written("send", line), f"aborted {leg}", outbound.progress))

    def _side(self) -> dict[str, Any]:
        """What runs with a call, as a script names it."""
        names = self._script.get("callbacks") or []
        side: dict[str, Any] = {}
        if any(name == "noAskers" or name in _ASKERS or name in _FLAGS for name in names):
            side["askers"] = self._askers(names)
        if "park" in names:
            side["park"] = self._park
        if "save" in names:
            side["save"] = self._save
        side["watchers"] = self._watchers(names)
        return side

    def _save(self, snapshot: str) -> Awaitable[Any]:
        self._saved = snapshot
        return self._wait("save", "save")

    def _askers(self, names: list[str]) -> Askers:
        found: dict[str, Any] = {_FLAGS[name]: True for name in names if name in _FLAGS}
        for name in names:
            if name in _ASKERS:
                found[_ASKERS[name]] = self._asker(name)
        return Askers(**found)

    def _asker(self, name: str) -> Callable[[Question], Awaitable[Any]]:
        def ask(question: Question) -> Awaitable[Any]:
            line = {
                "ask": int(question.id),
                "key": question.key,
                "mode": question.mode,
                "params": question.params and Raw(question.params),
                "round": question.round,
                "host": question.host,
                "loopback": question.loopback or None,
                "punycode": question.punycode or None,
                "repeat": question.repeat or None,
                "problem": question.problem,
                "earlier": question.earlier and Raw(question.earlier),
            }
            return self._wait(question.key, written(name, line), f"withdrawn {question.key}")

        return ask

    def _watchers(self, names: list[str]) -> Watchers:
        def watch(name: str, said: dict[str, Any]) -> None:
            self._note(written(name, said))
            if "watchersPanic" in names:
                raise RuntimeError("a watcher that raises")

        def some(said: dict[str, Any], *members: str) -> dict[str, Any]:
            return {member: said.get(member) or None for member in members}

        leg = "leg", "method", "size", "answer", "state", "asks"
        every: dict[str, Callable[..., None]] = {
            "task": lambda status, message: watch("task", {"status": status, "message": message}),
            "progress": lambda leg, params: watch("progress", {"leg": leg, "params": Raw(params)}),
            "note": lambda note: watch("note", some(note, "kind", "leg", "ask", "action")),
            "leg": lambda said: watch("leg", some(said, *leg)),
            "pause": lambda said: watch("pause", some(said, "waits")),
        }
        return Watchers(**{name: every[name] for name in every if f"on{name.capitalize()}" in names})

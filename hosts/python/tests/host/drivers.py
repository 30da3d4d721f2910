"""The stage on which scripts of hosts/testdata/drivers are played: the package's driver, in a time of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from wasmtime import Engine, Module, Trap

from host.driver_lines import in_order
from host.driver_script import Impossible
from host.played import Played
from host.standing_time import StandingLoop
from parley_mrtr.host import Session, module
from parley_mrtr.host.instance import Compiled, Instance

_REPEAT = re.compile(r"@repeat\((.),(\d+)\)")


def small() -> Compiled:
    """An engine with so little memory that a large message traps it."""
    engine = Engine()
    return Compiled(engine, Module(engine, module.wasm()), 40 << 16)


class Trapping:
    """Instances of the engine that trap where a script says so, while it lasts."""

    def __init__(self) -> None:
        self.next: set[str] = set()
        """The exports of which the next call traps."""
        self._patch = patch.object(Instance, "call", self._watched(Instance.call))

    def __enter__(self) -> Trapping:
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()

    def _watched(self, call: Callable[..., int]) -> Callable[..., int]:
        def watched(instance: Instance, export: str, *arguments: float) -> int:
            if export in self.next:
                self.next.discard(export)
                raise Trap("unreachable")
            return call(instance, export, *arguments)

        return watched


_playing: ContextVar[Played] = ContextVar("playing")  # whose request it is, over a connection of both


class Stage:
    """Where one script is played. What it raises is a fault of the driver, unless it is Impossible."""

    def __init__(self, compiled: Compiled, trapping: Trapping) -> None:
        self.compiled = compiled
        self.lines: list[str] = []
        self.over = False
        self.faults: list[BaseException] = []
        """What the driver has raised that is none of its errors."""
        self.live: list[Session] = []
        self.loop = StandingLoop()
        self.loop.set_exception_handler(self._unheard)
        self._trapping = trapping
        self._calls = (Played(self, ""), Played(self, "other "))

    @property
    def open(self) -> bool:
        return any(call.open for call in self._calls)

    def shared(self, call: Played) -> Session | None:
        """The session that a call has in common with the first one, or with itself before a trap."""
        first = self._calls[0]
        return first.session if call.trapped or (call is not first and first.open) else None

    async def send(self, outbound: Outbound) -> bytes:
        return await _playing.get().send(outbound)

    async def _do(self, line: str) -> None:
        call = self._calls[line.startswith("other ")]
        verb, _, rest = line.removeprefix("other ").partition(" ")
        if verb == "until":
            self._until(rest)
        elif verb == "traps":
            self._trapping.next.add(f"parley_session_{rest}")
        else:
            self.loop.done(lambda: call.do(verb, rest))
        return self.called()

    def called(self) -> list[str]:
        """What was called since the last time."""
        if self.faults:
            raise self.faults.pop(0)
        lines, self.lines = self.lines, []
        return in_order(lines)

    def end(self) -> list[str]:
        """Lets every callback return, and answers what is called even then. Nothing of the driver may be left."""
        self.over = True
        self.lines = []
        for call in self._calls:
            call.release()
        late = await self._called()
        for session in self.live:
            await session.close()
        return late + await self._called()


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
    session: Session | None = None
    trapped = False

    def __init__(self, stage: Stage, prefix: str) -> None:
        self._stage = stage
        self._prefix = prefix
        self._script: dict[str, Any] = {}
        self._waiting: dict[str, Waiting] = {}  # by leg, key or save
        self._left: list[Waiting] = []  # those of the call before it was resumed
        self._task: asyncio.Task[None] | None = None
        self._last: str | None = None
        self._saved: str | None = None
        self._threw: list[str] = []

    async def do(self, verb: str, rest: str) -> None:
        target, _, words = rest.partition(" ")
        match verb:
            case "call":
                self._script = json.loads(rest)
                self._start(self._call)
            case "resume":
                how = json.loads(rest)
                self._script["callbacks"] = how.get("callbacks") or self._script.get("callbacks")
                self._start(lambda session: self._resume(session, how))
            case "park":
                self._park.set()
            case "cancel":
                assert self._task
                self._threw.append(rest)
                self._task.cancel(rest)
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
                self._waiting[target].minds = self._error(words)
            case "progress":
                progress = self._waiting[target].progress
                assert progress
                progress(words.encode())
            case _:
                raise AssertionError(f"nothing of the name {verb} can happen")

    def release(self) -> None:
        for waiting in itertools.chain(self._waiting.values(), self._left):
            if not waiting.back.done():
                waiting.back.set_exception(RuntimeError("the script is over"))
        self._waiting.clear()
        if self._task:
            self._task.cancel()

    def _start(self, run: Callable[[Session], Awaitable[Outcome]]) -> None:
        assert not self.open, "the call before is not over"
        self._left += self._waiting.values()
        self._waiting = {}
        self._park = asyncio.Event()
        session = self._stage.shared(self)
        if session is None:
            askers = self._askers(self._script.get("session") or [])
            session = Session(self._stage.compiled, Requests(self._stage.send), askers, {}, SessionWatchers())
            self._stage.live.append(session)
        self.session = session
        self.trapped = False
        self.open = True
        self._task = asyncio.create_task(self._run(run(session)))

    def _call(self, session: Session) -> Awaitable[Outcome]:
        script = self._script
        params = json.dumps(script.get("params", {}), separators=(",", ":"))
        return session.call(script["method"], params, options=script.get("options"), **self._side())

    def _resume(self, session: Session, how: dict[str, Any]) -> Awaitable[Outcome]:
        snapshot = how.get("snapshot") or (self._saved if how.get("from") == "save" else self._last)
        assert snapshot, "there is no snapshot"
        return session.resume_call(
            snapshot,
            expect=how.get("expect"),
            resend=how.get("resend", False),
            again=how.get("again", False),
            more_rounds=how.get("moreRounds", 0),
            **self._side(),
        )

    async def _run(self, outcome: Awaitable[Outcome]) -> None:
        _playing.set(self)
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
            line = _line("misuse", {"code": error.code, "detail": error.detail})
        self.open = False
        self._note(line)

    def _until(self, name: str) -> None:
        def come() -> bool:
            return any(f"{line} ".startswith(f"{name} ") for line in self.lines)

    def _failed(self, failed: CallFailed, cause: BaseException | None) -> str:
        self._last = failed.snapshot
        self.trapped = failed.code == Code.INSTANCE
        said: list[str] = []
        while cause is not None:
            said.append(str(cause))
            cause = cause.__cause__
        why = [words for words in self._threw if any(words in text for text in said)]
        response = failed.response
        return _line(
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

    def _take(self, name: str) -> asyncio.Future[Any]:
        assert name in self._waiting, f"no callback waits for {name}"
        return self._waiting.pop(name).back

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

    async def send(self, outbound: Outbound) -> bytes:
        line = {
            "leg": outbound.leg or None,
            "method": outbound.method,
            "params": Raw(outbound.params),
            "capabilities": Raw(outbound.capabilities),
        }
        if not outbound.leg:
            self._note(_line("tell", line))
            raise RuntimeError("nobody waits for it")
        leg = str(outbound.leg)
        return bytes(await self._wait(leg, _line("send", line), f"aborted {leg}", outbound.progress))

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
            return self._wait(question.key, _line(name, line), f"withdrawn {question.key}")

        return ask

    def _watchers(self, names: list[str]) -> Watchers:
        def watch(name: str, said: dict[str, Any]) -> None:
            self._note(_line(name, said))
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


def _line(name: str, said: dict[str, Any]) -> str:
    members = []
    for member, value in said.items():
        if value is not None:
            text = value.text.decode() if isinstance(value, Raw) else json.dumps(value, ensure_ascii=False)
            members.append(f'"{member}":{text}')
    return f"{name} {{{','.join(members)}}}"


def _sorted(calls: list[str]) -> list[str]:
    """What comes at the same time, in the order of the lines."""

    def rank(call: str) -> int:
        return _RANKS.get(call.removeprefix("other ").split(" ")[0], 0)

    def order(call: str) -> tuple[int, str]:
        return rank(call), call.removeprefix("other ").partition(" ")[2]

    concurrent = sorted((call for call in calls if 0 < rank(call) < 4), key=order)
    rest = [call for call in calls if not 0 < rank(call) < 4]
    end = next((i for i, call in enumerate(rest) if rank(call) == 4), len(rest))
    return rest[:end] + concurrent + rest[end:]

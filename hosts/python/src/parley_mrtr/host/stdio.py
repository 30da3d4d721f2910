"""Servers that are a process of the host: messages as lines on its standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal

from parley_mrtr.host.core import Action, Event
from parley_mrtr.host.transport import Carrier, Receive
from parley_mrtr.host.words import sized

# The variables that a server's process gets unless it is trusted with more; the others are of Windows.
_HARMLESS = (
    *("HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"),
    *(
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATHEXT",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERPROFILE",
    ),
)
_PATIENCE = 2.0  # s: how long a process may take to end by itself, and then by SIGTERM
_DRAIN = 0.2  # s: how long the rest of its output may take after it ended, which a child of its own may hold open


class TooLongError(Exception):
    """A line is longer than it may be."""


class Stdio:
    """The process is started for the first message, and anew for the next one after it ended.

    `env` is beside the few variables that a program needs to run; `os.environ` gives it all. `stderr`, a file
    descriptor, takes its log, which goes nowhere without. `max_message` bounds one message of the server, in bytes.
    """

    def __init__(
        self,
        command: str,
        arguments: Sequence[str] = (),
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        stderr: int = DEVNULL,
        max_message: int = 65 << 20,
    ) -> None:
        self.command = command
        self.arguments = tuple(arguments)
        self.env = {**{name: os.environ[name] for name in _HARMLESS if name in os.environ}, **(env or {})}
        self.cwd = cwd
        self.stderr = stderr
        self.max_message = max_message

    @property
    def kind(self) -> Literal["stdio"]:
        return "stdio"

    def open(self, receive: Receive) -> Carrier:
        return _Carrier(self, receive)


class _Carrier:
    def __init__(self, options: Stdio, receive: Receive) -> None:
        self._options = options
        self._receive = receive
        self._process: _Server | None = None
        self._ending: set[asyncio.Task[None]] = set()

    def perform(self, action: Action) -> bool:
        unwanted = action["exchange"] if action["type"] == "abort" else action.get("cancels")
        if unwanted is not None and self._process is not None and self._process.drop(unwanted):
            return True
        if action["type"] != "post":
            return False  # nothing else is asked for over one connection
        if self._process is None or self._process.gone:
            self._process = self._begin()
        self._process.write(action["exchange"], action["body"])
        return False

    def reset(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    async def close(self) -> None:
        if self._process is not None:
            await self._process.close()
        if self._ending:
            await asyncio.wait(self._ending)

    def _begin(self) -> _Server:
        server = _Server(self._options, self._receive)
        self._ending.add(server.running)
        server.running.add_done_callback(self._ending.discard)
        return server


class _Server:
    """One life of a server."""

    def __init__(self, options: Stdio, receive: Receive) -> None:
        self.gone = False  # another may be started
        self._options = options
        self._receive = receive
        self._over = False  # nothing of it is of interest any more
        self._killed = False
        self._unwritten: dict[int, bytes] = {}  # by exchange
        self._writing: int | None = None  # the first of them, once a part of it may be written
        self._more = asyncio.Event()
        self._written = asyncio.Event()  # all of them
        self._closing = asyncio.Event()
        self.running = asyncio.create_task(self._run())

    def write(self, exchange: int, body: bytes) -> None:
        self._unwritten[exchange] = body
        self._written.clear()
        self._more.set()

    def drop(self, exchange: int) -> bool:
        """Drops a message, if nothing of it is written."""
        return exchange != self._writing and self._unwritten.pop(exchange, None) is not None

    def kill(self) -> None:
        """Ends it at once."""
        self._over = self._killed = True
        self._closing.set()

    async def close(self) -> None:
        """Ends it as basic/transports/stdio, Shutdown says: its input is closed, and then it is terminated."""
        self._over = True
        self._closing.set()
        await asyncio.wait([self.running])

    async def _run(self) -> None:
        options = self._options
        try:
            process = await asyncio.create_subprocess_exec(
                options.command,
                *options.arguments,
                stdin=PIPE,
                stdout=PIPE,
                stderr=options.stderr,
                env=options.env,
                cwd=options.cwd,
            )
        except (OSError, ValueError) as error:
            self._unsend(_unstarted(options.command, error), error)
            return
        reading = asyncio.create_task(self._read(process))
        writing = asyncio.create_task(self._write(process))
        closing = asyncio.create_task(self._closing.wait())
        try:
            await self._live(process, reading, writing, closing)
        finally:
            for task in reading, writing, closing:
                task.cancel()
            await self._end(process)

    async def _live(
        self, process: Process, reading: asyncio.Task[None], writing: asyncio.Task[None], closing: asyncio.Task[bool]
    ) -> None:
        """Until it ends, or is of no more use."""
        exited = asyncio.create_task(process.wait())
        try:
            await asyncio.wait({reading, writing, closing, exited}, return_when=asyncio.FIRST_COMPLETED)
            if closing.done():
                await self._say_the_rest(writing)
                return
            # If it ended, which its pipes may show first, what it wrote is still read.
            await asyncio.wait({exited}, timeout=_DRAIN)
            await asyncio.wait({reading}, timeout=_DRAIN)
        finally:
            exited.cancel()
        cause = reading.exception() if reading.done() else None
        if isinstance(cause, TooLongError):
            most = sized(self._options.max_message)
            self._tell(f"a message that it sent is longer than {most} (max_message)", cause)
        elif process.returncode is not None:
            self._tell(_status(process.returncode), None)
        else:
            self._tell("it reads no more messages" if writing.done() else "it writes no more messages", None)

    async def _write(self, process: Process) -> None:
        """Writes one message after the other: of several at once nobody would know which of them was written."""
        stdin = process.stdin
        assert stdin is not None
        stdin.transport.set_write_buffer_limits(high=0)
        while True:
            while self._unwritten:
                exchange, body = next(iter(self._unwritten.items()))
                self._writing = exchange
                stdin.write(body + b"\n")
                try:
                    await stdin.drain()
                except ConnectionError:
                    return  # the process has ended, or does not read any more
                del self._unwritten[exchange]
                self._writing = None
            self._written.set()
            self._more.clear()
            await self._more.wait()

    async def _read(self, process: Process) -> None:
        stdout = process.stdout
        assert stdout is not None
        parts: list[bytes] = []
        size = 0
        while chunk := await stdout.read(1 << 16):
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                self._bound(size + len(line))
                body = b"".join((*parts, line))
                parts, size = [], 0
                if body:
                    room = self._feed({"type": "message", "exchange": 0, "body": body})
                    if room is not None:
                        await room
            parts.append(rest)
            size += len(rest)
            self._bound(size)
        if size:  # the last line may lack its end
            self._feed({"type": "message", "exchange": 0, "body": b"".join(parts)})

    def _bound(self, size: int) -> None:
        if size > self._options.max_message:
            raise TooLongError

    async def _say_the_rest(self, writing: asyncio.Task[None]) -> None:
        """Writes what was to be written before it was closed, such as cancellations."""
        if not self._killed:
            written = asyncio.create_task(self._written.wait())
            await asyncio.wait({writing, written}, timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            written.cancel()

    async def _end(self, process: Process) -> None:
        """Ends it, politely first, and waits until it has ended."""
        if process.stdin is not None and not self._killed:
            process.stdin.close()
        for end in (process.terminate, process.kill):
            if process.returncode is None and not self._killed:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(process.wait(), _PATIENCE)
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    (process.kill if self._killed else end)()
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]

    def _tell(self, reason: str, cause: BaseException | None) -> None:
        """Tells of each message that was not written, and then of its end."""
        self._unsend(f"the server's process ended: {reason}", cause)
        self._feed({"type": "down", "reason": reason}, cause)
        self._over = True

    def _unsend(self, reason: str, cause: BaseException | None) -> None:
        self.gone = True
        for exchange in self._unwritten:
            self._feed({"type": "ended", "exchange": exchange, "reason": reason, "unsent": True}, cause)
        self._unwritten.clear()

    def _feed(self, event: Event, cause: BaseException | None = None) -> asyncio.Future[None] | None:
        return None if self._over else self._receive(event, cause)


def _unstarted(command: str, error: Exception) -> str:
    """Why a program cannot be started. Its arguments may hold a secret."""
    if isinstance(error, FileNotFoundError):
        why = "was not found"
    elif isinstance(error, PermissionError):
        why = "may not be run"
    else:
        why = f"cannot be run ({type(error).__name__})"
    return f"the server's program cannot be started: {json.dumps(command)} {why}"


def _status(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"

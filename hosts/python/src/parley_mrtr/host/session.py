"""Calls to one server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any

from parley_mrtr.host import listing
from parley_mrtr.host.call import Call, Save
from parley_mrtr.host.driver import Driver
from parley_mrtr.host.errors import CallFailed, Code
from parley_mrtr.host.frame import utf8
from parley_mrtr.host.instance import Compiled
from parley_mrtr.host.listing import Tool
from parley_mrtr.host.options import Expect, Options, SessionOptions
from parley_mrtr.host.outcome import Outcome, Pending
from parley_mrtr.host.parking import Answers, Desk
from parley_mrtr.host.question import Askers, json_text
from parley_mrtr.host.results import ToolResult, tool_result
from parley_mrtr.host.transport import Transport
from parley_mrtr.host.watchers import SessionWatchers, Watchers

Params = Mapping[str, Any] | str | bytes
"""Values, or JSON text, which goes out as it is."""


class Session:
    """A session with a server. Nothing is sent before its first call.

    It belongs to the event loop that uses it first, and is refused in others. `async with` closes it: calls that run are cancelled, resumably, and
    the server is told, which may take it 5 s. All else ends at once.
    """

    def __init__(
        self,
        compiled: Compiled,
        transport: Transport,
        askers: Askers,
        shape: SessionOptions,
        watchers: SessionWatchers,
    ) -> None:
        self._askers = askers
        full = {**shape, "can": askers.can(), "transport": transport.kind, "cache": False}
        self._driver = Driver(compiled, transport, full, watchers)

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def call(
        self,
        method: str,
        params: Params = b"{}",
        *,
        options: Options | None = None,
        askers: Askers | None = None,
        watchers: Watchers | None = None,
        save: Save | None = None,
        park: asyncio.Event | None = None,
    ) -> Outcome:
        """Makes a call and waits until it is done, or an asker or `park` has parked it.

        `askers` stand in place of the session's. `save` is given a snapshot, which holds a secret, and awaited before
        each leg is sent, when questions open and after each answer: a process that is killed then loses nothing. If
        it raises, the call ends. `park` parks the call as soon as it can be. Cancelling the task cancels the call; what
        became of it is the `__cause__` of the CancelledError. It raises CallFailed, and ParleyError where it is used
        wrongly, before anything is sent.
        """
        made: Options = {**options} if options else {}
        if askers is not None or "capabilities" in made:
            made["can"] = (askers or self._askers).can()
        text = json_text(params)
        self._driver.check()
        call = Call(
            self._driver,
            lambda core: core.call(method, text, made),
            askers=askers or self._askers,
            watchers=watchers,
            save=save,
            park=park,
        )
        call.is_tool = method == "tools/call"
        return await self._run(call)

    async def resume_call(
        self,
        snapshot: str,
        *,
        expect: Expect | None = None,
        resend: bool = False,
        again: bool = False,
        more_rounds: int = 0,
        askers: Askers | None = None,
        watchers: Watchers | None = None,
        save: Save | None = None,
        park: asyncio.Event | None = None,
    ) -> Outcome:
        """Continues a call from its snapshot: a question that was open is put again, and nothing that was answered.

        `expect` has the labels that the call was made with. A tool call that was in flight fails as in doubt, because
        the tool may have run; `resend` calls it anyway. `again` starts the call over, as after Code.STATE;
        `more_rounds` lets the server ask in that many more rounds. The rest is as for `call`.
        """
        askers = askers or self._askers
        text = json_text(snapshot)
        expected: Expect = {**expect} if expect else {}
        expected["can"] = askers.can()
        self._driver.check()
        call = Call(
            self._driver,
            lambda core: core.restore(text, expected),
            askers=askers,
            watchers=watchers,
            save=save,
            park=park,
            came_from=snapshot,
        )
        return await self._run(call, resend=resend or None, again=again or None, moreRounds=more_rounds or None)

    async def start(
        self,
        method: str,
        params: Params = b"{}",
        *,
        url: bool = True,
        options: Options | None = None,
        watchers: Watchers | None = None,
        save: Save | None = None,
    ) -> Outcome:
        """Makes a call as far as it goes without a person: Done, or Pending with what the server asks.

        Elicitations wait in the Pending, whichever askers the session has; `url` says that those may be that lead to a
        page. What is asked of a model or of the host the session's askers answer. A server of an earlier era waits in
        the connection for its answer, so that its elicitations are the session's askers' as well, if there are any.
        """
        desk = Desk(self._askers, {})
        every: Options = {"askConcurrency": -1, **(options or {})}  # all questions of a round wait together
        askers = desk.askers(url)
        return await self.call(method, params, options=every, askers=askers, watchers=watchers, save=save)

    async def resume(
        self,
        snapshot: str,
        answers: Answers,
        *,
        expect: Expect | None = None,
        resend: bool = False,
        again: bool = False,
        more_rounds: int = 0,
        watchers: Watchers | None = None,
        save: Save | None = None,
    ) -> Outcome:
        """Goes on with what `start` or `resume` left pending, in this session or in another with the same server.

        `answers` are ElicitResults by the `id` of the questions. What has none waits on, and so does a question whose
        answer cannot be used, with its `problem`. The rest is as for `resume_call`.
        """
        return await self.resume_call(
            snapshot,
            expect=expect,
            resend=resend,
            again=again,
            more_rounds=more_rounds,
            askers=Desk(self._askers, answers).askers(True),
            watchers=watchers,
            save=save,
        )

    async def call_tool(
        self,
        name: str,
        arguments: Params | None = None,
        *,
        task: Mapping[str, int] | None = None,
        options: Options | None = None,
        watchers: Watchers | None = None,
        save: Save | None = None,
    ) -> ToolResult:
        """Calls a tool, and waits until it is done. A tool that failed has a result, with `is_error`. One whose result
        lacks what it must bring raises CallFailed, which has it in `raw`: the tool has run.

        `task`, `{}` or `{"ttl": 60000}` in milliseconds, asks the server to run the tool as a task, as of MCP
        2025-11-25, where the tool's `execution` says that it may: the call can then be parked while the tool runs. A
        call that cannot be a task there fails, and nothing is sent. A tool that runs only as a task gets one unasked.
        Servers of MCP 2026-07-28 decide that themselves, and of earlier versions have none."""
        params = b'{"name":%b' % utf8(json.dumps(name))
        if arguments is not None:
            params += b',"arguments":%b' % json_text(arguments)
        if task is not None:
            params += b',"task":%b' % json_text(task)
        params += b"}"
        return tool_result(await self.call("tools/call", params, options=options, watchers=watchers, save=save))

    def tools(self) -> AsyncIterator[Tool]:
        """The tools of the server. Pages are fetched as they are needed, at most 1,000; nobody is asked anything. A tool
        without a name is left out, and a list that would never end ends, which the watcher `warning` is told."""
        return listing.tools(lambda params: self.call("tools/list", params, askers=Askers()), self._driver.warn)

    async def close(self) -> None:
        """Ends the session: calls that run are cancelled, resumably, and the server is told.

        What it is told last, such as that a call or a task is cancelled, gets 5 s to arrive; all else ends at once.
        """
        await self._driver.close()

    async def _run(self, call: Call, **how: Any) -> Outcome:
        """Waits for the end of a call. A caller that is cancelled cancels the call, and waits for its end all the same."""
        canceled: asyncio.CancelledError | None = None
        try:
            await asyncio.sleep(0)  # a caller that gave up before is cancelled here
            call.begin(**how)
        except asyncio.CancelledError as error:
            canceled = error
            call.step("cancel")
        while not call.over.done():
            try:
                await asyncio.wait([call.over])
            except asyncio.CancelledError as error:
                canceled = canceled or error
                call.step("cancel")
        outcome = call.over.result()
        if canceled is not None:
            raise canceled from _unheard(outcome)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def _unheard(outcome: Outcome | Exception) -> Exception:
    """What a caller that was cancelled can learn of the call."""
    if isinstance(outcome, Pending):
        return CallFailed(Code.CANCELED, "the caller gave up", snapshot=outcome.snapshot)
    return (
        outcome
        if isinstance(outcome, Exception)
        else CallFailed(Code.CANCELED, "the caller gave up", raw=outcome.result)
    )

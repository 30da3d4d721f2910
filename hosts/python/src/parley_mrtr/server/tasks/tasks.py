"""Tools whose calls go on after they were answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from mcp.server.context import HandlerResult, ServerRequestContext

from ...codec import Question
from ...given import check, has, is_number
from ..abilities import TASKS_EXTENSION, abilities
from ..authenticated import authenticated
from ..capability import undeclared
from ..middleware import GuardMiddleware
from ..protect import low_level
from .run import TaskMiddleware, Who, owner_of
from .shelf import Shelf
from .store import TaskMemory, TaskRecord, TaskStore
from .task import Call, Task, call
from .wire import TaskParams, UpdateParams, check_name, details, failure, no_tasks


class Tasks:
    """Tasks of the extension io.modelcontextprotocol/tasks: a call is answered with a task, and its handler goes on; the
    client asks how it stands, answers what it asks, and gets the result in the end.

        tasks = Tasks()
        protect(mcp, guard)
        tasks.add(mcp)

        @mcp.tool()
        @asking(guard)
        async def provision(size: str, ask: Ask) -> str:
            await ask.form(f"A {size} machine costs 12 EUR a month. All right?", Agreement)  # in a round
            task = await tasks.start()
            await task.say("Installing the system")
            ...
            await ask.form("It is installed. Start it?", Agreement)  # of the task
            return "It runs."

    What is asked before `start` costs nothing to give up; a task asks for what it finds out on its way. The task ends with
    what the call would have ended with. It needs asyncio. Clients poll: no `notifications/tasks` are sent.

    Source: ext-tasks 2026-07-28; SEP-2663.
    """

    def __init__(
        self,
        *,
        store: TaskStore | None = None,
        who: Who | None = None,
        ttl: float = 60 * 60,
        patience: float = 24 * 60 * 60,
        poll: float = 1,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`store` keeps the tasks: by default a TaskMemory with room for 1000.

        `who` names the principal of a request: others do not get to know that there is a task. By default it is that of the
        server's GuardMiddleware, else `authenticated`. If it fails, the request is refused.

        `ttl` is how long the work may take, in seconds, and then how long its result is kept. The time in which a question
        is open does not count: that is a person's, `patience` for each time that something is asked. `poll` is how often
        clients are told to ask. `now` is the clock, in Unix seconds.
        """
        self._who: Who | None = who
        check(
            store is None or has(store, "create", "load", "change", "wait"), "Tasks: store must be a TaskStore", store
        )
        needs = "Tasks: who must be a plain function that takes the request's context and returns a str or None"
        check(who is None or (callable(who) and not iscoroutinefunction(who)), needs, who)
        for name, seconds in ("ttl", ttl), ("patience", patience), ("poll", poll):
            check(is_number(seconds), f"Tasks: {name} must be a number of seconds", seconds)
            if not 0 < seconds < float("inf"):
                raise ValueError(f"Tasks: {name} must be more than 0 seconds")
        self._shelf = Shelf(TaskMemory() if store is None else store, ttl, patience, now)
        self._poll = poll

    def add(self, server: Any) -> None:
        """Gives a server the extension and its methods tasks/get, tasks/update and tasks/cancel: the SDK's low-level
        `Server`, its `MCPServer`, or a `FastMCP` of version 4. Call it after `protect`, before the server starts.
        """
        low = low_level(server, "Tasks.add")
        if any(low.get_request_handler(method) for method in ("tasks/get", "tasks/update", "tasks/cancel")):
            raise ValueError("the server has tasks already: add one Tasks, and not FastMCP's TasksExtension beside it")
        guards = [middleware for middleware in low.middleware if isinstance(middleware, GuardMiddleware)]
        who = self._who or (guards[0].who if guards else authenticated)
        low.middleware.append(TaskMiddleware(self, self._shelf, who, self._poll))
        low.extensions[TASKS_EXTENSION] = {}

        async def find(ctx: ServerRequestContext[Any, Any], params: TaskParams) -> TaskRecord:
            check_name(ctx, params.task_id)
            if not abilities(ctx).tasks:
                raise no_tasks()
            return await self._shelf.find(params.task_id, owner_of(ctx, who))

        async def get(ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
            record = await find(ctx, params)
            questions = [Question(key, asked["method"], asked.get("params")) for key, asked in record.asked.items()]
            missing = undeclared(questions, ctx.session.client_capabilities)
            if missing is not None:
                raise missing
            return details(record, self._poll)

        async def update(ctx: ServerRequestContext[Any, Any], params: UpdateParams) -> HandlerResult:
            given = params.input_responses

            def answered(record: TaskRecord, now: float) -> None:
                """What was not asked, or has been answered, means nothing."""
                keys = [key for key in given if key in record.asked]
                record.close(keys, now)
                record.answers.update((key, given[key]) for key in keys)

            await self._shelf.change((await find(ctx, params)).id, answered)
            return {}

        async def cancel(ctx: ServerRequestContext[Any, Any], params: TaskParams) -> HandlerResult:
            def canceled(record: TaskRecord, _now: float) -> None:
                record.cancel = True

            await self._shelf.change((await find(ctx, params)).id, canceled)
            return {}

        low.add_request_handler("tasks/get", TaskParams, get)
        low.add_request_handler("tasks/update", UpdateParams, update)
        low.add_request_handler("tasks/cancel", TaskParams, cancel)

    def require(self) -> None:
        """Raises the error -32021 if the client of the call has no tasks. A handler that asks before it starts a task calls
        it first: the answers would be for nothing."""
        if not self._call().may:
            raise no_tasks()

    async def start(self, *, optional: bool = False) -> Task:
        """Makes a task of the call that is served: the client is answered, and the handler goes on.

        A client without tasks gets the error -32021. With `optional` its call waits instead, and what is asked is asked in
        rounds, or by requests in earlier revisions, as without a task. Rounds run the handler from its beginning: what is
        done between `start` and a question then belongs into `Ask.once`.
        """
        check(isinstance(optional, bool), "Tasks.start: optional must be True or False", optional)
        if not optional:
            self.require()
        at = self._call()
        if at.begun:
            raise failure("This call has become a task already: start it once")
        at.begun = True
        if at.may:
            await at.begin()
        return Task(at.place)

    def _call(self) -> Call:
        at = call.get()
        if at is None or at.tasks is not self:
            raise failure("This is no tools/call of a server with these tasks: call Tasks.add with the server")
        return at

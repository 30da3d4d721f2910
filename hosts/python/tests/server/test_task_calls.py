"""Calls that go on as tasks: of the extension io.modelcontextprotocol/tasks, over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel

from parley_mrtr.server import Ask, Task, TaskMemory, Tasks, form
from tasked import ABLE, GONE, WITHOUT, Agreement, Rig, agree, run

made: list[Tasks] = []


async def start(**options: Any) -> Task:
    return await made[-1].start(**options)


def rig(work: Any, make: Any = MCPServer, **options: Any) -> Rig:
    found = Rig(work, make, **options)
    made[:] = [found.tasks]
    return found


async def asks(ask: Ask) -> str:
    task = await start()
    await task.say("About to ask")
    begin, name = await ask.all(form("Start it?", Agreement, key="start"), form("Name it?", Agreement, key="name"))
    return f"started: {begin.ok}, named: {name.ok}"


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
@run
async def test_a_task_asks_and_is_answered_one_by_one(make: Any) -> None:
    async with rig(asks, make) as at:
        first = await at.call()
        task = first["taskId"]
        assert (first["resultType"], first["ttlMs"], first["pollIntervalMs"]) == ("task", 3_600_000, 100)
        assert first["createdAt"].endswith("Z") and "inputRequests" not in first
        asked = await at.until(task, "input_required")
        assert (asked["resultType"], asked["statusMessage"]) == ("complete", "About to ask")
        assert asked["inputRequests"]["start"]["method"] == "elicitation/create"
        said = await at.result("tasks/update", taskId=task, inputResponses={**agree("start"), "other": {"ignored": 1}})
        assert said == {"resultType": "complete"}
        assert list((await at.until(task, "input_required"))["inputRequests"]) == ["name"]
        again = {**agree("start", False), **agree("name", False)}
        await at.result("tasks/update", taskId=task, inputResponses=again)
        done = await at.until(task, "completed")
        assert done["result"]["content"][0]["text"] == "started: True, named: False"
        assert await at.result("tasks/cancel", taskId=task) == {"resultType": "complete"}  # it is over: no change
        await at.until(task, "completed")


class Machine(BaseModel):
    cores: int


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
@run
async def test_the_result_is_what_the_call_would_have_had(make: Any) -> None:
    async def work() -> Machine:
        await start(optional=True)
        return Machine(cores=8)

    async with rig(work, make) as at:
        done = await at.until(await at.begin(), "completed")
        assert done["result"]["structuredContent"] == {"cores": 8}
        assert {n: v for n, v in done["result"].items() if n != "_meta"} == await at.call(able={})


@run
async def test_a_call_that_starts_no_task_is_answered_as_ever() -> None:
    async def work() -> str:
        return "quick"

    async with rig(work) as at:
        assert (await at.call())["content"][0]["text"] == "quick"


async def refuses() -> str:
    await start()
    raise MCPError(-32000, "no such region", {"region": 7})


async def breaks() -> str:
    await start()
    raise LookupError("the password is wrong")


async def returns_questions() -> Any:
    await start()
    params = ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}})
    return InputRequiredResult(input_requests={"q": ElicitRequest(params=params)})


@pytest.mark.parametrize(
    ("work", "status", "error"),
    [
        (refuses, "failed", {"code": -32000, "message": "no such region", "data": {"region": 7}}),
        (returns_questions, "failed", {"code": -32603, "message": "It failed inside the server"}),
        (breaks, "completed", None),  # with a tool's error, as a call without a task
    ],
)
@run
async def test_how_a_task_ends(work: Any, status: str, error: Any) -> None:
    async with rig(work) as at:
        done = await at.until(await at.begin(), status)
        assert done.get("error") == error
        assert error is not None or done["result"]["isError"]
        assert "password" not in str(done)


@run
async def test_a_task_asks_what_its_client_cannot_answer() -> None:
    async with rig(asks) as at:
        task = (await at.call(able={"extensions": ABLE["extensions"]}))["taskId"]
        done = await at.until(task, "failed")
        required = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        assert (done["error"]["code"], done["error"]["data"]) == (-32021, required)


@run
async def test_a_task_is_canceled() -> None:
    stopped = asyncio.Event()

    async def work(ask: Ask) -> str:
        await start()
        try:
            await ask.form("Start it?", Agreement)
        finally:
            stopped.set()
        return "never"

    async with rig(work) as at:
        task = await at.begin()
        await at.until(task, "input_required")
        await at.result("tasks/cancel", taskId=task)
        done = await at.until(task, "cancelled")
        assert stopped.is_set() and "inputRequests" not in done and "error" not in done


@run
async def test_what_does_not_fit_is_asked_again_under_another_key() -> None:
    async def work(ask: Ask) -> str:
        await start()
        return str((await ask.form("Start it?", Agreement)).ok)

    async with rig(work) as at:
        task = await at.begin()
        (key,) = (await at.until(task, "input_required"))["inputRequests"]
        await at.result("tasks/update", taskId=task, inputResponses={key: {"action": "accept", "content": {"ok": "?"}}})
        (other,) = (await at.until(task, "input_required"))["inputRequests"]
        assert other != key  # a key is the same question for the task's whole life
        await at.result("tasks/update", taskId=task, inputResponses=agree(other))
        assert (await at.until(task, "completed"))["result"]["content"][0]["text"] == "True"


@run
async def test_questions_of_several_coroutines_are_open_at_once() -> None:
    async def work(ask: Ask) -> str:
        await start()

        async def late() -> Agreement:
            for _ in range(5):
                await asyncio.sleep(0)
            return await ask.form("Two?", Agreement, key="two")

        one, two = await asyncio.gather(ask.form("One?", Agreement, key="one"), late())
        return f"{one.ok} {two.ok}"

    async with rig(work) as at:
        task = await at.begin()
        while len((await at.until(task, "input_required"))["inputRequests"]) < 2:
            pass
        await at.result("tasks/update", taskId=task, inputResponses={**agree("one"), **agree("two", False)})
        assert (await at.until(task, "completed"))["result"]["content"][0]["text"] == "True False"


@run
async def test_nobody_else_gets_to_know_of_a_task() -> None:
    async with rig(asks) as at:
        task = await at.begin()
        await at.until(task, "input_required")
        for method in "tasks/get", "tasks/update", "tasks/cancel":
            assert (await at.post(method, taskId=task, user="mallory"))["error"] == GONE
            assert (await at.post(method, taskId="made-up"))["error"] == GONE
            assert (await at.post(method, taskId=task, able={}))["error"]["code"] == -32021
            assert (await at.post(method, taskId=task, named="another"))["error"]["code"] == -32020
        only = {"extensions": ABLE["extensions"]}  # what it asks, this client cannot answer
        assert (await at.post("tasks/get", taskId=task, able=only))["error"]["code"] == -32021


@run
async def test_a_client_without_tasks_is_told() -> None:
    async def work(ask: Ask) -> str:
        made[-1].require()
        await ask.form("It costs 12 EUR. All right?", Agreement)
        await start()
        return "done"

    async with rig(work) as at:
        error = (await at.post("tools/call", name="work", arguments={}, able=WITHOUT))["error"]
        assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"extensions": ABLE["extensions"]}})
        first = await at.call()
        (key,) = first["inputRequests"]
        task = (await at.call(requestState=first["requestState"], inputResponses=agree(key)))["taskId"]
        await at.until(task, "completed")


@run
async def test_at_a_client_without_tasks_its_questions_are_rounds() -> None:
    installed: list[int] = []

    async def work(ask: Ask) -> str:
        price = await ask.form("It costs 12 EUR. All right?", Agreement)
        task = await start(optional=True)
        await task.say("Installing")
        await ask.once("install", lambda: installed.append(1))
        begin = await ask.form("Start it?", Agreement)
        return f"{price.ok} {begin.ok}"

    async with rig(work) as at:
        first = await at.call(able=WITHOUT)
        (key,) = first["inputRequests"]
        second = await at.call(able=WITHOUT, requestState=first["requestState"], inputResponses=agree(key))
        ((key, asked),) = second["inputRequests"].items()
        assert asked["params"]["message"] == "Start it?"
        done = await at.call(able=WITHOUT, requestState=second["requestState"], inputResponses=agree(key, False))
        assert done["content"][0]["text"] == "True False"
        assert installed == [1]
        # The same handler as a task.
        first = await at.call()
        (key,) = first["inputRequests"]
        task = (await at.call(requestState=first["requestState"], inputResponses=agree(key)))["taskId"]
        (key,) = (await at.until(task, "input_required"))["inputRequests"]
        await at.result("tasks/update", taskId=task, inputResponses=agree(key, False))
        assert (await at.until(task, "completed"))["result"]["content"][0]["text"] == "True False"
        assert installed == [1, 1]


@run
async def test_a_request_that_ends_before_there_is_a_task_ends_the_handler() -> None:
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def work() -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    async with rig(work) as at:
        calling = asyncio.ensure_future(at.call())
        await begun.wait()
        calling.cancel()
        await asyncio.wait({calling})
        await stopped.wait()


@run
async def test_instances_share_a_store() -> None:
    store = TaskMemory(1)
    async with Rig(asks, store=store) as two, rig(asks, store=store) as one:
        task = await one.begin()
        await two.until(task, "input_required")
        refused = (await one.post("tools/call", name="work", arguments={}))["error"]
        assert refused["code"] == -32603 and "too many tasks" in refused["message"]
        await two.result("tasks/cancel", taskId=task)
        await one.until(task, "cancelled")

"""How long tasks live: a person's time to think is none of the work's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from parley_mrtr.server import Ask, Task, TaskMemory, TaskRecord, Tasks, TooManyTasks
from tasked import GONE, Agreement, Rig, agree, run

HOUR = 3600.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Work:
    """Asks once, then works until it is let go, and says something whenever it is nudged."""

    def __init__(self) -> None:
        self.tasks: Tasks
        self.nudged, self.let = asyncio.Event(), asyncio.Event()
        self.stopped = asyncio.Event()

    async def run(self, ask: Ask) -> str:
        task: Task = await self.tasks.start()
        try:
            await ask.form("Start it?", Agreement)
            await self.nudged.wait()
            await task.say("nudged")
            await self.let.wait()
        finally:
            self.stopped.set()
        return "done"


async def begin(clock: Clock, **options: Any) -> tuple[Rig, Work]:
    work = Work()

    async def handler(ask: Ask) -> str:
        return await work.run(ask)

    rig = Rig(handler, now=clock, **options)
    work.tasks = rig.tasks
    return rig, work


def lives(state: dict[str, Any]) -> float:
    return float(state["ttlMs"]) / 1000


@run
async def test_a_persons_time_does_not_count() -> None:
    clock = Clock()
    at, work = await begin(clock)
    async with at:
        made = await at.call()
        assert lives(made) == HOUR
        task = made["taskId"]
        asked = await at.until(task, "input_required")
        assert lives(asked) == 24 * HOUR
        clock.now += 23 * HOUR
        (key,) = (await at.until(task, "input_required"))["inputRequests"]
        await at.result("tasks/update", taskId=task, inputResponses=agree(key))
        assert lives(await at.until(task, "working")) == 24 * HOUR  # the hour has not begun before
        clock.now += HOUR - 1
        work.nudged.set()
        while (await at.until(task, "working")).get("statusMessage") != "nudged":
            pass
        work.let.set()
        done = await at.until(task, "completed")
        assert lives(done) == 24 * HOUR - 1 + HOUR  # the result is kept for as long
        clock.now += HOUR
        assert (await at.result("tasks/get", taskId=task))["result"]["content"][0]["text"] == "done"
        clock.now += 1
        assert (await at.post("tasks/get", taskId=task))["error"] == GONE


@run
async def test_work_that_takes_too_long_is_stopped() -> None:
    clock = Clock()
    at, work = await begin(clock)
    async with at:
        task = await at.begin()
        (key,) = (await at.until(task, "input_required"))["inputRequests"]
        await at.result("tasks/update", taskId=task, inputResponses=agree(key))
        clock.now += HOUR
        work.nudged.set()
        await work.stopped.wait()
        done = await at.until(task, "failed")
        assert done["error"] == {"code": -32603, "message": "It took longer than it may"}


@run
async def test_a_question_that_nobody_answers_ends_the_task() -> None:
    clock = Clock()
    at, work = await begin(clock, patience=60)
    async with at:
        task = await at.begin()
        await at.until(task, "input_required")
        clock.now += 60
        other = {"another": {"action": "cancel"}}  # no answer, but it wakes who waits for one
        await at.result("tasks/update", taskId=task, inputResponses=other)
        done = await at.until(task, "failed")
        assert done["error"]["message"] == "It was not answered in time"
        assert work.stopped.is_set()


@run
async def test_there_is_room_again_once_tasks_have_expired() -> None:
    clock = Clock()
    at, work = await begin(clock, store=TaskMemory(1))
    async with at:
        first = await at.begin()
        await at.until(first, "input_required")
        assert "too many tasks" in (await at.post("tools/call", name="work", arguments={}))["error"]["message"]
        clock.now += 24 * HOUR + 1
        await at.begin()
        await work.stopped.wait()
        assert (await at.post("tasks/get", taskId=first))["error"] == GONE


def record(id: str, at: float, owner: str = "nobody") -> TaskRecord:
    return TaskRecord(id, owner, created=at, updated=at, expires=at + 60)


@run
async def test_one_user_has_a_quarter_of_a_store() -> None:
    memory = TaskMemory(8)

    async def created(owner: str) -> int:
        for n in range(9):
            try:
                await memory.create(record(f"{owner}-{n}", 0, owner))
            except TooManyTasks:
                return n
        return 9

    assert [await created(owner) for owner in ("user ada", "user nobody", "nobody", "user eve")] == [2, 2, 4, 0]


@run
async def test_memory() -> None:
    memory = TaskMemory(2)
    await memory.create(record("a", 0))
    await memory.create(record("b", 1))
    with pytest.raises(TooManyTasks):
        await memory.create(record("c", 60))
    waiting = asyncio.ensure_future(memory.wait("a", 1))
    await asyncio.sleep(0)
    await memory.create(record("c", 61))
    with pytest.raises(LookupError):
        await waiting  # the task it waited for is forgotten
    assert await memory.load("a") is None
    told = asyncio.ensure_future(memory.wait("b", 1))
    await asyncio.sleep(0)

    def changed(kept: TaskRecord) -> None:
        kept.message = "changed"

    await memory.change("b", changed)
    found = await told
    assert (found.message, found.version) == ("changed", 2)
    found.message = "not kept"
    again = await memory.load("b")
    assert again is not None and again.message == "changed"
    with pytest.raises(LookupError):
        await memory.change("x", changed)

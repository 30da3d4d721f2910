"""FastMCP's background tasks, with its own worker."""

from __future__ import annotations

import asyncio

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp_tasks import TasksExtension, call_tool_task

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import Ask, asking, protect

guard = Guard(KEY, audience="tests")
server = FastMCP("tests")
server.add_extension(TasksExtension())
protect(server, guard)


@server.tool(task=True)
@asking(guard)
async def greet(ask: Ask) -> str:
    reply = await ask.elicit("Name?", str)
    return f"Hello, {reply.data}!"


@server.tool(task=True)
async def work() -> str:
    return "worked"


async def person(*_: object) -> dict[str, str]:
    return {"value": "Ada"}


def test_a_background_task_that_asks_is_refused() -> None:
    async def run() -> None:
        async with Client(server, elicitation_handler=person) as client:
            task = await call_tool_task(client, "work", {})
            assert (await task.result()).data == "worked"  # so there is a worker
            task = await call_tool_task(client, "greet", {})
            with pytest.raises(ToolError, match="background task of FastMCP cannot ask: register this tool without"):
                await task.result()

    asyncio.run(run())

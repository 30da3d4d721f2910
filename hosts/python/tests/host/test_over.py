"""Calls over a client session of the official SDK, with a server on the official SDK."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult

from parley_mrtr.host import CallFailed, Code, Done, Pending, Watchers, accept, connect
from parley_mrtr.host.over import over

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


class Shop:
    """Asks who it is, and counts what it was asked to do."""

    def __init__(self) -> None:
        self.begun = 0
        self.stays, self.left = asyncio.Event(), asyncio.Event()
        self.server = MCPServer("shop", log_level="WARNING")
        for tool in self.greet, self.steps, self.breaks, self.stay:
            self.server.add_tool(tool, structured_output=False)

    async def greet(self, ctx: Context[Any, Any]) -> str | InputRequiredResult:
        answer = (ctx.input_responses or {}).get("who")
        if not isinstance(answer, ElicitResult):
            self.begun += 1
            request = ElicitRequest(params=ElicitRequestFormParams(message="Who?", requested_schema=FORM))
            return InputRequiredResult(input_requests={"who": request}, request_state="s1")
        assert answer.content and ctx.request_state == "s1"
        return f"Hello, {answer.content['name']}!"

    async def steps(self, ctx: Context[Any, Any]) -> str:
        for step in range(3):
            await ctx.report_progress(step, 3, f"step {step}")
        return "done"

    async def breaks(self) -> str:
        raise MCPError(-32042, "broken", {"why": 1})

    async def stay(self) -> str:
        self.stays.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.left.set()
        return "never"


async def nobody(*_: Any) -> ElicitResult:
    raise AssertionError("the SDK asks nobody by itself")


def test_a_call_goes_on_over_another_connection() -> None:
    async def run() -> None:
        shop = Shop()
        async with Client(shop.server, elicitation_callback=nobody) as client, connect(over(client.session)) as session:
            first = await session.start("tools/call", {"name": "greet"})
        assert isinstance(first, Pending)
        (question,) = first.questions
        assert question.message == "Who?"
        async with Client(shop.server, elicitation_callback=nobody) as client, connect(over(client.session)) as session:
            done = await session.resume(first.snapshot, {question.id: accept({"name": "Ada"})})
        assert isinstance(done, Done)
        assert done.value["content"][0]["text"] == "Hello, Ada!"
        assert shop.begun == 1

    asyncio.run(run())


def test_progress_and_errors_arrive() -> None:
    async def run() -> None:
        async with Client(Shop().server) as client, connect(over(client.session)) as session:
            assert [tool["name"] async for tool in session.tools()] == ["greet", "steps", "breaks", "stay"]
            said: list[Any] = []
            watchers = Watchers(progress=lambda _, params: said.append(json.loads(params)["message"]))
            assert (await session.call_tool("steps", watchers=watchers)).text == "done"
            assert said == ["step 0", "step 1", "step 2"]
            with pytest.raises(CallFailed) as failed:
                await session.call_tool("breaks")
            assert (failed.value.code, failed.value.in_doubt) == (Code.RPC, False)
            assert failed.value.response and b"-32042" in failed.value.response

    asyncio.run(run())


def test_a_call_that_is_cancelled_is_cancelled_at_the_server() -> None:
    async def run() -> None:
        shop = Shop()
        async with Client(shop.server) as client, connect(over(client.session)) as session:
            calling = asyncio.create_task(session.call_tool("stay"))
            await shop.stays.wait()
            calling.cancel()
            with pytest.raises(asyncio.CancelledError) as cancelled:
                await calling
            await shop.left.wait()
            cause = cancelled.value.__cause__
            assert isinstance(cause, CallFailed) and (cause.code, cause.in_doubt) == (Code.CANCELED, True)

    asyncio.run(run())


def test_a_client_of_an_earlier_version_is_refused_before_anything_is_sent() -> None:
    async def run() -> None:
        shop = Shop()
        async with Client(shop.server, mode="legacy") as client, connect(over(client.session)) as session:
            with pytest.raises(CallFailed, match="only one of 2026-07-28 can carry calls") as failed:
                await session.call_tool("greet")
            assert (failed.value.code, failed.value.in_doubt, shop.begun) == (Code.LOST, False, 0)

    asyncio.run(run())

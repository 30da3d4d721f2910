"""An agent that is killed while a person is asked goes on in another process, and nobody is asked again."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult

from parley_mrtr.host import Outbound, Requests, connect
from parley_mrtr.host.langgraph import tools
from parley_mrtr.host.over import over

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
YES = {"action": "accept", "content": {"confirm": True}}


@pytest.fixture(scope="module")
def weather(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of examples/go-server."""
    program = tmp_path_factory.mktemp("server") / "server"
    subprocess.run(["go", "build", "-o", program, "./examples/go-server"], cwd=ROOT, check=True)
    server = subprocess.Popen([program, "-addr", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    assert server.stdout
    yield server.stdout.readline().split()[-1]
    server.terminate()
    server.communicate()


class Agent:
    """A process of the agent."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-B", str(HERE / "agent.py"), *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def reads(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def answer(self, value: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        assert self._process.wait() == -signal.SIGKILL
        self._process.communicate()

    def end(self) -> int:
        self._process.communicate()
        return self._process.returncode


def test_killed_while_a_person_is_asked(weather: str, tmp_path: Path) -> None:
    file = str(tmp_path / "chat.db")
    first = Agent(weather, file, "Oslo")
    asked = json.loads(first.reads())
    first.kill()

    second = Agent(weather, file)
    assert json.loads(second.reads()) == asked  # by the checkpoint
    (question,) = asked["questions"]
    second.answer({question["id"]: {"action": "accept", "content": {"units": "metric"}}})
    assert second.reads() == "I have asked: Oslo: 18 °C, light rain, wind 15 km/h.\n"
    assert second.end() == 0


class Shop:
    """A server whose price rises with every call that begins, and what it was told to do."""

    def __init__(self) -> None:
        self.begun = 0
        self.paid: list[int] = []
        self.server = MCPServer("shop", log_level="WARNING")
        self.server.add_tool(self.pay, structured_output=False)

    async def pay(self, ctx: Context) -> str | InputRequiredResult:
        """Asks whether to pay what it costs."""
        answer = (ctx.input_responses or {}).get("pay")
        if not isinstance(answer, ElicitResult):
            self.begun += 1
            schema = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}
            form = ElicitRequestFormParams(message=f"Pay {self.begun}?", requested_schema=schema)
            return InputRequiredResult(
                input_requests={"pay": ElicitRequest(params=form)}, request_state=str(self.begun)
            )
        self.paid.append(int(ctx.request_state or 0))
        return f"paid {self.paid[-1]}"


async def without(client: Client) -> BaseTool:
    """A tool that carries the rounds itself and interrupts the graph to ask."""

    @tool
    async def pay() -> str:
        """Pays."""
        result = await client.session.call_tool("pay", {}, allow_input_required=True)
        while isinstance(result, InputRequiredResult):
            asked = {
                key: interrupt({"message": request.params.message}) for key, request in result.input_requests.items()
            }
            answers = {key: ElicitResult.model_validate(answer) for key, answer in asked.items()}
            result = await client.session.call_tool(
                "pay", {}, input_responses=answers, request_state=result.request_state, allow_input_required=True
            )
        return str(result.content[0].text)

    return pay


class Paid(TypedDict):
    """What the person saw, and what came of it."""

    asked: str
    said: str


def graph(tools: list[BaseTool]) -> tuple[CompiledStateGraph, Any]:
    """A graph that calls tools, and a thread of its own."""
    made = StateGraph(MessagesState)
    made.add_node("tools", ToolNode(tools))
    made.add_edge(START, "tools")
    return made.compile(InMemorySaver()), {"configurable": {"thread_id": "1"}}


CALL: Any = {"messages": [AIMessage("", tool_calls=[{"id": "call-1", "name": "pay", "args": {}}])]}


async def pays(tools: list[BaseTool], by_id: bool) -> Paid:
    """Has a graph call the tool, and the person agree."""
    chat, thread = graph(tools)
    state = await chat.ainvoke(CALL, thread)
    (waiting,) = state["__interrupt__"]
    (question,) = waiting.value["questions"] if by_id else [waiting.value]
    answer = {question["id"]: YES} if by_id else YES
    state = await chat.ainvoke(Command(resume=answer), thread)
    shown = question["params"]["message"] if by_id else question["message"]
    return {"asked": shown, "said": state["messages"][-1].content}


async def never(*_: Any) -> ElicitResult:
    raise AssertionError("the SDK asks nobody by itself")


def test_without_parley_the_call_starts_over() -> None:
    async def run() -> None:
        shop = Shop()
        async with Client(shop.server, elicitation_callback=never) as client:
            paid = await pays([await without(client)], by_id=False)
        assert paid == {"asked": "Pay 1?", "said": "paid 2"}  # which nobody agreed to
        assert shop.begun == 2

    asyncio.run(run())


def test_a_call_in_doubt_is_made_again_only_on_request() -> None:
    async def run() -> None:
        listed = {"tools": [{"name": "pay", "inputSchema": {"type": "object"}}]}
        calls: list[str] = []

        async def send(outbound: Outbound) -> bytes:
            if outbound.method == "tools/list":
                return json.dumps({"jsonrpc": "2.0", "id": 1, "result": listed}).encode()
            calls.append(outbound.method)
            if len(calls) == 1:
                raise ConnectionResetError
            return b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"paid"}]}}'

        for again, said, made in (False, "cannot be told whether the tool has run", 1), (True, "paid", 2):
            calls.clear()
            async with connect(Requests(send)) as session:
                chat, thread = graph(await tools(session))
                state = await chat.ainvoke(CALL, thread)
                (waiting,) = state["__interrupt__"]
                state = await chat.ainvoke(Command(resume={"another-again": again}), thread)
                assert state["__interrupt__"][0].value["id"] == waiting.value["id"]  # that was no answer to it
                state = await chat.ainvoke(Command(resume={waiting.value["id"]: again}), thread)
            assert said in state["messages"][-1].content
            assert len(calls) == made

    asyncio.run(run())


def test_with_parley_it_goes_on() -> None:
    async def run() -> None:
        shop = Shop()
        async with Client(shop.server, elicitation_callback=never) as client, connect(over(client.session)) as session:
            paid = await pays([*await tools(session)], by_id=True)
        assert paid == {"asked": "Pay 1?", "said": "paid 1"}
        assert (shop.begun, shop.paid) == (1, [1])

    asyncio.run(run())

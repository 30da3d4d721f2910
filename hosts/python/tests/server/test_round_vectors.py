"""Replays hosts/testdata/rounds, whose README says how the files read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from mcp.client._memory import InMemoryTransport
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    TextContent,
    jsonrpc_message_adapter,
)

from checkout import KEY, REPO
from parley_mrtr.codec import Guard
from parley_mrtr.server import Ask, Cancelled, Declined, Tasks, asking, form, protect

FILES = sorted((REPO / "hosts/testdata/rounds").glob("*.json"))

Handler = Callable[[Any, Any], Any]


def test_there_are_files() -> None:
    assert len(FILES) > 15


def mcpserver(handler: Handler) -> MCPServer:
    server = MCPServer("tests")

    @server.tool()
    async def ask(ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
        return handler(ctx.request_state, ctx.input_responses)  # type: ignore[no-any-return]

    return server


def fastmcp(handler: Handler) -> FastMCP:
    server = FastMCP("tests")

    @server.tool
    async def ask(ctx: FastContext) -> str | InputRequiredResult:
        return handler(ctx.request_state, ctx.input_responses)  # type: ignore[no-any-return]

    return server


def lowlevel(handler: Handler) -> Server[Any]:
    async def tools(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=[])

    async def call(
        _ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        result = handler(params.request_state, params.input_responses)
        return CallToolResult(content=[TextContent(type="text", text=result)]) if isinstance(result, str) else result

    server: Server[Any] = Server("tests", on_list_tools=tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call)
    return server


class Bare:
    """A client that sends and gets JSON-RPC as it is."""

    def __init__(self, read: Any, write: Any, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._read, self._write, self._answer = read, write, answer
        self._ids = 0

    async def send(self, **message: Any) -> None:
        sent = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **message})
        await self._write.send(SessionMessage(sent))

    async def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The response; until it comes, answers what the server asks."""
        self._ids += 1
        await self.send(id=self._ids, method=method, params=params)
        while True:
            read = (await self._read.receive()).message.model_dump(mode="json", by_alias=True, exclude_unset=True)
            if "method" not in read:
                return dict(read)
            if "id" in read:
                await self.send(id=read["id"], **self._answer(read))


class Play:
    """A vector's handler and its client."""

    def __init__(self, vector: dict[str, Any]) -> None:
        self.vector, self.rounds = vector, vector["rounds"]
        self.runs = self.asked = 0
        self.left: set[str] = set()
        self.wrong: list[Any] = []

    def at(self, n: int) -> Any:
        """A round; the last one of an endless handler goes on."""
        return self.rounds[min(n, len(self.rounds) - 1)]

    def handler(self, state: str | None, responses: Any) -> str | InputRequiredResult:
        before = self.at(self.runs - 1) if self.runs else {}
        dumped = {
            key: r.model_dump(mode="json", by_alias=True, exclude_none=True) for key, r in (responses or {}).items()
        }
        if (state, dumped) != (before.get("state"), before.get("answers", {})):
            self.wrong.append(("the handler got", self.runs, state, dumped))
        self.runs += 1
        if self.runs > len(self.rounds) and "times" not in self.vector:
            return str(self.vector["end"]["text"])
        now = self.at(self.runs - 1)
        returned = {"resultType": "input_required", "inputRequests": now["asks"], "requestState": now.get("state")}
        return InputRequiredResult.model_validate(returned)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if not self.left:
            if self.asked == len(self.rounds) and "times" not in self.vector:
                self.wrong.append(("asked for more than the handler asks", request))
            self.left = set(self.at(self.asked)["asks"])
            self.asked += 1
        now = self.at(self.asked - 1)
        params = {name: value for name, value in request.get("params", {}).items() if name != "_meta"}
        if isinstance(params.pop("elicitationId", None), str) != (params.get("mode") == "url"):
            self.wrong.append(("elicitationId", request))
        for key in self.left:
            asks = now["asks"][key]
            if (asks["method"], asks["params"]) == (request["method"], params) and key in now.get("answers", {}):
                self.left.remove(key)
                answer = now["answers"][key]
                return dict(answer) if "error" in answer else {"result": answer}
        self.wrong.append(("asked", request))
        return {"error": {"code": -32603, "message": "not in the vector"}}


@pytest.mark.parametrize("make", [mcpserver, fastmcp, lowlevel])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(make: Any, path: Path) -> None:
    play = Play(json.loads(path.read_text()))
    server = make(play.handler)
    protect(server, Guard(KEY, audience="tests"))
    asyncio.run(replay(play, server))


def working(play: Play) -> MCPServer:
    """A server whose tool starts a task for clients that have them, and asks the same."""
    guard = Guard(KEY, audience="tests")
    server = MCPServer("tests")
    protect(server, guard)
    tasks = Tasks()
    tasks.add(server)

    @server.tool()
    @asking(guard)
    async def ask(ask: Ask) -> str:
        await tasks.start(optional=True)
        for round in play.rounds:
            asks = {key: question["params"] for key, question in round["asks"].items()}
            forms = [form(params["message"], params["requestedSchema"], key=key) for key, params in asks.items()]
            try:
                got = await ask.all(*forms)
                answers = [{"action": "accept", "content": content} for content in got]
            except Declined:
                answers = [{"action": "decline"}]
            except Cancelled:
                answers = [{"action": "cancel"}]
            if answers != list(round["answers"].values()):
                play.wrong.append(("the work got", answers))
        return str(play.vector["end"]["text"])

    return server


WORK = [path for path in FILES if "work" in json.loads(path.read_text())]


@pytest.mark.parametrize("path", WORK, ids=lambda path: path.stem)
def test_work(path: Path) -> None:
    play = Play(json.loads(path.read_text()))
    asyncio.run(replay(play, working(play)))


@pytest.mark.parametrize("path", WORK, ids=lambda path: path.stem)
def test_work_in_rounds(path: Path) -> None:
    async def run() -> None:
        play = Play(json.loads(path.read_text()))
        async with InMemoryTransport(working(play)) as (read, write):
            client = Bare(read, write, play.answer)
            meta = {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": play.vector["declares"],
            }
            params: dict[str, Any] = {"name": "ask", "arguments": {}, "_meta": meta}
            for round in play.rounds:
                result = (await client.call("tools/call", params))["result"]
                assert result["inputRequests"] == round["asks"]
                params |= {"requestState": result["requestState"], "inputResponses": round["answers"]}
            result = (await client.call("tools/call", params))["result"]
            assert result["content"] == [{"type": "text", "text": play.vector["end"]["text"]}]
        assert (play.wrong, play.asked) == ([], 0)

    asyncio.run(run())


async def replay(play: Play, server: Any) -> None:
    vector = play.vector
    async with InMemoryTransport(getattr(server, "_mcp_server", server)) as (read, write):
        client = Bare(read, write, play.answer)
        info = {"name": "bare", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": vector["declares"], "clientInfo": info}
        await client.call("initialize", hello)
        await client.send(method="notifications/initialized")
        got = await client.call("tools/call", {"name": "ask", "arguments": {}, **vector.get("call", {})})

    assert play.wrong == []
    want = vector["end"].get("error")
    if want is None:
        assert got["result"]["content"] == [{"type": "text", "text": vector["end"]["text"]}]
        assert not got["result"].get("isError")
    else:
        error = got["error"]
        assert (error["code"], error.get("data")) == (want["code"], want.get("data"))
        assert error["message"] == want.get("message", error["message"])
        assert want.get("says", "") in error["message"]
    if "times" in vector:
        least, most = vector["times"]
        assert least <= play.asked <= most
    else:
        unasked = [n for n, round in enumerate(play.rounds) if "answers" not in round]
        assert play.asked == [*unasked, len(play.rounds)][0]
    assert play.left == set()

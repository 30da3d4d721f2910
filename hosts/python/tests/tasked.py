"""A server with tasks, called over HTTP as a client calls it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx2
from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

from checkout import KEY
from parley_mrtr.codec import Guard
from parley_mrtr.server import TASKS_EXTENSION, Tasks, asking, protect

ABLE = {"elicitation": {"form": {}}, "extensions": {TASKS_EXTENSION: {}}}
WITHOUT = {"elicitation": {"form": {}}}
MOST_POLLS = 1000
GONE = {"code": -32602, "message": "There is no such task, or not any more"}

guard = Guard(KEY, audience="tests")


class Agreement(BaseModel):
    ok: bool


class Rig:
    """Its tool is "work"."""

    def __init__(self, work: Callable[..., Awaitable[Any]], make: Any = MCPServer, **options: Any) -> None:
        self.server = make("tests")
        protect(self.server, guard, who=lambda ctx: ctx.request and ctx.request.headers.get("x-user"))
        self.tasks = Tasks(poll=0.1, **options)
        self.tasks.add(self.server)
        handler = work if "ask" not in work.__annotations__ else asking(guard)(work)
        self.server.tool(name="work")(handler)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Rig:
        fast = isinstance(self.server, FastMCP)
        app = self.server.http_app(path="/mcp") if fast else self.server.streamable_http_app()
        await self._stack.enter_async_context(app.router.lifespan_context(app))
        http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1:8000")
        self.http = await self._stack.enter_async_context(http)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def post(
        self, method: str, able: dict[str, Any] = ABLE, user: str = "ada", named: str | None = None, **params: Any
    ) -> dict[str, Any]:
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": able,
        }
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            "Mcp-Name": named or params.get("name") or params.get("taskId") or "",
            "X-User": user,
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, **params}}
        body = (await self.http.post("/mcp", json=message, headers=headers, timeout=None)).text
        for line in body.splitlines():
            body = line.removeprefix("data: ") if line.startswith("data: ") else body
        answer = json.loads(body)
        assert isinstance(answer, dict)
        return answer

    async def result(self, method: str, **params: Any) -> dict[str, Any]:
        answer = await self.post(method, **params)
        assert "error" not in answer, answer
        return {name: value for name, value in answer["result"].items() if name != "_meta"}

    async def call(self, **params: Any) -> dict[str, Any]:
        return await self.result("tools/call", name="work", arguments={}, **params)

    async def begin(self) -> str:
        made = await self.call()
        assert made["resultType"] == "task", made
        return str(made["taskId"])

    async def until(self, task: str, status: str) -> dict[str, Any]:
        for _ in range(MOST_POLLS):
            found = await self.result("tasks/get", taskId=task)
            if found["status"] == status:
                return found
            assert found["status"] in ("working", "input_required"), found
            await asyncio.sleep(0.002)
        raise AssertionError(f"the task stays {found['status']}")


def agree(key: str, ok: bool = True) -> dict[str, Any]:
    return {key: {"action": "accept", "content": {"ok": ok}}}


def run(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    import functools

    @functools.wraps(test)
    def ran(**given: Any) -> None:
        asyncio.run(test(**given))  # type: ignore[arg-type]

    return ran

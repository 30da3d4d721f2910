"""Tasks at real clients: Parley's own, FastMCP's, which has tasks, and the official SDK's, which has none."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client as FastClient
from fastmcp import FastMCP
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from fastmcp_tasks import TasksExtension, call_tool_task
from mcp import Client, MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolRequestParams, CallToolResult, ElicitResult, TextContent
from starlette.types import ASGIApp

from checkout import KEY, REPO
from parley_mrtr.codec import Guard
from parley_mrtr.host import CallFailed, Question, StreamableHTTP, accept, connect
from parley_mrtr.server import Ask, Tasks, asking, protect
from parley_mrtr.server.protect import low_level
from tasked import Agreement, run

guard = Guard(KEY, audience="tests")


def serve(make: Any) -> Any:
    """Its tools ask before there is a task, and in it."""
    server = make("tests")
    protect(server, guard)
    tasks = Tasks(poll=0.02)
    tasks.add(server)

    @server.tool()
    @asking(guard)
    async def provision(size: str, ask: Ask) -> str:
        tasks.require()
        price = await ask.form(f"A {size} machine costs 12 EUR. All right?", Agreement)
        task = await tasks.start()
        await task.say("Installing")
        begin = await ask.form("Start it?", Agreement)
        return f"{size}: {price.ok} {begin.ok}"

    @server.tool()
    @asking(guard)
    async def either(ask: Ask) -> str:
        task = await tasks.start(optional=True)
        await task.say("Installing")
        return str((await ask.form("Start it?", Agreement)).ok)

    return server


class Person:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, message: str) -> dict[str, Any]:
        self.asked.append(message)
        return {"ok": True}

    async def official(self, _context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content=self(params.message))

    async def fast(self, message: str, *_: Any) -> dict[str, Any]:
        return self(message)

    async def parley(self, question: Question) -> Any:
        return accept(self(question.message))


async def app_of(stack: AsyncExitStack, server: Any) -> httpx2.ASGITransport:
    app: ASGIApp = server.http_app(path="/mcp") if isinstance(server, FastMCP) else server.streamable_http_app()
    await stack.enter_async_context(app.router.lifespan_context(app))  # type: ignore[attr-defined]
    return httpx2.ASGITransport(app)


def text_of(result: Any) -> str:
    return str(result.content[0].text)


ASKED = ["A small machine costs 12 EUR. All right?", "Start it?"]


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
@run
async def test_parleys_host_sees_one_call(make: Any) -> None:
    person = Person()
    async with AsyncExitStack() as stack:
        http = httpx2.AsyncClient(transport=await app_of(stack, serve(make)))
        await stack.enter_async_context(http)
        at = StreamableHTTP("http://127.0.0.1:8000/mcp", client=http)
        session = await stack.enter_async_context(connect(at, elicit=person.parley, tasks=True))
        assert (await session.call_tool("provision", {"size": "small"})).text == "small: True True"
        assert person.asked == ASKED
        assert (await session.call_tool("either")).text == "True"


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
@run
async def test_fastmcps_client_sees_one_call(make: Any) -> None:
    person = Person()
    async with AsyncExitStack() as stack:
        transport = await app_of(stack, serve(make))

        def http(**options: Any) -> httpx2.AsyncClient:
            return httpx2.AsyncClient(**{**options, "transport": transport})

        at = StreamableHttpTransport("http://127.0.0.1:8000/mcp", httpx_client_factory=http)
        client = await stack.enter_async_context(FastClient(at, elicitation_handler=person.fast))
        assert text_of(await client.call_tool("provision", {"size": "small"})) == "small: True True"
        assert person.asked == ASKED
        task = await call_tool_task(client, "either", {})
        assert text_of(await task.result()) == "True"


@pytest.fixture
def go_server(tmp_path: Path) -> Iterator[str]:
    """Where the Go server of the stories listens, whose tool provision is a task."""
    program = tmp_path / "server"
    subprocess.run(["go", "build", "-o", program, "./tests/stories/go-server"], cwd=REPO, check=True)
    command = [program, "-addr", "127.0.0.1:0", "-step", "1ms"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().removeprefix("listening on ").strip()
        server.terminate()


@run
async def test_fastmcps_client_sees_a_task_of_a_go_server_through(go_server: str) -> None:
    asked: list[str] = []

    async def person(message: str, *_: Any) -> dict[str, Any]:
        asked.append(message)
        return {"confirm": True} if len(asked) == 1 else {"user": "ada"}

    async with FastClient(go_server, elicitation_handler=person) as client:
        result = await client.call_tool("provision", {"name": "abc"})
    assert text_of(result) == "Provisioned abc for 48 EUR a month. ada may log in with a key."
    assert asked == ["abc costs 48 EUR a month. Provision it?", "abc is installed. Who may log in?"]


@pytest.mark.parametrize("make", [MCPServer, FastMCP])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
@run
async def test_the_official_client_waits_or_is_told(mode: Any, make: Any) -> None:
    person, server = Person(), low_level(serve(make), "test")
    async with Client(server, mode=mode, elicitation_callback=person.official) as client:
        assert text_of(await client.call_tool("either", {})) == "True" and person.asked == ["Start it?"]
        with pytest.raises(MCPError, match="needs a client that declares the extension io"):
            await client.call_tool("provision", {"size": "small"})
        assert person.asked == ["Start it?"]


@run
async def test_in_memory() -> None:
    person = Person()
    async with FastClient(serve(FastMCP), elicitation_handler=person.fast) as client:
        assert (await client.call_tool("provision", {"size": "small"})).data == "small: True True"
    assert person.asked == ASKED


@run
async def test_progress_after_the_answer_is_lost_and_does_no_harm() -> None:
    server = MCPServer("tests")
    tasks = Tasks(poll=0.02)
    tasks.add(server)

    @server.tool()
    async def work(ctx: Context) -> str:  # type: ignore[type-arg]
        await tasks.start()
        for _ in range(20):
            await asyncio.sleep(0)
        await ctx.report_progress(1, 2)
        return "done"

    async with AsyncExitStack() as stack:
        http = httpx2.AsyncClient(transport=await app_of(stack, server))
        at = StreamableHTTP("http://127.0.0.1:8000/mcp", client=await stack.enter_async_context(http))
        session = await stack.enter_async_context(connect(at, tasks=True))
        assert (await session.call_tool("work")).text == "done"


@run
async def test_the_low_level_server(caplog: pytest.LogCaptureFixture) -> None:
    person, tasks = Person(), Tasks(poll=0.02)

    async def work(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams, ask: Ask) -> CallToolResult:
        await tasks.start()
        if params.name == "breaks":
            raise LookupError("of its own")
        begin = await ask.form("Start it?", Agreement)
        return CallToolResult(content=[TextContent(type="text", text=str(begin.ok))])

    server: Server[Any] = Server("tests", on_call_tool=asking(guard)(work))
    protect(server, guard)
    tasks.add(server)
    async with AsyncExitStack() as stack:
        app = server.streamable_http_app()
        await stack.enter_async_context(app.router.lifespan_context(app))
        http = await stack.enter_async_context(httpx2.AsyncClient(transport=httpx2.ASGITransport(app)))
        at = StreamableHTTP("http://127.0.0.1:8000/mcp", client=http)
        session = await stack.enter_async_context(connect(at, elicit=person.parley, tasks=True))
        assert (await session.call_tool("works")).text == "True"
        with pytest.raises(CallFailed, match="It failed inside the server"):
            await session.call_tool("breaks")
    assert "of its own" in caplog.text  # the log says why


@run
async def test_who_cannot_tell() -> None:
    def nobody(_ctx: Any) -> str | None:
        raise LookupError("no subject")

    server = FastMCP("tests")
    tasks = Tasks(who=nobody)
    tasks.add(server)

    @server.tool
    async def work(optional: bool) -> str:
        if not optional:
            await tasks.start()
        return "done"

    async with FastClient(server) as client:
        assert text_of(await client.call_tool("work", {"optional": True})) == "done"
        with pytest.raises((MCPError, ToolError), match="The server cannot tell who calls"):
            await client.call_tool("work", {"optional": False})


def test_wrong_use() -> None:
    tasks: Any = Tasks
    for options, text in (
        ({"store": {}}, "store must be a TaskStore, not dict"),
        ({"who": "ada"}, "who must be a plain function .*, not str"),
        ({"ttl": "1h"}, "ttl must be a number of seconds, not str"),
        ({"poll": True}, "poll must be a number of seconds, not bool"),
    ):
        with pytest.raises(TypeError, match=text):
            tasks(**options)
    for name in "ttl", "patience", "poll":
        with pytest.raises(ValueError, match="must be more than 0 seconds"):
            tasks(**{name: 0})
    with pytest.raises(TypeError, match=r"Tasks\.add takes a server of the MCP SDK or FastMCP, not str"):
        Tasks().add("server")
    server = MCPServer("tests")
    Tasks().add(server)
    with pytest.raises(ValueError, match="has tasks already: add one Tasks"):
        Tasks().add(server)
    with pytest.raises(ValueError, match=r"call Tasks\.add after it"):
        protect(server, guard)
    fast = FastMCP("tests")
    fast.add_extension(TasksExtension())
    with pytest.raises(ValueError, match="not FastMCP's TasksExtension beside it"):
        Tasks().add(fast)


@run
async def test_start_out_of_place() -> None:
    tasks = Tasks()
    with pytest.raises(MCPError, match=r"call Tasks\.add with the server"):
        await tasks.start()
    server = FastMCP("tests")
    tasks.add(server)

    @server.tool
    async def twice() -> str:
        await tasks.start(optional=True)
        await tasks.start(optional=True)
        return ""

    @server.tool
    async def wrong() -> str:
        await tasks.start(optional="yes")  # type: ignore[arg-type]
        return ""

    async with FastClient(server) as client:
        with pytest.raises((MCPError, ToolError), match="start it once"):
            await client.call_tool("twice")
        with pytest.raises(ToolError, match="optional must be True or False, not str"):
            await client.call_tool("wrong")

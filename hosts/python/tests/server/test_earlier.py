"""Handlers that ask by their results, at clients of protocol revisions without rounds: what hosts/testdata/rounds does not say."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
import uvicorn
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from fastmcp.server.middleware import Middleware
from mcp import Client, MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    ListToolsResult,
    Root,
    SamplingMessage,
    TextContent,
)

from checkout import KEY, REPO
from parley_mrtr.codec import Guard, Verdict
from parley_mrtr.server import protect, verdict

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
OVER = "The server still asks after 10 rounds, which is the most that a call has: it gave up the call"


def form(message: str) -> ElicitRequest:
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=SCHEMA))


def sampling(text: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=9))


def numbers(rounds: int, state: str | None, responses: Any) -> str | InputRequiredResult:
    """Asks for numbers, one a round, and trusts an answer only if it is one to the question of the round before."""
    said = json.loads(state or "[]")
    if responses and verdict("q", form(f"Number {len(said) + 1}?")) is Verdict.SAME:
        assert verdict("q", form("Another?")) is Verdict.CHANGED
        assert verdict("other", form("Another?")) is Verdict.MISSING
        said.append(responses["q"].content["a"])
    if len(said) == rounds:
        return " ".join(said)
    return InputRequiredResult(input_requests={"q": form(f"Number {len(said) + 1}?")}, request_state=json.dumps(said))


def everything(state: str | None, responses: Any) -> str | InputRequiredResult:
    """Asks all there is, at once."""
    if state is None:
        page = ElicitRequest(params=ElicitRequestURLParams(message="Look.", url="https://example.com/"))
        asked = {"name": form("Name?"), "page": page, "river": sampling("A river?"), "roots": ListRootsRequest()}
        return InputRequiredResult(input_requests=asked, request_state="asked")
    (root,) = responses["roots"].roots
    return f"{responses['name'].content['a']} {responses['page'].action} {responses['river'].content.text} {root.uri}"


def waits(state: str | None) -> str | InputRequiredResult:
    """Has the client come back twice."""
    return "ready" if state == "2" else InputRequiredResult(request_state=str(int(state or 0) + 1))


def mcpserver() -> MCPServer:
    server = MCPServer("tests")

    @server.tool(name="numbers")
    async def numbers_(rounds: int, ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
        return numbers(rounds, ctx.request_state, ctx.input_responses)

    @server.tool(name="everything")
    async def everything_(ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
        return everything(ctx.request_state, ctx.input_responses)

    @server.tool(name="waits")
    async def waits_(ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
        return waits(ctx.request_state)

    @server.prompt()
    async def greeting(rounds: str, ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
        return numbers(int(rounds), ctx.request_state, ctx.input_responses)

    @server.resource("numbers://{rounds}")
    async def figures(rounds: str, ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
        return numbers(int(rounds), ctx.request_state, ctx.input_responses)

    return server


def fastmcp() -> FastMCP:
    server = FastMCP("tests")

    @server.tool(name="numbers")
    async def numbers_(rounds: int, ctx: FastContext) -> str | InputRequiredResult:
        return numbers(rounds, ctx.request_state, ctx.input_responses)

    @server.tool(name="everything")
    async def everything_(ctx: FastContext) -> str | InputRequiredResult:
        return everything(ctx.request_state, ctx.input_responses)

    @server.tool(name="waits")
    async def waits_(ctx: FastContext) -> str | InputRequiredResult:
        return waits(ctx.request_state)

    @server.tool
    async def calls_another(ctx: FastContext) -> str:
        """A tool of the server is not its client."""
        return type(await ctx.fastmcp.call_tool("numbers", {"rounds": 1})).__name__

    @server.prompt
    async def greeting(rounds: str, ctx: FastContext) -> str | InputRequiredResult:
        return numbers(int(rounds), ctx.request_state, ctx.input_responses)

    @server.resource("numbers://{rounds}")
    async def figures(rounds: str, ctx: FastContext) -> str | InputRequiredResult:
        return numbers(int(rounds), ctx.request_state, ctx.input_responses)

    return server


def lowlevel() -> Server[Any]:
    async def tools(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=[])

    async def call(
        _ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        state, responses = params.request_state, params.input_responses
        if params.name == "numbers":
            assert params.arguments is not None
            result = numbers(params.arguments["rounds"], state, responses)
        else:
            result = everything(state, responses) if params.name == "everything" else waits(state)
        return CallToolResult(content=[TextContent(type="text", text=result)]) if isinstance(result, str) else result

    server: Server[Any] = Server("tests", on_list_tools=tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call)
    return server


MAKERS = [mcpserver, fastmcp, lowlevel]


def protected(make: Any, **options: Any) -> Any:
    server = make()
    protect(server, Guard(KEY, audience="tests", **options))
    return server


class Person:
    """Answers each form with the number of questions so far."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def elicit(self, _context: Any, params: Any) -> Any:
        self.asked.append(params.message)
        return ElicitResult(action="accept", content={"a": str(len(self.asked))} if params.mode == "form" else None)

    async def sample(self, _context: Any, params: Any) -> CreateMessageResult:
        self.asked.append(params.messages[0].content.text)
        return CreateMessageResult(role="assistant", model="m", content=TextContent(type="text", text="sampled"))

    async def roots(self, _context: Any) -> ListRootsResult:
        self.asked.append("roots")
        return ListRootsResult(roots=[Root(uri="file:///books")])


@asynccontextmanager
async def connected(server: Any, person: Person, mode: Any = "legacy") -> Any:
    callbacks = {
        "elicitation_callback": person.elicit,
        "sampling_callback": person.sample,
        "list_roots_callback": person.roots,
    }
    low = getattr(server, "_mcp_server", server)  # the SDK's client knows its own servers
    async with Client(low, mode=mode, **callbacks) as client:
        yield client


async def called(client: Any, name: str, **arguments: Any) -> str:
    try:
        (block,) = (await client.call_tool(name, arguments)).content
    except MCPError as error:
        return f"{error.code} {error.message}"
    return str(block.text)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("make", MAKERS)
def test_ten_rounds(make: Any, mode: str) -> None:
    """As many as at a client with rounds, which the SDK's own driver plays."""

    async def run() -> None:
        person = Person()
        async with connected(protected(make), person, mode) as client:
            assert await called(client, "numbers", rounds=0) == ""
            assert await called(client, "numbers", rounds=10) == "1 2 3 4 5 6 7 8 9 10"
            assert person.asked == [f"Number {n}?" for n in range(1, 11)]
            person.asked.clear()
            said = await called(client, "numbers", rounds=11)
            assert len(person.asked) == 10
            assert said == (f"-32603 {OVER}" if mode == "legacy" else "-32603 Internal error")

    asyncio.run(run())


@pytest.mark.parametrize("make", [mcpserver, fastmcp])
def test_prompts_and_resources(make: Any) -> None:
    async def run() -> None:
        async with connected(protected(make), Person()) as client:
            (message,) = (await client.get_prompt("greeting", {"rounds": "2"})).messages
            assert message.content.text == "1 2"
            (content,) = (await client.read_resource("numbers://3")).contents
            assert content.text == "3 4 5"

    asyncio.run(run())


@pytest.mark.parametrize("make", MAKERS)
def test_a_handler_that_asks_nothing_is_called_again(make: Any) -> None:
    async def run() -> None:
        async with connected(protected(make), Person()) as client:
            assert await called(client, "waits") == "ready"
        async with connected(protected(make, max_rounds=1), Person()) as client:
            assert (await called(client, "waits")) == f"-32603 {OVER.replace('10', '1')}"

    asyncio.run(run())


@pytest.mark.parametrize("make", MAKERS)
def test_the_guards_rounds_count(make: Any) -> None:
    async def run() -> None:
        person = Person()
        async with connected(protected(make, max_rounds=2), person) as client:
            assert await called(client, "numbers", rounds=2) == "1 2"
            assert (await called(client, "numbers", rounds=3)) == f"-32603 {OVER.replace('10', '2')}"
            assert len(person.asked) == 4

    asyncio.run(run())


@pytest.mark.parametrize("make", MAKERS)
def test_what_a_client_with_rounds_did_not_declare(make: Any) -> None:
    async def run() -> None:
        person, server = Person(), protected(make)
        async with Client(getattr(server, "_mcp_server", server), list_roots_callback=person.roots) as client:
            for name, arguments in ("numbers", {"rounds": 1}), ("everything", {}):
                with pytest.raises(MCPError) as caught:
                    await client.session.call_tool(name, arguments, allow_input_required=True)
                assert caught.value.code == -32021
                assert caught.value.error.data == {"requiredCapabilities": {"elicitation": {"form": {}}}}
        assert person.asked == []  # nothing of a round in which something cannot be asked

    asyncio.run(run())


def test_cancelling_ends_it() -> None:
    async def run() -> None:
        class Thinks(Person):
            def __init__(self) -> None:
                super().__init__()
                self.thinking, self.told = anyio.Event(), anyio.Event()

            async def elicit(self, _context: Any, params: Any) -> Any:
                self.asked.append(params.message)
                if len(self.asked) == 1:
                    return ElicitResult(action="accept", content={"a": "1"})
                self.thinking.set()
                try:
                    await anyio.sleep_forever()
                finally:
                    self.told.set()

        async def ends(client: Any) -> None:
            raise AssertionError(f"the call ended: {await called(client, 'counted')}")

        person = Thinks()
        server = mcpserver()
        runs: list[str | None] = []

        @server.tool()
        async def counted(ctx: Context) -> str | InputRequiredResult:  # type: ignore[type-arg]
            runs.append(ctx.request_state)
            return numbers(3, ctx.request_state, ctx.input_responses)

        protect(server, Guard(KEY, audience="tests"))
        async with connected(server, person) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(ends, client)
                await person.thinking.wait()
                group.cancel_scope.cancel()
            await person.told.wait()  # the question was taken back
            assert await called(client, "waits") == "ready"
        assert runs == [None, "[]"]  # and the handler not called again
        assert person.asked == ["Number 1?", "Number 2?"]

    asyncio.run(run())


def test_fastmcps_other_calls_keep_what_they_get() -> None:
    async def run() -> None:
        seen: list[str] = []
        server = fastmcp()

        async def look(context: Any, call_next: Any) -> Any:
            result = await call_next(context)
            seen.append(type(result).__name__)
            return result

        class Looks(Middleware):
            on_call_tool = staticmethod(look)

        server.add_middleware(Looks())
        protect(server, Guard(KEY, audience="tests"))
        async with connected(server, Person()) as client:
            assert await called(client, "calls_another") == "InputRequiredToolResult"
            assert await called(client, "numbers", rounds=1) == "1"
        assert seen == ["InputRequiredToolResult", "ToolResult", "InputRequiredToolResult", "ToolResult"]

    asyncio.run(run())


@asynccontextmanager
async def over_http(server: Any) -> Any:
    app = server.http_app() if isinstance(server, FastMCP) else server.streamable_http_app()
    config = uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=1)
    listener = config.bind_socket()
    serving = uvicorn.Server(config)
    task = asyncio.create_task(serving.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        serving.should_exit = True
        await task


@pytest.mark.parametrize("make", [mcpserver, fastmcp])
def test_the_official_client_of_version_1(make: Any) -> None:
    async def run() -> None:
        calls = [
            ("tool", "numbers", {"rounds": 10}),
            ("tool", "numbers", {"rounds": 11}),
            ("tool", "everything", {}),
            ("tool", "waits", {}),
            ("prompt", "greeting", {"rounds": "2"}),
            ("resource", "numbers://2", {}),
        ]
        async with over_http(protected(make)) as url:
            script = REPO / "tests/interop/run.sh"
            client = await asyncio.create_subprocess_exec(
                script, "--ready", "rounds", "python-legacy", url, json.dumps(calls), stdout=asyncio.subprocess.PIPE
            )
            out, _ = await client.communicate()
        ten = [f"Number {n}?" for n in range(1, 11)]
        assert json.loads(out) == [
            {"text": "1 2 3 4 5 6 7 8 9 10", "asked": ten},
            {"text": f"-32603 {OVER}", "asked": ten},
            {"text": "1 accept sampled file:///books", "asked": ["Name?", "Look.", "A river?", "roots"]},
            {"text": "ready", "asked": []},
            {"text": "1 2", "asked": ten[:2]},
            {"text": "1 2", "asked": ten[:2]},
        ]

    asyncio.run(run())

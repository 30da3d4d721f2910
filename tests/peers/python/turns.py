"""The client of the Python SDK, for the table of tests/peers. It writes a line with its name. For each line with a
number of legs and one of calls that it reads it writes the nanoseconds that these calls took, and those of the CPU."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import Any, AsyncIterator

import anyio
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.shared.message import SessionMessage
from mcp_types import ElicitRequestParams, ElicitResult, jsonrpc_message_adapter

SCRIPT = json.loads(sys.argv[-1])
DISCOVERED = json.dumps(SCRIPT["discovered"])
LISTED = json.dumps(  # asked for after the first result, to validate it
    {
        "resultType": "complete",
        "tools": [{"name": SCRIPT["params"]["name"], "inputSchema": {"type": "object"}}],
        "ttlMs": 0,
        "cacheScope": "private",
    }
)


class Peer:
    """Answers with ready JSON text what the client writes as JSON text."""

    def __init__(self, legs: int) -> None:
        self.results = SCRIPT["results"][str(legs)]
        self.leg = 0
        self.answers, self.read = anyio.create_memory_object_stream[SessionMessage | Exception](1)

    async def send(self, item: SessionMessage, /) -> None:
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        number = getattr(item.message, "id", None)
        if number is None or not text:
            return
        result = DISCOVERED
        if '"method":"tools/call"' in text:
            result = self.results[self.leg]
            self.leg = (self.leg + 1) % len(self.results)
        elif '"method":"tools/list"' in text:
            result = LISTED
        answer = f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"result":{result}}}'
        await self.answers.send(SessionMessage(jsonrpc_message_adapter.validate_json(answer, by_name=False)))

    async def aclose(self) -> None:
        await self.answers.aclose()

    async def __aenter__(self) -> Peer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


@asynccontextmanager
async def connection(legs: int) -> AsyncIterator[tuple[Any, Any]]:
    peer = Peer(legs)
    yield peer.read, peer
    await peer.aclose()


async def elicit(_: ClientRequestContext, __: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(**SCRIPT["answer"])


async def main() -> None:
    print(f"Python SDK {version('mcp')}", flush=True)
    clients: dict[int, Client] = {}
    params = SCRIPT["params"]
    async with AsyncExitStack() as stack:
        while line := await asyncio.to_thread(sys.stdin.readline):
            legs, calls = map(int, line.split())
            if legs not in clients:
                client = Client(connection(legs), mode="2026-07-28", elicitation_callback=elicit)
                clients[legs] = await stack.enter_async_context(client)
            client = clients[legs]
            begun, cpu = time.perf_counter_ns(), time.process_time_ns()
            for _ in range(calls):
                result = await client.call_tool(params["name"], params["arguments"])
                assert len(result.content) == 1
            print(time.perf_counter_ns() - begun, time.process_time_ns() - cpu, flush=True)


asyncio.run(main())

"""Times the SDK's own requestState sealing and Parley's, in one run and in turns: medians of five, in microseconds of the
processor, and their ratios.

A seal is a request without state whose result asks; an open is one with that state and a final result. Both carry a
state of 200 bytes. "codec" is the encryption alone, "strings" and "numbers" the middleware with claims, binding and
JSON, for a call of strings that asks a short question, and for one of numbers that asks with a schema. The last line is
what importing parley_mrtr.server adds to a server of the SDK, with bytecode as pip leaves it.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import Mock

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import AESGCMRequestStateCodec, RequestStateBoundary, RequestStateCodec, RequestStateSecurity
from mcp_types import ClientCapabilities, ElicitationCapability
from starlette.requests import Request

from parley_mrtr.codec import Codec, Guard, new_key
from parley_mrtr.server import GuardMiddleware, SealCodec

STATE = json.dumps({"step": "x" * 189})
SECONDS, RUNS = 0.2, 5

Middleware = Callable[[ServerRequestContext[Any, Any], CallNext], Any]


class Work(NamedTuple):
    seal: Callable[[], Any]
    open: Callable[[], Any]
    token: int  # characters


def spent(work: Callable[[], Any]) -> float:
    begun, n = time.process_time(), 0
    while (spent := time.process_time() - begun) < SECONDS / RUNS:
        for _ in range(50):
            work()
        n += 50
    return spent / n


def medians(*works: Callable[[], Any]) -> list[float]:
    """In microseconds; what else the machine does is alike for all."""
    for work in works:
        work()
    runs = [[spent(work) for work in works] for _ in range(RUNS)]
    return [statistics.median(times) * 1e6 for times in zip(*runs, strict=True)]


def codec(of: RequestStateCodec) -> Work:
    payload = STATE.encode()
    token = of.seal(payload)
    return Work(lambda: of.seal(payload), lambda: of.unseal(token), len(token))


class Call(NamedTuple):
    arguments: dict[str, Any]
    question: dict[str, Any]


STRINGS = Call({"location": "Oslo"}, {"mode": "form", "message": "Which units?"})
NUMBERS = Call(
    {"amount": 12.5, "items": [{"id": 4711, "count": 2}, {"id": 4712, "count": 10}], "to": "Ada"},
    {
        "mode": "form",
        "message": "Which units?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "units": {"type": "string", "title": "Units", "enum": ["metric", "imperial"], "default": "metric"},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
            },
            "required": ["units"],
        },
    },
)


async def request(call: Call, state: str | None) -> ServerRequestContext[Any, Any]:
    params: dict[str, Any] = {"name": "get_weather", "arguments": call.arguments}
    if state is not None:
        params["requestState"] = state
        params["inputResponses"] = {"units": {"action": "accept", "content": {"units": "metric"}}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    http = Request({"type": "http", "method": "POST", "headers": []}, receive)
    await http.body()  # as the SDK does, before any middleware
    return ServerRequestContext(
        session=Mock(client_capabilities=ClientCapabilities(elicitation=ElicitationCapability())),
        lifespan_context={},
        protocol_version="2026-07-28",
        method="tools/call",
        params=params,
        request_id=1,
        request=http,
    )


async def answers(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
    return {"resultType": "complete", "content": []}


def boundary(middleware: Middleware, call: Call) -> Work:
    async def asks(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        question = {"method": "elicitation/create", "params": call.question}
        return {"resultType": "input_required", "requestState": STATE, "inputRequests": {"units": question}}

    first = asyncio.run(request(call, None))
    token = asyncio.run(middleware(first, asks))["requestState"]
    second = asyncio.run(request(call, token))

    def step(ctx: ServerRequestContext[Any, Any], handler: CallNext) -> None:
        coroutine = middleware(ctx, handler)
        try:
            coroutine.send(None)  # nothing in it waits, so no event loop is timed along
        except StopIteration:
            return
        raise RuntimeError("the middleware waited for something")

    return Work(lambda: step(first, asks), lambda: step(second, answers), len(token))


IMPORT = """
import time
import mcp.server.mcpserver
begun = time.perf_counter()
import parley_mrtr.server
print(time.perf_counter() - begun)
"""


def importing() -> float:
    """How long a process needs for it, in milliseconds."""
    with TemporaryDirectory() as bytecode:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # it would compile in every run
        command = [sys.executable, "-c", IMPORT]
        times = [float(subprocess.check_output(command, env=environment)) for _ in range(1 + RUNS)]  # noqa: S603
    return statistics.median(times[1:]) * 1e3


def main() -> None:
    aes, ours = AESGCMRequestStateCodec([os.urandom(32)]), SealCodec(Codec(new_key()))
    sdk = RequestStateBoundary(RequestStateSecurity(codec=aes), default_audience="bench")
    guard = GuardMiddleware(Guard(new_key(), audience="bench"))
    layers = [
        ("codec", codec(aes), codec(ours)),
        ("strings", boundary(sdk, STRINGS), boundary(guard, STRINGS)),
        ("numbers", boundary(sdk, NUMBERS), boundary(guard, NUMBERS)),
    ]
    print(f"{'':<9} {'':<10} {'seal us':>8} {'ratio':>6} {'open us':>8} {'ratio':>6} {'both':>6} {'token':>6}")
    for layer, sdk, parley in layers:
        seal, open, *ours = medians(sdk.seal, sdk.open, parley.seal, parley.open)
        for name, (s, o), token in ("SDK", (seal, open), sdk.token), ("Parley", ours, parley.token):
            ratios = f"{s:8.1f} {s / seal:6.2f} {o:8.1f} {o / open:6.2f} {(s + o) / (seal + open):6.2f}"
            print(f"{layer:<9} {name:<10} {ratios} {token:6}")
    print(f"{'import':<9} {'Parley':<10} {importing():8.1f} ms")


if __name__ == "__main__":
    main()

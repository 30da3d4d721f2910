"""Times the SDK's own requestState sealing and Parley's, in one run: best of several, in microseconds.

A seal is a request without state whose result asks; an open is one with that state and a final result. Both carry a
state of 200 bytes. "codec" is the encryption alone, "boundary" the middleware with claims, binding and JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest.mock import Mock

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import AESGCMRequestStateCodec, RequestStateBoundary, RequestStateCodec, RequestStateSecurity
from starlette.requests import Request

from parley_codec import Codec, Guard, new_key
from parley_mcp import GuardMiddleware, SealCodec

STATE = json.dumps({"step": "x" * 189})
SECONDS, RUNS = 0.2, 5

Middleware = Callable[[ServerRequestContext[Any, Any], CallNext], Any]


class Times(NamedTuple):
    seal: float  # us
    open: float  # us
    token: int  # characters


def best(work: Callable[[], Any]) -> float:
    work()
    fastest = float("inf")
    for _ in range(RUNS):
        begun, n = time.perf_counter(), 0
        while (spent := time.perf_counter() - begun) < SECONDS / RUNS:
            work()
            n += 1
        fastest = min(fastest, spent / n)
    return fastest * 1e6


def codec(of: RequestStateCodec) -> Times:
    payload = STATE.encode()
    token = of.seal(payload)
    return Times(best(lambda: of.seal(payload)), best(lambda: of.unseal(token)), len(token))


async def request(state: str | None) -> ServerRequestContext[Any, Any]:
    params: dict[str, Any] = {"name": "get_weather", "arguments": {"location": "Oslo"}}
    if state is not None:
        params["requestState"] = state
        params["inputResponses"] = {"units": {"action": "accept", "content": {"units": "metric"}}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    http = Request({"type": "http", "method": "POST", "headers": []}, receive)
    await http.body()  # as the SDK does, before any middleware
    return ServerRequestContext(
        session=Mock(),
        lifespan_context={},
        protocol_version="2026-07-28",
        method="tools/call",
        params=params,
        request_id=1,
        request=http,
    )


async def asks(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
    question = {"method": "elicitation/create", "params": {"mode": "form", "message": "Which units?"}}
    return {"resultType": "input_required", "requestState": STATE, "inputRequests": {"units": question}}


async def answers(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
    return {"resultType": "complete", "content": []}


def boundary(middleware: Middleware) -> Times:
    first = asyncio.run(request(None))
    token = asyncio.run(middleware(first, asks))["requestState"]
    second = asyncio.run(request(token))

    def step(ctx: ServerRequestContext[Any, Any], handler: CallNext) -> None:
        coroutine = middleware(ctx, handler)
        try:
            coroutine.send(None)  # nothing in it waits, so no event loop is timed along
        except StopIteration:
            return
        raise RuntimeError("the middleware waited for something")

    return Times(best(lambda: step(first, asks)), best(lambda: step(second, answers)), len(token))


def main() -> None:
    def sdk(of: RequestStateCodec) -> Middleware:
        return RequestStateBoundary(RequestStateSecurity(codec=of), default_audience="bench")

    aes, ours = AESGCMRequestStateCodec([os.urandom(32)]), SealCodec(Codec(new_key()))
    guard = GuardMiddleware(Guard(new_key(), audience="bench"))
    layers: list[tuple[str, list[tuple[str, Times]]]] = [
        ("codec", [("SDK, AES-GCM", codec(aes)), ("Parley", codec(ours))]),
        (
            "boundary",
            [
                ("SDK, AES-GCM", boundary(sdk(aes))),
                ("SDK, Parley's codec", boundary(sdk(ours))),
                ("Parley's Guard", boundary(guard)),
            ],
        ),
    ]
    print(f"{'python':<9} {'':<20} {'seal us':>8} {'ratio':>6} {'open us':>8} {'ratio':>6} {'token':>6}")
    for layer, rows in layers:
        peer = rows[0][1]
        for name, t in rows:
            ratios = t.seal / peer.seal, t.open / peer.open
            print(f"{layer:<9} {name:<20} {t.seal:8.1f} {ratios[0]:6.1f} {t.open:8.1f} {ratios[1]:6.1f} {t.token:6}")


if __name__ == "__main__":
    main()

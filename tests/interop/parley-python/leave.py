"""Parley's client in Python, in a host that is in a hurry: it gives a call up as soon as the server works on it, leaves
the session at once, and ends.

leave.py {"name":TOOL,"arguments":{…}} URL | COMMAND...
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

from parley_mrtr.host import Stdio, StreamableHTTP, Watchers, connect


async def main(params: str, at: str, *arguments: str) -> None:
    transport = StreamableHTTP(at) if at.startswith("http:") else Stdio(at, arguments, env=dict(os.environ), stderr=2)
    works = asyncio.Event()
    watchers = Watchers(progress=lambda *_: works.set(), task=lambda *_: works.set())
    elicit = lambda _: {"action": "decline"}  # noqa: E731
    async with connect(transport, elicit=elicit, tasks=True, shape={"probeTimeout": 180_000}) as session:
        call = asyncio.create_task(session.call("tools/call", params, watchers=watchers))
        await works.wait()
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
    print("canceled" if call.cancelled() else call)


asyncio.run(main(*sys.argv[1:]))

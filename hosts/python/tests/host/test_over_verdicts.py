"""A call over the SDK's client is told the same of an answer as one over a transport of the host's own, or is in doubt.

The answers of hosts/testdata/verdicts are served by real sockets.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import re
from collections.abc import Iterator

import mcp_types
import pytest
from mcp import Client
from mcp.client import streamable_http

from host.test_verdicts import CASES, Served
from host.test_verdicts import verdict as of_call
from parley_mrtr.host import CallFailed, Code, connect
from parley_mrtr.host.over import _is_the_clients, over

NAMES = [name for name, case in CASES.items() if "http" in case]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    one = Served(tmp_path_factory.mktemp("verdicts"))
    yield one
    one.close()


@pytest.mark.parametrize("name", NAMES)
def test_verdict(name: str, served: Served) -> None:
    case = CASES[name]
    want = case.get("over", {}).get("python", case["verdict"])
    late = 300 if want == "late" else 0  # nothing ever comes
    url = served.at[name]["url"].removesuffix("/mcp") + "/over"
    got, words = asyncio.run(call(url, case.get("timeout", late)))
    if got == "late" and "timeout" in case:
        got = "in doubt"
    assert got == want, words
    assert "s3cret" not in words


async def call(url: str, leg_timeout: int) -> tuple[str, str]:
    """A connection that breaks ends the SDK's client: it cancels who uses it, and raises what broke."""
    said = ("nothing", "")
    with contextlib.suppress(Exception):
        async with Client(url) as client, connect(over(client.session)) as session:
            try:
                await session.call("tools/call", {"name": "pay", "arguments": {}}, options={"legTimeout": leg_timeout})
                said = ("done", "")
            except CallFailed as failed:
                said = (verdict(failed), str(failed))
            except asyncio.CancelledError as cancelled:
                assert isinstance(cancelled.__cause__, CallFailed)
                said = (verdict(cancelled.__cause__), str(cancelled.__cause__))
                raise
    return said


def verdict(failed: CallFailed) -> str:
    if failed.code == Code.LEG_TIMEOUT:
        return "late"
    if failed.in_doubt:
        return "in doubt"
    return of_call(failed)


def test_all_that_the_sdk_says_in_place_of_an_answer_is_known() -> None:
    said = re.findall(r'code=(\w+), message=f?"([^"{]+)', inspect.getsource(streamable_http))
    assert len(said) >= 6
    for code, words in said:
        assert _is_the_clients(mcp_types.ErrorData(code=getattr(mcp_types, code), message=words)), words

"""Replays the scripts of hosts/testdata/results, whose README says how they read. Python has a typed call for tools: of
the others it only sees that the engine says what a result lacks."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from parley_mrtr.host import CallFailed, Done, Outbound, Requests, connect

SCRIPTS = sorted((Path(__file__).parents[4] / "hosts/testdata/results").glob("*.txt"))


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 40


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    script = re.fullmatch(r"#.*\n\ncall (.*)\nresult (.*)\n----\n((?:.*\n)+)", path.read_text())
    assert script is not None
    method, result, want = script.groups()
    lines = want.splitlines()
    if method != "tools/call":
        lines = [line for line in lines if line.startswith("lacks ")]
    assert asyncio.run(play(method, result.encode())) == lines


async def play(method: str, result: bytes) -> list[str]:
    """An untyped call, and then a typed one."""

    async def send(_: Outbound) -> bytes:
        return b'{"jsonrpc":"2.0","id":1,"result":%b}' % result

    async with connect(Requests(send)) as session:
        outcome = await session.call(method)
        assert isinstance(outcome, Done)
        assert outcome.result == result
        lines = [] if outcome.lacks is None else [f"lacks {outcome.lacks}"]
        if method != "tools/call":
            return lines
        try:
            read = await session.call_tool("t")
        except CallFailed as failed:
            assert (failed.raw, failed.in_doubt, failed.resumable) == (result, False, False)
            return [*lines, f"failed {compact({'code': int(failed.code), 'detail': failed.detail})}"]
        assert read.raw == result
        shown: dict[str, Any] = {"content": [block(content) for content in read.content]}
        if read.structured_content is not None:
            shown["structuredContent"] = read.structured_content
        if read.is_error:
            shown["isError"] = True
        return [*lines, f"read {compact(dict(sorted(shown.items())))}"]


def block(content: dict[str, Any]) -> dict[str, Any]:
    held = content["resource"] if content["type"] == "resource" else content
    shown: dict[str, Any] = {"type": content["type"]}
    match content["type"]:
        case "text" | "image" | "audio" | "resource":
            data = held.get("data", held.get("blob"))
            if isinstance(held.get("text"), str):
                shown["text"] = held["text"]
            else:
                shown["bytes"] = len(base64.b64decode(data))
        case "resource_link":
            shown["uri"] = content["uri"]
    return dict(sorted(shown.items()))


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""Replays the scripts of hosts/testdata/lists that list tools, which is all that Python lists; the README there says how
they read."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from parley_mrtr.host import CallFailed, Outbound, Requests, SessionWatchers, connect
from parley_mrtr.host.listing import Tool

SCRIPTS = [
    path
    for path in sorted((Path(__file__).parents[4] / "hosts/testdata/lists").glob("*.txt"))
    if re.search(r"^list tools$", path.read_text(), re.MULTILINE)
]
SHOWN = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution", "icons")


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 19


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    text = re.sub(r"@repeat\((.),(\d+)\)", lambda m: m[1] * int(m[2]), path.read_text())
    given, _, want = re.sub(r"^(#.*\n)+", "", text).partition("\n----\n")
    assert asyncio.run(Played(given).play()) == want.strip().split("\n")


class Played:
    def __init__(self, given: str) -> None:
        lines = [line.partition(" ")[::2] for line in given.strip().split("\n")]
        said = dict(lines)
        self.stop = int(said.get("stop", 0))
        self.endless, self.many = said.get("endless"), said.get("items")
        self.answers = [line for line in lines if line[0] in ("page", "error", "items")]
        self.lines: list[str] = []
        self.asked = 0

    async def play(self) -> list[str]:
        listed, last = 0, "end"
        warned: list[str] = []
        watchers = SessionWatchers(warning=lambda text: warned.append(f"warned {text}"))
        async with connect(Requests(self.send), watchers=watchers) as session:
            try:
                async for tool in session.tools():
                    listed += 1
                    if not self.many:
                        self.lines.append(f"item {shown(tool, self.answers)}")
                    if listed == self.stop:
                        break
            except CallFailed as failed:
                what: dict[str, Any] = {"code": int(failed.code)}
                if failed.response is None:
                    what["detail"] = failed.detail
                last = f"failed {compact(what)}"
        if self.endless:
            self.lines.append(f"asked {self.asked}")
        if self.many:
            self.lines.append(f"listed {listed}")
        return [*self.lines, last, *warned]

    async def send(self, outbound: Outbound) -> bytes:
        assert outbound.method == "tools/list"
        if not self.endless:
            self.lines.append(f"ask {outbound.params.decode()}")
        self.asked += 1
        if self.endless:
            page = f'{self.endless[:-1]},"nextCursor":"c{self.asked}"}}'
        else:
            verb, page = self.answers[self.asked - 1]
            if verb == "error":
                return b'{"jsonrpc":"2.0","id":1,"error":%b}' % page.encode()
            if verb == "items":
                count, _, item = page.partition(" ")
                page = '{"resultType":"complete","tools":[%s]}' % ",".join([item] * int(count))
        return b'{"jsonrpc":"2.0","id":1,"result":%b}' % page.encode()


def shown(tool: Tool, answers: list[tuple[str, str]]) -> str:
    read: dict[str, Any] = {name: tool[name] for name in SHOWN if name == "name" or tool.get(name)}  # type: ignore[literal-required]
    if not described(tool, answers):
        del read["inputSchema"]  # one that takes any arguments
    return compact({name: value if name.endswith("Schema") else without_nothing(value) for name, value in read.items()})


def described(tool: Tool, answers: list[tuple[str, str]]) -> bool:
    """Whether the server gave the tool a schema."""
    pages = (json.loads(page) for verb, page in answers if verb == "page")
    listed = [t for page in pages for t in page["tools"] if isinstance(t, dict)]
    return any(isinstance(t.get("inputSchema"), dict) for t in listed if t.get("name") == tool["name"])


def without_nothing(value: Any) -> Any:
    if isinstance(value, list):
        return [without_nothing(item) for item in value]
    if isinstance(value, dict):
        defaults = "destructiveHint", "openWorldHint"
        return {name: item for name, item in value.items() if item or name in defaults}
    return value


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""The README's hosts, run as a person would."""

from __future__ import annotations

import ast
import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checkout import REPO
from parley_mrtr.host import Form, Question, accept, connect

PACKAGE = REPO / "hosts/python"
SECTION = (PACKAGE / "README.md").read_text().partition("## On a host\n")[2]


@pytest.fixture
def url(go_server: Path) -> Iterator[str]:
    with subprocess.Popen([go_server, "-addr", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        yield serving.stdout.readline().split()[-1]
        serving.terminate()


def test_a_host_that_answers_in_another_process(url: str, tmp_path: Path) -> None:
    code = re.findall(r"^```python\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)[0]
    assert sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(code))) <= 15
    (tmp_path / "host.py").write_text(code)
    assert run(tmp_path, url, "call") == "1: Which units should the weather in Oslo be in?\n"
    answers = '{"1": {"action": "accept", "content": {"units": "metric"}}}'
    assert f"'{answers}'" in SECTION
    assert run(tmp_path, url, "call", answers) == "Oslo: 18 °C, light rain, wind 15 km/h.\n"


def test_a_form_is_filled_in_until_it_fits(url: str) -> None:
    (code,) = re.findall(r"^```python\n(async def ask_person.*?)^```", SECTION, re.DOTALL | re.MULTILINE)
    typed = iter(["celsius", "metric"])
    names: dict[str, Any] = {"Form": Form, "input": lambda _: next(typed)}
    exec(code, names)

    async def call() -> str:
        async with connect(url, elicit=names["ask_person"]) as session:
            return str((await session.call_tool("get_weather", {"location": "Oslo"})).text)

    assert asyncio.run(call()) == "Oslo: 18 °C, light rain, wind 15 km/h."


def run(folder: Path, *arguments: str) -> str:
    """What the program prints."""
    command = [sys.executable, "-B", "host.py", *arguments]
    environment = {
        "PYTHONPATH": str(PACKAGE / "src"),
        "PATH": "/usr/bin:/bin",
        "PARLEY_CACHE_DIR": str(folder / "cache"),
    }
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def test_a_host_where_somebody_is_there_to_answer(url: str) -> None:
    (code,) = re.findall(r"`(async with connect\(url, elicit=ask_person\)[^`]*)`", SECTION)
    program = f"async def main():\n    {' '.join(code.split())}\n    return result.text"

    async def ask_person(question: Question) -> dict[str, object]:
        return accept({"units": "imperial"})

    names = {"connect": connect, "ask_person": ask_person, "url": url}
    exec(program, names)
    assert asyncio.run(names["main"]()) == "Oslo: 64 °F, light rain, wind 9 mph."  # type: ignore[operator]

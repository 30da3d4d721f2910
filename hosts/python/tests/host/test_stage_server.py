"""The stage as a program: what plays there must be the very lines of the scripts, and nothing ends it without a word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from host.driver_script import Script, play

TESTS = Path(__file__).parents[1]
SCRIPTS = sorted((TESTS.parents[1] / "testdata/drivers").glob("*.txt"))
CALL = 'call {"method":"tools/call","params":{"name":"t"},"callbacks":["save"]}'


class Piped:
    """A stage in another process."""

    open = False

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **request: str) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the program has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def start(self) -> list[str]:
        return self._told(do="start")

    def do(self, line: str) -> list[str]:
        return self._told(do="input", input=line)

    def end(self) -> list[str]:
        return self._told(do="end")

    def _told(self, **request: str) -> list[str]:
        answer = self.ask(**request)
        assert "error" not in answer, answer["error"]
        self.open = answer["open"]
        lines: list[str] = answer["lines"]
        return lines


Begin = Callable[[str], Piped]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Begins a program, which does something before."""
    with ExitStack() as stack:

        def begin(before: str) -> Piped:
            code = f"import asyncio\nfrom host import stage_server\n{before}\nstage_server.main()"
            process = subprocess.Popen(
                [sys.executable, "-B", "-c", code],
                env={**os.environ, "PYTHONPATH": str(TESTS)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return Piped(process)

        yield begin


def test_corpus(begin: Begin) -> None:
    stage = begin("")
    for path in SCRIPTS:
        stage.start()
        play(Script(path), stage)
    assert len(SCRIPTS) >= 111


def test_what_cannot_happen_is_an_error_and_the_stage_goes_on(begin: Begin) -> None:
    stage = begin("")
    stage.start()
    stage.do(CALL)
    for line, error in {
        "response 1 {}": "no callback waits for 1",
        "minds who no": "no callback waits for who",
        "until send": "nothing called send comes",
        "resume {}": "there is no snapshot",
        "other cancel no": "there is no call",
        "dance": "nothing of this name can happen",
        CALL: "the call before is not over",
    }.items():
        assert stage.ask(do="input", input=line) == {"lines": [], "open": True, "error": error}
    assert stage.ask(do="sleep") == {"lines": [], "open": True, "error": "do is start, input or end"}
    assert stage.do("saved")[0].startswith("send {")
    stage.end()
    stage.start()
    assert stage.do(CALL) == ["save"]


def test_a_call_and_a_save_that_never_come_back_end_with_the_stage(begin: Begin) -> None:
    stage = begin("")
    stage.start()
    assert stage.do(CALL) == ["save"]
    assert "failed {" in "\n".join(stage.end())
    assert not stage.open


FAULTS = {
    "raises in a callback of the loop": "asyncio.get_running_loop().call_soon(lambda: 1 / 0); await asyncio.Event().wait()",
    "has a task that fails and is not awaited": (
        "asyncio.ensure_future(asyncio.wait_for(1, 1)); await asyncio.sleep(0); await asyncio.Event().wait()"
    ),
    "fails with what is none of its errors": "raise TypeError",
    "ends with what is no outcome": "return None",
    "gives itself up": "raise asyncio.CancelledError",
}


@pytest.mark.parametrize("body", FAULTS.values(), ids=FAULTS)
def test_a_driver_that_breaks_is_told_and_another_stage_begins(begin: Begin, body: str) -> None:
    stage = begin(f"from parley_mrtr.host import Session\nasync def call(*_, **__): {body}\nSession.call = call")
    for _ in range(2):
        assert stage.start() == []
        answer = stage.ask(do="input", input=CALL)
        assert answer["fatal"], answer
        assert "Error" in answer["error"]


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("Session.close = lambda self: asyncio.Event().wait()", "a session does not close"),
        (
            "async def close(self): self.task = asyncio.create_task(asyncio.Event().wait())\nSession.close = close",
            "left",
        ),
        ("async def close(self): pass\nSession.close = close", "the engine still holds"),
    ],
)
def test_what_is_left_of_a_session_is_told(begin: Begin, before: str, words: str) -> None:
    stage = begin(f"from parley_mrtr.host import Session\n{before}")
    stage.start()
    stage.do(CALL)
    answer = stage.ask(do="end")
    assert answer["fatal"], answer
    assert words in answer["error"]

"""Every call of tests/interop/cases.json, against servers on the official SDKs, in both eras."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from parley_mrtr.host import (
    Askers,
    CallFailed,
    Done,
    Outcome,
    Question,
    Session,
    SessionWatchers,
    Stdio,
    StreamableHTTP,
    Transport,
    Watchers,
    accept,
)
from parley_mrtr.host.module import compiled

INTEROP = Path(__file__).parents[4] / "tests/interop"
SERVERS = [("gosdk", "modern"), ("python", "modern"), ("python", "legacy"), ("ts", "modern"), ("ts", "legacy")]


class Player:
    """Answers as a case says, and notes what it was asked."""

    def __init__(self, era: str) -> None:
        self.era = era
        self.case: dict[str, Any] = {}
        self.asked: list[str] = []
        self.progress: list[float] = []
        self.logs: list[Any] = []
        self.running: asyncio.Task[Any] | None = None

    def askers(self) -> Askers:
        return Askers(elicit=self.elicit, elicit_url=self.elicit, sample=self.sample, list_roots=self.roots)

    async def elicit(self, question: Question) -> dict[str, Any]:
        if question.repeat and self.era == "legacy":  # asks whether the page was visited: the server will say so
            await asyncio.Event().wait()
        answers = self.case["answers"][question.message]
        answer = answers[min(self.asked.count(question.message), len(answers) - 1)]
        self.asked.append(question.message)
        if answer.get("visit"):
            urllib.request.urlopen(question.about["url"]).close()
        return accept(answer.get("content")) if answer["action"] == "accept" else {"action": answer["action"]}

    def sample(self, question: Question) -> dict[str, Any]:
        content = question.about["messages"][0]["content"]
        self.asked.append(f"sampling: {content['text']}")
        return {"role": "assistant", "model": "none", "content": {"type": "text", "text": "A line."}}

    def roots(self, _: Question) -> dict[str, Any]:
        self.asked.append("roots")
        return {"roots": [{"uri": "file:///interop"}]}

    def notified(self, method: str, params: bytes | None) -> None:
        if method == "notifications/message":
            self.logs.append(json.loads(params or b"{}")["data"])

    def progressed(self, _: int, params: bytes) -> None:
        self.progress.append(json.loads(params)["progress"])
        if self.case.get("cancel") and self.running:
            self.running.cancel()

    async def play(self, session: Session, case: dict[str, Any]) -> None:
        self.case, self.asked, self.progress, self.logs = case, [], [], []
        watchers = Watchers(progress=self.progressed)

        async def run() -> None:
            canceled = False
            try:
                assert text_of(await session.call(*request(case), watchers=watchers)) == case["text"]
            except asyncio.CancelledError as error:
                assert isinstance(error.__cause__, CallFailed)
                canceled = True
            assert canceled == case.get("cancel", False)

        self.running = asyncio.create_task(run())
        await self.running
        assert sorted(self.asked) == sorted(case.get("asked", []))
        if "progress" in case:
            assert self.progress == case["progress"]
        if "logs" in case:
            assert self.logs == case["logs"]
        if then := case.get("then"):
            while text_of(await session.call(*request(then))) != then["text"]:
                await asyncio.sleep(0.02)


def request(case: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if "tool" in case:
        return "tools/call", {"name": case["tool"], "arguments": case.get("arguments", {})}
    if "prompt" in case:
        return "prompts/get", {"name": case["prompt"], "arguments": case.get("arguments", {})}
    return "resources/read", {"uri": case["resource"]}


def text_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Done)
    result = outcome.value
    if "messages" in result:
        return str(result["messages"][0]["content"]["text"])
    return "".join(block["text"] for block in result.get("content") or result["contents"])


def cases(era: str, http: bool) -> Iterator[dict[str, Any]]:
    for case in json.loads((INTEROP / "cases.json").read_text()):
        if era in case.get("eras", [era]) and (http or not case.get("http")):
            yield json.loads(json.dumps(case).replace("$ID", secrets.token_hex(8)))


async def play_all(transport: Transport, era: str) -> None:
    player = Player(era)
    watchers = SessionWatchers(notification=player.notified)
    shape = {"logLevel": "info"}
    async with Session(compiled(), transport, player.askers(), shape, watchers) as session:  # type: ignore[arg-type]
        await session.call("tools/list")  # names the parameters that are header fields
        for case in cases(era, transport.kind == "http"):
            try:
                await player.play(session, case)
            except (AssertionError, CallFailed) as error:
                raise AssertionError(f"{case['name']}: {error}") from error


@pytest.mark.parametrize(("name", "era"), SERVERS)
def test_http(name: str, era: str) -> None:
    with serving(name, era) as url:
        asyncio.run(play_all(StreamableHTTP(url), era))


@pytest.mark.parametrize(("name", "era"), [("python", "modern"), ("ts", "legacy")])
def test_stdio(name: str, era: str) -> None:
    program, *arguments = command(name, era)
    cache = {variable: os.environ[variable] for variable in ["PARLEY_CACHE"] if variable in os.environ}
    asyncio.run(play_all(Stdio(program, [*arguments, "--stdio"], env=cache), era))


def command(name: str, era: str) -> list[str]:
    if name == "ts" and not (INTEROP / "ts/node_modules").exists():
        pytest.skip("the servers of tests/interop/ts are not set up: tests/interop/test.sh setup")
    if name == "gosdk" and not shutil.which("go"):
        pytest.skip("there is no Go")
    flags = ["--legacy"] if era == "legacy" else []
    return [str(INTEROP / "run.sh"), "--ready", "server", name, *flags]


@contextmanager
def serving(name: str, era: str) -> Iterator[str]:
    """A server over HTTP, at the URL that it prints."""
    process = subprocess.Popen([*command(name, era), "--http", "0"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert line.startswith("listening on "), line
        yield line.split()[-1]
    finally:
        process.terminate()
        process.communicate()

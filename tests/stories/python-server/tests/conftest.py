"""Servers as processes, and a client that speaks to them over HTTP, one round at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from parley_mrtr.codec import new_key

HERE = Path(__file__).resolve().parents[1]
REPO = HERE.parents[2]

#: How long anything may take, in seconds. Nobody waits for it on a good day.
PATIENCE = 180

#: The key of the vectors: secret 00..1f.
KEY = b"parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"


@dataclass
class Answer:
    status: int
    result: dict[str, Any]
    error: dict[str, Any]

    @property
    def state(self) -> str:
        return str(self.result["requestState"])

    @property
    def text(self) -> str:
        return str(self.result["content"][0]["text"])


@dataclass
class Process:
    """A server that runs, and where its log goes."""

    url: str
    popen: subprocess.Popen[str]
    log: Path

    def call(
        self, name: str, arguments: str, state: str | None = None, answers: Any = None, forms: bool = True
    ) -> Answer:
        """One leg of tools/call. `arguments` is JSON text, sent as it is."""
        members = [f'"name":{json.dumps(name)}', f'"arguments":{arguments}']
        if state is not None:
            members.append(f'"requestState":{json.dumps(state)}')
        if answers is not None:
            members.append(f'"inputResponses":{json.dumps(answers)}')
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}} if forms else {},
        }
        members.append(f'"_meta":{json.dumps(meta)}')
        return self.post("tools/call", f"{{{','.join(members)}}}", name)

    def post(self, method: str, params: str, name: str) -> Answer:
        request = urllib.request.Request(
            self.url,
            f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}'.encode(),
            {
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": method,
                "Mcp-Name": name,
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                status, body = response.status, response.read().decode()
        except urllib.error.HTTPError as response:
            status, body = response.code, response.read().decode()
        for line in body.splitlines():  # a stream of one event
            if line.startswith("data: "):
                body = line.removeprefix("data: ")
        message = json.loads(body)
        return Answer(status, message.get("result", {}), message.get("error", {}))


Start = Callable[..., list[Process]]


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts servers at once, each by its command line, and ends them after the tests."""
    running: list[Process] = []

    def run(*commands: list[str | Path]) -> list[Process]:
        begun = []
        for command in commands:
            log = tmp_path_factory.mktemp("log") / "stderr"
            with log.open("w") as stderr:
                popen = subprocess.Popen(
                    [os.fspath(word) for word in command], cwd=HERE, stdout=subprocess.PIPE, stderr=stderr, text=True
                )
            begun.append(Process("", popen, log))
        running.extend(begun)
        for process in begun:
            assert process.popen.stdout is not None
            line = process.popen.stdout.readline()
            assert line.startswith("listening on http"), process.log.read_text()
            process.url = line.split()[-1]
        return begun

    yield run
    for process in running:
        process.popen.terminate()
    deadline = time.monotonic() + PATIENCE
    for process in running:
        process.popen.wait(max(0.1, deadline - time.monotonic()))
        assert process.popen.stdout is not None
        process.popen.stdout.close()


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "fleet.keys"
    path.touch(0o600)
    path.write_bytes(new_key())
    return path


def python(program: str, *arguments: str | Path) -> list[str | Path]:
    return [sys.executable, program, "--addr", "127.0.0.1:0", *arguments]


def accept(key: str, content: dict[str, Any]) -> dict[str, Any]:
    return {key: {"action": "accept", "content": content}}


REFUSED = {"code": -32602, "message": "Invalid or expired requestState", "data": {"reason": "invalid_request_state"}}

"""The server of the README, killed between its questions."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from checkout import REPO
from parley_mrtr.codec import new_key

HERE = REPO / "hosts" / "python"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}


def snippet() -> str:
    code, *_ = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    return str(code)


def statements(code: str) -> int:
    import ast

    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(code)))


@contextmanager
def running(folder: Path, port: int) -> Iterator[str]:
    environment = {**os.environ, "PYTHONPATH": str(HERE / "src"), "FASTMCP_SHOW_SERVER_BANNER": "false"}
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "server.py"], cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        while True:
            assert process.poll() is None, (folder / "log").read_text()
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def leg(url: str, **more: Any) -> dict[str, Any]:
    params = {"name": "book", "arguments": {"city": "Oslo"}, "_meta": META, **more}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "book",
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    body = httpx2.post(url, json=message, headers=headers, timeout=None).text
    for line in body.splitlines():
        if line.startswith("data: "):
            body = line.removeprefix("data: ")
    result = json.loads(body)["result"]
    assert isinstance(result, dict)
    return result


def answered(asked: dict[str, Any], **content: Any) -> dict[str, Any]:
    (key,) = asked["inputRequests"]
    responses = {key: {"action": "accept", "content": content}}
    return {"requestState": asked["requestState"], "inputResponses": responses}


def question(asked: dict[str, Any]) -> str:
    ((_, entry),) = asked["inputRequests"].items()
    return str(entry["params"]["message"])


def test_a_tool_that_asks_twice_survives_a_kill(tmp_path: Path) -> None:
    code = snippet()
    assert statements(code) <= 15
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    assert "port=8000" in code
    (tmp_path / "server.py").write_text(code.replace("port=8000", f"port={port}"))
    (tmp_path / "keys").touch(0o600)
    (tmp_path / "keys").write_bytes(new_key())
    with running(tmp_path, port) as url:
        first = leg(url)
        assert question(first) == "Which room in Oslo?"
        second = leg(url, **answered(first, name="the blue one"))
        assert question(second) == "Book the blue one?"
    with running(tmp_path, port) as url:  # another process, which has never seen the first leg
        done = leg(url, **answered(second, value=True))
    assert done["content"][0]["text"] == "the blue one is booked"

"""A tool call that fails says whether the tool may have run, and why, in words that a person can act on.

The failures of hosts/testdata/verdicts are served by real sockets and processes.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from parley_mrtr.host import CallFailed, Code, StatusError, Stdio, StreamableHTTP, UnsentError, connect

ROOT = Path(__file__).parents[4]
CASES = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "hosts/testdata/verdicts").glob("*.json"))}
# What Python is told of a failure is what Go is, which hosts that see less do not share.
NAMES = [name for name, case in CASES.items() if "go" in case.get("hosts", ["go"])]


class Served:
    """The program that fails, and at which URLs."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "serve"
        self.missing = folder / "server"
        build = ["go", "build", "-o", str(self.program), "./internal/testkit/failures/serve"]
        subprocess.run(build, cwd=ROOT, check=True)
        self._process = subprocess.Popen([self.program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout
        said = json.loads(self._process.stdout.readline())
        self.at: dict[str, dict[str, str]] = said["cases"]
        self.trust = ssl.create_default_context(cadata=said["ca"])

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    one = Served(tmp_path_factory.mktemp("verdicts"))
    yield one
    one.close()


@pytest.mark.parametrize("name", NAMES)
def test_verdict(name: str, served: Served) -> None:
    case = CASES[name]
    failed = asyncio.run(call(name, case, served))
    if failed is None:
        assert case["verdict"] == "done"
        return
    assert failed.resumable or failed.code == Code.MALFORMED
    assert verdict(failed) == case["verdict"], failed
    said = f"{failed} {failed.__cause__}" if verdict(failed) == "refused" else str(failed)
    for words in case["words"]:
        assert words in said
    assert "s3cret" not in said
    url = served.at.get(name, {}).get("url")
    assert not url or url not in said


async def call(name: str, case: dict[str, Any], served: Served) -> CallFailed | None:
    at = served.at.get(name, {})
    options = {} if "most" not in case else {"max_message": case["most"]}
    async with httpx2.AsyncClient(verify=served.trust, proxy=at.get("proxy") or None) as client:
        transport: Stdio | StreamableHTTP
        if program := case.get("program"):
            arguments = ["-cases", str(ROOT / "hosts/testdata/verdicts"), "-program", name]
            transport = Stdio(str(served.missing if program.get("missing") else served.program), arguments, **options)
        else:
            login = case.get("login")
            transport = StreamableHTTP(
                at.get("url", ""), client=client, authorization=login and closed_login(login), **options
            )
        async with connect(transport) as session:
            try:
                params = {"name": "pay", "arguments": {}}
                await session.call("tools/call", params, options={"legTimeout": case.get("timeout", 0)})
            except CallFailed as failed:
                return failed
            return None


def closed_login(words: str) -> Any:
    def authorization() -> str:
        raise UnsentError(words)

    return authorization


def verdict(failed: CallFailed) -> str:
    if failed.code in (Code.IN_DOUBT, Code.LEG_TIMEOUT):
        return "in doubt"
    if isinstance(failed.__cause__, StatusError) and failed.code != Code.RPC:
        return "refused"
    names = {Code.RPC: "answered", Code.MALFORMED: "unusable", Code.LOST: "not sent"}
    return names.get(failed.code, f"code {failed.code}")

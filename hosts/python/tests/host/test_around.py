"""What stands around a message is the engine's to skip: here lines are cut, and streams read."""

from __future__ import annotations

import asyncio
import sys

import httpx2
import pytest

from parley_mrtr.host import Done, Stdio, StreamableHTTP, connect
from parley_mrtr.host.sse import Reader
from parley_mrtr.host.transport import Transport

RESULT = b'{"content":[]}'
ANSWER = b'{"jsonrpc":"2.0","id":%s,"result":' + RESULT + b"}"

# A server that puts something around each line, and lacks the end of the last one.
SERVER = r"""
import json, sys
out = sys.stdout.buffer
out.write(b"Listening\r\n\n  \n"); out.flush()
for line in sys.stdin.buffer:
    request = json.loads(line)
    if request["method"] == "server/discover":
        answer = {"supportedVersions": ["2026-07-28"], "capabilities": {}}
    else:
        answer = {"content": []}
    text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer}, separators=(",", ":")).encode()
    if request["method"] == "tools/call":
        out.write(b"50%\r\xef\xbb\xbf" + text); out.flush()
        break
    out.write(b"\xef\xbb\xbf \x00" + text + b"\r\n"); out.flush()
"""


def result(transport: Transport) -> bytes:
    async def call() -> bytes:
        async with connect(transport) as session:
            done = await asyncio.wait_for(session.call("tools/call", {"name": "t"}), 10)
        assert isinstance(done, Done)
        return done.result

    return asyncio.run(call())


def test_lines() -> None:
    assert result(Stdio(sys.executable, ["-c", SERVER])) == RESULT


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/event-stream", ANSWER),
        ("text/event-stream", b"[" + ANSWER + b"]"),
        ("text/event-stream", b"\xef\xbb\xbfdata: " + ANSWER + b"\n\n"),
        ("text/event-stream", b"data: " + ANSWER),
        ("application/json", b"data: " + ANSWER + b"\n\n"),
        ("application/json", b"\xef\xbb\xbf" + ANSWER),
        ("application/json", b'{"jsonrpc":"2.0","method":"notifications/a"}\n' + ANSWER),
    ],
)
def test_bodies(kind: str, body: bytes) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        id = request.content.split(b'"id":')[1].split(b",")[0]
        return httpx2.Response(200, headers={"Content-Type": kind}, content=body.replace(b"%s", id))

    client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    assert result(StreamableHTTP("http://localhost/mcp", client=client)) == RESULT


@pytest.mark.parametrize(
    ("stream", "want"),
    [
        (b"data: {\ndata:}", [b"{\n}"]),
        (b"data: {\ndata:}\n", [b"{\n}"]),
        (b"data: {\ndata:", []),
        (b"data: {}\nid: 1", [b"{}"]),
        (b"data: {}\n\ndata: {}", [b"{}", b"{}"]),
    ],
)
def test_the_last_event(stream: bytes, want: list[bytes]) -> None:
    for cut in range(len(stream) + 1):
        reader = Reader(100)
        events = [*reader.feed(stream[:cut]), *reader.feed(stream[cut:]), *reader.end()]
        assert [event.data.strip() for event in events] == want

"""Who may do what at server.py, before a small authorization server that looks tokens up."""

import base64
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import httpx2
import pytest

SECRET = "a:b/c"
ANSWERS = {"inputResponses": {"resolution": {"action": "decline"}}}


class AuthorizationServer(BaseHTTPRequestHandler):
    """Has the metadata of an issuer, and looks up the tokens of `known`."""

    known: dict[str, Any] = {}

    def do_GET(self) -> None:
        issuer = f"http://{self.headers['Host']}"
        self.says(200, {"issuer": issuer, "introspection_endpoint": f"{issuer}/introspection"})

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        told = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
        token = form["token"][0]
        good = told == "some%20server:a%3Ab%2Fc" and token != "away"
        self.says(200 if good else 401, self.known.get(token, {"active": False}))

    def says(self, status: int, body: Any) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), AuthorizationServer) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def url(issuer: str) -> Iterator[str]:
    flags = ["--port", "0", "--issuer", issuer, "--client-id", "some server"]
    command = [sys.executable, "-B", str(Path(__file__).with_name("server.py")), *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"CLIENT_SECRET": SECRET}) as server:
        assert server.stdout is not None
        url = server.stdout.readline().removeprefix("listening on ").strip()
        good = {"active": True, "sub": "alice", "aud": ["https://there/mcp", url], "exp": 4102444800}
        AuthorizationServer.known = {
            "reader": {**good, "scope": "items", "client_id": "one"},
            "writer": {**good, "scope": "x items:write items", "client_id": "two"},
            "mallory": {**good, "scope": "items items:write", "sub": "mallory"},
            "elsewhere": {**good, "scope": "items", "aud": "https://there/mcp"},
            "nowhere": {"active": True, "sub": "alice", "scope": "items"},
            "nobody": {**good, "scope": "items", "sub": None},
            "past": {**good, "scope": "items", "exp": 1},
            "inactive": {**good, "scope": "items", "active": False},
        }
        yield url
        server.terminate()


def call(tool: str, more: dict[str, Any] | None = None) -> tuple[dict[str, str], dict[str, Any]]:
    """The header fields and the body of one leg."""
    arguments = {"location": "Oslo"} if tool == "get_weather" else {"id": 4711, "state": "Resolved"}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    params = {"name": tool, "arguments": arguments, **(more or {}), "_meta": meta}
    fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return fields, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def send(url: str, token: str, fields: dict[str, str], body: Any) -> httpx2.Response:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **fields}
    if token:
        headers["Authorization"] = token
    response = httpx2.post(url, timeout=180, headers=headers, content=body if isinstance(body, bytes) else json.dumps(body))
    # What is too long is refused before anybody asks who sent it.
    assert response.status_code == 413 or "WWW-Authenticate" in response.headers["Access-Control-Expose-Headers"]
    return response


def result(response: httpx2.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith(("data: ", "{"))]
    return json.loads(lines[-1])["result"]


ITEMS, BOTH = 'scope="items"', 'scope="items items:write"'
INVALID, INSUFFICIENT = 'error="invalid_token", ', 'error="insufficient_scope", '


@pytest.mark.parametrize(
    ("token", "more", "status", "challenge"),
    [
        ("", None, 401, ITEMS),
        ("Basic reader", None, 401, ITEMS),
        ("Bearer", None, 401, ITEMS),
        ("Bearer over", None, 401, INVALID + ITEMS),
        ("Bearer elsewhere", None, 401, INVALID + ITEMS),
        ("Bearer nowhere", None, 401, INVALID + ITEMS),
        ("Bearer nobody", None, 401, INVALID + ITEMS),
        ("Bearer past", None, 401, INVALID + ITEMS),
        ("Bearer inactive", None, 401, INVALID + ITEMS),
        ("Bearer away", None, 503, None),
        ("bearer reader", None, 200, None),
        ("", ANSWERS, 401, BOTH),
        ("Bearer reader", ANSWERS, 403, INSUFFICIENT + BOTH),
        ("Bearer reader", {"inputResponses": {}}, 403, INSUFFICIENT + BOTH),
        ("Bearer reader", {"inputResponses": None}, 403, INSUFFICIENT + BOTH),
        ("Bearer writer", {"inputResponses": {}}, 200, None),
    ],
)
def test_challenges(url: str, token: str, more: dict[str, Any] | None, status: int, challenge: str | None) -> None:
    response = send(url, token, *call("update_work_item", more))
    assert response.status_code == status, response.text
    where = url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
    want = None if challenge is None else f'Bearer {challenge}, resource_metadata="{where}"'
    assert response.headers.get("WWW-Authenticate") == want


@pytest.mark.parametrize("token", ["", "Bearer reader", "Bearer over"])
def test_reads_are_for_anybody(url: str, token: str) -> None:
    state = result(send(url, token, *call("get_weather")))
    answers = {key: {"action": "decline"} for key in state["inputRequests"]}
    more = {"requestState": state["requestState"], "inputResponses": answers}
    for another in ["", "Bearer mallory"]:  # it is nobody's call, whoever brings the answers
        assert "18 °C" in result(send(url, another, *call("get_weather", more)))["content"][0]["text"]


def test_a_call_is_its_users(url: str) -> None:
    state = result(send(url, "Bearer reader", *call("update_work_item")))
    answers = {key: {"action": "accept", "content": {"resolution": "Fixed"}} for key in state["inputRequests"]}
    more = {"requestState": state["requestState"], "inputResponses": answers}
    assert "-32602" in send(url, "Bearer mallory", *call("update_work_item", more)).text
    done = result(send(url, "Bearer writer", *call("update_work_item", more)))  # of another client
    assert done["content"][0]["text"] == "Work item 4711 is now Resolved as Fixed."


def changed(old: str, new: str) -> bytes:
    text = json.dumps(call("update_work_item", ANSWERS)[1])
    assert old in text
    return text.replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({"Mcp-Name": "get_weather"}, None),
        ({"Mcp-Name": "=?base64?Z2V0X3dlYXRoZXI=?="}, None),
        ({"Mcp-Method": "tools/list"}, None),
        ({"MCP-Protocol-Version": "2025-11-25"}, None),
        ({"MCP-Protocol-Version": ""}, None),
        ({"Mcp-Name": "get_weather"}, changed('"name":', '"name": "get_weather", "name":')),
        ({}, changed('"arguments":', '"name": "get_weather", "arguments":')),
        ({}, changed('"inputResponses":', '"input_responses":')),
        ({}, changed('"params":', '"Params": {"name": "get_weather"}, "params":')),
        ({}, changed('"id": 1', '"id": NaN')),
        ({}, b"[" + changed("1", "1") + b"]"),
        ({}, b"{}" + changed("1", "1")),
        ({}, changed("1", "1").decode().encode("utf-16")),
        ({}, b"[" * 100_000),
        ({}, b" " * (5 << 20)),
    ],
)
def test_what_could_be_read_in_two_ways(url: str, fields: dict[str, str], body: bytes | None) -> None:
    named, plain = call("update_work_item", ANSWERS)
    response = send(url, "Bearer reader", {**named, **fields}, body or plain)
    assert response.status_code in (400, 413), response.text


def test_metadata(url: str, issuer: str) -> None:
    response = httpx2.get(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"), timeout=180)
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert (response.json()["resource"], response.json()["authorization_servers"]) == (url, [issuer])

"""Whose state it is: on the SDK's server behind its own check of bearer tokens, and by codec/testdata/principals."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from threading import Lock
from typing import Any
from unittest.mock import Mock

import httpx2
import pytest
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer

from checkout import KEY, REPO
from parley_mrtr.codec import Code, CodecError, Guard
from parley_mrtr.server import Ask, asking, authenticated, protect

VECTORS = REPO / "codec" / "testdata" / "principals" / "tokens.txt"
MODULE = sys.modules["parley_mrtr.server.authenticated"]  # the package has the function under its name
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}


def access(said: dict[str, Any], token: str = "t") -> AccessToken:
    claims = {"iss": said["issuer"]} if "issuer" in said else None
    return AccessToken(
        token=token, client_id=said.get("client", ""), scopes=[], subject=said.get("subject"), claims=claims
    )


def whose(said: dict[str, Any]) -> str | None:
    before = auth_context_var.set(AuthenticatedUser(access(said)))
    try:
        return authenticated(Mock())
    finally:
        auth_context_var.reset(before)


def test_tokens_are_read_as_in_go_and_javascript(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "_warn_once", Lock())
    guard = Guard(KEY, audience="principals", now=lambda: 1_800_000_000, entropy=lambda size: b"\7" * size)
    lines = [line for line in VECTORS.read_text().split("\n") if line and not line.startswith("#")]
    found = []
    for line, answer in zip(lines[::3], lines[2::3], strict=True):
        said, want = json.loads(line.removeprefix("token ")), json.loads(answer)
        if want.get("refused"):
            with pytest.raises(LookupError, match="the token's verifier sets"):
                whose(said)
            continue
        who = whose(said)
        assert who == want["principal"]
        assert want.get("warns", False) == (not said.get("subject"))
        _, exchange = guard.inbound("tools/call", '{"name":"ask"}', who)
        sealed = guard.outbound(exchange, '{"resultType":"input_required","requestState":"asked"}')
        assert json.loads(sealed)["requestState"] == want["state"]
        found.append((who, want["state"]))
    assert len(found) >= 15
    assert caplog.text.count("the token's verifier sets no subject, so users") == 1  # once in a process
    for mine, state in found:
        for who, _ in found:
            again = json.dumps({"name": "ask", "requestState": state})
            if who == mine:
                guard.inbound("tools/call", again, who)
                continue
            with pytest.raises(CodecError) as caught:
                guard.inbound("tools/call", again, who)
            assert caught.value.code is Code.PRINCIPAL


def test_a_text_that_is_none_names_nobody() -> None:
    with pytest.raises(LookupError, match="that is no text"):
        whose({"client": "app", "subject": "\ud800"})


TOKENS = {
    f"{client}-{at}": {"client": client, "issuer": f"https://{at}.example", "subject": "ann"}
    for client in ("app", "other")
    for at in "ab"
}


class Verifier:
    async def verify_token(self, token: str) -> AccessToken | None:
        said = TOKENS.get(token.removesuffix(".refreshed"))
        return access(said, token) if said else None


def test_a_state_is_of_no_use_to_another_client_or_issuer(caplog: pytest.LogCaptureFixture) -> None:
    settings = AuthSettings.model_validate(
        {
            "issuer_url": "https://a.example",
            "resource_server_url": "http://127.0.0.1/mcp",
            "validate_token_resource": False,
        }
    )
    server = MCPServer("tests", token_verifier=Verifier(), auth=settings)
    guard = Guard(KEY, audience="tests")
    protect(server, guard)

    @server.tool()
    @asking(guard)
    async def ask(ask: Ask) -> str:
        schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
        return f"it is {(await ask.form('Who?', schema))['a']}"

    async def run() -> None:
        app = server.streamable_http_app(stateless_http=True, json_response=True)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
        ):

            async def call(token: str, **more: Any) -> tuple[int, bytes]:
                params = {"_meta": META, "name": "ask", "arguments": {}, **more}
                response = await client.post(
                    "/mcp",
                    json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
                    headers={
                        "Accept": "application/json, text/event-stream",
                        "Authorization": f"Bearer {token}",
                        "MCP-Protocol-Version": "2026-07-28",
                        "Mcp-Method": "tools/call",
                        "Mcp-Name": "ask",
                    },
                )
                return response.status_code, response.content

            frozen = await call("app-a", requestState="made up")
            assert b"Invalid or expired requestState" in frozen[1], frozen
            for mine in TOKENS:
                result = json.loads((await call(mine))[1])["result"]
                (key,) = result["inputRequests"]
                again = {
                    "requestState": result["requestState"],
                    "inputResponses": {key: {"action": "accept", "content": {"a": "Ada"}}},
                }
                for other in TOKENS.keys() - {mine}:
                    assert await call(other, **again) == frozen, f"{other} with the state of {mine}"
                assert b"it is Ada" in (await call(f"{mine}.refreshed", **again))[1]

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert "ann" not in caplog.text and ".example" not in caplog.text and "app-a" not in caplog.text

"""An MCP server names another authorization server than before."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

from parley_mrtr.host import Question
from parley_mrtr.host import sign_in as under_test
from parley_mrtr.host.sign_in import SignIn, SignInError

from .test_sdk_provider import MCP, METADATA, TOKEN, Nothing

pytestmark = pytest.mark.anyio

BEFORE, NOW = "https://as.example", "https://new.example"
REFUSED = cast(
    Question, SimpleNamespace(about={"status": 401, "challenge": f'Bearer resource_metadata="{MCP}-metadata"'})
)


def reply(status: int, value: object) -> httpx2.Response:
    """A response whose body comes as a stream, as from a connection."""

    async def body() -> AsyncIterator[bytes]:
        yield json.dumps(value).encode()

    return httpx2.Response(status, headers={"Content-Type": "application/json"}, content=body())


class World:
    """An MCP server, and the authorization server that it trusts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.issuer = BEFORE
        self.metadata = True
        self.opened: list[str] = []
        self._page: dict[str, str] = {}
        transport = httpx2.MockTransport(self.answer)
        monkeypatch.setattr(under_test, "_client", lambda: httpx2.AsyncClient(transport=transport))

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        if path == "/mcp-metadata":
            return reply(200, {"resource": MCP, "authorization_servers": [self.issuer]})
        if "/.well-known/oauth-authorization-server" in path and self.metadata:
            return reply(200, json.loads(json.dumps(METADATA).replace(BEFORE, self.issuer)))
        if path == "/register":
            return reply(201, {"client_id": "c", "redirect_uris": ["http://127.0.0.1:1/callback"]})
        return reply(200, TOKEN) if path == "/token" else reply(404, {})

    def provider(self) -> OAuthClientProvider:
        async def opens(url: str) -> None:
            self.opened.append(urlsplit(url).netloc)
            self._page = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}

        async def answered() -> AuthorizationCodeResult:
            return AuthorizationCodeResult(code="code", state=self._page.get("state"), iss=None)

        redirect: Any = ["http://127.0.0.1:1/callback"]
        about = OAuthClientMetadata(redirect_uris=redirect, client_name="tests")
        return OAuthClientProvider(MCP, about, Nothing(), opens, answered)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


async def test_the_person_agrees_before_anything_opens(world: World) -> None:
    asked: list[tuple[str, str]] = []
    agrees = False

    async def changed(before: str, now: str) -> bool:
        asked.append((before, now))
        return agrees

    login = SignIn(MCP, world.provider(), changed=changed)
    assert await login.authorize(REFUSED) == {}
    assert await login.authorize(REFUSED) == {}
    assert (asked, login.issuer) == ([], BEFORE)
    world.issuer = NOW
    with pytest.raises(SignInError, match=r"has people sign in at new\.example now, no longer at as\.example"):
        await login.authorize(REFUSED)
    assert (asked, login.issuer) == ([(BEFORE, NOW)], BEFORE)
    assert world.opened == ["as.example"] * 2, "no page was opened before the person agreed"
    agrees = True
    assert await login.authorize(REFUSED) == {}
    assert (world.opened[-1], login.issuer) == ("new.example", NOW)


async def test_another_process_knows_the_issuer_of_before(world: World) -> None:
    world.issuer = NOW
    with pytest.raises(SignInError, match="nobody agreed"):
        await SignIn(MCP, world.provider(), issuer=BEFORE).authorize(REFUSED)
    assert world.opened == []


async def test_without_metadata_it_is_where_the_code_goes(world: World) -> None:
    world.metadata = False
    login = SignIn(MCP, world.provider(), issuer=BEFORE)
    with pytest.raises(SignInError, match=r"sign in at mcp\.example now"):
        await login.authorize(REFUSED)

"""What the Python SDK's OAuth provider lets through that a client must refuse: the table of the README, from a run.

The servers are scripted and answer in memory; the provider is the SDK's as it is installed. A version that refuses more makes
this fail: then take the line out of the README, too.
"""

from __future__ import annotations

import asyncio
import re
from importlib.metadata import version
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from checkout import REPO

README = REPO / "hosts" / "python" / "README.md"
MCP, ISSUER = "https://mcp.example/mcp", "https://as.example"
METADATA: dict[str, Any] = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "registration_endpoint": f"{ISSUER}/register",
    "response_types_supported": ["code"],
    "code_challenge_methods_supported": ["S256"],
}
TOKEN = {"access_token": "access", "token_type": "Bearer", "expires_in": 3600}
ABSENT = object()

#: What is wrong at the servers, and how.
SCENARIOS: dict[str, dict[str, Any]] = {
    "the metadata names no PKCE method": {"code_challenge_methods_supported": ABSENT},
    "the metadata names the PKCE method `plain` only": {"code_challenge_methods_supported": ["plain"]},
    "there is no metadata of the authorization server": {"metadata": 404},
    "there is no metadata at all": {"metadata": 404, "resource": 404},
    "the metadata has another issuer": {"issuer": "https://other.example"},
    "the page to sign in at is plain http": {"authorization_endpoint": "http://as.example/authorize"},
    "the token endpoint is plain http": {"token_endpoint": "http://as.example/token"},
    "the registration endpoint is plain http": {"registration_endpoint": "http://as.example/register"},
    "the authorization server is plain http": {"server": "http://as.example", "issuer": "http://as.example"},
    "the resource is another one": {"resource": "https://other.example/mcp"},
    "the answer has another state": {"back": {"state": "another"}},
    "the answer has no state": {"back": {"state": None}},
    "the answer has another issuer": {"back": {"iss": "https://other.example"}},
    "the answer has no issuer, and the metadata promises one": {"authorization_response_iss_parameter_supported": True},
    "the token is of another type": {"token": {**TOKEN, "token_type": "mac"}},
    "the token is no token": {"token": {"token_type": "Bearer"}},
    "the token endpoint redirects to another server": {"token": "https://other.example/token"},
}


class Nothing(TokenStorage):
    """Keeps no account."""

    async def get_tokens(self) -> OAuthToken | None:
        return None

    async def set_tokens(self, tokens: OAuthToken) -> None: ...

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None: ...


async def signs_in(of: dict[str, Any]) -> list[str]:
    """What the provider did: the page it opened and what it sent to which servers, with a code or a token."""
    metadata = METADATA | {name: value for name, value in of.items() if name in METADATA or "_" in name}
    metadata = {name: value for name, value in metadata.items() if value is not ABSENT}
    did: list[str] = []
    page: dict[str, str] = {}

    def answer(request: httpx2.Request) -> httpx2.Response:
        at = request.url
        if str(at) == MCP:
            if request.headers.get("Authorization"):
                did.append("uses a token")
                return httpx2.Response(200, json={})
            about = f'Bearer resource_metadata="{MCP}-metadata"'
            return httpx2.Response(401, headers={} if of.get("resource") == 404 else {"WWW-Authenticate": about})
        if at.path == "/mcp-metadata":
            server = of.get("server", ISSUER)
            return httpx2.Response(200, json={"resource": of.get("resource", MCP), "authorization_servers": [server]})
        if "/.well-known/" in at.path:
            found = at.host == "as.example" and "metadata" not in of and "oauth-authorization-server" in at.path
            if found:
                did.append(f"reads metadata at {at.scheme}://{at.host}")
            return httpx2.Response(200, json=metadata) if found else httpx2.Response(404)
        if at.path == "/register":
            did.append(f"registers at {at.scheme}://{at.host}")
            return httpx2.Response(201, json={"client_id": "c", "redirect_uris": ["http://127.0.0.1:1/callback"]})
        if at.path == "/token":
            did.append(f"sends the code to {at.scheme}://{at.host}")
            token = of.get("token", TOKEN)
            if isinstance(token, str) and at.host == "as.example":
                return httpx2.Response(307, headers={"Location": token})
            return httpx2.Response(200, json=token if isinstance(token, dict) else TOKEN)
        return httpx2.Response(404)

    async def opens(url: str) -> None:
        to = urlsplit(url)
        did.append(f"opens {to.scheme}://{to.hostname}{to.path}")
        page.update({name: values[0] for name, values in parse_qs(to.query).items()})

    async def answered() -> AuthorizationCodeResult:
        said = {"code": "code", "state": page.get("state"), "iss": None} | of.get("back", {})
        return AuthorizationCodeResult(**said)

    about = OAuthClientMetadata(redirect_uris=["http://127.0.0.1:1/callback"], client_name="tests")  # type: ignore[list-item]
    provider = OAuthClientProvider(MCP, about, Nothing(), opens, answered)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer), auth=provider) as client:
        try:
            await client.post(MCP, headers={"MCP-Protocol-Version": "2026-07-28"}, json={})
        except Exception as error:
            did.append(f"fails: {type(error).__name__}")
    return did


def ran() -> dict[str, list[str]]:
    return {name: asyncio.run(signs_in(of)) for name, of in SCENARIOS.items()}


def table() -> dict[str, str]:
    """The README's, by what is wrong."""
    section = README.read_text().split("<!-- tests/host/test_sdk_provider.py -->")[1]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", section.split("\n\n")[0], re.MULTILINE)
    return dict(rows[1:])


def test_the_readme_says_what_the_provider_lets_through() -> None:
    assert asyncio.run(signs_in({}))[-1] == "uses a token"
    did = ran()
    through = {name: steps for name, steps in did.items() if steps[-1] == "uses a token"}
    assert table().keys() == through.keys()
    for name, steps in table().items():
        for step in re.findall(r"`(.+?)`", steps):
            assert step in through[name], name
    assert all(steps[-1].startswith("fails: ") for name, steps in did.items() if name not in through)
    said = README.read_text()
    assert f"`mcp` {version('mcp')} lets {len(through)} of {len(did)} through" in said, (
        "another version, or another count"
    )

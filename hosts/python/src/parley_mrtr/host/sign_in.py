"""Signing in by the OAuth of somebody else, such as that of the official SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

import httpx2

from parley_mrtr.host.question import Question

_PATIENCE = 30.0  # s, of an authorization server
_MOST = 1 << 20  # bytes of its answer


class SignInError(Exception):
    """Nobody has signed in. Its text is for the person; why is in its `__cause__`, whose text may hold a secret."""


class SignIn:
    """A sign-in at one server by an `httpx2.Auth`, such as `OAuthClientProvider` of `mcp.client.auth`:

        login = SignIn(url, OAuthClientProvider(url, …))
        session = connect(StreamableHTTP(url, authorization=login.authorization), authorize=login.authorize)

    Tokens, discovery, refreshing and the person's way to the browser are its own. What a server refused for want of a
    sign-in, in the middle of a call, too, goes out again after it; nothing counts against a timeout meanwhile.

    `issuer` is the authorization server of the last sign-in, None if none is known: keep it with the tokens, and give it to
    the next SignIn. If the server names another one, `changed` asks the person, with the issuer of before and the one of
    now: if it returns True they sign in there, and the calls continue with the new account. If it returns False, or is
    absent, nothing is sent there and the sign-in fails.
    """

    def __init__(
        self,
        url: str,
        auth: httpx2.Auth,
        *,
        issuer: str | None = None,
        changed: Callable[[str, str], Awaitable[bool]] | None = None,
    ) -> None:
        self.auth = auth
        self.issuer = issuer
        self._changed = changed
        self._url = url
        self._signing_in = asyncio.Lock()
        self._last: str | None = None

    async def authorization(self) -> str | None:
        """The value of the Authorization field for the next request, None for none."""
        if not self._signing_in.locked():  # else what there is must do: a request waits for nobody
            request = self._request()
            async with aclosing(self.auth.async_auth_flow(request)) as flow, _client() as client:
                await self._until(request, flow, await anext(flow), client)
            self._last = request.headers.get("Authorization")
        return self._last

    async def authorize(self, question: Question) -> dict[str, Any]:
        """Answers a server that wants a sign-in."""
        async with self._signing_in:
            try:
                await self._sign_in(question.about)
            except SignInError:
                raise
            except Exception as error:
                raise SignInError(f"signing in failed ({type(error).__name__})") from error
        return {}

    async def _sign_in(self, about: dict[str, Any]) -> None:
        request = self._request()
        async with aclosing(self.auth.async_auth_flow(request)) as flow, _client() as client:
            await self._until(request, flow, await anext(flow), client)
            # As the server has answered.
            refused = httpx2.Response(
                about["status"], headers={"WWW-Authenticate": about.get("challenge", "")}, request=request
            )
            try:
                outgoing = await flow.asend(refused)
            except StopAsyncIteration:
                raise SignInError("the server wants another sign-in than there is") from None
            await self._until(request, flow, outgoing, client)
        self._last = request.headers.get("Authorization")

    def _request(self) -> httpx2.Request:
        """Stands for each request to the server: only its Authorization goes out."""
        return httpx2.Request("POST", self._url, headers={"MCP-Protocol-Version": "2026-07-28"})

    async def _until(
        self,
        request: httpx2.Request,
        flow: AsyncGenerator[httpx2.Request, httpx2.Response],
        outgoing: httpx2.Request,
        client: httpx2.AsyncClient,
    ) -> None:
        """Sends what a flow wants to, until it wants to send the request itself."""
        issuer: str | None = None
        while outgoing is not request:
            if issuer is None and _redeems(outgoing):  # at an authorization server without metadata
                issuer = await self._agreed(f"{outgoing.url.scheme}://{outgoing.url.netloc.decode()}")
            response = await _sent(client, outgoing)
            if named := _issuer(response):
                issuer = await self._agreed(named)
            outgoing = await flow.asend(response)
        self.issuer = issuer or self.issuer

    async def _agreed(self, issuer: str) -> str:
        """The issuer, if it is that of before or the person agrees to it."""
        before = self.issuer
        if before is None or before == issuer or (self._changed and await self._changed(before, issuer)):
            return issuer
        server, now, last = (urlsplit(text).netloc for text in (self._url, issuer, before))
        raise SignInError(f"{server} has people sign in at {now} now, no longer at {last}, and nobody agreed to that")


def _issuer(response: httpx2.Response) -> str | None:
    """The authorization server, if a response is its metadata."""
    if response.status_code != 200:
        return None
    try:
        metadata = json.loads(response.content)
    except ValueError:
        return None
    named = isinstance(metadata, dict) and "token_endpoint" in metadata and metadata.get("issuer")
    return named if isinstance(named, str) else None


def _redeems(request: httpx2.Request) -> bool:
    """Whether a request brings an authorization code to a token endpoint."""
    return request.method == "POST" and b"grant_type=authorization_code" in request.content


async def _sent(client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    response = await client.send(request, stream=True)
    try:
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > _MOST:
                raise ValueError("an answer that is too long")
    finally:
        await response.aclose()
    headers = [(name, value) for name, value in response.headers.raw if name.lower() != b"content-encoding"]
    return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=request)


def _client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(headers={"Accept-Encoding": "identity"}, timeout=_PATIENCE)

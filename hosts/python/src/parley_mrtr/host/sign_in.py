"""Signing in by the OAuth of somebody else, such as that of the official SDK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

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
    """

    def __init__(self, url: str, auth: httpx2.Auth) -> None:
        self.auth = auth
        self._url = url
        self._signing_in = asyncio.Lock()
        self._last: str | None = None

    async def authorization(self) -> str | None:
        """The value of the Authorization field for the next request, None for none."""
        if not self._signing_in.locked():  # else what there is must do: a request waits for nobody
            request = self._request()
            async with aclosing(self.auth.async_auth_flow(request)) as flow, _client() as client:
                await _until(request, flow, await anext(flow), client)
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
            await _until(request, flow, await anext(flow), client)
            # As the server has answered.
            refused = httpx2.Response(
                about["status"], headers={"WWW-Authenticate": about.get("challenge", "")}, request=request
            )
            try:
                outgoing = await flow.asend(refused)
            except StopAsyncIteration:
                raise SignInError("the server wants another sign-in than there is") from None
            await _until(request, flow, outgoing, client)
        self._last = request.headers.get("Authorization")

    def _request(self) -> httpx2.Request:
        """Stands for each request to the server: only its Authorization goes out."""
        return httpx2.Request("POST", self._url, headers={"MCP-Protocol-Version": "2026-07-28"})


async def _until(
    request: httpx2.Request,
    flow: AsyncGenerator[httpx2.Request, httpx2.Response],
    outgoing: httpx2.Request,
    client: httpx2.AsyncClient,
) -> None:
    """Sends what a flow wants to, until it wants to send the request itself."""
    while outgoing is not request:
        outgoing = await flow.asend(await _sent(client, outgoing))


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

"""Protects an MCP endpoint request by request, before anything is carried out: what anybody may do needs no token, and
the rest needs one with the right scopes. Copy it.

(The SDK's own `auth=AuthSettings(...)` is for the whole endpoint, with the same scopes for all of it. This lets anybody
read.)
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.shared.inbound import decode_header_value
from mcp_types import HEADER_MISMATCH, INVALID_REQUEST, PARSE_ERROR, UNSUPPORTED_PROTOCOL_VERSION
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

VERSION = "2026-07-28"  # in earlier ones a person's answer does not say what it is for
MOST_BODY = 4 << 20  # bytes


@dataclass(frozen=True)
class Wanted:
    """What a decision is made from. A request without a body has neither method nor name."""

    method: str | None = None
    name: str | None = None  # of the tool or prompt, or the uri of the resource
    answers: bool = False  # whether it brings a person's answers


class Protected:
    """An ASGI app for those who may.

    `scopes` says what a request needs. None lets anybody do it, and then it is done for nobody in particular, even if a
    token came along. `resource` is the endpoint's URL, `issuer` the authorization server.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        resource: str,
        issuer: str,
        verifier: TokenVerifier,
        scopes: Callable[[Wanted], list[str] | None],
    ) -> None:
        self._app = AuthContextMiddleware(app)  # the SDK's way to hand a token on to its handlers
        self._verifier = verifier
        self._scopes = scopes
        # Source: RFC 9728, section 3.1.
        at = urlsplit(resource)
        self._metadata_path = "/.well-known/oauth-protected-resource" + at.path.removesuffix("/")
        self._metadata_url = f"{at.scheme}://{at.netloc}{self._metadata_path}"
        self._metadata = {
            "resource": resource,
            "authorization_servers": [issuer],
            "bearer_methods_supported": ["header"],
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the lifespan
            await self._app(scope, receive, send)
            return

        async def exposing(message: Message) -> None:
            if message["type"] == "http.response.start":  # or pages cannot sign in
                headers = MutableHeaders(scope=message)
                headers.append("Access-Control-Expose-Headers", "WWW-Authenticate, Mcp-Session-Id")
            await send(message)

        if scope["path"] == self._metadata_path:
            response: Response | None = JSONResponse(self._metadata, headers={"Access-Control-Allow-Origin": "*"})
        elif scope["method"] == "OPTIONS":  # a preflight never has a token
            response = None
        else:
            body = await _read(receive)
            if body is None:
                response = PlainTextResponse("the request is too long", 413)
            else:
                scope, response = await self._decide(scope, body)
                receive = _again(body, receive)
        await (response or self._app)(scope, receive, exposing)

    async def _decide(self, scope: Scope, body: bytes) -> tuple[Scope, Response | None]:
        """What goes on, or the answer to what may not."""
        headers = Headers(scope=scope)
        if headers.getlist("MCP-Protocol-Version") != [VERSION]:
            data = {"supported": [VERSION], "requested": headers.get("MCP-Protocol-Version", "")}
            return scope, _refused(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)
        try:
            wanted = _wanted(body)
        except ValueError:
            return scope, _refused(PARSE_ERROR, "the body is not well-formed")
        except TypeError:
            return scope, _refused(INVALID_REQUEST, "the body can be read in two ways")
        if _wrong(headers, "Mcp-Method", wanted.method) or _wrong(headers, "Mcp-Name", wanted.name):
            return scope, _refused(HEADER_MISMATCH, "a header field is not what the body says")
        kept = [(name, value) for name, value in scope["headers"] if name != b"authorization"]
        scope = {**scope, "headers": kept}
        needs = self._scopes(wanted)
        if needs is None:
            return scope, None
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            return scope, self._challenge(401, "", needs)  # no error: it may not have known
        try:
            info = await self._verifier.verify_token(token)
        except (httpx2.HTTPError, ValueError, LookupError):
            return scope, PlainTextResponse("the token could not be verified", 503)
        if info is None:
            return scope, self._challenge(401, "invalid_token", needs)
        if not set(needs) <= set(info.scopes):
            return scope, self._challenge(403, "insufficient_scope", needs)
        return {**scope, "user": AuthenticatedUser(info)}, None

    def _challenge(self, status: int, error: str, needs: list[str]) -> Response:
        """Tells the client what it lacks, and where to find out more.

        Source: RFC 6750, section 3.1; MCP 2026-07-28, authorization, "Scope Challenge Handling".
        """
        parts = {"error": error, "scope": " ".join(needs), "resource_metadata": self._metadata_url}
        challenge = ", ".join(f'{name}="{value}"' for name, value in parts.items() if value)
        return PlainTextResponse("", status, headers={"WWW-Authenticate": f"Bearer {challenge}"})


def _refused(code: int, message: str, data: Any = None) -> Response:
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)


async def _read(receive: Receive) -> bytes | None:
    """The body, or None if it is too long."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives the app the body that the decision was made from."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return first.pop() if first else await receive()

    return next_message


def _wanted(body: bytes) -> Wanted:
    """Reads what a decision needs. ValueError for what is no JSON, TypeError for what handlers might read otherwise."""
    if not body:
        return Wanted()
    try:
        message = json.loads(body.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(message, dict):
        raise TypeError("not one message")
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise TypeError("params are no object")
    _as_spelled(message, "method", "params")
    _as_spelled(params, "name", "uri", "inputResponses")
    method = message.get("method")
    return Wanted(method, params.get("uri" if method == "resources/read" else "name"), "inputResponses" in params)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise TypeError("a member twice")
    return members


def _no_number(_: str) -> None:
    raise ValueError("JSON has no such number")


def _as_spelled(members: dict[str, Any], *names: str) -> None:
    """The SDK's models read input_responses for inputResponses too."""
    folded = {name.lower(): name for name in names}
    for member in members:
        if folded.get(member.replace("_", "").lower(), member) != member:
            raise TypeError("another spelling")


def _wrong(headers: Headers, field: str, want: str | None) -> bool:
    """Whether a header field is there and is not what the body says."""
    return want is not None and any(decode_header_value(got) != want for got in headers.getlist(field))


class Introspection(TokenVerifier):
    """Verifies tokens by asking the authorization server (RFC 7662), so that one that was revoked is over at once.

    `client_id` and `secret` are what this server looks tokens up with; `resource` is what they must be for.
    """

    def __init__(self, endpoint: str, client_id: str, secret: str, resource: str) -> None:
        self._endpoint = endpoint
        self._client = httpx2.AsyncClient(auth=(quote(client_id, safe=""), quote(secret, safe="")))
        self._resource = resource

    @classmethod
    def find(cls, issuer: str, client_id: str, secret: str, resource: str) -> Introspection:
        """Asks the issuer where it looks tokens up (RFC 8414)."""
        at = urlsplit(issuer)
        path = "/.well-known/oauth-authorization-server" + at.path.removesuffix("/")
        metadata = httpx2.get(f"{at.scheme}://{at.netloc}{path}").raise_for_status().json()
        if metadata.get("issuer") != issuer or not metadata.get("introspection_endpoint"):
            raise LookupError(f"{issuer} does not look tokens up")
        return cls(metadata["introspection_endpoint"], client_id, secret, resource)

    async def verify_token(self, token: str) -> AccessToken | None:
        """None for a token that is not good, or not for the resource."""
        response = await self._client.post(self._endpoint, data={"token": token})
        if response.status_code != 200:
            raise LookupError(f"introspection: HTTP status {response.status_code}")
        said = response.json()
        audience = said.get("aud")
        good = said.get("active") is True and self._resource in (audience if isinstance(audience, list) else [audience])
        if not good or not said.get("sub") or said.get("exp", time.time() + 1) <= time.time():
            return None
        return AccessToken(
            token=token,
            client_id=said.get("client_id", ""),
            scopes=said.get("scope", "").split(),
            expires_at=said.get("exp"),
            resource=self._resource,
            subject=said["sub"],
        )

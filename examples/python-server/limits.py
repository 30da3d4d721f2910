"""Bounds what strangers can take of an ASGI app on uvicorn: connections, time, bytes and requests. It answers health
checks, and stops without losing a request. Copy it.

uvicorn bounds some of it itself, and `bounded` says so; `Connection`, `Limits`, `Share` and `Sessions` are what it and the
SDK leave open.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections import Counter
from dataclasses import dataclass

import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER = 10  # seconds that a header may take to arrive, at most
LINGER = 5  # seconds that the rest of a request that was refused may take, at most
SESSION = "mcp-session-id"


@dataclass(frozen=True)
class Bounds:
    stall: float = 60  # seconds that a request may take to arrive, a connection wait for one, or a client take nothing
    grace: int = 10  # seconds that requests in flight may take to end when the server stops
    body_bytes: int = 4 << 20
    connections: int = 1000  # behind a proxy all are of one address, so an address has no share of them
    requests: int = 500  # in flight
    each: int = 250  # in flight of one client
    sessions: int = 500  # of earlier protocol versions, which stay when a request is over
    sessions_each: int = 250  # of one client


class Connection(H11Protocol):
    """uvicorn's connection, which ends, too, where a request does not arrive or nobody takes an answer."""

    phase = "idle"  # or "header", "body": the one after the other arrives; "arrived": the app is at it
    since = 0.0
    _timer: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        waiting = [c for c in self.connections if isinstance(c, Connection) and c.phase != "arrived"]
        if waiting and len(self.connections) >= (self.limit_concurrency or sys.maxsize) - 1:
            oldest = min(waiting, key=lambda c: c.since)  # makes room: who has waited longest has least to lose
            self.connections.discard(oldest)
            oldest.transport.abort()
        super().connection_made(transport)
        self._wait("idle", self.timeout_keep_alive)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._timer, self._stuck):
            if timer:
                timer.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        if self.phase == "arrived":
            super().shutdown()
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        self._stuck = self.loop.call_later(self.timeout_keep_alive, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._stuck:
            self._stuck.cancel()
        super().resume_writing()

    def _look(self) -> None:
        if self.cycle and not self.cycle.response_complete:
            phase = "body" if self.cycle.more_body else "arrived"
        else:
            phase = "header" if self.conn.trailing_data[0] else "idle"
        if phase != self.phase:  # what dribbles in gets no more time
            self._wait(phase, min(self.timeout_keep_alive, HEADER) if phase == "header" else self.timeout_keep_alive)

    def _wait(self, phase: str, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self.phase, self.since = phase, self.loop.time()
        self._timer = None if phase == "arrived" else self.loop.call_later(seconds, self.transport.abort)


class Limits:
    """An ASGI app that gives another one whole requests, each once its body is there."""

    def __init__(self, app: ASGIApp, bounds: Bounds) -> None:
        self._app = app
        self._bounds = bounds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the lifespan
            await self._app(scope, receive, send)
        elif scope["path"] == "/healthz":
            await PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})(scope, receive, send)
        elif (body := await self._read(scope, receive)) is None:
            much = f"the request's body is longer than {self._bounds.body_bytes} bytes, the most that this server takes"
            await _refusal(413, much)(scope, receive, _taking_the_rest(receive, send))
        else:
            await self._app(scope, _again(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body, or None if it is too long. A length that is said to be too long is believed."""
        most = self._bounds.body_bytes
        length = Headers(scope=scope).get("Content-Length", "")  # h11 has seen that it is a number
        if length and int(length) > most:
            return None
        body = bytearray()
        while True:
            message = await receive()
            body += message.get("body", b"")  # who is gone has sent none
            if len(body) > most:
                return None
            if not message.get("more_body", False):
                return bytes(body)


class Share:
    """An ASGI app that gives each client its share of the requests in flight: one too many is answered 429, one too many
    of all 503. A client is the user that there is, or an address."""

    def __init__(self, app: ASGIApp, bounds: Bounds) -> None:
        self._app = app
        self._bounds = bounds
        self._clients: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        who = _client(scope)
        if self._clients.get(who, 0) >= self._bounds.each:
            refusal = _refusal(429, "you have as many requests as one client may have at a time: wait until one has ended")
            await refusal(scope, receive, send)
            return
        if sum(self._clients.values()) >= self._bounds.requests:
            refusal = _refusal(503, "the server has as many requests as it may have at a time: try again later")
            await refusal(scope, receive, send)
            return
        self._clients[who] = self._clients.get(who, 0) + 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._clients[who] -= 1
            if not self._clients[who]:
                del self._clients[who]


@dataclass
class _Session:
    owner: str
    opened: Scope  # by this request, but for the session's id
    uses: int = 0  # requests of it that are in flight, its stream of events among them


class Sessions:
    """An ASGI app that gives each client its share of the SDK's sessions: one more, and the client's longest unused one
    ends. If all are in use, that is 429. Where all clients together have as many as there may be, the longest unused one
    of somebody who has more makes room; else that is 503."""

    def __init__(self, app: ASGIApp, bounds: Bounds) -> None:
        self._app = app
        self._bounds = bounds
        self._sessions: dict[str, _Session] = {}  # by id, the longest unused one first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = Headers(scope=scope).get(SESSION) if scope["type"] == "http" else None
        session = self._sessions.get(name or "")
        if session:
            session.uses += 1
        before, refused = dict(scope), False  # what comes next changes it

        async def watch(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                opened = Headers(raw=message["headers"]).get(SESSION)
                if opened and not name and (refusal := await self._open(opened, before)):
                    refused = True
                    await refusal(scope, receive, send)
                if session and (message["status"] == 404 or scope["method"] == "DELETE" and message["status"] < 300):
                    self._sessions.pop(name or "", None)
            if not refused:
                await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            if session:
                session.uses -= 1
                if name in self._sessions:
                    self._sessions[name] = self._sessions.pop(name)

    async def _open(self, name: str, by: Scope) -> PlainTextResponse | None:
        """Counts a session that was opened, or ends it and says why."""
        owner = _client(by)
        headers = [header for header in by["headers"] if header[0] in (b"host", b"origin")]  # and no token
        self._sessions[name] = _Session(owner, {**by, "headers": [*headers, (SESSION.encode(), name.encode())]})
        count = Counter(session.owner for session in self._sessions.values())
        too_many = count[owner] > self._bounds.sessions_each
        if not too_many and len(self._sessions) <= self._bounds.sessions:
            return None
        for oldest, session in self._sessions.items():
            theirs = session.owner == owner or not too_many and count[session.owner] > count[owner]
            if theirs and oldest != name and not session.uses:
                await self._end(oldest)
                return None
        await self._end(name)
        if too_many:
            return _refusal(429, "you have as many sessions as one client may have, and all are in use: end one")
        return _refusal(503, "the server has as many sessions as it may have: try again later")

    async def _end(self, name: str) -> None:
        """Ends a session as its client would: it learns of it by a 404."""
        session = self._sessions.pop(name)

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(_: Message) -> None:
            pass

        await self._app({**session.opened, "method": "DELETE"}, nothing, unheard)


def bounded(app: ASGIApp, bounds: Bounds) -> uvicorn.Config:
    """uvicorn's settings."""
    return uvicorn.Config(
        Limits(app, bounds),
        http=Connection,
        ws="none",
        log_level="warning",
        h11_max_incomplete_event_size=64 << 10,
        limit_concurrency=bounds.connections,  # 503
        timeout_keep_alive=bounds.stall,  # type: ignore[arg-type]
        timeout_graceful_shutdown=bounds.grace,
    )


def serve(app: ASGIApp, listener: socket.socket, bounds: Bounds) -> None:
    """Serves until SIGTERM or Ctrl-C: then no connection is taken any more, and requests in flight have time to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn raises it again when it is done: that is no failure
    uvicorn.Server(bounded(app, bounds)).run(sockets=[listener])


def _client(scope: Scope) -> str:
    user = scope.get("user")
    if isinstance(user, AuthenticatedUser) and user.access_token.subject:
        return f"user {user.access_token.subject}"
    return str((scope.get("client") or ("",))[0])


def _refusal(status: int, text: str) -> PlainTextResponse:
    headers = {"Cache-Control": "no-store", "Connection": "close"}  # what is left of the request is not read
    if status in (429, 503):
        headers["Retry-After"] = "2"
    return PlainTextResponse(f"{text}\n", status, headers=headers)


def _taking_the_rest(receive: Receive, send: Send) -> Send:
    """Has an answer end once its client has sent what it was sending, or some time is over: where a connection ends with
    bytes that nobody took, the answer is lost on its way (RFC 9112, section 9.6)."""

    async def answer(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({**message, "more_body": True})
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(rest(), LINGER)
        await send({"type": "http.response.body"})

    async def rest() -> None:
        while (await receive()).get("more_body", False):
            pass

    return answer


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives the app the body that was read."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return first.pop() if first else await receive()

    return next_message

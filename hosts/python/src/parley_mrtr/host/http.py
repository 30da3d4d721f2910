"""Streamable HTTP, in the form of MCP 2026-07-28 and in that of the versions before it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Literal

import httpx2

from parley_mrtr.host import cookies, sse
from parley_mrtr.host.core import Action, Event
from parley_mrtr.host.errors import StatusError, UnsentError
from parley_mrtr.host.reason import Arrival, check_url, why_cut, why_lost, why_unsent, without_fields
from parley_mrtr.host.transport import Carrier, Receive
from parley_mrtr.host.words import sized

Authorization = Callable[[], "Awaitable[str | None] | str | None"]

_SESSION_FIELDS = ("Mcp-Session-Id", "MCP-Protocol-Version")
_METHODS = {"post": "POST", "listen": "GET", "delete": "DELETE"}
_CONNECT_TIME = 30.0  # s, less than how long a leg may take: one that gets no connection is not in doubt
_PATIENCE = 5.0  # s: how long the server may take to note what it is told last
_OPEN_TIME = 0.5  # s: how long messages wait for the server's own stream


class TooLongError(Exception):
    """A message of the server is longer than it may be."""


class StreamableHTTP:
    """A POST for each message, answered with JSON or server-sent events; a stream by GET and a DELETE where an earlier
    version has them. Redirects are not followed.

    `authorization` gives the value of the Authorization field for the next request, such as `Bearer …`. If it raises,
    the request is not sent, and the person is shown its words. `client` makes the requests in place of one of its own,
    and is left open. `max_message` bounds one message of the server, in bytes.

    Each session keeps its server's cookies, because balancers pin sessions by them: in memory, for this URL and one
    account alone. A `client` of yours keeps them itself, as it does for all that it requests: give each account its own.
    """

    def __init__(
        self,
        url: str,
        *,
        authorization: Authorization | None = None,
        client: httpx2.AsyncClient | None = None,
        max_message: int = 65 << 20,
    ) -> None:
        self.url = url
        self.authorization = authorization
        self.client = client
        self.max_message = max_message

    def __repr__(self) -> str:
        return "StreamableHTTP()"  # a URL may hold a secret

    @property
    def kind(self) -> Literal["http"]:
        return "http"

    def open(self, receive: Receive) -> Carrier:
        return _Carrier(self, receive)


def _client() -> httpx2.AsyncClient:
    """One that keeps no cookies: what it would keep is for all accounts, and without bound."""
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx2.AsyncClient(headers={"Accept-Encoding": "identity"}, cookies=no_cookies)


class _Carrier:
    def __init__(self, options: StreamableHTTP, receive: Receive) -> None:
        self.options = options
        self.receive = receive
        self.client = options.client or _client()
        self._jar: cookies.Jar | None = None
        self._account = self._first_account = 0  # of all cores, and of this one
        self._session: list[list[str]] | None = None  # the fields that name the server's session, in an earlier era
        self._exchanges: dict[int, _Exchange] = {}
        self._begun: set[asyncio.Task[None]] = set()  # of exchanges, aborted ones too
        self._carried: tuple[str | None] | None = None  # the last value of Authorization
        self._changes = 0
        self._opening: asyncio.Task[None] | None = None  # waits for the head of the server's own stream

    def perform(self, action: Action) -> bool:
        exchange = action["exchange"]
        if action["type"] == "abort":
            return self._abort(exchange)
        cancelled = self._exchanges.get(action.get("cancels", 0))
        if cancelled is not None and not cancelled.has_begun:
            return self._abort(action["cancels"])
        named = [field for field in action.get("headers", ()) if field[0] in _SESSION_FIELDS]
        if action["type"] != "listen":
            is_named = any(name == _SESSION_FIELDS[0] for name, _ in named)
            self._session = named if is_named and action["type"] == "post" else None
        begun = self._begin(action)
        if begun.kind == "listen" and "at" not in action:
            self._opening = asyncio.create_task(begun.opens())
        return False

    def _begin(self, action: Action) -> _Exchange:
        words = self._words() if action["type"] == "delete" else []  # of the session that it ends
        begun = self._exchanges[action["exchange"]] = _Exchange(self, action, words)
        self._begun.add(begun.task)
        begun.task.add_done_callback(lambda _: self._forget(action["exchange"], begun))
        return begun

    def _abort(self, exchange: int) -> bool:
        """Aborts an exchange. It returns whether that had not begun."""
        aborted = self._exchanges.pop(exchange, None)
        if aborted is None:
            return False
        aborted.abort()
        return not aborted.has_begun

    async def opened(self) -> None:
        """Waits for the server's own stream. What is asked there, because of what goes out next, would be lost else."""
        if self._opening is not None:
            await asyncio.wait({self._opening}, timeout=_OPEN_TIME)
            self._opening = None

    async def authorize(self) -> tuple[str | None, int]:
        """The Authorization of the next request, and how often it has changed: another may be another account's."""
        value = None if self.options.authorization is None else self.options.authorization()
        if isinstance(value, Awaitable):
            value = await value
        if self._carried is not None and self._carried != (value,):
            self._changes += 1
        self._carried = (value,)
        return value, self._changes

    def cookies(self, account: int) -> cookies.Cookies | None:
        """Those of an account; None if the host's client keeps them itself."""
        if self.options.client is not None:
            return None
        if self._jar is None:
            self._jar = cookies.Jar(self.options.url)
        self._account = max(self._account, self._first_account + account)
        return self._jar.of(self._first_account + account)

    def reset(self) -> None:
        self._abort_all()
        self._account += 1
        self._first_account = self._account  # of the next core, which does not know whose the cookies are
        if self._session is not None:
            headers, self._session = self._session, None
            self._begin({"type": "delete", "exchange": -1, "jar": -1, "headers": headers}).silence()

    def _abort_all(self) -> None:
        for exchange in self._exchanges.values():
            exchange.abort()
        self._exchanges.clear()

    async def close(self) -> None:
        try:
            for exchange in self._exchanges.values():
                if not exchange.is_word:
                    exchange.abort()
            if words := self._words():
                await asyncio.wait(words, timeout=_PATIENCE)
        finally:
            self._abort_all()
            if self._opening is not None:
                self._opening.cancel()
            if self._begun:
                await asyncio.wait(self._begun, timeout=_PATIENCE)
            if self.options.client is None:
                await self.client.aclose()

    def _words(self) -> list[asyncio.Task[None]]:
        """What the server is told by the session itself, such as cancellations."""
        return [exchange.task for exchange in self._exchanges.values() if exchange.is_word]

    def _forget(self, exchange: int, begun: _Exchange) -> None:
        self._begun.discard(begun.task)
        if self._exchanges.get(exchange) is begun:
            del self._exchanges[exchange]


class _Exchange:
    """One request and its response."""

    def __init__(self, carrier: _Carrier, action: Action, before: list[asyncio.Task[None]]) -> None:
        self.kind: str = action["type"]
        self.is_word = self.kind == "delete" or (self.kind == "post" and "call" not in action)
        self._before = before
        self._carrier = carrier
        self._action = action
        self._most = carrier.options.max_message
        self._over = False
        self._arrival: Arrival | None = None  # once the client has it
        self._answered = asyncio.Event()
        # How it ended, as far as it got.
        self._end: Event = {"type": "ended", "exchange": action["exchange"]}
        self.task = asyncio.create_task(self._run())

    @property
    def has_begun(self) -> bool:
        """Whether the server may have anything of it."""
        return self._arrival is not None and not self._arrival.is_ahead

    def abort(self) -> None:
        self.silence()
        self.task.cancel()

    def silence(self) -> None:
        """Nothing more of it is fed."""
        self._over = True

    async def opens(self) -> None:
        """Waits for the head of the response, or until there will be none."""
        answered = asyncio.create_task(self._answered.wait())
        await asyncio.wait({answered, self.task}, return_when=asyncio.FIRST_COMPLETED)
        answered.cancel()

    async def _run(self) -> None:
        arrival = Arrival()
        answered = False
        try:
            async with self._request(arrival) as response:
                answered = True
                self._answered.set()
                await self._read(response)
        except Exception as raised:
            error = without_fields(raised)
            if answered:
                self._end["reason"] = str(error) if isinstance(error, TooLongError) else why_cut(error)
            elif arrival.is_excluded(error):
                self._end.update(reason=why_unsent(error, arrival), unsent=True)
            else:
                self._end["reason"] = why_lost(error)
            self._feed(self._end, error)

    @asynccontextmanager
    async def _request(self, arrival: Arrival) -> AsyncIterator[httpx2.Response]:
        action = self._action
        if self.kind == "post":
            await self._carrier.opened()
        if self._before:
            await asyncio.wait(self._before, timeout=_PATIENCE / 2)
        if action.get("at"):
            await asyncio.sleep(action["at"] / 1000 - time.time())
        headers = {name: value for name, value in action.get("headers", ())}
        try:
            value, changes = await self._carrier.authorize()
        except Exception as error:
            raise UnsentError(str(error)) from error
        if changes:
            self._end["authorization"] = changes
        if value:
            headers["Authorization"] = value
        url = self._carrier.options.url
        check_url(url)
        kept = self._carrier.cookies(action.get("jar", 0))
        if kept is not None and (field := kept.field(time.time())):
            headers["Cookie"] = field
        self._arrival = arrival
        async with self._carrier.client.stream(
            _METHODS[self.kind],
            url,
            content=action.get("body"),
            headers=httpx2.Headers(headers, encoding="latin-1"),
            follow_redirects=False,  # answers and authorization go nowhere else
            timeout=httpx2.Timeout(None, connect=_CONNECT_TIME),  # the engine has its own clocks
            extensions={"trace": arrival.trace},
        ) as response:
            if kept is not None:
                set_cookie = [
                    value.decode("latin-1") for name, value in response.headers.raw if name.lower() == b"set-cookie"
                ]
                kept.take(set_cookie, time.time())
            yield response

    async def _read(self, response: httpx2.Response) -> None:
        status = response.status_code
        said: dict[str, Any] = {"status": status}
        for member, name in ("sessionId", "Mcp-Session-Id"), ("challenge", "WWW-Authenticate"):
            if name in response.headers:
                said[member] = response.headers[name]
        if to := _moved_to(response):
            said["location"] = to
        self._end.update(said)
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        is_stream = status == 200 and kind == "text/event-stream"
        if is_stream and self.kind == "listen":
            self._feed({"type": "opened", "exchange": self._action["exchange"]})
        rest = response.aiter_bytes()
        first = await anext(rest, b"")
        parts = _chain(first, rest)
        # What begins like JSON is that, whatever its Content-Type says: no line of an event stream does.
        if is_stream and first[:1] not in (b"{", b"["):
            await self._stream(parts)
            return
        # The body of an error MUST be read (basic/transports/streamable-http, Sending Messages).
        body = await self._whole(parts)
        cause = None if status < 300 else StatusError(status)
        event = {**self._end, "type": "message", "body": body, "last": True} if body else self._end
        self._feed(event, cause)

    async def _whole(self, parts: AsyncIterator[bytes]) -> bytes:
        whole: list[bytes] = []
        size = 0
        async for part in parts:
            size += len(part)
            if size > self._most:
                raise self._too_long()
            whole.append(part)
        return b"".join(whole)

    async def _stream(self, parts: AsyncIterator[bytes]) -> None:
        """The data of an event is what the engine gets at once."""
        reader = sse.Reader(self._most)
        try:
            async for part in parts:
                for event in reader.feed(part):
                    room = self._message(event)
                    if room is not None:
                        await room
        except sse.TooLongError:
            raise self._too_long() from None
        for event in reader.end():
            self._message(event)
        self._place(reader.id, reader.retry)
        self._feed(self._end)

    def _message(self, event: sse.Event) -> asyncio.Future[None] | None:
        self._place(event.id, event.retry)
        return self._feed({**self._end, "type": "message", "body": event.data})

    def _place(self, id: str | None, retry: int | None) -> None:
        """Notes where the stream is, for one that takes it up again."""
        self._end.update({name: value for name, value in (("eventId", id), ("retry", retry)) if value is not None})

    def _too_long(self) -> TooLongError:
        return TooLongError(f"the response is longer than {sized(self._most)} (max_message)")

    def _feed(self, event: Event, cause: BaseException | None = None) -> asyncio.Future[None] | None:
        """Nothing more is fed once the exchange was aborted."""
        return None if self._over else self._carrier.receive(event, cause)


def _moved_to(response: httpx2.Response) -> str | None:
    """Where a redirect leads, None if the response is none. What follows the path may be a secret."""
    to = response.headers.get("Location")
    if not to or not 300 <= response.status_code < 400:
        return None
    try:
        url = response.url.join(to)
    except httpx2.InvalidURL:
        return None
    if url.scheme not in ("http", "https"):
        return None
    return str(url.copy_with(username="", password="", query=None, fragment=None))


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in rest:
        yield part

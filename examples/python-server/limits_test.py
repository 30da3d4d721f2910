"""What limits.py bounds, with an app that waits."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from limits import SESSION, Bounds, Sessions, Share, bounded
from parley_mrtr.codec import new_key
from server import make_server


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[bytes], Awaitable[Streams]]


class Waiting:
    """An app that answers once it may, and says how long the body was."""

    def __init__(self) -> None:
        self.begun = asyncio.Semaphore(0)
        self.may = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = (await receive())["body"]
        self.begun.release()
        await self.may.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(len(body)).encode()})


async def status(app: Share, user: str) -> int:
    """What a user's request is answered."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    token = AccessToken(token="t", client_id="c", scopes=[], subject=user)
    scope: Scope = {"type": "http", "client": ("127.0.0.1", 1), "user": AuthenticatedUser(token), "headers": []}
    await app(scope, receive, send)
    return int(sent[0]["status"])


def test_each_client_has_a_share() -> None:
    async def play() -> None:
        app = Waiting()
        share = Share(app, Bounds(requests=3, each=2))
        first = [asyncio.create_task(status(share, "ann")) for _ in range(2)]
        for _ in first:
            await app.begun.acquire()
        assert await status(share, "ann") == 429
        first.append(asyncio.create_task(status(share, "bob")))
        await app.begun.acquire()
        assert await status(share, "bob") == 503
        app.may.set()
        assert await asyncio.gather(*first) == [200, 200, 200]
        assert await status(share, "ann") == 200

    asyncio.run(play())


def served(bounds: Bounds, play: Callable[[Waiting, Connect, uvicorn.Server], Awaitable[None]]) -> None:
    """Plays with an app that uvicorn serves, and a function that connects and sends."""

    async def run() -> None:
        app = Waiting()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            server = uvicorn.Server(bounded(app, bounds))
            task = asyncio.create_task(server.serve(sockets=[listener]))
            while not server.started:
                await asyncio.sleep(0.01)

            async def send(data: bytes) -> Streams:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(data)
                return reader, writer

            try:
                await play(app, send, server)
            finally:
                server.should_exit = True
                await task

    asyncio.run(run())


BEGIN = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"


def test_who_has_waited_longest_makes_room() -> None:
    async def play(app: Waiting, send: Connect, _: uvicorn.Server) -> None:
        app.may.set()
        idle = [await send(b"") for _ in range(20)]
        reader, writer = await send(BEGIN + b"Content-Length: 2\r\n\r\nhi")
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        assert await ended(idle[0][0])
        for _, each in [*idle, (reader, writer)]:
            each.close()

    served(Bounds(connections=10), play)


def test_a_body_without_a_length_is_counted() -> None:
    async def play(app: Waiting, send: Connect, _: uvicorn.Server) -> None:
        app.may.set()
        for size, want in ((100, b"200"), (101, b"413")):
            reader, writer = await send(BEGIN + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % size + bytes(size) + b"\r\n0\r\n\r\n")
            assert (await reader.read()).split(b" ")[1] == want
            writer.close()

    served(Bounds(body_bytes=100), play)


def test_who_sends_too_much_is_told() -> None:
    """All of it is sent before the answer is read: a connection that ended meanwhile would lose it."""

    async def play(_: Waiting, send: Connect, __: uvicorn.Server) -> None:
        reader, writer = await send(BEGIN + b"Content-Length: 8000000\r\n\r\n")
        for _part in range(80):
            writer.write(b" " * 100_000)
            await writer.drain()
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 413") and answer.endswith(b"that this server takes\n")
        writer.close()

    served(Bounds(), play)


def test_what_dribbles_in_gets_no_more_time() -> None:
    async def play(_: Waiting, send: Connect, __: uvicorn.Server) -> None:
        for begun in (b"POST / HTTP/1.1\r\nX: ", BEGIN + b"Content-Length: 100000\r\n\r\n"):
            reader, writer = await send(begun)
            over = asyncio.create_task(ended(reader))
            while not over.done():
                writer.write(b"x")
                await asyncio.wait([over], timeout=0.1)
            writer.close()

    served(Bounds(stall=1), play)


def test_a_stop_waits_for_what_is_in_flight_alone() -> None:
    async def play(app: Waiting, send: Connect, server: uvicorn.Server) -> None:
        half, half_writer = await send(BEGIN + b"Content-Length: 2\r\n\r\nh")
        reader, writer = await send(BEGIN + b"Content-Length: 2\r\n\r\nhi")
        await app.begun.acquire()
        server.should_exit = True
        assert await ended(half)
        app.may.set()
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        for each in (half_writer, writer):
            each.close()

    served(Bounds(), play)


async def ended(reader: asyncio.StreamReader) -> bool:
    """Whether a connection ends without an answer."""
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}
TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def test_who_opens_one_session_more_loses_the_longest_unused() -> None:
    app = Sessions(make_server(new_key()).http_app(), Bounds(sessions_each=2))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:

        def opened() -> str:
            response = client.post("/mcp", json=INITIALIZE, headers=ACCEPT)
            assert response.status_code == 200
            return str(response.headers[SESSION])

        def used(session: str) -> int:
            return int(client.post("/mcp", json=TOOLS, headers={**ACCEPT, SESSION: session}).status_code)

        first, second = opened(), opened()
        assert used(first) == 200
        third = opened()
        assert [used(session) for session in (first, second, third)] == [200, 404, 200]
        assert client.delete("/mcp", headers={SESSION: first}).status_code == 200
        fourth = opened()
        assert [used(session) for session in (first, third, fourth)] == [404, 200, 200]
        for _ in range(20):
            opened()
        assert len(app._app.routes[0].app.session_manager._server_instances) == 2  # type: ignore[attr-defined]


class Opening:
    """An app that has sessions: a request without one opens one, "use" waits, DELETE ends one."""

    def __init__(self) -> None:
        self.sessions: list[str] = []
        self.begun = asyncio.Semaphore(0)
        self.may = asyncio.Event()
        self._last = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        name = headers.get(SESSION.encode(), b"").decode()
        if not name:
            self._last += 1
            name = str(self._last)
            self.sessions.append(name)
        elif name not in self.sessions:
            await send({"type": "http.response.start", "status": 404, "headers": []})
            return
        elif scope["method"] == "DELETE":
            self.sessions.remove(name)
        else:
            self.begun.release()
            await self.may.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(SESSION.encode(), name.encode())]})


async def asked(app: Sessions, client: str, session: str = "") -> int:
    """What a request from an address is answered."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(SESSION.encode(), session.encode())] if session else []
    await app({"type": "http", "method": "POST", "client": (client, 1), "headers": headers}, receive, send)
    return int(sent[0]["status"])


def test_sessions_in_use_do_not_end() -> None:
    async def play() -> None:
        inner = Opening()
        app = Sessions(inner, Bounds(sessions=4, sessions_each=3))
        for _ in range(3):
            assert await asked(app, "ann") == 200
        in_use = [asyncio.create_task(asked(app, "ann", session)) for session in ("1", "2", "3")]
        for _ in in_use:
            await inner.begun.acquire()
        assert await asked(app, "ann") == 429
        assert inner.sessions == ["1", "2", "3"]
        assert await asked(app, "bob") == 200
        assert await asked(app, "eve") == 503  # all together are too many, and ann's are in use
        assert inner.sessions == ["1", "2", "3", "5"]
        inner.may.set()
        assert await asyncio.gather(*in_use) == [200, 200, 200]
        assert await asked(app, "eve") == 200  # of ann's, who has more
        assert inner.sessions == ["2", "3", "5", "7"]
        assert await asked(app, "ann", "1") == 404

    asyncio.run(play())

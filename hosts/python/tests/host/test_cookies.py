"""Cookies of a session: the scripts of hosts/testdata/cookies, whose README says how they read, and what goes over HTTP."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import httpx2
import pytest

from parley_mrtr.host import CallFailed, StreamableHTTP, accept, connect
from parley_mrtr.host.cookies import Jar
from parley_mrtr.host.core import Action, Event

SCRIPTS = sorted((Path(__file__).parents[4] / "hosts/testdata/cookies").glob("*.txt"))
NOON = datetime(2026, 10, 16, 12, tzinfo=timezone.utc).timestamp()


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 40


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    text = re.sub(r"@repeat\((.),(\d+)\)", lambda m: m[1] * int(m[2]), path.read_text())
    url, *lines = re.sub(r"^#.*\n\nurl ", "", text).removesuffix("\n").split("\n")
    jar = Jar(url)
    kept = jar.of(0)
    for line in lines:
        seconds, verb, value = [*line.split(" ", 2), ""][:3]
        value = re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), value)
        now = NOON + float(seconds)
        if verb == "account":
            kept = jar.of(int(value))
        elif verb == "set":
            kept.take([value], now)
        else:
            assert (verb, kept.field(now)) == ("sends", value), line


class Balancer:
    """Gives each client a number by a cookie, whatever it answers."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = answers or (b"202 Accepted\r\nContent-Length: 0\r\n\r\n",)
        self.cookie: Callable[[int], bytes] = lambda n: b"node=%d; Path=/; HttpOnly" % n
        self.came: list[str] = []
        self.given = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            cookie = re.search(rb"(?i)\r\ncookie: (.*)\r\n", head)
            self.came.append(cookie[1].decode("latin-1") if cookie else "")
            answer = self.answer(head, body)
            if not cookie:
                self.given += 1
                answer = answer.replace(b"\r\n", b"\r\nSet-Cookie: %b\r\n" % self.cookie(self.given), 1)
            writer.write(b"HTTP/1.1 " + answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            await writer.drain()
            await self.answered()
        finally:
            writer.close()

    async def answered(self) -> None:
        """Is waited for before the connection is closed."""

    def answer(self, head: bytes, body: bytes) -> bytes:
        return self.answers[min(len(self.came), len(self.answers)) - 1]

    def heard(self) -> list[str]:
        came, self.came = self.came, []
        return came


@asynccontextmanager
async def serving(balancer: Balancer) -> AsyncIterator[Balancer]:
    server = await asyncio.start_server(balancer.serve, "127.0.0.1", 0)
    balancer.url = "http://127.0.0.1:%d/mcp" % server.sockets[0].getsockname()[1]
    async with server:
        yield balancer


class Performer:
    """Performs actions over HTTP."""

    def __init__(self, transport: StreamableHTTP, hears: Callable[[], None] = lambda: None) -> None:
        self.carrier = transport.open(self.receive)
        self.hears = hears
        self.ended = asyncio.Event()

    def receive(self, event: Event, cause: BaseException | None = None, call: int | None = None) -> None:
        self.hears()
        if event["type"] == "ended" or event.get("last"):
            self.ended.set()

    async def perform(self, kind: str = "post", **members: Any) -> None:
        action: Action = {
            "type": kind,
            "exchange": 1,
            "headers": [],
            **({"body": "{}"} if kind == "post" else {}),
            **members,
        }
        self.ended.clear()
        self.carrier.perform(action)
        await self.ended.wait()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def wrapped() -> None:
        asyncio.run(test())

    wrapped.__name__ = test.__name__
    return wrapped


KINDS = ("post", "listen", "delete")
ANSWERS = {
    "result": b"200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    "accepted": b"202 Accepted\r\nContent-Length: 0\r\n\r\n",
    "stream": b"200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n",
    "redirect": b"307 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
    "challenge": b"401 No\r\nContent-Length: 0\r\n\r\n",
    "not found": b"404 Not Found\r\nContent-Length: 2\r\n\r\nno",
    "unavailable": b"503 Busy\r\nContent-Length: 2\r\n\r\nno",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_cookie_counts_on_every_answer_and_goes_back_with_every_method(name: str) -> None:
    async def test() -> None:
        async with serving(Balancer(ANSWERS[name])) as balancer:
            for first in KINDS:
                performer = Performer(StreamableHTTP(balancer.url))
                for kind in (first, *KINDS):
                    await performer.perform(kind)
                node = f"node={balancer.given}"
                assert balancer.heard() == ["", node, node, node]
                await performer.carrier.close()

    asyncio.run(test())


@run
async def test_a_cookies_bytes_go_back_as_they_came() -> None:
    async with serving(Balancer()) as balancer:
        balancer.cookie = lambda n: b'a="\xc3\xb6, x"'
        performer = Performer(StreamableHTTP(balancer.url))
        await performer.perform()
        await performer.perform()
        assert balancer.heard() == ["", 'a="\xc3\xb6, x"']
        await performer.carrier.close()


@run
async def test_what_goes_out_while_a_response_is_read_has_the_cookie_of_its_head() -> None:
    half, over = asyncio.Event(), asyncio.Event()

    class Holding(Balancer):
        """Ends its first answer late."""

        async def answered(self) -> None:
            if len(self.came) == 1:
                await over.wait()

    async with serving(Holding(ANSWERS["stream"], ANSWERS["accepted"])) as balancer:
        performer = Performer(StreamableHTTP(balancer.url), half.set)
        performer.carrier.perform({"type": "post", "exchange": 1, "headers": [], "body": "{}"})
        await half.wait()
        await performer.perform(exchange=2)
        assert balancer.heard() == ["", "node=1"]
        over.set()
        await performer.carrier.close()


@run
async def test_sessions_share_no_cookie_nor_do_those_before_and_after_a_reset() -> None:
    async with serving(Balancer()) as balancer:
        transport = StreamableHTTP(balancer.url)
        for n in (1, 2):
            performer = Performer(transport)
            await performer.perform()
            await performer.perform()
            assert balancer.heard() == ["", f"node={n}"]
            await performer.perform(jar=1)
            await performer.perform(jar=1)
            assert balancer.heard() == ["", f"node={n + 1}"]
            performer.carrier.reset()
            await performer.perform()
            await performer.perform(jar=1)
            assert balancer.heard() == ["", ""]
            balancer.given = n
            await performer.carrier.close()


@run
async def test_a_client_of_the_hosts_keeps_cookies_itself() -> None:
    async with serving(Balancer()) as balancer, httpx2.AsyncClient() as client:
        performer = Performer(StreamableHTTP(balancer.url, client=client))
        await performer.perform()
        await performer.perform()
        await performer.perform(jar=1)
        assert balancer.heard() == ["", "node=1", "node=1"]
        await performer.carrier.close()


class Guarded(Balancer):
    takes = b"Bearer a"

    def answer(self, head: bytes, body: bytes) -> bytes:
        if b"authorization: " + self.takes not in head and b"Authorization: " + self.takes not in head:
            return ANSWERS["challenge"]
        id = re.search(rb'"id":(\d+)', body)
        assert id
        text = b'{"jsonrpc":"2.0","id":%b,"result":{"resultType":"complete","content":[]}}' % id[1]
        return b"200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(text), text)


@run
async def test_another_account_begins_without_a_cookie() -> None:
    async with serving(Guarded()) as balancer:
        assert isinstance(balancer, Guarded)
        token, account = "", ""

        async def authorize(_: Any) -> dict[str, Any]:
            nonlocal token
            token = balancer.takes.decode()
            return {"account": account}

        async with connect(StreamableHTTP(balancer.url, authorization=lambda: token), authorize=authorize) as session:

            async def call(takes: bytes, who: str) -> list[str]:
                nonlocal account
                balancer.takes, account = takes, who
                await session.call_tool("t")
                return balancer.heard()

            assert await call(b"Bearer a1", "a-1") == ["", "node=1"]
            assert await call(b"Bearer a2", "a-1") == ["node=1", "node=1"], "the same account with a new token"
            assert await call(b"Bearer b3", "b-2") == ["node=1", ""], "another account"
            assert await call(b"Bearer b3", "b-2") == ["node=2"], "the same again"


@pytest.mark.parametrize("odd", [b"odd=c00kie-s3cret", b"odd=c00kie-s3cret\x00"])
def test_no_error_or_snapshot_has_a_cookie_in_it(odd: bytes) -> None:
    class Lost(Balancer):
        def answer(self, head: bytes, body: bytes) -> bytes:
            if b"the-state" in body:
                return b"200 OK\r\nSet-Cookie: %b\r\nContent-Length: 500\r\n\r\n{" % odd
            id = re.search(rb'"id":(\d+)', body)
            assert id
            text = (
                b'{"jsonrpc":"2.0","id":%b,"result":{"resultType":"input_required","requestState":"the-state","inputRequests":{"who":'
                b'{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}}}'
            ) % id[1]
            return b"200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(text), text)

    async def test() -> None:
        shown: list[str] = []
        async with serving(Lost()) as balancer:
            balancer.cookie = lambda n: b"node=c00kie-s3cret"
            async with connect(StreamableHTTP(balancer.url), elicit=lambda _: accept({})) as session:
                with pytest.raises(CallFailed) as failed:
                    await session.call("tools/call", {"name": "t"}, save=lambda snapshot: shown.append(str(snapshot)))
            shown += [repr(failed.value), str(failed.value.snapshot), *traceback.format_exception(failed.value)]
            assert balancer.came == ["", "node=c00kie-s3cret"]
        assert "c00kie-s3cret" not in "".join(shown)
        assert "the-state" in "".join(shown)

    asyncio.run(test())

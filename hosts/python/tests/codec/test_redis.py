"""The replay store in Redis, at a real server."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis
from redis.exceptions import InvalidResponse

from checkout import KEY, REPO
from parley_mrtr.codec import Code, CodecError, Guard, ReplayError
from parley_mrtr.codec.redis import RedisReplay
from parley_mrtr.codec.redis_answer import MOST, Bounded
from redis_server import Server

HOUR = 3600
LONG = 120.0  # seconds, of which a machine that is slow needs a few


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()


@pytest.fixture
def client(server: Server) -> Iterator[Redis]:
    with Redis(port=server.port, decode_responses=True) as client:
        client.flushall()
        yield client


@pytest.fixture
def replay(server: Server, client: Redis) -> Iterator[RedisReplay]:
    store = RedisReplay(server.url(), LONG)
    yield store
    store.close()


def soon() -> int:
    return int(time.time()) + HOUR


def test_one_of_all_attempts_succeeds(server: Server, client: Redis) -> None:
    instances = [RedisReplay(server.url(), LONG) for _ in range(3)]
    with ThreadPoolExecutor(9) as threads:
        for id in (bytes([n]) * 16 for n in range(20)):
            expires = soon()
            attempts = [threads.submit(instances[n % 3].consume, id, expires) for n in range(9)]
            assert sum(attempt.result() for attempt in attempts) == 1
    for instance in instances:
        instance.close()


# LAYOUT.md: P:mark:HEX is a string, and is gone two minutes after the state.
def test_marks_are_those_of_every_language(replay: RedisReplay, client: Redis) -> None:
    assert "| `P:mark:HEX` | string |" in (REPO / "hosts/go/store/redis/LAYOUT.md").read_text()
    id, expires = bytes(range(16)), soon()
    assert replay.consume(id, expires)
    key = "parley:mark:000102030405060708090a0b0c0d0e0f"
    assert sorted(client.keys("*")) == ["parley:layout", key]
    assert client.get("parley:layout") == "1"
    assert len(client.get(key)) == 26
    assert client.pexpiretime(key) == (expires + 120) * 1000
    assert not replay.consume(id, expires)

    # As another language's script writes it, which is the same file.
    mark = (REPO / "hosts/go/store/redis/scripts/mark.lua").read_text()
    arguments = ["PARLEYPARLEYPARLEYPARLEYPA", str(expires * 1000)]
    assert client.eval(mark, 1, "parley:mark:" + "ff" * 16, *arguments) == ["first"]
    assert not replay.consume(b"\xff" * 16, expires)
    assert client.eval(mark, 1, key, *arguments) == ["used"]


def test_what_has_expired_is_refused(replay: RedisReplay) -> None:
    with pytest.raises(ReplayError, match="expired by the clock of Redis"):
        replay.consume(bytes(16), int(time.time()) - 1)


class Cutter:
    """A proxy that loses the next answer that begins as an array does, with its connection."""

    def __init__(self, port: int) -> None:
        self.listener, self.to, self.lost, self.cut = socket.create_server(("127.0.0.1", 0)), port, 0, False
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.to))
            for source, sink, back in ((near, far, False), (far, near, True)):
                threading.Thread(target=self.carry, args=(source, sink, back), daemon=True).start()

    def carry(self, source: socket.socket, sink: socket.socket, back: bool) -> None:
        try:
            while data := source.recv(1 << 16):
                if back and self.cut and data.startswith(b"*"):
                    self.cut, self.lost = False, self.lost + 1
                    break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        source.close()


def test_an_attempt_made_again_is_no_replay(server: Server, client: Redis) -> None:
    proxy = Cutter(server.port)
    store = RedisReplay(f"redis://127.0.0.1:{proxy.port}", LONG)
    assert store.consume(b"a" * 16, soon())  # and the script is known
    proxy.cut = True
    assert store.consume(b"b" * 16, soon())
    assert proxy.lost == 1
    assert not store.consume(b"b" * 16, soon())
    store.close()
    proxy.listener.close()


def test_a_server_that_stands_still_refuses(server: Server, client: Redis) -> None:
    hasty = None
    while hasty is None:
        try:
            hasty = RedisReplay(server.url(), 1)
        except ReplayError:  # it takes the machine that long
            continue
    with server.standing_still(), pytest.raises(ReplayError, match="cannot be asked"):
        hasty.consume(b"c" * 16, soon())
    hasty.close()


def test_a_guard_refuses_a_state_used_elsewhere(replay: RedisReplay, server: Server) -> None:
    elsewhere = RedisReplay(server.url(), LONG)
    here, there = (Guard(KEY, audience="shop", single_use=["pay"], replay=store) for store in (replay, elsewhere))
    call = {"name": "pay", "arguments": {"amount": 10}}
    exchange = here.inbound("tools/call", json.dumps(call), "ada")[1]
    asks = here.outbound(exchange, '{"resultType":"input_required","requestState":"step 1"}')
    again = json.dumps({**call, "requestState": json.loads(asks)["requestState"]})
    assert "step 1" in there.inbound("tools/call", again, "ada")[0]
    with pytest.raises(CodecError) as refused:
        here.inbound("tools/call", again, "ada")
    assert refused.value.code is Code.REPLAYED
    elsewhere.close()


@pytest.mark.parametrize(
    ("policy", "url", "said"),
    [("allkeys-lru", "", "noeviction"), ("volatile-ttl", "", "noeviction"), ("allkeys-lru", "?eviction=checked", None)],
)
def test_a_server_that_evicts_is_refused(
    server: Server, client: Redis, policy: str, url: str, said: str | None
) -> None:
    client.config_set("maxmemory-policy", policy)
    try:
        if said is None:
            RedisReplay(server.url(url), LONG).close()
        else:
            with pytest.raises(ReplayError, match=said):
                RedisReplay(server.url(url), LONG)
    finally:
        client.config_set("maxmemory-policy", "noeviction")


def test_a_connection_that_is_new_looks_again(replay: RedisReplay, client: Redis) -> None:
    client.config_set("maxmemory-policy", "allkeys-lru")
    client.client_kill_filter(_type="normal", skipme=True)
    try:
        with pytest.raises(ReplayError, match="noeviction"):
            replay.consume(b"d" * 16, soon())
    finally:
        client.config_set("maxmemory-policy", "noeviction")


def test_a_full_server_refuses(replay: RedisReplay, client: Redis) -> None:
    client.config_set("maxmemory", "1")
    try:
        with pytest.raises(ReplayError, match="Redis is full"):
            replay.consume(b"e" * 16, soon())
    finally:
        client.config_set("maxmemory", "0")


def test_replicas_that_are_wanted_and_not_there(server: Server, client: Redis) -> None:
    store = RedisReplay(server.url("?wait=1"), 8)
    with pytest.raises(ReplayError, match="0 of 1"):
        store.consume(b"f" * 16, soon())
    store.close()


def test_another_layout_is_refused(server: Server, client: Redis) -> None:
    client.set("parley:layout", "2")
    with pytest.raises(ReplayError, match="another version"):
        RedisReplay(server.url(), LONG)
    store = RedisReplay(server.url("/1?prefix=mine"), LONG)
    assert store.consume(bytes(16), soon())
    store.close()


@pytest.mark.parametrize(
    "answer", [b"garbage\r\n", b"*-7\r\n", b"$9999999999999\r\n", b"%1\r\n", b"\0", b"+OK\r\n", b""]
)
def test_what_is_no_redis(answer: bytes) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                try:
                    while answer and connection.recv(4096):
                        connection.sendall(answer)
                except OSError:
                    pass

    threading.Thread(target=serve, daemon=True).start()
    with pytest.raises(ReplayError):
        RedisReplay(f"redis://127.0.0.1:{listener.getsockname()[1]}", 0.2)
    listener.close()


class Peer:
    """A connection whose other end writes the same again and again."""

    def __init__(self, data: bytes, pause: float) -> None:
        self.near, self.far = socket.socketpair()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.write, args=(data, pause))
        self.thread.start()

    def write(self, data: bytes, pause: float) -> None:
        try:
            while not self.over.wait(pause):
                self.far.sendall(data)
        except OSError:  # nobody reads it any more
            pass

    def close(self) -> None:
        self.over.set()
        self.near.close()
        self.thread.join()
        self.far.close()


@pytest.mark.parametrize(
    ("data", "pause", "ends"), [(b"+", 0.005, TimeoutError), (b"+" * (1 << 20), 0, InvalidResponse)]
)
def test_an_answer_that_does_not_end(data: bytes, pause: float, ends: type[Exception]) -> None:
    """However little comes at a time, and however much in all."""
    peer = Peer(data, pause)
    answer = Bounded(peer.near, 0.3 if ends is TimeoutError else LONG)
    answer.sendall(b"PING\r\n")
    size = 0
    with pytest.raises(ends):
        while True:
            size += len(answer.recv(1 << 16))
    assert 0 < size <= MOST
    peer.close()


def test_a_store_does_not_wait_for_an_answer_that_does_not_end() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=drip, args=(connection,), daemon=True).start()

    def drip(connection: socket.socket) -> None:
        with connection:
            try:
                while not over.wait(0.01):
                    connection.sendall(b"+")
            except OSError:
                pass

    threading.Thread(target=serve, daemon=True).start()
    with pytest.raises(ReplayError, match="cannot be asked"):
        RedisReplay(f"redis://127.0.0.1:{listener.getsockname()[1]}", 0.4)
    over.set()
    listener.close()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "redis://HOST:PORT"),
        ("http://:hunter2@x", "redis://HOST:PORT"),
        ("redis://:hunter2@[x", "redis://HOST:PORT"),
        ("redis://:hunter2@x:hunter2", "redis://HOST:PORT"),
        ("redis://:hunter2@x/one", "number of a database"),
        ("redis://:hunter2@x?prefix={hunter2}", "prefix is"),
        ("redis://:hunter2@x?prefix=", "prefix is"),
        ("redis://:hunter2@x?wait=-1", "wait is"),
        ("redis://:hunter2@x?eviction=hunter2", "eviction=checked"),
        ("redis://:hunter2@x?hunter2=1", "none of"),
        ("redis://:hunter2@x?prefix=hunter2&prefix=b", "twice"),
        ("redis://:hunter2@x?addr=hunter2", "addr is"),
        ("redis://:hunter2@x?addr=", "addr is"),
        ("redis://:hunter2@x?addr=:hunter2@x:1", "addr is"),
        ("redis://:hunter2@x?addr=x:hunter2", "addr is"),
        ("redis://:hunter2@x?addr=x:1/hunter2", "addr is"),
        ("redis://:hunter2@x?master_set=", "master_set is"),
        ("redis://:hunter2@x/1?addr=x:1", "no databases"),
        ("redis://:hunter2@127.0.0.1:1?master_set=hunter-2", "cannot be asked"),
        ("redis://:hunter2@127.0.0.1:1?addr=127.0.0.1:2", "cannot be asked"),
        ("redis://:hunter2@127.0.0.1:1?wait=1", "cannot be asked"),
    ],
)
def test_urls_are_refused_without_a_password(url: str, said: str) -> None:
    with pytest.raises(ReplayError, match=said) as refused:
        RedisReplay(url, 0.2)
    assert "hunter2" not in str(refused.value)

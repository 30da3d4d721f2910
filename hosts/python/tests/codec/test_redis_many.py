"""The replay store at several servers: a cluster, and what sentinels watch."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from redis import Redis

from parley_mrtr.codec import ReplayError
from parley_mrtr.codec.redis import RedisReplay
from redis_server import Server

LONG = 120.0


def soon() -> int:
    return int(time.time()) + 3600


def ids(count: int) -> list[bytes]:
    return [number.to_bytes(16, "big") for number in range(count)]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """A cluster of three."""
    nodes = [Server(tmp_path_factory.mktemp("node"), "--cluster-enabled", "yes") for _ in range(3)]
    clients = [Redis(port=node.port, decode_responses=True) for node in nodes]
    for epoch, (client, slots) in enumerate(
        zip(clients, ((0, 5460), (5461, 10922), (10923, 16383)), strict=True), start=1
    ):
        client.execute_command("CLUSTER ADDSLOTSRANGE", *slots)
        client.execute_command("CLUSTER SET-CONFIG-EPOCH", epoch)
    for node in nodes[1:]:
        clients[0].execute_command("CLUSTER MEET", "127.0.0.1", node.port)
    for client in clients:
        while not {"cluster_state:ok", "cluster_known_nodes:3"} <= set(raw_info(client)):
            time.sleep(0.01)
        client.close()
    yield nodes
    for node in nodes:
        node.stop()


def raw_info(client: Redis) -> list[str]:
    info = client.execute_command("CLUSTER INFO")
    return [f"{name}:{value}" for name, value in info.items()] if isinstance(info, dict) else str(info).split("\r\n")


# Whether it is called a cluster or is found to be one.
@pytest.mark.parametrize("named", [True, False])
def test_a_cluster(nodes: list[Server], named: bool) -> None:
    more = "&".join(f"addr=127.0.0.1:{node.port}" for node in nodes[1:]) if named else ""
    store, other = (RedisReplay(node.url(f"?prefix=named{named}&{more}".rstrip("&")), LONG) for node in nodes[:2])
    expires = soon()
    assert all(store.consume(id, expires) for id in ids(30))
    assert not any(other.consume(id, expires) for id in ids(30))
    store.close()
    other.close()
    for node in nodes:
        with Redis(port=node.port) as client:
            assert client.dbsize() > 2  # so that it was no single one that was asked


def test_a_node_of_a_cluster_that_may_evict_is_refused(nodes: list[Server]) -> None:
    with Redis(port=nodes[2].port) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            with pytest.raises(ReplayError, match="noeviction"):
                store = RedisReplay(nodes[0].url(f"?prefix=evicts&addr=127.0.0.1:{nodes[2].port}"), LONG)
                for id in ids(30):
                    store.consume(id, soon())
        finally:
            client.config_set("maxmemory-policy", "noeviction")


def test_a_node_of_a_cluster_that_is_gone(nodes: list[Server]) -> None:
    """The others are found by what is left of the addresses."""
    store = RedisReplay(nodes[0].url(f"?prefix=gone&addr=127.0.0.1:1&addr=127.0.0.1:{nodes[1].port}"), LONG)
    assert all(store.consume(id, soon()) for id in ids(10))
    store.close()


def test_a_cluster_with_replicas_that_are_wanted_and_not_there(nodes: list[Server]) -> None:
    store = RedisReplay(nodes[0].url(f"?prefix=waits&wait=1&addr=127.0.0.1:{nodes[1].port}"), 8)
    with pytest.raises(ReplayError, match="0 of 1"):
        store.consume(bytes(16), soon())
    store.close()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server, Server]]:
    """A server, its replica and the sentinel that watches them."""
    made: list[Server] = []
    try:
        for _ in range(2):
            made.append(Server(tmp_path_factory.mktemp("watched"), "--repl-diskless-sync-delay", "0"))
        primary, replica = made
        with Redis(port=replica.port) as client:
            client.replicaof("127.0.0.1", primary.port)
            while client.info("replication")["master_link_status"] != "up":
                time.sleep(0.01)
        made.append(Server(tmp_path_factory.mktemp("sentinel"), watching=primary.port))
        with Redis(port=made[2].port) as client:
            while client.sentinel_master("shop")["num-slaves"] < 1:
                time.sleep(0.01)
        yield made[0], made[1], made[2]
    finally:
        for server in made:
            server.stop()


def test_sentinels_that_know_nothing_of_it(watched: tuple[Server, Server, Server]) -> None:
    with pytest.raises(ReplayError, match="cannot be asked"):
        RedisReplay(watched[2].url("?master_set=bank"), 0.5)


def test_what_sentinels_watch(watched: tuple[Server, Server, Server]) -> None:
    """A state that was used at a primary stays used at the replica that took its place. It is the last, for the primary is
    gone then."""
    primary, replica, sentinel = watched
    url = f"redis://127.0.0.1:1?addr=127.0.0.1:{sentinel.port}&master_set=shop"
    store, sure = RedisReplay(url, LONG), RedisReplay(url + "&wait=1", LONG)
    id, expires = b"a" * 16, soon()
    assert sure.consume(id, expires)
    sure.close()
    with Redis(port=primary.port) as client:
        assert client.exists(f"parley:mark:{id.hex()}")
    primary.stop()
    assert not store.consume(id, expires)  # waits for whoever takes its place
    assert store.consume(b"b" * 16, expires)
    with Redis(port=replica.port) as client:
        assert client.exists("parley:mark:" + b"b".hex() * 16)
    store.close()

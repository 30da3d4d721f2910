"""Which states were used, in Redis: for all instances of a server, in whichever language.

What lies there is layout 1 of `hosts/go/store/redis/LAYOUT.md`, the same for Go, JavaScript and Python.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from base64 import b32encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import (
    AskError,
    AuthenticationError,
    AuthorizationError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    MasterDownError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry
from redis.sentinel import Sentinel

from ..given import check, is_number
from .redis_address import read
from .redis_answer import Bounded
from .replay import ReplayError

_LAYOUT = b"1"
_MARK = (Path(__file__).parent / "mark.lua").read_text()
_POLICY = re.compile(rb"^maxmemory_policy:([a-z-]+)\r?$", re.MULTILINE)

#: What may be of the moment: the connection's, or a server's that starts, or has just become a replica.
_PASSES = (
    *(ConnectionError, TimeoutError, ReadOnlyError, MasterDownError),
    *(ClusterDownError, ClusterError, RedisClusterException, TryAgainError),
)
_REFUSES = (AuthenticationError, AuthorizationError)  # which are ConnectionErrors


class RedisReplay:
    """A `ReplayStore` for all instances of a server: together they let a state open once.

    What cannot be asked in time is refused. Nothing of a state is kept but its random name, so there is nothing to
    seal. `consume` blocks while it asks; `GuardMiddleware` keeps it off the event loop. It may be used from several
    threads.
    """

    def __init__(self, url: str, timeout: float = 2.0) -> None:
        """Connects to the Redis of a URL as the stores in Go take it: redis://HOST:PORT, or rediss://HOST:PORT with TLS,
        of a server or of one of a cluster; with addr=HOST:PORT more of the cluster; with master_set=NAME they are the
        sentinels that watch it, which are asked without TLS or password. `timeout` is how long a state may be asked
        about, in seconds.

        ReplayError if the server is not there, or may evict what it holds.
        """
        check(isinstance(url, str), "RedisReplay: url must be a str, such as redis://localhost:6379", url)
        check(is_number(timeout), "RedisReplay: timeout must be a number of seconds", timeout)
        if not 0 < timeout < threading.TIMEOUT_MAX:
            raise ValueError("RedisReplay: timeout must be more than 0 seconds")
        self._at = read(url)
        self._timeout = timeout
        self._patience = timeout / 2 / len(self._at.nodes)  # of which several may have to be tried
        self._lock = threading.Lock()
        self._client: Any = None  # Redis or RedisCluster, which share no base
        self._clustered = len(self._at.nodes) > 1 and self._at.master_set is None
        self._sentinels: list[Redis] = []
        try:
            self._try(lambda client: client.get(f"{self._at.prefix}:layout"))
        except ReplayError:
            self.close()
            raise

    def close(self) -> None:
        """Ends the connections."""
        for client in (self._client, *self._sentinels):
            if isinstance(client, RedisCluster):
                client.close()
            elif client is not None:
                client.connection_pool.disconnect()

    def consume(self, id: bytes, expires: int) -> bool:
        """See `ReplayStore`. The server compares `expires` with its own clock. Asked again because an answer was lost,
        it knows that it was this attempt that used the state."""
        key = f"{self._at.prefix}:mark:{id.hex()}"
        attempt = b32encode(secrets.token_bytes(16)).decode().rstrip("=")
        said = self._try(lambda client: client.register_script(_MARK)(keys=[key], args=[attempt, expires * 1000]))
        if said == [b"first"]:
            self._confirmed(key)
            return True
        if said == [b"used"]:
            return False
        if said == [b"expired"]:
            raise ReplayError("the state has expired by the clock of Redis")
        raise _garbage()

    def _try(self, ask: Callable[[Any], Any]) -> Any:
        """Asks until there is an answer, a refusal, or half of the time is up: the rest is for the last attempt.
        Everything that is asked is the same if it is asked again."""
        end, pause = time.monotonic() + self._timeout / 2, 0.005
        client: Any = None
        while True:
            try:
                with self._lock:
                    if self._client is None:
                        self._client = self._connect()
                    client = self._client
                return ask(client)
            except AskError as error:
                if isinstance(client, RedisCluster):
                    raise _explained(error) from error
                self._is_one_of_a_cluster(client)
            except Exception as error:
                if not _passes(error) or time.monotonic() + pause >= end:
                    raise _explained(error) from error
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def _is_one_of_a_cluster(self, client: Any) -> None:
        with self._lock:
            if self._client is client:
                self._client, self._clustered = None, True
        client.connection_pool.disconnect()

    def _connect(self) -> Redis | RedisCluster:
        at = self._at
        asked: dict[str, Any] = {
            "socket_timeout": self._patience,
            "socket_connect_timeout": self._patience,
            "retry": Retry(NoBackoff(), 0),  # what may be made again is known here
            "client_name": "parley",
            "driver_info": None,
            "protocol": 2,
        }
        user: dict[str, Any] = {"username": at.username, "password": at.password, "ssl": at.tls}
        if at.master_set is not None:
            sentinels = {**asked, "redis_connect_func": self._bound}
            watching = Sentinel(at.nodes, sentinel_kwargs=sentinels)  # type: ignore[no-untyped-call]
            self._sentinels = watching.sentinels
            asked |= {"db": at.database, "redis_connect_func": self._look}
            return watching.master_for(at.master_set, **asked, **user)  # type: ignore[no-any-return, no-untyped-call]
        if self._clustered:
            nodes = [ClusterNode(host, port) for host, port in at.nodes]  # type: ignore[no-untyped-call]
            return _Cluster(self._look, startup_nodes=nodes, **asked, **user)
        (host, port), *_ = at.nodes
        asked |= {"db": at.database, "redis_connect_func": self._look}
        return Redis(host, port, **asked, **user)

    def _bound(self, connection: Any) -> None:
        connection._sock = Bounded(connection._sock, connection.socket_timeout)
        connection.on_connect()

    def _look(self, connection: Any) -> None:
        """Looks at the server behind a new connection: it may be another one than before."""
        self._bound(connection)
        if not self._at.checked:
            try:
                info = _ask(connection, "INFO", "memory")
            except ResponseError as error:
                if _passes(error):
                    raise
                raise _Unfit(_UNTOLD) from error
            policy = _POLICY.search(info) if isinstance(info, bytes) else None
            if policy is None:
                raise _Unfit(_UNTOLD)
            if policy[1] != b"noeviction":
                raise _Unfit(_EVICTS)
        key = f"{self._at.prefix}:layout"
        try:
            layout = _ask(connection, "GET", key)
            if layout is None:
                _ask(connection, "SET", key, _LAYOUT, "NX")
                layout = _ask(connection, "GET", key)
        except AskError:
            if self._clustered:
                return  # another node has it
            raise
        if layout != _LAYOUT:
            raise _Unfit("what lies in this Redis is of another version of Parley")

    def _confirmed(self, key: str) -> None:
        """Waits until as many replicas as are wanted have the mark."""
        if not self._at.wait:
            return
        client = self._client
        if isinstance(client, RedisCluster):
            node: Any = client.get_node_from_key(key)  # type: ignore[no-untyped-call]
            client = client.get_redis_connection(node)
        # WAIT is about what was written before this connection's last command. They share a connection.
        both = client.pipeline(transaction=False)
        both.exists(key)
        both.wait(self._at.wait, max(int(self._patience * 500), 1))
        try:
            _there, have = both.execute()
        except RedisError as error:
            raise _explained(error) from error
        if not isinstance(have, int) or have < self._at.wait:
            raise ReplayError(f"not as many replicas as are wanted have the mark ({have} of {self._at.wait})")


class _Cluster(RedisCluster):
    """A cluster each of whose servers is looked at."""

    def __init__(self, look: Callable[[Any], None], **options: Any) -> None:
        self._look = look
        super().__init__(**options)

    def on_connect(self, connection: Any) -> None:
        self._look(connection)


class _Unfit(RedisError):
    """What is wrong with a server that would not get better by waiting."""


_EVICTS = "this Redis may evict keys, and with them the marks of used states: set maxmemory-policy to noeviction"
_UNTOLD = (
    "this Redis does not tell its maxmemory-policy, which must be noeviction: where you know that it is, say so with "
    "eviction=checked in the URL"
)


def _ask(connection: Any, *words: str | bytes) -> Any:
    connection.send_command(*words, check_health=False)
    return connection.read_response()


def _passes(error: Exception) -> bool:
    if isinstance(error, _REFUSES) or any(isinstance(e, _Unfit) for e in _chain(error)):
        return False
    return isinstance(error, _PASSES) or (isinstance(error, ResponseError) and str(error).startswith("BUSY"))


def _explained(error: Exception) -> ReplayError:
    """What an error means to whoever runs the server."""
    for unfit in _chain(error):
        if isinstance(unfit, _Unfit):
            return ReplayError(str(unfit))
    if isinstance(error, ConnectionError | TimeoutError | RedisClusterException | ClusterError):
        return ReplayError(f"Redis cannot be asked: {error}")
    if not isinstance(error, ResponseError):
        return _garbage()
    text = str(error)
    if "OOM" in text or "maxmemory" in text:
        return ReplayError(f"Redis is full: {text}")
    return ReplayError(f"Redis: {text}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it came of: a cluster's client wraps them."""
    for _ in range(8):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _garbage() -> ReplayError:
    return ReplayError("what the server answered is nothing that this version knows")

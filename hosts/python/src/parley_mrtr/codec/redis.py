"""Which states were used, in Redis: for all instances of a server, in whichever language.

What lies there is layout 1 of `hosts/go/store/redis/LAYOUT.md`, the same for Go, JavaScript and Python.
"""

from __future__ import annotations

import re
import secrets
import time
from base64 import b32encode
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import Connection, ConnectionPool, SSLConnection
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    ClusterDownError,
    ConnectionError,
    MasterDownError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry

from .replay import ReplayError

_LAYOUT = b"1"
_MARK = (Path(__file__).parent / "mark.lua").read_text()
_PREFIX = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_POLICY = re.compile(rb"^maxmemory_policy:([a-z-]+)\r?$", re.MULTILINE)

#: What may be of the moment: the connection's, or a server's that starts, or has just become a replica.
_PASSES = (ConnectionError, TimeoutError, ReadOnlyError, MasterDownError, ClusterDownError, TryAgainError)
_REFUSES = (AuthenticationError, AuthorizationError)  # which are ConnectionErrors


class RedisReplay:
    """A `ReplayStore` for all instances of a server: together they let a state open once.

    What cannot be asked in time is refused. Nothing of a state is kept but its random name, so there is nothing to
    seal. `consume` blocks while it asks; `GuardMiddleware` keeps it off the event loop. It may be used from several
    threads.
    """

    def __init__(self, url: str, timeout: float = 2.0) -> None:
        """Connects to the Redis of a URL: redis://HOST:PORT, or rediss://HOST:PORT with TLS, as the stores in Go take
        it, for a single server or a primary. `timeout` is how long a state may be asked about, in seconds.

        ReplayError if the server is not there, or may evict what it holds.
        """
        self._at = at = _read(url)
        self._timeout = timeout
        pool = ConnectionPool(
            connection_class=SSLConnection if at.tls else Connection,
            **at.server,
            socket_timeout=timeout / 2,
            socket_connect_timeout=timeout / 2,
            retry=Retry(NoBackoff(), 0),  # what may be made again is known here
            redis_connect_func=self._look,
            client_name="parley",
            driver_info=None,
            protocol=2,
        )
        self._redis = Redis(connection_pool=pool)
        self._mark = self._redis.register_script(_MARK)
        try:
            self._try(self._redis.ping)
        except ReplayError:
            self.close()
            raise

    def close(self) -> None:
        """Ends the connections."""
        self._redis.connection_pool.disconnect()

    def consume(self, id: bytes, expires: int) -> bool:
        """See `ReplayStore`. The server compares `expires` with its own clock. Asked again because an answer was lost,
        it knows that it was this attempt that used the state."""
        key = f"{self._at.prefix}:mark:{id.hex()}"
        attempt = b32encode(secrets.token_bytes(16)).decode().rstrip("=")
        said = self._try(lambda: self._mark(keys=[key], args=[attempt, expires * 1000]))
        if said == [b"first"]:
            self._confirmed(key)
            return True
        if said == [b"used"]:
            return False
        if said == [b"expired"]:
            raise ReplayError("the state has expired by the clock of Redis")
        raise _garbage()

    def _try(self, ask: Any) -> Any:
        """Asks until there is an answer, a refusal, or half of the time is up: the rest is for the last attempt.
        Everything that is asked is the same if it is asked again."""
        end, pause = time.monotonic() + self._timeout / 2, 0.005
        while True:
            try:
                return ask()
            except Exception as error:
                if not _passes(error) or time.monotonic() + pause >= end:
                    raise _explained(error) from error
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def _look(self, connection: Any) -> None:
        """Looks at the server behind a new connection: it may be another one than before."""
        connection.on_connect()
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
        layout = _ask(connection, "GET", key)
        if layout is None:
            _ask(connection, "SET", key, _LAYOUT, "NX")
            layout = _ask(connection, "GET", key)
        if layout != _LAYOUT:
            raise _Unfit("what lies in this Redis is of another version of Parley")

    def _confirmed(self, key: str) -> None:
        """Waits until as many replicas as are wanted have the mark."""
        if not self._at.wait:
            return
        # WAIT is about what was written before this connection's last command. They share a connection.
        both = self._redis.pipeline(transaction=False)
        both.exists(key)
        both.wait(self._at.wait, max(int(self._timeout * 250), 1))
        try:
            _there, have = both.execute()
        except RedisError as error:
            raise _explained(error) from error
        if not isinstance(have, int) or have < self._at.wait:
            raise ReplayError(f"not as many replicas as are wanted have the mark ({have} of {self._at.wait})")


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
    if isinstance(error, _REFUSES):
        return False
    return isinstance(error, _PASSES) or (isinstance(error, ResponseError) and str(error).startswith("BUSY"))


def _explained(error: Exception) -> ReplayError:
    """What an error means to whoever runs the server."""
    if isinstance(error, _Unfit):
        return ReplayError(str(error))
    if isinstance(error, ConnectionError | TimeoutError):
        return ReplayError(f"Redis cannot be asked: {error}")
    if not isinstance(error, ResponseError):
        return _garbage()
    text = str(error)
    if "OOM" in text or "maxmemory" in text:
        return ReplayError(f"Redis is full: {text}")
    return ReplayError(f"Redis: {text}")


def _garbage() -> ReplayError:
    return ReplayError("what the server answered is nothing that this version knows")


class _Address(NamedTuple):
    server: dict[str, Any]
    tls: bool
    prefix: str
    wait: int  # replicas that confirm a mark
    checked: bool  # by a person: the server evicts nothing


def _read(url: str) -> _Address:
    """Reads a URL. Its errors hold nothing of it, because it may hold a password."""
    wrong = ReplayError("the URL of a Redis is redis://HOST:PORT, or rediss://HOST:PORT with TLS")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 6379
    except ValueError:
        raise wrong from None
    if not host or parts.scheme not in ("redis", "rediss"):
        raise wrong
    prefix, wait, checked = "parley", 0, False
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name == "prefix":
            prefix = value
            if not _PREFIX.fullmatch(value):
                raise ReplayError("prefix is 1 to 64 of A-Z a-z 0-9 _ - . :")
        elif name == "wait":
            if not re.fullmatch(r"[0-9]{1,3}", value, re.ASCII) or int(value) > 127:
                raise ReplayError("wait is a number of replicas")
            wait = int(value)
        elif name == "eviction":
            checked = True
            if value != "checked":
                raise ReplayError("eviction=checked is all that can be said about it")
        else:
            raise ReplayError("the URL has a parameter that is none of prefix, wait and eviction")
    server = {"host": host, "port": port, "db": _database(parts)}
    if parts.username:
        server["username"] = unquote(parts.username)
    if parts.password:
        server["password"] = unquote(parts.password)
    return _Address(server, parts.scheme == "rediss", prefix, wait, checked)


def _database(parts: SplitResult) -> int:
    if parts.path in ("", "/"):
        return 0
    if not re.fullmatch(r"/[0-9]{1,4}", parts.path, re.ASCII):
        raise ReplayError("the URL's path is the number of a database, or nothing")
    return int(parts.path[1:])

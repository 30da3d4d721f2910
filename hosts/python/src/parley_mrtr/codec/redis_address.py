"""Where a Redis is, as its URL says it to the stores of every language."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from .replay import ReplayError

_PREFIX = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_PORT = 6379


class Address(NamedTuple):
    """What a URL says."""

    nodes: list[tuple[str, int]]  # one server, several of a cluster, or the sentinels
    master_set: str | None  # that the sentinels watch
    username: str | None
    password: str | None
    database: int
    tls: bool
    prefix: str
    wait: int  # replicas that confirm a mark
    checked: bool  # by a person: the server evicts nothing


def read(url: str) -> Address:
    """Reads a URL. Its errors hold nothing of it, because it may hold a password."""
    wrong = ReplayError("the URL of a Redis is redis://HOST:PORT, or rediss://HOST:PORT with TLS")
    try:
        parts = urlsplit(url)
        nodes = [(parts.hostname or "", parts.port or _PORT)]
    except ValueError:
        raise wrong from None
    if not parts.hostname or parts.scheme not in ("redis", "rediss"):
        raise wrong
    prefix, wait, checked, master_set = "parley", 0, False, None
    seen: set[str] = set()
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name in seen:
            raise ReplayError("the URL has a parameter twice that may be there once")
        if name == "addr":
            nodes.append(_node(value))
            continue
        seen.add(name)
        if name == "master_set":
            master_set = value
            if not value:
                raise ReplayError("master_set is the name of what sentinels watch")
        elif name == "prefix":
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
            raise ReplayError("the URL has a parameter that is none of addr, master_set, prefix, wait and eviction")
    database = _database(parts)
    if database and len(nodes) > 1 and master_set is None:
        raise ReplayError("a cluster has no databases with numbers")
    username, password = (unquote(text) if text else None for text in (parts.username, parts.password))
    tls = parts.scheme == "rediss"
    return Address(nodes, master_set, username, password, database, tls, prefix, wait, checked)


def _node(text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{text}")
        if parts.hostname and parts.port and parts.netloc == text and parts.username is None:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise ReplayError("addr is HOST:PORT")


def _database(parts: SplitResult) -> int:
    if parts.path in ("", "/"):
        return 0
    if not re.fullmatch(r"/[0-9]{1,4}", parts.path, re.ASCII):
        raise ReplayError("the URL's path is the number of a database, or nothing")
    return int(parts.path[1:])

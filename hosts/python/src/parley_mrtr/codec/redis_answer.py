"""Bounds for what a Redis answers."""

from __future__ import annotations

from socket import socket
from time import monotonic
from typing import Any

from redis.exceptions import InvalidResponse

MOST = 8 << 20  #: bytes of an answer: what all nodes and commands of a cluster are may be long, and nothing else is


class Bounded:
    """A socket on which an answer has so many seconds from its request on, however little comes at a time, and so many
    bytes: the client takes whatever comes."""

    def __init__(self, under: socket, seconds: float) -> None:
        self._under, self._seconds = under, seconds
        self._timeout: float | None = seconds
        self._begin()

    def sendall(self, data: bytes) -> None:
        self._begin()
        self._under.settimeout(self._seconds)
        self._under.sendall(data)

    def settimeout(self, seconds: float | None) -> None:
        self._timeout = seconds

    def recv(self, size: int) -> bytes:
        self._wait()
        data = self._under.recv(size)
        self._count(len(data))
        return data

    def recv_into(self, buffer: Any) -> int:
        self._wait()
        size = self._under.recv_into(buffer)
        self._count(size)
        return size

    def __getattr__(self, name: str) -> Any:
        return getattr(self._under, name)

    def _begin(self) -> None:
        self._end, self._most = monotonic() + self._seconds, MOST

    def _wait(self) -> None:
        left = self._end - monotonic()
        if self._timeout == 0:  # nobody waits: it is looked whether there is something
            left = 0
        elif left <= 0:
            raise TimeoutError
        elif self._timeout is not None:
            left = min(left, self._timeout)
        self._under.settimeout(left)

    def _count(self, size: int) -> None:
        self._most -= size
        if self._most < 0:
            raise InvalidResponse("an answer that does not end")

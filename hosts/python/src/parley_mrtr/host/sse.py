"""Server-sent events: WHATWG HTML, Server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple


class Event(NamedTuple):
    """A message, and the id and reconnection time (ms) that the stream has had by then."""

    data: bytes
    id: str | None
    retry: int | None


class TooLongError(Exception):
    """An event is longer than it may be."""


class Reader:
    """Takes a stream apart as it comes, and bounds each event, in bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest: list[bytes] = []  # of a line whose end has not come
        self._size = 0  # of the event at hand
        self._after_cr = False
        self._begun = False
        self._data: list[bytes] = []
        self._kind = b""
        self.id: str | None = None
        self.retry: int | None = None

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that are whole with these bytes."""
        if self._after_cr and chunk[:1] == b"\n":
            chunk = chunk[1:]
        if not chunk:
            return
        self._after_cr = chunk[-1:] == b"\r"
        *lines, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            self._grow(line)
            whole = b"".join((*self._rest, line))
            self._rest = []
            yield from self._line(whole)
        self._grow(rest)
        if rest:
            self._rest.append(rest)

    def end(self) -> Iterator[Event]:
        """An event that the stream ends in should be discarded.

        Here it counts if its data is whole: it may be the result of a tool that has run.
        """
        cut = b"".join(self._rest)  # a line without its end
        self._rest = []
        if cut.startswith(b"data:"):
            self._data.append(cut[5:])
        try:
            json.loads(b"\n".join(self._data))
        except (ValueError, RecursionError):
            return
        yield from self._dispatch()

    def _grow(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._most:
            raise TooLongError

    def _line(self, line: bytes) -> Iterator[Event]:
        if not self._begun:
            self._begun = True
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line:
            yield from self._dispatch()
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._kind = value
        elif name == b"id" and b"\0" not in value:
            self.id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit() and len(value) <= 9:
            self.retry = int(value)

    def _dispatch(self) -> Iterator[Event]:
        data, kind = b"\n".join(self._data), self._kind
        self._data, self._kind, self._size = [], b"", 0
        if data and kind in (b"", b"message"):
            yield Event(data, self.id, self.retry)

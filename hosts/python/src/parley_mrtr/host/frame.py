"""Frames: JSON heads, and behind them bytes that no parser touches. See wasm/ABI.md, Frames."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from parley_mrtr.host.errors import Code, ParleyError

_ASKED = frozenset("params capabilities clientInfo snapshot body raw request schema typed value".split())
_ANSWERED = frozenset(
    "params capabilities serverInfo snapshot body request result error next earlier entry defaults".split()
)


def write(request: Mapping[str, Any]) -> bytes:
    """A request as a frame. Raw members are bytes, or text; members that are None are left out."""
    blobs: list[bytes] = []
    head = json.dumps(_spans(request, blobs), separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *blobs])


def read(frame: bytes) -> dict[str, Any]:
    """An answer, with bytes in place of spans."""
    blobs = 4 + int.from_bytes(frame[:4], "little")
    head: dict[str, Any] = json.loads(frame[4:blobs])
    for member in head.get("actions", [head]):
        for name in _ANSWERED.intersection(member):
            span = member[name]
            if isinstance(span, list):
                start = blobs + span[0]
                member[name] = frame[start : start + span[1]]
    return head


def utf8(text: bytes | str) -> bytes:
    """Text as UTF-8, and bytes as they are. A lone surrogate has none: what would stand in for it is another text."""
    try:
        return text if isinstance(text, bytes) else text.encode()
    except UnicodeEncodeError:
        raise ParleyError(Code.ORDER, "a text has a lone surrogate") from None


def _spans(request: Mapping[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    head: dict[str, Any] = {}
    for name, value in request.items():
        if value is None:
            continue
        if name == "options":
            head[name] = _spans(value, blobs)
        elif name in _ASKED:
            blob = utf8(value)
            head[name] = [sum(map(len, blobs)), len(blob)]
            blobs.append(blob)
        else:
            head[name] = value
    return head

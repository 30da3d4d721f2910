"""Replays codec/testdata/asking, as hosts/go/gosdk does: what one language has begun another goes on with."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from checkout import REPO
from parley_mrtr.server import Ask, Cancelled, Declined, form
from rounds import leg, record

VECTORS = sorted((REPO / "codec" / "testdata" / "asking").glob("*.txt"))
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


async def said(asked: Awaitable[Any]) -> str:
    try:
        return str((await asked)["a"])
    except Declined:
        return "decline"
    except Cancelled:
        return "cancel"


def two(first: str) -> Callable[..., Awaitable[str]]:
    async def names(ask: Ask) -> str:
        a = await said(ask.form(first, SCHEMA))
        b = await said(ask.form("Your friend's?", SCHEMA))
        return f"{a} and {b}"

    return names


async def trip(ask: Ask) -> str:
    where, start = await ask.all(form("Where <to> & when?", SCHEMA, key="to"), form("From?", SCHEMA, key="from"))
    (root, *_) = await ask.roots()
    river = await ask.sampling("Name a river.")
    await ask.url("Look.", "https://example.com/")
    return f"{start['a']} {where['a']} {root.uri} {river} accept"


async def once(ask: Ask) -> str:
    order = await ask.once("order", lambda: {"number": 4711, "<text>": "\u2028ü", "list": [1.5, None, True]})
    return await said(ask.form(f"Send {order['<text>']}?", SCHEMA))


async def defaults(ask: Ask) -> str:
    schema = {
        "type": "object",
        "properties": {
            "seats": {"type": "integer", "minimum": 1, "maximum": 8},
            "sitting": {"type": "string", "default": "late"},
        },
        "required": ["seats"],
    }
    reply = await ask.form("How many?", schema)
    return f"{await said(ask.form('Sure?', SCHEMA))} {reply['sitting']}"


HANDLERS: dict[str, Callable[..., Awaitable[str]]] = {
    "names": two("Your name?"),
    "renamed": two("Your full name?"),
    "trip": trip,
    "once": once,
    "defaults": defaults,
}


assert VECTORS, "no vectors"


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vector(path: Path) -> None:
    lines = iter(path.read_text().split("\n"))
    token = None
    for line in lines:
        if not line or line.startswith("#"):
            continue
        handler, _, answers = line.partition(" ")
        assert next(lines) == "----"
        want = json.loads(next(lines))
        got = leg(HANDLERS[handler], token, json.loads(answers))
        assert got.get("inputRequests") == want.get("questions")
        if "token" in want:
            assert record(got["requestState"]) == want["state"]
            assert got["requestState"] == want["token"]  # so Go opens it too
        assert got.get("text") == want.get("text")
        token = want.get("token")

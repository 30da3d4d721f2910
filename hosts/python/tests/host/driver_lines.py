"""The lines of scripts of hosts/testdata/drivers."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

_RANKS = {
    **dict.fromkeys(("aborted", "withdrawn"), 1),
    **dict.fromkeys(("send", "tell"), 2),
    **dict.fromkeys(("elicit", "elicitUrl", "sample", "listRoots"), 3),
    **dict.fromkeys(("done", "parked", "failed", "misuse"), 4),
}


class Raw(NamedTuple):
    """JSON text that stays as it is."""

    text: bytes


def written(name: str, said: dict[str, Any]) -> str:
    """A name and an object."""
    members = []
    for member, value in said.items():
        if value is not None:
            text = value.text.decode() if isinstance(value, Raw) else json.dumps(value, ensure_ascii=False)
            members.append(f'"{member}":{text}')
    return f"{name} {{{','.join(members)}}}"


def in_order(calls: list[str]) -> list[str]:
    """What comes at the same time, in the order of the lines."""

    def rank(call: str) -> int:
        return _RANKS.get(call.removeprefix("other ").split(" ")[0], 0)

    def order(call: str) -> tuple[int, str]:
        return rank(call), call.removeprefix("other ").partition(" ")[2]

    concurrent = sorted((call for call in calls if 0 < rank(call) < 4), key=order)
    rest = [call for call in calls if not 0 < rank(call) < 4]
    end = next((i for i, call in enumerate(rest) if rank(call) == 4), len(rest))
    return rest[:end] + concurrent + rest[end:]

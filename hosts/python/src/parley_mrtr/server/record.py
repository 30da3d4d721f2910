"""The plain state of a handler that asks: its steps so far, as every implementation of Parley writes it.

    {"asking":1,"steps":[[{"of":"<digest of the question>","is":<answer>}, …], …]}

A step is a call to `Ask`: an entry for each answer, in the order of their keys. The last one may lack answers; its
questions are what the round put.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import Any

VERSION = 1

Entry = dict[str, Any]  # of: what was asked, by its digest; is: the answer, or the result of what was done once
Step = list[Entry]


class Record:
    def __init__(self, state: str | None) -> None:
        """Reads a state. One of another shape is one of another version of the handler, and tells nothing."""
        self.steps: list[Step] = []
        try:
            found = json.loads(state) if state else None
            if found and found["asking"] == VERSION and all(_is_step(step) for step in found["steps"]):
                self.steps = [step or [] for step in found["steps"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            pass
        self.going = bool(self.steps)

    def encode(self) -> str:
        return go_json({"asking": VERSION, "steps": [step or None for step in self.steps]})


def _is_step(step: Any) -> bool:
    return step is None or all(isinstance(entry["of"], str) and "is" in entry for entry in step)


def entry(digest: bytes, answer: Any) -> Entry:
    return {"of": spell(digest), "is": answer}


def find(step: Step, digest: bytes) -> Entry | None:
    of = spell(digest)
    return next((entry for entry in step if entry["of"] == of), None)


def spell(digest: bytes) -> str:
    return urlsafe_b64encode(digest).decode().rstrip("=")


_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def go_json(value: Any) -> str:
    """JSON as Go's encoding/json writes it, so that equal records are equal states in every language. Members stay in
    their order; see `by_name`."""
    text = json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPED)


def by_name(value: Any) -> Any:
    """A value with the members of all objects by name, as Go writes what is a map there."""
    if isinstance(value, dict):
        return {name: by_name(value[name]) for name in sorted(value)}
    return [by_name(item) for item in value] if isinstance(value, list) else value


def _whole(value: Any) -> Any:
    """A value whose whole numbers are written so."""
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    return value

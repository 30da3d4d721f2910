"""JSON text, taken apart without changing it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

MAX_NAMES = 512  #: members an object that is interpreted may have


class NotJSON(ValueError):
    """What is not JSON, or not the JSON that is wanted here."""


class BadNames(NotJSON):
    """An object with a member twice, too many, or one whose name is not Unicode text."""


class Member(NamedTuple):
    """A member of an object: tokens as in the text, and what they stand for. Numbers stay text."""

    name: str
    value: Any
    name_text: str
    text: str


def _refuse(_constant: str) -> NoReturn:
    raise NotJSON("a constant that JSON does not have")


_decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)
_scan: Callable[[str, int], tuple[Any, int]] = _decoder.scan_once  # type: ignore[attr-defined]
_space = re.compile(r"[ \t\n\r]*").match
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def members(text: str) -> list[Member]:
    """The members of the one object that the text holds, in its order.

    It raises `NotJSON` for anything else, for a name given twice and for one that is no Unicode text, and for over 512
    members. Values are well-formed, but may hold all of these.
    """
    found = scan(text)
    names = {member.name for member in found}
    if len(names) < len(found) or len(found) > MAX_NAMES:
        raise BadNames
    for name in names:
        if not is_text(name):
            raise BadNames
    return found


def scan(text: str) -> list[Member]:
    """Like `members`, but whatever the names are."""
    found: list[Member] = []
    try:
        at = _skip(text, 0)
        if text[at] != "{":
            raise NotJSON("no object")
        at = _skip(text, at + 1)
        while text[at] != "}":
            if found:
                if text[at] != ",":
                    raise NotJSON("no comma")
                at = _skip(text, at + 1)
            if text[at] != '"':
                raise NotJSON("no name")
            name, end = _scan(text, at)
            name_text = text[at:end]
            at = _skip(text, end)
            if text[at] != ":":
                raise NotJSON("no colon")
            at = _skip(text, at + 1)
            value, end = _scan(text, at)
            found.append(Member(name, value, name_text, text[at:end]))
            at = _skip(text, end)
        if _skip(text, at + 1) != len(text):
            raise NotJSON("more than one value")
    except (StopIteration, IndexError, RecursionError, json.JSONDecodeError):
        raise NotJSON("not JSON") from None
    return found


def _skip(text: str, at: int) -> int:
    if text[at : at + 1] > " ":
        return at
    space = _space(text, at)
    return space.end() if space else at


def is_text(value: str) -> bool:
    """Whether a string is Unicode text: one from JSON may hold a lone surrogate."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def quote(value: str) -> str:
    """A string's token, in which only what JSON demands is escaped."""
    text = _encode(value)
    if "\\b" in text or "\\f" in text:  # spelled so here, \u0008 and \u000c everywhere else
        text = re.sub(r"\\(.)", lambda m: {"b": "\\u0008", "f": "\\u000c"}.get(m[1], m[0]), text)
    return text


def join(parts: list[tuple[str, str]]) -> str:
    """An object of these tokens."""
    return "{" + ",".join([f"{name}:{value}" for name, value in parts]) + "}"

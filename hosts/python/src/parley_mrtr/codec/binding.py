"""The request a state belongs to."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from .canonical import canonical
from .errors import Code, CodecError

#: The methods whose answer may ask for input. Source: MCP 2026-07-28, basic/patterns/mrtr, "Supported Requests".
METHODS = frozenset({"tools/call", "prompts/get", "resources/read"})
RESOURCE = "resources/read"

_TAG = b"parley-guard/1 bind"
TAG_SIZE = 16

_NOBODY = sha256(b"P\0").digest()
_SHORT = 128  # characters: longer names are not kept in memory


class Binding(NamedTuple):
    """The request a state belongs to. A state opens only for the same one, however its arguments are spelled."""

    method: str
    target: str  #: the tool's or prompt's name or the resource's uri
    arguments: str | bytes | None = (
        None  #: JSON text as received, or its canonical form in bytes; None where there is none
    )
    principal: str | None = None  #: None only without authentication; "" is a principal

    def __repr__(self) -> str:
        return f"<Binding to {self.method} {self.target!r}>"


class Digests:
    """What a state says of its binding."""

    __slots__ = ("_all", "hint")

    def __init__(self, audience: bytes, binding: Binding) -> None:
        name, who = binding.target, binding.principal
        target = (_target if len(name) <= _SHORT else _target.__wrapped__)(audience, binding.method, name)
        arguments = sha256(_arguments(binding)).digest()
        principal = _NOBODY if who is None else sha256(b"P\1" + sized(who)).digest()
        self._all = target + arguments + principal
        self.hint = target[:2] + arguments[:2] + principal[:2]  # so that the log can say what differed

    def tag(self, salt: bytes) -> bytes:
        """Binds a state with this salt to the request."""
        return sha256(_TAG + salt + self._all).digest()[:TAG_SIZE]

    def check(self, salt: bytes, tag: bytes, hint: bytes) -> None:
        """Holds a state's claims to the request it came back with."""
        if compare_digest(self.tag(salt), tag):
            return
        for at, code in (0, Code.TARGET), (2, Code.ARGUMENTS), (4, Code.PRINCIPAL):
            if hint[at : at + 2] != self.hint[at : at + 2]:
                raise CodecError(code)
        raise CodecError(Code.FORGED)


@lru_cache(256)
def _target(audience: bytes, method: str, target: str) -> bytes:
    return sha256(b"T" + audience + sized(method) + sized(target)).digest()


def _arguments(binding: Binding) -> bytes:
    text = binding.arguments
    if binding.method == RESOURCE or text is None:
        return b"A{}"
    if isinstance(text, bytes):
        return b"A{}" if text == b"null" else b"A" + text
    if text.strip(" \t\r\n") in ("", "null"):
        return b"A{}"
    form = canonical(text, folded=True)
    return b"R" + utf8(text) if form is None else b"A" + form


def utf8(text: str) -> bytes:
    # What was read from UTF-8 holds no lone surrogate; what else there is must be told apart, and never raise.
    return text.encode("utf-8", "surrogatepass")


def sized(text: str) -> bytes:
    data = utf8(text)
    return len(data).to_bytes(4, "big") + data

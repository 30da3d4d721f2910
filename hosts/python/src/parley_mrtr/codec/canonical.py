"""The canonical form of JSON text, by which the codec tells whether two requests or two questions are the same.

No space, members sorted by the UTF-16 code units of their names, strings escaped as RFC 8785 does. Numbers are exact
where RFC 8785 rounds them to a double: 0 is 0, every other one an integer without trailing zeros and a power of ten, so
that 1000 is 1e3 and 12.5 is 125e-1. Plain RFC 8785 would let 2^53 be exchanged for 2^53+1 under a valid token.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

MAX_DEPTH = 64  #: nested containers
_MAX_EXPONENT = 9999  # of a number, as written and as normalised

_FOLD: dict[int, str | int] = {
    **{upper: upper | 0x20 for upper in range(ord("A"), ord("Z") + 1)},
    0x17F: "s",
    0x212A: "k",
}
MARK = "\ufdd0"  # no character: stands around a number while Python's encoder writes the rest


class _NoForm(ValueError):
    pass


class _Number(str):
    """A number's canonical text."""


def fold(name: str) -> str:
    """A name as a parser that ignores letter case takes it: beside ASCII's letters two characters fold to one."""
    return name.lower() if name.isascii() else name.translate(_FOLD)


def canonical(text: str, *, folded: bool = False, within: int = 0) -> bytes | None:
    """The canonical form, in UTF-8; None for what is not JSON and for what has none: names given twice, lone surrogates,
    over 64 nested containers, an exponent beyond 9999. With `folded`, names that a parser which ignores letter case
    would take for one have none either: such a parser lets the last one win. So many containers are around the value as
    `within` says."""
    try:
        if _simple(text, MAX_DEPTH - within):
            return _unmarked(_encode((_marked_folded if folded else _marked).decode(text)))
        out: list[str] = []
        _write((_exact_folded if folded else _exact).decode(text), out, MAX_DEPTH - within)
        return "".join(out).encode()
    except (ValueError, RecursionError):
        return None


def canonical_value(value: Any, *, within: int = 0) -> bytes | None:
    """The canonical form of what JSON text stands for. It has one for every text but those with names given twice."""
    try:
        form = _encode(value)
        if (form.count("{") + form.count("[") > MAX_DEPTH - within) or not _sorted(form):
            return canonical(form, within=within)
        if _number_token(form):
            form = "".join([p if p[0] == '"' or not _digit(p) else _numbers(_renumber, p) for p in _parts(form)])
        return form.encode()
    except (ValueError, TypeError, RecursionError):
        return None


class Simple(NamedTuple):
    """A JSON object in which no name is given twice, nor two that fold to one."""

    value: dict[str, Any]  # numbers are marked text, see `form`

    def form(self, value: Any) -> bytes:
        """The canonical form of one of its values."""
        return _unmarked(_encode(value))


def simple(text: str) -> Simple | None:
    """Reads an object at once where that is enough to know the canonical form of everything in it; None elsewhere."""
    if not _simple(text, MAX_DEPTH):
        return None
    try:
        value = _marked_folded.decode(text)
    except (ValueError, RecursionError):
        return None
    return Simple(value) if isinstance(value, dict) else None


def text(value: str) -> bytes:
    """The canonical form of a string. UnicodeEncodeError if it is no Unicode text."""
    return _encode(value).encode()


def _simple(text: str, depth: int) -> bool:
    """Whether Python's encoder writes the form itself: nothing in the text can be taken for a mark, no name sorts
    otherwise in UTF-16, and nothing is nested too deep."""
    return "\\u" not in text and _sorted(text) and text.count("{") + text.count("[") <= depth


def _sorted(text: str) -> bool:
    return text.isascii() or (MARK not in text and max(text) <= "\uffff")


def _unmarked(form: str) -> bytes:
    return form.encode() if form.isascii() else form.replace(f'"{MARK}', "").replace(f'{MARK}"', "").encode()


def _write(value: Any, out: list[str], depth: int) -> None:
    if isinstance(value, _Number):
        out.append(value)
    elif isinstance(value, dict):
        if depth == 0:
            raise _NoForm
        before = "{"
        for name in sorted(value, key=_utf16):
            out.append(f"{before}{_encode(name)}:")
            _write(value[name], out, depth - 1)
            before = ","
        out.append("}" if value else "{}")
    elif isinstance(value, list):
        if depth == 0:
            raise _NoForm
        before = "["
        for item in value:
            out.append(before)
            _write(item, out, depth - 1)
            before = ","
        out.append("]" if value else "[]")
    else:
        out.append(_encode(value))


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _NoForm
    return members


def _unique_folded(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _NoForm
    names = "".join(members)
    if not (names.islower() and names.isascii()) and len({fold(name) for name in members}) < len(pairs):
        raise _NoForm
    return members


def _number(token: str) -> str:
    """[-]d[e±x]: d an integer without trailing zeros."""
    mantissa, _, written = token.lower().partition("e")
    exponent = 0
    if written:
        digits = written.lstrip("+-").lstrip("0")
        if len(digits) > 4:
            raise _NoForm
        exponent = int(digits or "0")
        if written[0] == "-":
            exponent = -exponent
    sign = "-" if mantissa[0] == "-" else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return "0"
    exponent += len(digits) - len(significant) - len(fraction)
    if not -_MAX_EXPONENT <= exponent <= _MAX_EXPONENT:
        raise _NoForm
    return f"{sign}{significant}e{exponent}" if exponent else sign + significant


def _renumber(token: re.Match[str]) -> str:
    return _number(token[0])


def _mark(token: str) -> str:
    return MARK + _number(token) + MARK


def _exactly(token: str) -> _Number:
    return _Number(_number(token))


def _refuse(_constant: str) -> NoReturn:
    raise _NoForm


def _decoder(number: Any, pairs: Any) -> json.JSONDecoder:
    return json.JSONDecoder(parse_int=number, parse_float=number, parse_constant=_refuse, object_pairs_hook=pairs)


_marked, _marked_folded = _decoder(_mark, _unique), _decoder(_mark, _unique_folded)
_exact, _exact_folded = _decoder(_exactly, _unique), _decoder(_exactly, _unique_folded)
_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, check_circular=False, allow_nan=False
).encode
_parts = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]+').findall  # strings, and what is between them
_digit = re.compile(r"[0-9]").search
_numbers = re.compile(r"-?[0-9][0-9.eE+-]*").sub
_number_token = re.compile(r"[:,\[]-?[0-9]").search  # or a string that looks like one

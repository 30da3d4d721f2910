"""The canonical form of JSON text, by which the codec tells whether two requests or two questions are the same.

No space, members sorted by the UTF-16 code units of their names, strings escaped as RFC 8785 does. Numbers are exact
where RFC 8785 rounds them to a double: 0 is 0, every other one an integer without trailing zeros and a power of ten, so
that 1000 is 1e3 and 12.5 is 125e-1. Plain RFC 8785 would let 2^53 be exchanged for 2^53+1 under a valid token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

MAX_DEPTH = 64  #: nested containers
_MAX_EXPONENT = 9999  # of a number, as written and as normalised

_FOLD: dict[int, str | int] = {
    **{upper: upper | 0x20 for upper in range(ord("A"), ord("Z") + 1)},
    0x17F: "s",
    0x212A: "k",
}


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
    if _plain(text, MAX_DEPTH - within):
        try:
            return _finished(_encode((_quick_folded if folded else _quick).decode(text)))
        except (ValueError, RecursionError):
            pass  # perhaps for a number that Python would not write so
    try:
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
        return _finished(form)
    except (ValueError, TypeError, RecursionError):
        return None


def simple(text: str) -> dict[str, Any] | None:
    """Reads an object of which every part has the canonical form of its value; None elsewhere. No name in it is given
    twice, nor two that fold to one."""
    if not _plain(text, MAX_DEPTH):
        return None
    try:
        value, end = _scan_folded(text, 0)
        if end < len(text):
            value = _quick_folded.decode(text)
    except (ValueError, StopIteration, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def text(value: str) -> bytes:
    """The canonical form of a string. UnicodeEncodeError if it is no Unicode text."""
    return _string(value).encode()


def _plain(text: str, depth: int) -> bool:
    """Whether Python's encoder writes the form itself, but for numbers: no name sorts otherwise in UTF-16, and nothing
    is nested too deep."""
    return "\\u" not in text and _sorted(text) and text.count("{") + text.count("[") <= depth


def _sorted(text: str) -> bool:
    return text.isascii() or max(text) <= "\uffff"


def _finished(form: str) -> bytes:
    """What Python's encoder wrote, with canonical numbers."""
    if form[0] not in '{["':
        return (_number(form) if form[-1].isdigit() else form).encode()
    return (_renumbered(form) if _changes(form) else form).encode()


def _renumbered(form: str) -> str:
    bare = _escape("__", form) if "\\" in form else form  # where every quotation mark begins or ends a string
    out = ""
    kept = at = quotes = 0
    for token in _changing(bare):
        start, end = token.span(1)
        quotes += bare.count('"', at, start)
        if not quotes % 2:
            out += form[kept:start] + _number(token[1])
            kept = end
        at = end
    return out + form[kept:]


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
    ascii = names.isascii()
    if not (ascii and names.islower()) and len(set(map(str.lower if ascii else fold, members))) < len(pairs):
        raise _NoForm
    return members


def _number(token: str) -> str:
    """[-]d[e±x]: d an integer without trailing zeros."""
    if token.isdigit() and len(token) <= _MAX_EXPONENT:
        significant = token.rstrip("0")
        zeros = len(token) - len(significant)
        return f"{significant}e{zeros}" if significant and zeros else significant or "0"
    whole, _, fraction = token.partition(".")
    if (
        len(token) <= _MAX_EXPONENT
        and whole.isdigit()
        and whole[0] != "0"
        and fraction.isdigit()
        and fraction[-1] != "0"
    ):
        return f"{whole}{fraction}e-{len(fraction)}"
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


def _exactly(token: str) -> _Number:
    return _Number(_number(token))


def _refuse(_constant: str) -> NoReturn:
    raise _NoForm


def _as_written(token: str) -> float:
    """A number that Python writes as it was written. Others would lose what makes them equal or not."""
    number = float(token)
    if repr(number) != token:
        raise _NoForm
    return number


def _decoder(pairs: Any, whole: Any, broken: Any) -> json.JSONDecoder:
    return json.JSONDecoder(parse_int=whole, parse_float=broken, parse_constant=_refuse, object_pairs_hook=pairs)


_quick, _quick_folded = _decoder(_unique, None, _as_written), _decoder(_unique_folded, None, _as_written)
_exact, _exact_folded = _decoder(_unique, _exactly, _exactly), _decoder(_unique_folded, _exactly, _exactly)
_scan_folded: Callable[[str, int], tuple[Any, int]] = _quick_folded.scan_once  # type: ignore[attr-defined]


def _encoder() -> Callable[[Any], str]:
    """Python's encoder, made once: `JSONEncoder.encode` makes one in every call."""
    encoder = json.JSONEncoder(
        ensure_ascii=False, separators=(",", ":"), sort_keys=True, check_circular=False, allow_nan=False
    )
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # another Python than CPython
        return encoder.encode
    chunks = make(None, encoder.default, _string, None, ":", ",", True, False, False)
    return lambda value: "".join(chunks(value, 0))


_string: Callable[[str], str] = json.encoder.encode_basestring
_encode = _encoder()
_escape = re.compile(r"\\.").sub
# Numbers that Python's encoder writes otherwise, or what looks like them in a string: whole ones with zeros at the end, and
# those with a point or exponent.
_changes = re.compile(r"[0-9](?:[.e]|0[,\]}])").search
_changing = re.compile(r"[:,\[](-?[0-9]+(?:0(?=[,\]}])|[.e][0-9.e+-]*))").finditer

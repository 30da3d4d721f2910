"""Checks a codec of your own, before a `Guard` relies on it.

    from parley_mrtr.codec.testing import check_codec

    def test_codec() -> None:
        check_codec(MyCodec(key), MyCodec(another_key), max_token=16_384)

It needs no test runner. These are the checks that Parley's own codec passes, in Go and JavaScript, too.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from re import findall
from typing import Any, cast

from ..given import check, has, is_whole
from .codec import CONTEXT_GUARD, CONTEXT_SDK
from .errors import Code, CodecError
from .sealing import Sealing

_MOST = 5  # lines that one check reports
_PATIENCE = 30.0  # seconds that an asynchronous codec has for an answer
_STATE = b"some state of the call"


def check_codec(codec: Sealing, other: Sealing, max_token: int) -> None:
    """AssertionError with every line of `defects`, unless there are none."""
    found = defects(codec, other, max_token)
    if found:
        raise AssertionError("\n".join(found))


def defects(codec: Sealing, other: Sealing, max_token: int) -> list[str]:
    """What a `Guard` could not rely on, one line each.

    A codec gives back what it sealed, hides it, opens nothing else, and tells nothing in its errors. `other` is a codec of
    the same kind with other keys; `max_token` is the longest token that `codec` mints, in characters. Functions that are
    asynchronous run in one event loop, which this starts: call it where none runs; one that gives no answer in 30 s ends
    the checks. It seals and opens some thousand times.
    """
    for given in codec, other:
        check(has(given, "seal", "open"), "defects takes codecs, which have seal and open", given)
    check(is_whole(max_token), "max_token must be a whole number of characters", max_token)
    loop = asyncio.new_event_loop()
    try:
        checks = _Checks(loop, codec, other, max_token)
        for name, one in _CHECKS.items():
            checks.run(name, one)
            if checks.stuck:  # so is the rest
                break
        return checks.found
    finally:
        loop.close()


class _Checks:
    def __init__(self, loop: asyncio.AbstractEventLoop, codec: Sealing, other: Sealing, max_token: int) -> None:
        self.loop, self.codec, self.other, self.max_token = loop, codec, other, max_token
        self.found: list[str] = []
        self.asynchronous = False  # as far as was seen
        self.stuck = False
        self._check, self._count = "", Counter[str]()

    def run(self, name: str, check: Callable[[_Checks], None]) -> None:
        self._check = name
        try:
            check(self)
        except _Failed:
            pass  # it is among what was found

    def add(self, text: str) -> None:
        self._count[self._check] += 1
        if self._count[self._check] <= _MOST:
            self.found.append(f"{self._check}: {text}")

    def wait(self, done: Any) -> Any:
        if not isawaitable(done):
            return done
        self.asynchronous = True
        return self.loop.run_until_complete(self._in_time(_awaited(done)))

    async def _in_time(self, done: Coroutine[Any, Any, Any]) -> Any:
        task = asyncio.ensure_future(done)
        await asyncio.wait([task], timeout=_PATIENCE)
        if task.done():
            return task.result()
        task.cancel()
        await asyncio.wait([task], timeout=1)  # it may not end
        self.add(f"the codec gives no answer in {_PATIENCE:g} s")
        self.stuck = True
        raise _Failed

    def seal(self, plaintext: bytes, context: bytes = CONTEXT_GUARD) -> str:
        try:
            token = self.wait(self.codec.seal(plaintext, context))
        except Exception as error:
            self.add(f"seal of {len(plaintext)} bytes raises {_say(error)}")
            raise _Failed from None
        if not isinstance(token, str):
            self.add(f"seal returns {type(token).__name__}, not str")
            raise _Failed
        return token

    def opens(self, token: str, plaintext: bytes, what: str) -> None:
        try:
            opened = self.wait(self.codec.open(token, CONTEXT_GUARD))
        except Exception as error:
            self.add(f"{what}: open raises {_say(error)}")
            return
        if not isinstance(opened, bytes):
            self.add(f"{what}: open returns {type(opened).__name__}, not bytes")
        elif opened != plaintext:
            self.add(f"{what}: opened as {opened.hex()}")

    def refuses(self, token: str, what: str, plaintext: bytes, context: bytes = CONTEXT_GUARD, by: Any = None) -> None:
        """A token must not open, and nothing of it come out, also not in the text of an error, which goes into logs."""
        try:
            opened = self.wait((by or self.codec).open(token, context))
        except Exception as error:
            told = _texts_of(error)
            if any(form in text for text in told for form in _readable(plaintext) if len(form) > 7):
                self.add(f"{what}: the error's text shows the plaintext")
            if len(token) > 15 and any(token.encode(errors="replace") in text for text in told):
                self.add(f"{what}: the error's text shows the token")
            return
        self.add(f"{what}: open returns {type(opened).__name__}; it must raise")


class _Failed(BaseException):
    """A check that cannot go on. It is no Exception, which is what codecs raise."""


def _round_trip(on: _Checks) -> None:
    for size in 0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000:
        plaintext = b"\xa5" * size
        on.opens(on.seal(plaintext), plaintext, f"{size} bytes")


def _opening_twice(on: _Checks) -> None:
    token = on.seal(_STATE)
    for what in "opening once", "opening twice":
        on.opens(token, _STATE, what)


def _confidential(on: _Checks) -> None:
    secret = b"the person's answer, 0123456789"
    token = on.seal(secret)
    for form in _readable(secret):
        for text in _texts(token):
            if (shared := _longest_shared(text, form)) >= 8:
                on.add(f"the token shows {shared} bytes of its plaintext")
    # A form may begin alike; a nonce that repeats shows in what follows.
    a, b = (on.seal(number + b": the rest of these two plaintexts is one").encode() for number in (b"1", b"2"))
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    if (shared := _longest_shared(a, b)) > 12:
        on.add(f"two plaintexts give tokens that share {shared} characters")


def _every_character(on: _Checks) -> None:
    token = on.seal(_STATE)
    for at, character in enumerate(token):
        for bit in 1, 2, 4, 8, 16, 32, 64, 128:
            changed = token[:at] + chr(ord(character) ^ bit) + token[at + 1 :]
            on.refuses(changed, f"bit {bit:#x} of character {at} flipped", _STATE)


def _truncation(on: _Checks) -> None:
    token = on.seal(_STATE)
    for size in range(len(token)):
        on.refuses(token[:size], f"cut to {size} characters", _STATE)
        on.refuses(token[len(token) - size :], f"only the last {size} characters", _STATE)


def _one_spelling(on: _Checks) -> None:
    for plaintext in b"", b"a", b"ab", b"abc":
        token = on.seal(plaintext)
        for extra in "=", "==", "\n", "\r", " ", "\t", "\0", "A", "+", "/", "é", "\ud800", ".", token:
            for at in 0, len(token) // 2, len(token):
                on.refuses(token[:at] + extra + token[at:], f"{extra[:2]!a} put in at {at}", plaintext)
        for last in map(chr, range(256)):
            if last != token[-1]:
                on.refuses(token[:-1] + last, f"last character {last!a}", plaintext)
        on.refuses(token.swapcase(), "upper and lower case swapped", plaintext)


def _context(on: _Checks) -> None:
    token = on.seal(_STATE)
    for context in b"", b"parley-guard/", b"parley-guard/1 ", b"parley-guard/2", CONTEXT_SDK:
        on.refuses(token, f"context {context.decode()!r}", _STATE, context)
    moved = on.seal(b"/1" + _STATE, b"parley-guard")
    on.refuses(moved, "bytes moved between context and plaintext", _STATE)


def _key(on: _Checks) -> None:
    on.refuses(on.seal(_STATE), "another key", _STATE, by=on.other)


def _size_cap(on: _Checks) -> None:
    calls: dict[str, Callable[[], Any]] = {
        f"seal of {on.max_token} bytes": lambda: on.codec.seal(bytes(on.max_token), CONTEXT_GUARD),
        f"open of {on.max_token + 1} characters": lambda: on.codec.open("A" * (on.max_token + 1), CONTEXT_GUARD),
    }
    for what, call in calls.items():
        try:
            on.wait(call())
        except CodecError as error:
            if error.code is not Code.TOO_LARGE:
                on.add(f"{what} raises {_say(error)}, not CodecError(Code.TOO_LARGE)")
        except Exception as error:
            on.add(f"{what} raises {_say(error)}, not CodecError(Code.TOO_LARGE)")
        else:
            on.add(f"{what} must raise CodecError(Code.TOO_LARGE)")


def _concurrent(on: _Checks) -> None:
    """In threads, or of an asynchronous codec in tasks."""

    async def one(plaintext: bytes) -> bytes:
        token = await _awaited(on.codec.seal(plaintext, CONTEXT_GUARD))
        return cast(bytes, await _awaited(on.codec.open(token, CONTEXT_GUARD)))

    def worker(number: int) -> bool:
        for state in states[number]:
            if on.codec.open(cast(str, on.codec.seal(state, CONTEXT_GUARD)), CONTEXT_GUARD) != state:
                return False
        return True

    async def tasks() -> bool:
        everything = [state for of in states for state in of]
        return await asyncio.gather(*map(one, everything)) == everything

    states = [[b"state %d of worker %d" % (state, number) for state in range(50)] for number in range(8)]
    try:
        if on.asynchronous:
            same = on.wait(tasks())
        else:
            with ThreadPoolExecutor(8) as pool:
                same = all(pool.map(worker, range(8)))
        if not same:
            on.add("another plaintext was opened than was sealed")
    except Exception as error:
        on.add(_say(error))


_CHECKS: dict[str, Callable[[_Checks], None]] = {
    "round trip": _round_trip,
    "opening twice": _opening_twice,
    "confidential": _confidential,
    "every character counts": _every_character,
    "truncation": _truncation,
    "one spelling": _one_spelling,
    "context": _context,
    "key": _key,
    "size cap": _size_cap,
    "concurrent": _concurrent,
}


async def _awaited(done: Any) -> Any:
    return await done if isawaitable(done) else done


def _say(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _texts_of(error: BaseException | None) -> list[bytes]:
    """What a log may show of an error and of what led to it."""
    texts: list[bytes] = []
    while error is not None and len(texts) < 20:
        texts.append(str(error).encode(errors="replace"))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return texts


def _readable(plaintext: bytes) -> list[bytes]:
    """The ways in which a token that only signs, or the text of an error, would show a plaintext."""
    return [plaintext, plaintext.hex().encode(), plaintext.hex().upper().encode()]


def _texts(token: str) -> list[bytes]:
    """A token, and what its parts decode to as base64, wherever they begin."""
    found = [token.encode(errors="replace")]
    for part in findall("[A-Za-z0-9+/_-]+", token):
        standard = part.replace("-", "+").replace("_", "/")
        for skip in range(min(4, len(part))):
            whole = standard[skip:]
            whole = whole[: len(whole) - (len(whole) % 4 == 1)]
            found.append(b64decode(whole + "=" * (-len(whole) % 4)))
    return found


def _longest_shared(a: bytes, b: bytes) -> int:
    """The length of the longest run of bytes in both."""
    longest = 0
    for start in range(len(a)):
        while start + longest < len(a) and a[start : start + longest + 1] in b:
            longest += 1
    return longest

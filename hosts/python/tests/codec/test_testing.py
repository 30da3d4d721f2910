"""The kit for codecs of one's own finds what it must. The faulty codecs are those of codec/codec_test.go, by their names."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import pytest

from checkout import KEY
from parley_mrtr.codec import Code, Codec, CodecError, new_key
from parley_mrtr.codec.testing import check_codec, defects

CAP = 16_384
Seal, Open = Callable[[bytes, bytes], Any], Callable[[str, bytes], Any]


class Faulty:
    def __init__(self, seal: Seal, open: Open) -> None:
        self.seal, self.open = seal, open


class Signer:
    """Makes tokens that anybody can read: the plaintext in base64 and a MAC."""

    def __init__(self, between: str) -> None:
        self.between = between

    def seal(self, plaintext: bytes, context: bytes) -> str:
        body = urlsafe_b64encode(plaintext).decode().rstrip("=")
        token = "v1" + self.between + body + self.between + self.mac(plaintext, context)
        if len(token) > CAP:
            raise CodecError(Code.TOO_LARGE, minting=True)
        return token

    def open(self, token: str, context: bytes) -> bytes:
        if len(token) > CAP:
            raise CodecError(Code.TOO_LARGE)
        body = token.removeprefix("v1" + self.between)
        at = len(body) - 43 - len(self.between)
        if body == token or at < 0:
            raise CodecError(Code.FORGED)
        plaintext = urlsafe_b64decode(body[:at].encode("ascii") + b"==")
        if token != self.seal(plaintext, context):
            raise CodecError(Code.FORGED)
        return plaintext

    @staticmethod
    def mac(plaintext: bytes, context: bytes) -> str:
        digest = hmac.digest(b"key", b"%d" % len(context) + context + plaintext, hashlib.sha256)
        return urlsafe_b64encode(digest).decode().rstrip("=")


good = Codec(KEY)


def returns_unverified(token: str, context: bytes) -> bytes:
    try:
        return good.open(token, context)
    except CodecError:
        return b"unverified"


def tells_in_its_error(token: str, context: bytes) -> bytes:
    try:
        return good.open(token, context)
    except CodecError:
        raise ValueError("could not verify b'some state of the call'") from None


def tells_the_token(token: str, context: bytes) -> bytes:
    try:
        return good.open(token, context)
    except CodecError as error:
        raise ValueError(token) from error


def one_nonce(plaintext: bytes, context: bytes) -> str:
    """As a counter mode does whose nonce repeats."""
    stream = hashlib.shake_256(KEY).digest(len(plaintext))
    body = bytes(a ^ b for a, b in zip(plaintext, stream, strict=True)).hex()
    return f"{body}.{good.seal(plaintext, context + body.encode())}"


def open_one_nonce(token: str, context: bytes) -> bytes:
    if len(token) > CAP:
        raise CodecError(Code.TOO_LARGE)
    body, _, sealed = token.partition(".")
    return good.open(sealed, context + body.encode())


class OpensOnce:
    def __init__(self) -> None:
        self.opened: set[str] = set()

    def seal(self, plaintext: bytes, context: bytes) -> str:
        return good.seal(plaintext, context)

    def open(self, token: str, context: bytes) -> bytes:
        plaintext = good.open(token, context)
        if token in self.opened:
            raise CodecError(Code.REPLAYED)
        self.opened.add(token)
        return plaintext


class BetweenCalls:
    """Keeps a plaintext in the codec while something else is awaited."""

    async def seal(self, plaintext: bytes, context: bytes) -> str:
        self.plaintext = plaintext
        await asyncio.sleep(0)
        return good.seal(self.plaintext, context)

    def open(self, token: str, context: bytes) -> bytes:
        return good.open(token, context)


def awaits(function: Callable[..., Any]) -> Callable[..., Any]:
    async def later(*arguments: Any) -> Any:
        return function(*arguments)

    return later


#: What is wrong, and the check that must find it.
DEFECTS: dict[str, tuple[Any, str]] = {
    "readable": (
        Faulty(lambda p, _: "x" + p.decode("latin-1"), lambda s, _: s.removeprefix("x").encode("latin-1")),
        "confidential",
    ),
    "only signs": (Signer("."), "confidential"),
    "only signs, one": (Signer(""), "confidential"),
    "ignores context": (Faulty(lambda p, _: good.seal(p, b""), lambda s, _: good.open(s, b"")), "context"),
    "two spellings": (Faulty(good.seal, lambda s, c: good.open(s.strip(), c)), "one spelling"),
    "leaks on error": (Faulty(good.seal, returns_unverified), "truncation"),
    # What only Python can do wrong.
    "leaks in an error's text": (Faulty(good.seal, tells_in_its_error), "every character counts"),
    "the token in an error's text": (Faulty(good.seal, tells_the_token), "every character counts"),
    "returns None": (Faulty(good.seal, lambda s, c: None if len(s) < 9 else good.open(s, c)), "truncation"),
    "no str": (Faulty(lambda p, c: good.seal(p, c).encode(), lambda s, c: good.open(s.decode(), c)), "round trip"),
    "no bytes": (Faulty(good.seal, lambda s, c: bytearray(good.open(s, c))), "round trip"),
    # What is asynchronous is held to the same.
    "two spellings, later": (Faulty(awaits(good.seal), awaits(lambda s, c: good.open(s.strip(), c))), "one spelling"),
    # What none of the others has.
    "one nonce": (Faulty(one_nonce, open_one_nonce), "confidential"),
    "no cap": (Faulty(Codec(KEY, max_token=99_999).seal, good.open), "size cap"),
    "one key": (Faulty(good.seal, good.open), "key"),
    "opens once": (OpensOnce(), "opening twice"),
    "of the call before": (BetweenCalls(), "concurrent"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_faulty_codec_is_found_out(name: str) -> None:
    codec, check = DEFECTS[name]
    other = good if name == "one key" else Codec(new_key())
    found = defects(codec, other, CAP)
    assert any(line.startswith(f"{check}: ") for line in found), found
    if isinstance(codec, Signer | OpensOnce | BetweenCalls) or name == "one nonce":
        assert all(line.startswith(f"{check}: ") for line in found), found
    with pytest.raises(AssertionError, match=check):
        check_codec(codec, other, CAP)


@pytest.mark.parametrize("suite", [0x11, 0x21])
def test_our_codec_is_one(suite: int) -> None:
    keys = new_key(suite)
    check_codec(Codec(keys), Codec(new_key(suite)), CAP)


def test_an_asynchronous_codec_is_one() -> None:
    codec = Faulty(awaits(good.seal), awaits(good.open))
    check_codec(codec, Codec(new_key()), CAP)
    check_codec(Faulty(good.seal, awaits(good.open)), Codec(new_key()), CAP)


def test_what_is_no_codec() -> None:
    for wrong in Codec, object(), KEY:
        with pytest.raises(TypeError, match="defects takes codecs"):
            defects(wrong, good, CAP)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="whole number"):
        defects(good, good, "16384")  # type: ignore[arg-type]


def test_a_codec_that_fails_now_and_then() -> None:
    def seal(plaintext: bytes, context: bytes) -> str:
        if plaintext.startswith(b"state 49 "):
            raise OSError("away")
        return good.seal(plaintext, context)

    (found,) = defects(Faulty(seal, good.open), Codec(new_key()), CAP)
    assert found == "concurrent: OSError: away"


def test_a_codec_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley_mrtr.codec.testing._PATIENCE", 0.1)

    async def never(token: str, context: bytes) -> bytes:
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    assert defects(Faulty(good.seal, never), Codec(new_key()), CAP) == [
        "round trip: the codec gives no answer in 0.1 s"
    ]

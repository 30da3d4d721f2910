"""Bytes to a token and back, and bytes at rest."""

from __future__ import annotations

from collections.abc import Callable
from os import urandom

from ..given import check
from . import age
from .aead import OVERHEAD, Sealers
from .errors import Code, CodecError
from .keys import SUITE_AGE_FILE, SUITE_XCHACHA, KeyRing, key_ring
from .token_text import cap, decode, encode, too_large

CONTEXT_GUARD = b"parley-guard/1"  #: what a `Guard` seals
CONTEXT_SDK = b"parley-sdk/1"  #: a codec plugged into an SDK's own sealing
CONTEXT_SNAPSHOT = b"parley-snapshot/1"  #: followed by the flow's id: a parked call at rest

MAX_BOX = 8 << 20  #: bytes: the longest plaintext of a `Box`


class Codec:
    """Seals bytes into a token that nobody can read or change, under a context that is authenticated and not stored.

    It mints with the first key, whatever its suite, and opens the tokens of all. The tokens are those of every other
    implementation of Parley. It may be used from several threads.
    """

    def __init__(self, keys: bytes | KeyRing, *, max_token: int = 0, entropy: Callable[[int], bytes] = urandom) -> None:
        """`keys` is the text of a key file or a `KeyRing`; `max_token` the longest token in characters (0: 16,384).
        `entropy` is the platform's source of random bytes, which only the age suites need."""
        self._max = cap(max_token)
        check(callable(entropy), "Codec: entropy must be a function that takes a number of bytes", entropy)
        self._entropy = entropy
        self._keyed = _Keyed(keys, "Codec")

    def rekey(self, keys: bytes | KeyRing) -> None:
        """Puts other keys in the place of these. Unusable ones raise and change nothing."""
        self._keyed = _Keyed(keys, "rekey")

    def seal(self, plaintext: bytes, context: bytes) -> str:
        """A token of letters, digits, "-" and "_". Fails with `Code.TOO_LARGE` or `Code.NO_RANDOMNESS`."""
        _both("Codec.seal: plaintext", plaintext, context)
        if len(plaintext) > self._max:  # before any work
            raise too_large()
        keyed = self._keyed
        key = keyed.ring.active
        if key.suite == SUITE_XCHACHA:
            return encode(keyed.under(context).seal(plaintext), self._max)
        added = age.FILE_SIZE if key.suite == SUITE_AGE_FILE else age.COMPACT_SIZE
        if len(plaintext) > age.MAX_PLAINTEXT or ((len(plaintext) + 1 + added) * 4 + 2) // 3 > self._max:
            raise too_large()
        return encode(age.seal(key, draw(self._entropy, 32), context, plaintext), self._max)

    def open(self, token: str, context: bytes) -> bytes:
        """Fails with `Code.TOO_LARGE`, `MALFORMED`, `UNKNOWN_KEY` or `FORGED`, and returns no part of the plaintext."""
        check(isinstance(token, str), "Codec.open: token must be a str", token)
        _context(context)
        raw, keyed = decode(token, self._max), self._keyed
        if raw[:1] == b"\x11" or not keyed.mixed:
            return keyed.under(context).open(raw)
        if len(raw) < 5:
            raise CodecError(Code.MALFORMED)
        key = keyed.ring.by_id.get(raw[1:5])
        if key is None:
            raise CodecError(Code.UNKNOWN_KEY)
        if raw[0] != key.suite:  # a key serves one suite, whatever the token claims
            raise CodecError(Code.FORGED)
        return age.open(key, raw, context)


class _Keyed:
    """A ring, and what is prepared of it: swapped as one, so that threads never see half of it."""

    def __init__(self, keys: bytes | KeyRing, of: str) -> None:
        self.ring = key_ring(keys, of)
        self.mixed = any(key.suite != SUITE_XCHACHA for key in self.ring.keys)
        self._sealers = {context: Sealers(self.ring, context) for context in (CONTEXT_GUARD, CONTEXT_SDK)}

    def under(self, context: bytes) -> Sealers:
        return self._sealers.get(context) or Sealers(self.ring, context)


class Box:
    """Seals bytes at rest, such as the snapshots of parked calls: raw bytes of suite 0x11, without base64, claims or
    time. Nobody can read or change what is stored, but an older copy can be put back."""

    def __init__(self, keys: bytes | KeyRing) -> None:
        """Its keys must not be those of tokens; the first one is of suite 0x11."""
        self._ring = key_ring(keys, "Box")
        if self._ring.active.suite != SUITE_XCHACHA:
            raise CodecError(Code.UNUSABLE_KEY, "the active key must be of suite 11")

    def seal(self, plaintext: bytes, context: bytes) -> bytes:
        """45 bytes longer than the plaintext. `context` must be given again to open it."""
        _both("Box.seal: plaintext", plaintext, context)
        if len(plaintext) > MAX_BOX:
            raise CodecError(Code.TOO_LARGE, "at most 8 MiB are sealed", minting=True)
        return Sealers(self._ring, context).seal(plaintext)

    def open(self, box: bytes, context: bytes) -> bytes:
        """Opens what `seal` made under the same context. It fails like `Codec.open`."""
        _both("Box.open: box", box, context)
        if len(box) > MAX_BOX + OVERHEAD:
            raise CodecError(Code.TOO_LARGE)
        return Sealers(self._ring, context).open(box)


def _both(what: str, sealed: bytes, context: bytes) -> None:
    check(isinstance(sealed, bytes), f"{what} must be bytes", sealed)
    _context(context)


def _context(context: bytes) -> None:
    check(isinstance(context, bytes), "context must be bytes, such as CONTEXT_SDK", context)


def draw(entropy: Callable[[int], bytes], size: int) -> bytes:
    """Random bytes to mint with."""
    try:
        random = entropy(size)
    except Exception as error:
        raise CodecError(Code.NO_RANDOMNESS, minting=True) from error
    if len(random) != size:
        raise CodecError(Code.NO_RANDOMNESS, minting=True)
    return random

"""Bytes to a token and back, and bytes at rest."""

from __future__ import annotations

from collections.abc import Callable
from os import urandom

from . import age
from .aead import OVERHEAD, Sealers
from .errors import Code, CodecError
from .keys import SUITE_AGE_FILE, SUITE_XCHACHA, KeyRing
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
        self._entropy = entropy
        self._keyed = _Keyed(keys)

    def rekey(self, keys: bytes | KeyRing) -> None:
        """Puts other keys in the place of these. Unusable ones raise and change nothing."""
        self._keyed = _Keyed(keys)

    def seal(self, plaintext: bytes, context: bytes) -> str:
        """A token of letters, digits, "-" and "_". Fails with `Code.TOO_LARGE` or `Code.NO_RANDOMNESS`."""
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

    def __init__(self, keys: bytes | KeyRing) -> None:
        self.ring = keys if isinstance(keys, KeyRing) else KeyRing.parse(keys)
        self.mixed = any(key.suite != SUITE_XCHACHA for key in self.ring.keys)
        self._sealers = {context: Sealers(self.ring, context) for context in (CONTEXT_GUARD, CONTEXT_SDK)}

    def under(self, context: bytes) -> Sealers:
        return self._sealers.get(context) or Sealers(self.ring, context)


class Box:
    """Seals bytes at rest, such as the snapshots of parked calls: raw bytes of suite 0x11, without base64, claims or
    time. Nobody can read or change what is stored, but an older copy can be put back."""

    def __init__(self, keys: bytes | KeyRing) -> None:
        """Its keys must not be those of tokens; the first one is of suite 0x11."""
        self._ring = keys if isinstance(keys, KeyRing) else KeyRing.parse(keys)
        if self._ring.active.suite != SUITE_XCHACHA:
            raise CodecError(Code.UNUSABLE_KEY, "the active key must be of suite 11")

    def seal(self, plaintext: bytes, context: bytes) -> bytes:
        """45 bytes longer than the plaintext. `context` must be given again to open it."""
        if len(plaintext) > MAX_BOX:
            raise CodecError(Code.TOO_LARGE, "at most 8 MiB are sealed", minting=True)
        return Sealers(self._ring, context).seal(plaintext)

    def open(self, box: bytes, context: bytes) -> bytes:
        """Opens what `seal` made under the same context. It fails like `Codec.open`."""
        if len(box) > MAX_BOX + OVERHEAD:
            raise CodecError(Code.TOO_LARGE)
        return Sealers(self._ring, context).open(box)


def draw(entropy: Callable[[int], bytes], size: int) -> bytes:
    """Random bytes to mint with."""
    try:
        random = entropy(size)
    except Exception as error:
        raise CodecError(Code.NO_RANDOMNESS, minting=True) from error
    if len(random) != size:
        raise CodecError(Code.NO_RANDOMNESS, minting=True)
    return random

"""The default codec, suite 0x11: XChaCha20-Poly1305 with a nonce derived from key, context and plaintext.

nonce = HMAC-SHA256(Kn, suite|kid|u64le(len context)|context|plaintext)[:24]
raw   = suite|kid|nonce|XChaCha20-Poly1305(Ke, nonce, plaintext, ad = L|suite|kid|context)
token = base64url(raw)
"""

from __future__ import annotations

from hmac import compare_digest

from .errors import Code, CodecError
from .keys import MAC, SUITE_XCHACHA, Key, KeyRing
from .sodium import XCHACHA

_HEAD = 5  # suite and key id
_NONCE = 24
OVERHEAD = _HEAD + _NONCE + 16


class Sealer:
    """One key under one context."""

    __slots__ = ("_associated", "_enc", "_mac", "head")

    def __init__(self, key: Key, context: bytes) -> None:
        self.head = key.head
        self._enc = key.expand(b"enc", 32)
        self._mac: MAC = key.synthetic(b"", context)
        self._associated = key.associated(context)

    def seal(self, plaintext: bytes) -> bytes:
        nonce = self._mac.digest(plaintext)[:_NONCE]
        return self.head + nonce + XCHACHA.seal(plaintext, self._associated, nonce, self._enc)

    def open(self, raw: bytes) -> bytes:
        nonce = raw[_HEAD : _HEAD + _NONCE]
        plaintext = XCHACHA.open(raw[_HEAD + _NONCE :], self._associated, nonce, self._enc)
        # Without the second a token would not commit to its key and context.
        if plaintext is None or not compare_digest(self._mac.digest(plaintext)[:_NONCE], nonce):
            raise CodecError(Code.FORGED)
        return plaintext


class Sealers:
    """The keys of a ring under one context."""

    __slots__ = ("_active", "_by_id", "_ids")

    def __init__(self, ring: KeyRing, context: bytes) -> None:
        self._ids = ring.by_id
        self._by_id = {key.id: Sealer(key, context) for key in ring.keys if key.suite == SUITE_XCHACHA}
        self._active = self._by_id.get(ring.active.id)

    def seal(self, plaintext: bytes) -> bytes:
        assert self._active is not None
        return self._active.seal(plaintext)

    def open(self, raw: bytes) -> bytes:
        if len(raw) < OVERHEAD:
            raise CodecError(Code.MALFORMED)
        id = raw[1:_HEAD]
        sealer = self._by_id.get(id)
        if sealer is None or raw[0] != SUITE_XCHACHA:  # a key serves one suite, whatever the token claims
            raise CodecError(Code.FORGED if id in self._ids else Code.UNKNOWN_KEY)
        return sealer.open(raw)

"""Authenticated encryption by libsodium, called without the layer of PyNaCl that costs more than the encryption."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

_sodium: Any = import_module("nacl._sodium")  # which has no types
ffi, lib = _sodium.ffi, _sodium.lib

OVERHEAD = 16  #: bytes that sealing adds
_KEY = 32  # bytes

if lib.sodium_init() < 0:
    raise ImportError("libsodium cannot be used here")

_bytes, _none = ffi.typeof("unsigned char[]"), ffi.NULL
_new, _buffer = ffi.new, ffi.buffer


class AEAD:
    """One of libsodium's constructions."""

    __slots__ = ("_decrypt", "_encrypt", "_nonce")

    def __init__(self, name: str, nonce: int) -> None:
        """`nonce` is how many bytes one has."""
        self._nonce = nonce
        self._encrypt: Any = getattr(lib, f"crypto_aead_{name}_encrypt")
        self._decrypt: Any = getattr(lib, f"crypto_aead_{name}_decrypt")

    def seal(self, plaintext: bytes, associated: bytes, nonce: bytes, key: bytes) -> bytes:
        if len(nonce) != self._nonce or len(key) != _KEY:  # else it would read beyond them
            raise ValueError("a nonce or key of another size")
        size = len(plaintext) + OVERHEAD
        sealed = _new(_bytes, size)
        self._encrypt(sealed, _none, plaintext, len(plaintext), associated, len(associated), _none, nonce, key)
        return cast(bytes, _buffer(sealed, size)[:])

    def open(self, sealed: bytes, associated: bytes, nonce: bytes, key: bytes) -> bytes | None:
        """None where it does not authenticate."""
        if len(nonce) != self._nonce or len(key) != _KEY:
            raise ValueError("a nonce or key of another size")
        size = len(sealed) - OVERHEAD
        if size < 0:
            return None
        plaintext = _new(_bytes, size)
        if self._decrypt(plaintext, _none, _none, sealed, len(sealed), associated, len(associated), nonce, key) != 0:
            return None
        return cast(bytes, _buffer(plaintext, size)[:])


XCHACHA = AEAD("xchacha20poly1305_ietf", 24)
CHACHA = AEAD("chacha20poly1305_ietf", 12)

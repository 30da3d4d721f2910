"""The secrets a server seals with, and the files they are kept in."""

from __future__ import annotations

import secrets
import stat
from hashlib import sha256
from os import PathLike, fstat
from pathlib import Path
from typing import TYPE_CHECKING

from ..given import check, is_whole
from .errors import Code, CodecError
from .token_text import encode, strict

if TYPE_CHECKING:
    from hashlib import _Hash

SUITE_XCHACHA = 0x11  #: XChaCha20-Poly1305 with a synthetic nonce
SUITE_AGE_COMPACT = 0x21
SUITE_AGE_FILE = 0x22

_SUITES = (SUITE_XCHACHA, SUITE_AGE_COMPACT, SUITE_AGE_FILE)
_LABEL = b"parley-seal/1"
_KEY_LINE = b"parley-key/1 "
_MAX_KEY_FILE = 64 << 10  # bytes

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class MAC:
    """HMAC-SHA256 under one key, whose two states are hashed once and copied for each use."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes, prefix: bytes = b"") -> None:
        """`key` has at most 64 bytes; every message begins with `prefix`."""
        block = key.ljust(64, b"\0")
        self._inner: _Hash = sha256(block.translate(_INNER) + prefix)
        self._outer: _Hash = sha256(block.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


def expand(prk: bytes, info: bytes, size: int) -> bytes:
    """HKDF-Expand-SHA256 (RFC 5869)."""
    mac, out, block = MAC(prk), b"", b""
    for number in range(1, -(-size // 32) + 1):
        block = mac.digest(block + info + bytes([number]))
        out += block
    return out[:size]


class Key:
    """One secret of one suite: what was derived from it."""

    __slots__ = ("_nonce", "_prk", "id", "suite")

    def __init__(self, suite: int, secret: bytes) -> None:
        """`secret` has 32 to 64 uniformly random bytes, and is never text or the hash of text."""
        check(is_whole(suite), "Key: suite must be an int, such as 0x11", suite)
        check(isinstance(secret, bytes | bytearray | memoryview), "Key: secret must be bytes", secret)
        if suite not in _SUITES:
            raise CodecError(Code.UNUSABLE_KEY, "unknown suite")
        if not 32 <= len(secret) <= 64:
            raise CodecError(Code.UNUSABLE_KEY, "a secret has 32 to 64 bytes")
        self.suite = suite
        self._prk = MAC(_LABEL + bytes([suite])).digest(bytes(secret))
        self.id = self.expand(b"kid", 4)
        self._nonce = self.expand(b"nonce", 32)

    def __repr__(self) -> str:
        return f"<Key {self.id.hex()} of suite {self.suite:x}>"

    @property
    def head(self) -> bytes:
        return bytes([self.suite]) + self.id

    def expand(self, info: bytes, size: int) -> bytes:
        """Derives bytes for a purpose; "kid", "nonce" and "enc" are taken."""
        return expand(self._prk, info, size)

    def synthetic(self, extra: bytes, context: bytes) -> MAC:
        """What nonces and other values that must not repeat are cut from: the MAC, under the key's nonce key, of
        suite|kid|extra|u64le(len context)|context and a plaintext."""
        return MAC(self._nonce, self.head + extra + len(context).to_bytes(8, "little") + context)

    def associated(self, context: bytes) -> bytes:
        """What a token authenticates beside its plaintext."""
        return _LABEL + self.head + context


class KeyRing:
    """The keys a server accepts; the first one mints. It never changes: who rotates keys makes a new one.

    Rotation takes three steps, each on every instance before the next: accept the new key, make it the first, and drop
    the old one when the last token minted with it has expired.
    """

    def __init__(self, *keys: Key) -> None:
        if not keys:
            raise CodecError(Code.UNUSABLE_KEY, "a key ring holds a key")
        for key in keys:
            check(isinstance(key, Key), "KeyRing takes Keys; KeyRing.parse takes the text of a key file", key)
        self.keys = keys
        self.by_id = {key.id: key for key in keys}
        if len(self.by_id) < len(keys):
            raise CodecError(Code.UNUSABLE_KEY, "two keys of the ring have the same id (a secret listed twice?)")

    @property
    def active(self) -> Key:
        """The key that mints."""
        return self.keys[0]

    @classmethod
    def parse(cls, text: bytes) -> KeyRing:
        """The keys of a key file. An error says which line is wrong, and nothing of what is on it."""
        check(isinstance(text, bytes), "KeyRing.parse takes the text of a key file as bytes: see read_key_file", text)
        if len(text) > _MAX_KEY_FILE:
            raise CodecError(Code.UNUSABLE_KEY, "a key file has at most 65536 bytes")
        keys = [_parse(line, at) for at, line in enumerate(text.split(b"\n"), 1) if line and not line.startswith(b"#")]
        if not keys:
            raise CodecError(Code.UNUSABLE_KEY, "the key file holds no key")
        return cls(*keys)


def key_ring(keys: bytes | KeyRing, of: str) -> KeyRing:
    """The ring that an argument stands for."""
    needs = f"{of}: keys must be the text of a key file as bytes (read_key_file or new_key gives it) or a KeyRing"
    check(isinstance(keys, bytes | KeyRing), needs, keys)
    return keys if isinstance(keys, KeyRing) else KeyRing.parse(keys)


def _parse(line: bytes, number: int) -> Key:
    def unusable(detail: str) -> CodecError:
        return CodecError(Code.UNUSABLE_KEY, f"line {number} of the key file: {detail}")

    rest = line.removeprefix(_KEY_LINE)
    if rest == line or len(rest) < 4 or rest[2:3] != b" ":
        raise unusable('expected "parley-key/1 <suite> <secret>"')
    if rest[:2].translate(None, b"0123456789abcdef"):
        raise unusable("the suite is two lower-case hexadecimal digits")
    secret = strict(rest[3:].decode("latin-1"))
    if secret is None or len(secret) > 64:
        raise unusable("the secret is 32 to 64 bytes in base64url without padding")
    try:
        return Key(int(rest[:2], 16), secret)
    except CodecError as error:
        raise unusable(error.detail) from None


def new_key(suite: int = SUITE_XCHACHA) -> bytes:
    """A new key: a line of a key file, from the platform's source of randomness."""
    check(is_whole(suite), "new_key: suite must be an int, such as 0x11", suite)
    if suite not in _SUITES:
        raise CodecError(Code.UNUSABLE_KEY, "unknown suite")
    return b"%s%02x %s\n" % (_KEY_LINE, suite, encode(secrets.token_bytes(32), 64).encode())


def read_key_file(path: str | PathLike[str]) -> bytes:
    """The text of a key file. PermissionError if others than its owner may use it."""
    with Path(path).open("rb") as file:
        mode = stat.S_IMODE(fstat(file.fileno()).st_mode)
        if mode & 0o077 and hasattr(fstat(file.fileno()), "st_uid"):
            raise PermissionError(f"{path} can be used by others (mode {mode:04o}): run  chmod 600 {path}")
        text = file.read(_MAX_KEY_FILE + 1)
    if len(text) > _MAX_KEY_FILE:
        raise ValueError(f"{path} has more than {_MAX_KEY_FILE} bytes: it is no key file")
    return text

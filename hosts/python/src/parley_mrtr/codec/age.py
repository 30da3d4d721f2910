"""Tokens that hold a file of the age format (C2SP, The age file encryption format), written out or in a compact form.

    0x21  suite|kid|salt16|wrapped32|mac32|nonce16|chunk
    0x22  suite|kid|age file

The file has one recipient stanza, whose body is the file key sealed under a key of the server, and one final chunk.
"""

from __future__ import annotations

from base64 import b64encode
from binascii import Error as BadBase64
from binascii import a2b_base64
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

from .errors import Code, CodecError
from .keys import MAC, SUITE_AGE_COMPACT, SUITE_AGE_FILE, Key, expand
from .sodium import CHACHA

MAX_PLAINTEXT = 64 << 10  #: bytes: one chunk
COMPACT_SIZE = 4 + 16 + 32 + 32 + 16 + 16  # what the form adds, beside the suite

_INTRO = b"age-encryption.org/v1\n"
_STANZA = b"-> parley-seal "
_ID_AT = len(_INTRO) + len(_STANZA)
_SALT_AT = _ID_AT + 7
_WRAPPED_AT = _SALT_AT + 23
_FOOTER_AT = _WRAPPED_AT + 44
_MAC_AT = _FOOTER_AT + 4
_HEADER = _MAC_AT + 44
FILE_SIZE = 4 + _HEADER + 16 + 16

_WRAP_NONCE = bytes(12)
_FINAL_CHUNK = bytes(11) + b"\x01"

_NO_AUTHENTICITY = (
    "the age file is not for a parley-seal key; a public key proves nothing about who made a file, because anyone who"
    " knows it can, and a passphrase can be guessed"
)
_ONE_STANZA = "the age file has more than one recipient; make it with agecodec.Recipient alone"
_ONE_CHUNK = "an age token has one chunk, of at most 65536 bytes"


@dataclass
class File:
    """A file of one such stanza and one chunk, taken apart."""

    id: bytes
    salt: bytes
    wrapped: bytes  # the file key, sealed
    mac: bytes  # of the header, under the file key
    nonce: bytes
    chunk: bytes  # the plaintext, sealed under the file key and the nonce

    def covered(self) -> bytes:
        """As much of the header as its MAC covers."""
        return b"%s%s%s %s\n%s\n---" % (_INTRO, _STANZA, _b64(self.id), _b64(self.salt), _b64(self.wrapped))

    def header(self) -> bytes:
        return b"%s %s\n" % (self.covered(), _b64(self.mac))


def seal(key: Key, random: bytes, context: bytes, plaintext: bytes) -> bytes:
    """The bytes of a token. Salt, file key and nonce are derived from everything that goes in, so that with a broken
    source of randomness only equal inputs give equal files."""
    derived = expand(key.synthetic(random, context).digest(plaintext), b"age", 48)
    file_key = derived[16:32]
    file = File(key.id, derived[:16], b"", b"", derived[32:], b"")
    file.wrapped = CHACHA.seal(file_key, b"", _WRAP_NONCE, _wrapping(key, file, context))
    file.mac = _header_mac(file, file_key)
    file.chunk = CHACHA.seal(plaintext, b"", _FINAL_CHUNK, _payload(file, file_key))
    if key.suite == SUITE_AGE_FILE:
        return key.head + file.header() + file.nonce + file.chunk
    return key.head + file.salt + file.wrapped + file.mac + file.nonce + file.chunk


def open(key: Key, raw: bytes, context: bytes) -> bytes:
    """The plaintext of a token's bytes.

    A file commits to its key and context: the wrapped file key is the stanza's, and the MAC under the file key covers
    the stanza.
    """
    file = _read(raw)
    file_key = CHACHA.open(file.wrapped, b"", _WRAP_NONCE, _wrapping(key, file, context))
    if file_key is None or not compare_digest(_header_mac(file, file_key), file.mac):
        raise CodecError(Code.FORGED)
    plaintext = CHACHA.open(file.chunk, b"", _FINAL_CHUNK, _payload(file, file_key))
    if plaintext is None:
        raise CodecError(Code.FORGED)
    return plaintext


def _read(raw: bytes) -> File:
    if raw[0] == SUITE_AGE_FILE and len(raw) > 5:
        file = _read_file(raw[5:])
        if file.id != raw[1:5]:
            raise CodecError(Code.FORGED, "the age file is for another key than the token's")
        return file
    if raw[0] == SUITE_AGE_COMPACT and len(raw) >= 1 + COMPACT_SIZE:
        return _one_chunk(File(raw[1:5], raw[5:21], raw[21:53], raw[53:85], raw[85:101], raw[101:]))
    raise CodecError(Code.MALFORMED)


def _read_file(data: bytes) -> File:
    """Every field is decoded from the only place where it can be, and the header that these fields give must be the one
    that came. So a header has one spelling, and no parser can be more forgiving than age's."""
    if len(data) < _ID_AT or not data.startswith(_INTRO):
        raise CodecError(Code.MALFORMED)
    if data[len(_INTRO) : _ID_AT] != _STANZA:
        raise CodecError(Code.FORGED, _NO_AUTHENTICITY)
    if len(data) < _HEADER + 32:
        raise CodecError(Code.MALFORMED)
    if data[_FOOTER_AT:].startswith(b"-> "):
        raise CodecError(Code.FORGED, _ONE_STANZA)
    try:
        id, salt = _unb64(data[_ID_AT:][:6]), _unb64(data[_SALT_AT:][:22])
        wrapped, mac = _unb64(data[_WRAPPED_AT:][:43]), _unb64(data[_MAC_AT:][:43])
    except BadBase64:
        raise CodecError(Code.MALFORMED) from None
    file = File(id, salt, wrapped, mac, data[_HEADER:][:16], data[_HEADER + 16 :])
    if file.header() != data[:_HEADER]:
        raise CodecError(Code.MALFORMED)
    return _one_chunk(file)


def _one_chunk(file: File) -> File:
    """That the chunk is the final one is part of the nonce it is opened with."""
    if len(file.chunk) > MAX_PLAINTEXT + 16:
        raise CodecError(Code.TOO_LARGE, _ONE_CHUNK)
    return file


def _wrapping(key: Key, file: File, context: bytes) -> bytes:
    return key.expand(b"wrap" + file.salt + sha256(context).digest(), 32)


def _header_mac(file: File, file_key: bytes) -> bytes:
    """Source: C2SP, The age file encryption format, "Header MAC"."""
    return MAC(_hkdf(file_key, b"", b"header")).digest(file.covered())


def _payload(file: File, file_key: bytes) -> bytes:
    """Source: C2SP, The age file encryption format, "Payload"."""
    return _hkdf(file_key, file.nonce, b"payload")


def _hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    return expand(MAC(salt).digest(secret), info, 32)


def _b64(data: bytes) -> bytes:
    return b64encode(data).rstrip(b"=")


def _unb64(text: bytes) -> bytes:
    return a2b_base64(text + b"=" * (-len(text) % 4))

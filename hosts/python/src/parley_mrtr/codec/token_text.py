"""The text form of a token: base64url without padding, in one spelling."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

from ..given import check, is_whole
from .errors import Code, CodecError

DEFAULT_MAX_TOKEN = 16_384  # characters
MAX_TOKEN = 256 << 10

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_TO_URL = bytes.maketrans(b"+/", b"-_")
_FROM_URL = bytes.maketrans(b"-_", b"+/")

# The last characters whose unused bits are zero, by the number of characters beyond a multiple of four.
_LAST = {0: _ALPHABET, 2: _ALPHABET[::16], 3: _ALPHABET[::4]}
_PADDING = {0: b"", 2: b"==", 3: b"="}


def cap(max_token: int) -> int:
    """The cap an option stands for; 0 is the default."""
    check(is_whole(max_token), "max_token must be a whole number of characters", max_token)
    if not 0 <= max_token <= MAX_TOKEN:
        raise CodecError(Code.UNUSABLE_OPTIONS, "MaxToken is at most 262144 characters")
    return max_token or DEFAULT_MAX_TOKEN


def encode(raw: bytes, most: int) -> str:
    """Bytes in base64url, unless that is over `most` characters."""
    if (len(raw) * 4 + 2) // 3 > most:
        raise too_large()
    return b2a_base64(raw, newline=False).translate(_TO_URL, b"=").decode()


def too_large() -> CodecError:
    return CodecError(Code.TOO_LARGE, "the state does not fit a token", minting=True)


def decode(text: str, most: int) -> bytes:
    """The bytes of a token. Everything is checked before anything is decoded."""
    if len(text) > most:
        raise CodecError(Code.TOO_LARGE)
    raw = strict(text)
    if raw is None:
        raise CodecError(Code.MALFORMED)
    return raw


def strict(text: str) -> bytes | None:
    """What base64url without padding stands for, None for any but its one spelling."""
    over = len(text) % 4
    if over == 1 or not text.isascii():
        return None
    data = text.encode()
    if data.translate(None, _ALPHABET) or (data and data[-1] not in _LAST[over]):
        return None
    return a2b_base64(data.translate(_FROM_URL) + _PADDING[over])

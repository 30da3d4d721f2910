"""Bytes to a token and back."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from .errors import Code, CodecError
from .fields import field, u32
from .handle import Handle
from .module import Module

#: The context of what an SDK's own sealing hands over. Contexts keep tokens of one purpose from opening for another.
CONTEXT_SDK = b"parley-sdk/1"

#: No codec takes a longer token, in characters; the default cap is 16,384.
MAX_TOKEN = 256 << 10

_ENTROPY = 32  # bytes a seal brings along


class Codec:
    """Seals bytes under the keys of a key file. It knows nothing of MCP; see `Guard`."""

    def __init__(
        self,
        keys: bytes,
        *,
        max_token: int = 0,
        module: Module | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """`keys` is the text of a key file, see `read_key_file`; its first key seals, all open.

        `max_token` is the longest token in characters, 0 for 16,384. `entropy` gives so many random bytes, fresh for
        each call, from the platform's CSPRNG; tests replace it. Raises `CodecError`.
        """
        self._entropy = entropy
        self._options = option(max_token)
        self._handle = Handle(module, "parley_codec_new", field(keys) + self._options)

    def seal(self, plaintext: bytes, context: bytes) -> str:
        """The token of a plaintext. It opens under the same context only, which it does not contain."""
        request = random_bytes(self._entropy, _ENTROPY) + context + plaintext
        return self._handle.call("parley_codec_seal", request, len(context)).decode("ascii")

    def open(self, token: str, context: bytes) -> bytes:
        """The plaintext of a token. `CodecError` if it was not sealed so, with these keys and this context."""
        if len(token) > MAX_TOKEN:  # not even into the module, whose memory would keep the size
            raise CodecError.refusal(Code.TOO_LARGE)
        return self._handle.call("parley_codec_open", context + utf8(token), len(context))

    def rekey(self, keys: bytes) -> None:
        """Goes on with the keys of another key file. `CodecError` if it is unusable; then the ones before stay."""
        self._handle.replace(field(keys) + self._options)

    def close(self) -> None:
        """Drops the keys. Further calls raise `InstanceError`."""
        self._handle.close()


def option(n: int) -> bytes:
    """An option as the module takes it."""
    try:
        return u32(n)
    except OverflowError:
        raise CodecError.fault(Code.UNUSABLE_OPTIONS, "a number out of range") from None


def random_bytes(entropy: Callable[[int], bytes], size: int) -> bytes:
    data = entropy(size)
    if len(data) != size:
        raise CodecError.fault(Code.NO_RANDOMNESS)
    return data


def utf8(text: str) -> bytes:
    """A client's text as bytes. A lone surrogate, which no well-formed message holds, is refused."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise CodecError.refusal(Code.MALFORMED) from None

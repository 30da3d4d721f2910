"""What a Guard seals with, and what it makes of a codec that fails."""

from __future__ import annotations

from collections.abc import Awaitable
from inspect import isawaitable, iscoroutine
from typing import Any, Protocol, TypeGuard

from .errors import Code, CodecError
from .raw_json import is_text
from .token_text import MAX_TOKEN, too_large


class Sealing(Protocol):
    """What a `Guard` seals with: a `Codec`, or one of your own, which `parley_mrtr.codec.testing` checks.

    It must encrypt, not only sign: what is sealed holds a salted hash whose secrecy depends on it. `context` is
    authenticated and not stored. `open` raises for every token that `seal` did not make under the same context, and no
    exception's text holds a token or anything of a plaintext.

    Either function may be asynchronous. `GuardMiddleware` then awaits it, and so do `Guard.open_async` and
    `Guard.seal_async`; the other functions of a Guard refuse. One that waits, such as for a key service, must be
    asynchronous: a plain one holds up all calls.
    """

    def seal(self, plaintext: bytes, context: bytes) -> str | Awaitable[str]: ...

    def open(self, token: str, context: bytes) -> bytes | Awaitable[bytes]: ...


def not_opened(error: Exception) -> CodecError:
    """Why a state is refused. A codec of your own may raise anything; the client's answer is the same."""
    if isinstance(error, CodecError):
        return blamed(error, minting=False)
    refused = CodecError(Code.FORGED, "the codec does not open it")
    refused.__cause__ = error
    return refused


def not_sealed(error: Exception) -> CodecError:
    """Why no state can be made, which is no client's fault."""
    if isinstance(error, CodecError):
        return blamed(error, minting=True)
    failed = CodecError(Code.UNUSABLE_RESULT, "the codec does not seal it", minting=True)
    failed.__cause__ = error
    return failed


def blamed(error: CodecError, *, minting: bool) -> CodecError:
    if error.minting == minting:
        return error
    blamed = CodecError(error.code, error.detail, minting=minting)
    blamed.__cause__ = error.__cause__
    return blamed


def waits(done: object) -> TypeGuard[Awaitable[Any]]:
    """Whether a codec's answer is still to come. Most are there, and isawaitable is slow."""
    return not isinstance(done, bytes | str) and isawaitable(done)


def at_once(done: object) -> object:
    if waits(done):
        if iscoroutine(done):
            done.close()  # which would warn that nobody awaits it
        needs = "the Guard's codec is asynchronous: use GuardMiddleware, or open_async and seal_async"
        raise CodecError(Code.UNUSABLE_OPTIONS, needs)
    return done


def check_token(token: object) -> str:
    if not isinstance(token, str) or not (token.isascii() or is_text(token)):
        raise CodecError(Code.UNUSABLE_RESULT, "the codec returns no text")
    if not token:
        raise CodecError(Code.UNUSABLE_RESULT, "the codec returns an empty token")
    if len(token) > MAX_TOKEN:  # it would not be opened
        raise too_large()
    return token

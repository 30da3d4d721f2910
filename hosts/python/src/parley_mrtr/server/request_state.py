"""Parley's codec for `RequestStateSecurity(codec=...)`."""

from __future__ import annotations

from mcp.server.mcpserver import InvalidRequestState

from ..codec import CONTEXT_SDK, Codec, CodecError
from ..given import check, has


class SealCodec:
    """A `RequestStateCodec`: integrity and secrecy for what the SDK wants sealed.

    The SDK stamps and checks expiry, request, audience and principal itself, so a token opens on any server of this
    SDK with the same keys and audience. Other Parley servers read its plaintext (context parley-sdk/1), not its
    claims.
    """

    def __init__(self, codec: Codec) -> None:
        check(has(codec, "seal", "open"), "SealCodec takes a Codec: SealCodec(Codec(keys))", codec)
        self._codec = codec

    def seal(self, payload: bytes) -> str:
        """A token of letters, digits, "-" and "_". What it raises, the SDK answers with an internal error."""
        return self._codec.seal(payload, CONTEXT_SDK)

    def unseal(self, token: str) -> bytes:
        """Reverses `seal`. Every failure is an `InvalidRequestState`, whose text goes to the log only."""
        try:
            return self._codec.open(token, CONTEXT_SDK)
        except CodecError as error:
            raise InvalidRequestState(error.code.reason) from None

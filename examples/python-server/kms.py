"""A codec whose key only a key management service (KMS) can unwrap: envelope encryption. Copy it.

The service is asked once, when the server starts. From then on tokens are sealed here, with AES-256-GCM under the data key,
and the Guard's context is associated data. `StandIn` at the end is for tests: put the client of your service in its place.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from parley_mrtr.codec import Code, CodecError

MAX_TOKEN = 16_384  # characters
ID, NONCE, TAG = 4, 12, 16  # bytes


class KMS(Protocol):
    async def unwrap(self, wrapped: bytes) -> bytes:
        """The data key that was wrapped: Decrypt of AWS KMS and Google Cloud KMS, unwrapKey of Azure Key Vault, decrypt of
        Vault's transit engine."""
        ...


class EnvelopeCodec:
    """Seals with the first data key, and opens the tokens of all. It never changes, and threads may share it.

    A token is base64url of the key's id, a nonce and what AES-GCM makes. Its nonces are random, so mint at most 2**32 tokens
    under one data key; wrap a new one well before.
    """

    def __init__(self, data_keys: list[bytes]) -> None:
        if not data_keys or any(len(key) != 32 for key in data_keys):
            raise ValueError("an EnvelopeCodec takes data keys of 32 bytes, at least one")
        # What an id is made of says nothing about the key.
        self._keys = {sha256(b"envelope id" + key).digest()[:ID]: AESGCM(key) for key in data_keys}
        self._first = next(iter(self._keys))

    @classmethod
    async def unwrap(cls, kms: KMS, wrapped: list[bytes]) -> "EnvelopeCodec":
        """The one time that the service is asked."""
        return cls([await kms.unwrap(one) for one in wrapped])

    def seal(self, plaintext: bytes, context: bytes) -> str:
        if (ID + NONCE + len(plaintext) + TAG) * 4 > MAX_TOKEN * 3:
            raise CodecError(Code.TOO_LARGE, minting=True)
        nonce = os.urandom(NONCE)
        sealed = self._keys[self._first].encrypt(nonce, plaintext, self._first + context)
        return urlsafe_b64encode(self._first + nonce + sealed).decode().rstrip("=")

    def open(self, token: str, context: bytes) -> bytes:
        """It raises for anything but what `seal` returned under this context, also for another spelling of it."""
        if len(token) > MAX_TOKEN:
            raise CodecError(Code.TOO_LARGE)
        try:
            raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            raise CodecError(Code.MALFORMED) from None  # whose text could repeat the token
        if urlsafe_b64encode(raw).decode().rstrip("=") != token or len(raw) < ID + NONCE + TAG:
            raise CodecError(Code.MALFORMED)
        key = self._keys.get(raw[:ID])
        if key is None:
            raise CodecError(Code.UNKNOWN_KEY)
        try:
            return key.decrypt(raw[ID : ID + NONCE], raw[ID + NONCE :], raw[:ID] + context)
        except Exception:
            raise CodecError(Code.FORGED) from None


class StandIn:
    """Stands in for a KMS in tests. It is none: its master key lies in this process."""

    def __init__(self) -> None:
        self._master = AESGCM(AESGCM.generate_key(256))
        self.asked = 0

    def wrapped_data_key(self) -> bytes:
        """A new data key that only this service can unwrap: what a server keeps in its configuration."""
        nonce = os.urandom(NONCE)
        return nonce + self._master.encrypt(nonce, AESGCM.generate_key(256), b"data key")

    async def unwrap(self, wrapped: bytes) -> bytes:
        self.asked += 1
        return self._master.decrypt(wrapped[:NONCE], wrapped[NONCE:], b"data key")

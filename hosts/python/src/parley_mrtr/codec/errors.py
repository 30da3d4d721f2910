"""Why a state is refused, or why none can be made.

For the server's log: a client is told the same whatever the cause.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ..copyable import CopyableError

__all__ = ["Code", "CodecError"]


class Code(IntEnum):
    """The reasons, numbered as in every other implementation."""

    MALFORMED = 1  #: no token of this form, or a request whose state cannot be told apart
    TOO_LARGE = 2  #: token or plaintext over the cap
    UNKNOWN_KEY = 3  #: sealed with a key that is not in the ring
    FORGED = 4  #: does not authenticate
    CLOCK = 5  #: the host's clock cannot be right
    NOT_YET_VALID = 6  #: minted in the future
    EXPIRED = 7  #: came back too late
    FLOW_AGE = 8  #: the flow it belongs to is too old
    TARGET = 9  #: minted for another audience, method, tool, prompt or resource
    ARGUMENTS = 10  #: minted for other arguments
    PRINCIPAL = 11  #: minted for another principal
    ROUNDS = 12  #: too many rounds
    REPLAYED = 13  #: used before, and may be used once
    REPLAY_STORE = 14  #: the replay store failed or is full
    UNUSABLE_KEY = 15  #: an unusable key, key ring or key file
    UNUSABLE_OPTIONS = 16  #: unusable options
    NO_RANDOMNESS = 17  #: the source of randomness failed
    UNUSABLE_RESULT = 18  #: a result of the server that cannot be sealed

    @property
    def reason(self) -> str:
        """The reason in a word or two, as a server's log should name it."""
        return self.name.lower().replace("_", " ")


class CodecError(CopyableError):
    """What every function of this package raises.

    Its text is for the server's log and holds no token, state, key or principal. `minting` says that a state could not
    be sealed, so that no client's state is at fault. The cause, if a replay store or a source of randomness failed, is
    in `__cause__`.
    """

    def __init__(self, code: Code, detail: str = "", *, minting: bool = False) -> None:
        self.code, self.detail, self.minting = code, detail, minting
        super().__init__(f"codec: {code.reason}: {detail}" if detail else f"codec: {code.reason}")

    @property
    def response(self) -> dict[str, Any]:
        """The JSON-RPC error a client gets: one for every state that is refused, another if none can be minted.

        Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 4: servers "MUST reject" such state.
        """
        if self.minting:
            return {"code": -32603, "message": "Internal error"}
        data = {"reason": "invalid_request_state"}
        return {"code": -32602, "message": "Invalid or expired requestState", "data": data}

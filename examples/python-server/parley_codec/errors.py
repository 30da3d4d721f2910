"""What can go wrong, with the numbers of wasm/ABI.md."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any


class Code(IntEnum):
    """Why something failed. For the server's log: a client must learn nothing from it."""

    MALFORMED = 1
    TOO_LARGE = 2
    UNKNOWN_KEY = 3
    FORGED = 4
    CLOCK = 5
    NOT_YET_VALID = 6
    EXPIRED = 7
    FLOW_AGE = 8
    TARGET = 9
    ARGUMENTS = 10
    PRINCIPAL = 11
    ROUNDS = 12
    REPLAYED = 13
    REPLAY_STORE = 14
    UNUSABLE_KEY = 15
    UNUSABLE_OPTIONS = 16
    NO_RANDOMNESS = 17
    UNUSABLE_RESULT = 18

    @property
    def reason(self) -> str:
        """The reason in a word or two, as the log should name it."""
        return self.name.lower().replace("_", " ")


class CodecError(Exception):
    """A token or a request that is refused, or a state that cannot be sealed.

    Its text is for the log and holds no token, state, key or principal.
    """

    def __init__(self, code: Code, text: str, response: dict[str, Any]) -> None:
        super().__init__(text)
        self.code = code
        #: The JSON-RPC error object that the client gets, the same for every cause.
        self.response = response

    @classmethod
    def from_module(cls, code: int, text: bytes, response: bytes) -> CodecError:
        return cls(Code(code), text.decode(), json.loads(response))

    @classmethod
    def refusal(cls, code: Code) -> CodecError:
        """A client's state that this side refuses, in the words the module uses."""
        data = {"reason": "invalid_request_state"}
        response = {"code": -32602, "message": "Invalid or expired requestState", "data": data}
        return cls(code, f"codec: {code.reason}", response)

    @classmethod
    def fault(cls, code: Code, detail: str = "") -> CodecError:
        """A fault of the server's own, in the words the module uses."""
        text = f"codec: {code.reason}" + (f": {detail}" if detail else "")
        return cls(code, text, {"code": -32603, "message": "Internal error"})


class InstanceError(Exception):
    """The WebAssembly instance trapped, or was closed. After a trap the next call gets a new one."""

"""Why a call fails, and what a host does wrong."""

from __future__ import annotations

import enum
import json

from parley_mrtr.copyable import CopyableError
from parley_mrtr.host.words import quoted


class Code(enum.IntEnum):
    """Why a call failed. The numbers are those of wasm/ABI.md, which says what each means; they never change."""

    OPTIONS = 1
    ORDER = 2
    ANSWER = 3
    MALFORMED = 4
    RESULT_TYPE = 5
    LIMIT = 6
    ROUNDS = 7
    WAITS = 8
    RPC = 9
    STATE = 10
    LOST = 11
    LEG_TIMEOUT = 12
    REFUSED = 13
    CANCELED = 14
    CAPABILITY = 15
    IN_DOUBT = 16
    ASK_TIMEOUT = 17
    BUDGET = 18
    DEADLINE = 19
    SNAPSHOT = 20
    PEER = 21
    NOT_PARKABLE = 22
    TASK = 23
    SAVE = 24
    UNAUTHORIZED = 25
    FORM = 26
    INSTANCE = 27


class ParleyError(CopyableError):
    """A mistake in using the engine: it left everything as it was. No state, answer or secret is in its text."""

    def __init__(self, code: int, detail: str) -> None:
        super().__init__(f"parley: {detail}")
        self.code = code
        self.detail = detail


class InstanceError(ParleyError):
    """The engine's instance trapped, which is its `__cause__`. Nothing in it can be trusted, so it is dropped."""

    def __init__(self, detail: str) -> None:
        super().__init__(Code.INSTANCE, detail)


class UnsentError(Exception):
    """To be raised by who sends, if a request certainly never reached the server. Its text is for the person."""


class StatusError(CopyableError):
    """An HTTP error status whose body is no JSON-RPC response."""

    def __init__(self, status: int) -> None:
        super().__init__(f"parley: HTTP status {status}{_HINTS.get(status, '')}")
        self.status = status


_HINTS = {
    401: ": the server wants authorization: give connect an authorize, or its transport an authorization",
    403: ": the server does not allow it",
    404: ": is this the server's MCP endpoint?",
    405: ": is this the server's MCP endpoint?",
    **dict.fromkeys(range(300, 400), ": the endpoint has moved; redirects are not followed, so give the new URL"),
}


class CallFailed(CopyableError):
    """How a call fails. The text is for a person and has what the server said, but no state and no answer.

    `code` is one of `Code`. `detail` says what is wrong and where. `in_doubt`: no answer to a tool call came, and
    the tool may have run, so that going on needs `resend`. `snapshot`, a secret, is there if `resume` can go on.
    `response` is the server's JSON-RPC error object as JSON text, if it sent one. `raw` is the result of a call
    that was carried out, but whose result cannot be read, or came when nobody waited any more. The `__cause__` is
    what a callback or the transport raised.
    """

    def __init__(
        self,
        code: int,
        detail: str,
        *,
        in_doubt: bool = False,
        snapshot: str | None = None,
        response: bytes | None = None,
        raw: bytes | None = None,
    ) -> None:
        super().__init__(f"parley: {detail}{_said(response)}")
        self.code = code
        self.detail = detail
        self.in_doubt = in_doubt
        self.snapshot = snapshot
        self.response = response
        self.raw = raw

    @property
    def resumable(self) -> bool:
        """Whether there is a snapshot to go on from."""
        return self.snapshot is not None


def _said(response: bytes | None) -> str:
    if response is None:
        return ""
    message = json.loads(response).get("message")
    return f": the server says “{quoted(message)}”" if isinstance(message, str) and message else ""

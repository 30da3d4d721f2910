"""MCP's rules for requestState, on JSON text."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import IntEnum
from typing import Protocol

from .codec import option, random_bytes, utf8
from .errors import Code, CodecError
from .fields import Reader, field, u32
from .handle import Handle
from .module import Module

_ENTROPY = 40  # bytes an outbound call brings along
_PROCESS_LOCAL, _REQUIRE_STATE = 1, 2


class Verdict(IntEnum):
    """What is known of an answer when the handler wants to use it."""

    MISSING = 0  #: there is none, or nobody asked for it
    SAME = 1  #: it answers this very question
    CHANGED = 2  #: the question was another one then: ask again
    UNPINNED = 3  #: it came with a state that pins no questions
    UNPROVEN = 4  #: it came without a state, which any client can strip


@dataclass(frozen=True)
class Exchange:
    """One request and its result, from `Guard.inbound` to `Guard.outbound`. It never leaves the server."""

    data: bytes = dataclass_field(repr=False)


class ReplayStore(Protocol):
    """Remembers which states were used."""

    def consume(self, id: bytes, expires: int) -> bool:
        """Notes an id of 16 bytes until `expires`, in Unix seconds; True if it was not noted before.

        A store that is full or fails raises, and the state is refused.
        """
        ...


class Guard:
    """Opens the state of every request and seals that of its result.

    A state opens only for the request it was sealed for (audience, method, name or uri, arguments, principal), in
    time, and for answers to the questions that were asked.
    """

    def __init__(
        self,
        keys: bytes,
        *,
        audience: str = "",
        process_local: bool = False,
        ttl: int = 0,
        max_flow_age: int = 0,
        max_rounds: int = 0,
        max_token: int = 0,
        require_state: bool = False,
        single_use: Sequence[str] = (),
        replay: ReplayStore | None = None,
        module: Module | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`keys` is the text of a key file, see `read_key_file`; its first key seals, all open.

        `audience` names the service, alike on all instances; it may be empty only if the keys are `process_local`.
        `ttl` is how long a round may take, in seconds (0: 600), `max_flow_age` a whole flow (0: no bound),
        `max_rounds` how many rounds may ask (0: 10), `max_token` the longest token in characters (0: 16,384).
        `require_state` drops answers that come without a state. States of the tools, prompts and resources in
        `single_use` open once, by `replay`.

        `entropy` and `now` (Unix seconds) are the platform's; tests replace them. Raises `CodecError`.
        """
        if single_use and replay is None:
            raise CodecError.fault(Code.UNUSABLE_OPTIONS, "single_use needs a replay store")
        self._entropy, self._now, self._replay = entropy, now, replay
        flags = process_local * _PROCESS_LOCAL | require_state * _REQUIRE_STATE
        self._options = b"".join(
            [
                *(option(max_token), field(utf8(audience))),
                *(option(ttl), option(max_flow_age), option(max_rounds)),
                *(u32(flags), u32(len(single_use))),
                *(field(utf8(target)) for target in single_use),
            ]
        )
        self._handle = Handle(module, "parley_guard_new", field(keys) + self._options)

    def inbound(self, method: str, params: str, principal: str | None = None) -> tuple[str, Exchange | None]:
        """Opens a request before the server sees it.

        `params` is JSON text, best as it came: serialised again it binds the same request, but numbers that Python
        cannot hold exactly make another one. `principal` is None only without authentication; see `principal`.

        The params returned hold the handler's own state and only answers that may be used; they are `params` itself
        where nothing changes. The exchange is None for methods without rounds. On `CodecError` the request must not
        be processed; the error's `response` is the client's answer.
        """
        who = None if principal is None else utf8(principal)
        request = field(utf8(method)) + field(utf8(params)) + field(who)
        answer = Reader(self._handle.call("parley_guard_inbound", request, self._millis()))
        opened, exchange, id, expires = answer.field(), answer.field(), answer.field(), answer.u32()
        if id is not None:
            self._consume(id, expires)
        return (
            params if opened is None else opened.decode(),
            None if exchange is None else Exchange(exchange),
        )

    def outbound(self, exchange: Exchange | None, result: str) -> str:
        """Seals a result before it is sent. `exchange` is what `inbound` returned for its request.

        `result` is JSON text, returned as it is unless it is an InputRequiredResult. On `CodecError` it must not be
        sent; the error's `response` is the client's answer.
        """
        if exchange is None:
            return result
        try:
            text = result.encode()
        except UnicodeEncodeError:
            raise CodecError.fault(Code.UNUSABLE_RESULT, "a result that is not Unicode text") from None
        request = field(exchange.data) + field(random_bytes(self._entropy, _ENTROPY)) + field(text)
        sealed = Reader(self._handle.call("parley_guard_outbound", request, self._millis())).field()
        return result if sealed is None else sealed.decode()

    def verdict(self, exchange: Exchange | None, key: str, method: str, params: str | None = None) -> Verdict:
        """Whether the answer under `key` answers this question: its method and its params as JSON text."""
        if exchange is None:
            return Verdict.MISSING
        return Verdict(
            self._handle.status("parley_guard_verdict", field(exchange.data) + _question(key, method, params))
        )

    def question_digest(self, key: str, method: str, params: str | None = None) -> bytes:
        """16 bytes that stand for a question, to keep in the state with an answer from an earlier round."""
        return self._handle.ask("parley_question", _question(key, method, params))

    def rekey(self, keys: bytes) -> None:
        """Goes on with the keys of another key file. `CodecError` if it is unusable; then the ones before stay."""
        self._handle.replace(field(keys) + self._options)

    def close(self) -> None:
        """Drops the keys. Further calls raise `InstanceError`."""
        self._handle.close()

    def _millis(self) -> float:
        return float(int(self._now() * 1000))

    def _consume(self, id: bytes, expires: int) -> None:
        """Marks a state as used, before anything of it is released."""
        assert self._replay is not None  # the constructor saw to it
        try:
            first = self._replay.consume(id, expires)
        except Exception as failure:
            raise CodecError.refusal(Code.REPLAY_STORE) from failure
        if not first:
            raise CodecError.refusal(Code.REPLAYED)


def principal(client: str | None, issuer: str | None, subject: str | None) -> str:
    """Who asks, for `Guard.inbound`: the OAuth client, the issuer and the subject, None for what is not known.

    Give the same parts on every instance and in every round, and never the bearer token's text, which changes when it
    is refreshed. The text is that of codec.Principal in Go.
    """
    return f"[{','.join('null' if part is None else _quoted(part) for part in (client, issuer, subject))}]"


#: What a string of JSON may not hold, spelled as Go spells it: \b and \f without their short escapes.
_ESCAPES = {code: f"\\u{code:04x}" for code in range(0x20)} | {
    ord(character): "\\" + letter for character, letter in zip('"\\\n\r\t', '"\\nrt', strict=True)
}


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def _question(key: str, method: str, params: str | None) -> bytes:
    return field(utf8(key)) + field(utf8(method)) + field(None if params is None else utf8(params))

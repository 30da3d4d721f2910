"""MCP's rules for requestState, the same for every codec."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from hashlib import sha256
from os import urandom
from typing import Any, Literal

from ..given import check, has, is_number, is_whole, names
from .binding import METHODS, Binding, Digests, sized
from .claims import MAX_QUESTIONS, MAX_TTL, SALT_SIZE, Claims, inspect
from .codec import CONTEXT_GUARD, Codec, draw
from .errors import Code, CodecError
from .exchange import Exchange
from .keys import KeyRing, new_key
from .question import Question, key_digest
from .raw_json import is_text
from .replay import MemoryReplay, ReplayStore
from .request import Request
from .result import Result
from .sealing import Sealing, at_once, blamed, check_token, not_opened, not_sealed, waits
from .token_text import MAX_TOKEN

_TTL = 24 * 60 * 60  # seconds
_ROUNDS = 10  # as the official SDKs' clients
_MAX_ROUNDS = 255

# 2026-08-01T00:00:00Z in Unix seconds, a time that has passed: a clock before it is a fake one.
_NOT_BEFORE = 1_785_542_400
_MAX_SKEW = 60  # seconds a token may be from the future: the clocks of two instances

_ID = b"parley-guard/1 id"


class Guard:
    """Opens the state of every request and seals that of its result.

    A state opens only for the request it was sealed for (audience, method, name or uri, arguments, principal), in time,
    and for answers to the questions that were asked. Tokens are those of every other implementation of Parley. A Guard
    never changes and may be used from several threads.
    """

    def __init__(
        self,
        keys: bytes | KeyRing | Sealing | Literal["process"] = "process",
        *,
        audience: str = "",
        process_local: bool = False,
        ttl: float = 0,
        max_flow_age: float = 0,
        max_rounds: int = 0,
        max_token: int = 0,
        require_state: bool = False,
        single_use: Collection[str] = (),
        replay: ReplayStore | None = None,
        entropy: Callable[[int], bytes] = urandom,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`keys` is the text of a key file (see `read_key_file`), a `KeyRing`, or a codec to seal with.

        Without it the Guard makes a key that no other process has. That is enough for one process that nobody restarts
        while a person thinks. With several instances or workers, or where calls are to survive a restart, give all of
        them the same `keys` and `audience`: else their states are refused, and people start over.

        `audience` names the service, alike on all instances; it may be empty only if the keys are `process_local`.
        `ttl` is how long a round may take, in seconds (0: 24 hours), `max_flow_age` a whole flow (0: no bound),
        `max_rounds` how many rounds may ask (0: 10), `max_token` the longest token in characters (0: 16,384).
        A longer `ttl` has a price: a state that was stolen can be used for longer, every state can be sent again for
        longer, and `replay` remembers each state that was used for as long.
        `require_state` drops answers that come without a state. States of the tools, prompts and resources in
        `single_use` open once, by `replay`, which is a `MemoryReplay` if the key is this process's.

        `entropy` and `now` (Unix seconds) are the platform's; tests replace them.
        """
        _check_options(audience, ttl, max_flow_age, max_rounds, replay=replay, now=now)
        single_use = names(single_use, "Guard: single_use")
        if isinstance(keys, str) and keys == "process":
            keys, process_local = new_key(), True
            replay = MemoryReplay(now=now) if replay is None and single_use else replay
        unusable = ""
        if not audience and not process_local:
            unusable = "an Audience is required unless the keys are ProcessLocal"
        elif not 0 <= ttl <= MAX_TTL:
            unusable = "TTL is at most 30 days"
        elif not 0 <= max_flow_age < math.inf:
            unusable = "MaxFlowAge is not negative, and finite"
        elif not 0 <= max_rounds <= _MAX_ROUNDS:
            unusable = "MaxRounds is at most 255"
        elif single_use and replay is None:
            unusable = "SingleUse needs a Replay store"
        if unusable:
            raise CodecError(Code.UNUSABLE_OPTIONS, unusable)
        needs = "Guard: keys must be the text of a key file as bytes (read_key_file or new_key gives it), a KeyRing or a codec"
        check(isinstance(keys, bytes | KeyRing) or has(keys, "seal", "open"), needs, keys)
        if isinstance(keys, bytes | KeyRing):
            keys = Codec(keys, max_token=max_token, entropy=entropy)
        self.codec: Sealing = keys
        self.max_rounds = max_rounds or _ROUNDS  #: how many rounds of a call may ask
        self._audience = sized(audience)
        self._ttl, self._max_flow_age = math.ceil(ttl) or _TTL, math.ceil(max_flow_age)
        self._require_state = require_state
        self._single_use, self._replay = frozenset(single_use), replay
        self._entropy, self._clock = entropy, now

    def consumes(self, binding: Binding) -> bool:
        """Whether opening a state of this request asks the replay store, which may block."""
        return binding.target in self._single_use

    def rekey(self, keys: bytes | KeyRing) -> None:
        """Puts other keys in the place of these. Unusable ones raise and change nothing. For a Guard that was made of
        keys."""
        if not isinstance(self.codec, Codec):
            raise CodecError(Code.UNUSABLE_OPTIONS, "the Guard has a codec of its own: rekey that")
        self.codec.rekey(keys)

    # On JSON text.

    def inbound(self, method: str, params: str, principal: str | None = None) -> tuple[str, Exchange | None]:
        """Opens a request before the server sees it.

        `params` is JSON text, as received; `principal` is None only without authentication. The params
        returned hold the handler's own state and only answers that may be used; they are `params` itself where nothing
        changes. The exchange is None for methods without rounds.

        On `CodecError` the request must not be processed; the error's `response` is the client's answer.
        """
        if method not in METHODS:
            return params, None
        request = Request(method, params, principal)
        state, exchange = self.open(request.binding, request.token, request.keys)
        return params if request.untouched(exchange) else request.rewrite(state, exchange), exchange

    def outbound(self, exchange: Exchange | None, result: str) -> str:
        """Seals the state of a result before it is sent. The result is returned as it is unless it asks.

        On `CodecError` it must not be sent; the error's `response` is the client's answer.
        """
        if exchange is None:
            return result
        read = Result(result)
        token = self.seal(exchange, read.state, read.questions) if read.input_required else None
        return result if token is None else read.rewrite(token)

    # On decoded values.

    def open(self, binding: Binding, token: str | None, answers: Sequence[str] = ()) -> tuple[str | None, Exchange]:
        """Opens the requestState of a request: None on the first leg, and then only the binding is kept. `answers` are
        the keys of inputResponses. The state returned is None where the handler set none."""
        if token is None:
            return self._first(binding, answers)
        _check_leg(binding, token)
        try:
            plaintext = at_once(self.codec.open(token, CONTEXT_GUARD))
        except Exception as error:
            refused = not_opened(error)
            raise refused from refused.__cause__
        return self._judge(binding, plaintext, answers)

    async def open_async(
        self,
        binding: Binding,
        token: str | None,
        answers: Sequence[str] = (),
        *,
        run_sync: Callable[..., Awaitable[Any]] | None = None,
    ) -> tuple[str | None, Exchange]:
        """The same with a codec whose `open` may be asynchronous. `run_sync`, such as `anyio.to_thread.run_sync`, runs
        beside the event loop what asks the replay store."""
        if token is None:
            return self._first(binding, answers)
        _check_leg(binding, token)
        try:
            opened = self.codec.open(token, CONTEXT_GUARD)
            plaintext = await opened if waits(opened) else opened
        except Exception as error:
            refused = not_opened(error)
            raise refused from refused.__cause__
        if run_sync is not None and self.consumes(binding):
            return await run_sync(self._judge, binding, plaintext, answers)  # type: ignore[no-any-return]
        return self._judge(binding, plaintext, answers)

    def _first(self, binding: Binding, answers: Sequence[str]) -> tuple[None, Exchange]:
        return None, Exchange(binding, {} if self._require_state else dict.fromkeys(answers), proven=False)

    def _judge(self, binding: Binding, plaintext: object, answers: Sequence[str]) -> tuple[str | None, Exchange]:
        """Holds what a token held to MCP's rules."""
        if not isinstance(plaintext, bytes):
            raise CodecError(Code.FORGED, "the codec returns no bytes")
        claims = inspect(plaintext)
        try:
            state = None if claims.state is None else claims.state.decode()
        except UnicodeDecodeError:
            raise CodecError(Code.MALFORMED) from None
        self._accept(claims)
        digests = Digests(self._audience, binding)  # last, because it reads all of the arguments
        digests.check(claims.salt, claims.tag, claims.hint)
        if self.consumes(binding):
            self._consume(claims, plaintext)
        exchange = Exchange(binding, _answered(claims, answers), proven=True)
        exchange.digests, exchange.rounds, exchange.start = digests, claims.rounds, claims.flow_start
        return state, exchange

    def seal(self, exchange: Exchange, state: str | None, questions: Sequence[Question]) -> str | None:
        """Mints the requestState of a result that asks these questions, in their order. None where there is neither a
        state nor a question: then there is nothing to guard."""
        if state is None and not questions:
            return None
        claims = self._plaintext(exchange, state, questions)
        try:
            return check_token(at_once(self.codec.seal(claims, CONTEXT_GUARD)))
        except Exception as error:
            failed = not_sealed(error)
            raise failed from failed.__cause__

    async def seal_async(self, exchange: Exchange, state: str | None, questions: Sequence[Question]) -> str | None:
        """The same with a codec whose `seal` may be asynchronous."""
        if state is None and not questions:
            return None
        claims = self._plaintext(exchange, state, questions)
        try:
            sealed = self.codec.seal(claims, CONTEXT_GUARD)
            return check_token(await sealed if waits(sealed) else sealed)
        except Exception as error:
            failed = not_sealed(error)
            raise failed from failed.__cause__

    def _plaintext(self, exchange: Exchange, state: str | None, questions: Sequence[Question]) -> bytes:
        """What is sealed."""
        try:
            return self._claims(exchange, state, questions).encode()
        except CodecError as error:
            failed = blamed(error, minting=True)
            raise failed from failed.__cause__

    def _claims(self, exchange: Exchange, state: str | None, questions: Sequence[Question]) -> Claims:
        binding, rounds = exchange.binding, exchange.rounds + bool(questions)
        if binding.method not in METHODS:
            raise CodecError(Code.UNUSABLE_RESULT, "a method without rounds")
        now = self._now()
        if rounds > self.max_rounds:
            raise CodecError(Code.ROUNDS, "the flow has had all its rounds")
        if state is not None and not is_text(state):
            raise CodecError(Code.UNUSABLE_RESULT, "a state that is not Unicode text")
        if len(questions) > MAX_QUESTIONS:
            raise CodecError(Code.UNUSABLE_RESULT, "over 64 questions in a round")
        salt = draw(self._entropy, SALT_SIZE)
        digests = exchange.digests
        if digests is None:
            digests = exchange.digests = Digests(self._audience, binding)
        pins = {key_digest(question.key): question.digest() for question in questions} if questions else None
        if pins is not None and len(pins) < len(questions):
            raise CodecError(Code.UNUSABLE_RESULT, "two questions with one key")
        start = exchange.start or now
        plain = None if state is None else state.encode()
        ttl = -(-self._ttl // 60) * 60
        return Claims(rounds, now, ttl, salt, digests.tag(salt), digests.hint, start, exchange.start != 0, pins, plain)

    def _now(self) -> int:
        now = math.floor(self._clock())
        if not _NOT_BEFORE <= now < 1 << 32:
            raise CodecError(Code.CLOCK, "the host's clock is before 2026-08 or after 2106")
        return now

    def _accept(self, claims: Claims) -> None:
        """Holds claims to the clock and the bounds."""
        now = self._now()
        if claims.minted > now + _MAX_SKEW:
            raise CodecError(Code.NOT_YET_VALID)
        if now >= claims.minted + min(claims.ttl, self._ttl):
            raise CodecError(Code.EXPIRED)
        if claims.rounds > self.max_rounds:
            raise CodecError(Code.ROUNDS)
        if self._max_flow_age and now >= claims.flow_start + self._max_flow_age:
            raise CodecError(Code.FLOW_AGE)

    def _consume(self, claims: Claims, plaintext: bytes) -> None:
        """Marks a state as used, after everything else was checked."""
        assert self._replay is not None
        try:
            first = self._replay.consume(replay_id(plaintext), claims.minted + claims.ttl + _MAX_SKEW)
        except Exception as error:
            raise CodecError(Code.REPLAY_STORE) from error
        if not first:
            raise CodecError(Code.REPLAYED)


def _check_options(
    audience: object, ttl: object, max_flow_age: object, max_rounds: object, *, replay: object, now: object
) -> None:
    check(isinstance(audience, str), "Guard: audience must be a str", audience)
    check(is_number(ttl), "Guard: ttl must be a number of seconds", ttl)
    check(is_number(max_flow_age), "Guard: max_flow_age must be a number of seconds", max_flow_age)
    check(is_whole(max_rounds), "Guard: max_rounds must be a whole number", max_rounds)
    fits = replay is None or has(replay, "consume")
    check(fits, "Guard: replay must be a replay store, such as MemoryReplay()", replay)
    check(callable(now), "Guard: now must be a function that returns Unix seconds", now)


def _check_leg(binding: Binding, token: str) -> None:
    if binding.method not in METHODS:
        raise CodecError(Code.MALFORMED, "a method without rounds")
    if len(token) > MAX_TOKEN:  # whatever the codec would do with it
        raise CodecError(Code.TOO_LARGE)


def replay_id(plaintext: bytes) -> bytes:
    """Names a state for a `ReplayStore`."""
    return sha256(_ID + plaintext).digest()[:16]


def _answered(claims: Claims, keys: Sequence[str]) -> dict[str, bytes | None]:
    """The answers to the questions of a state."""
    if claims.pins is None:
        return dict.fromkeys(keys)
    pins = claims.pins
    return {key: pins[digest] for key in keys if (digest := key_digest(key)) in pins}

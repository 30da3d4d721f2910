"""What a `Guard` seals, integers big-endian:

0   1  low nibble: format 1; 0x10 flow start, 0x20 pins, 0x40 no state; 0x80 must be 0
1   1  rounds with questions so far
2   4  iat: Unix time in seconds
6   2  ttl in minutes, 1 to 43200
8   8  salt
16 16  tag of the binding
32  6  hint: two bytes of each of the binding's digests
38 [4] flow start: Unix time in seconds, with flag 0x10; else it is iat
   [1+24k] pins, with flag 0x20: their number k, then each one's key and question
   rest: the handler's state
"""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import Struct

from ..given import check
from .errors import Code, CodecError

SALT_SIZE = 8
MAX_QUESTIONS = 64  #: in a round
MAX_TTL = 30 * 24 * 60 * 60  #: seconds

_FORMAT, _FLOW_START, _PINS, _NO_STATE = 0x01, 0x10, 0x20, 0x40
_FIXED = Struct(">BBIH8s16s6s")
_PIN = 24
_KEY = 8


@dataclass(slots=True)
class Claims:
    """What a token says about itself. It holds the server's secrets: do not log it."""

    rounds: int  #: with questions, so far
    minted: int  #: Unix time in seconds
    ttl: int  #: seconds, unless a Guard with a lower one opens it
    salt: bytes = field(repr=False)
    tag: bytes = field(repr=False)
    hint: bytes = field(repr=False)
    flow_start: int  #: Unix time in seconds, when the flow's first state was minted
    later: bool  #: not the first state of its flow
    pins: dict[bytes, bytes] | None = field(repr=False)  #: key digest to question digest; None if none were asked
    state: bytes | None = field(repr=False)  #: None if the handler set none

    def encode(self) -> bytes:
        flags = _FORMAT | self.later * _FLOW_START | (self.pins is not None) * _PINS | (self.state is None) * _NO_STATE
        text = _FIXED.pack(flags, self.rounds, self.minted, self.ttl // 60, self.salt, self.tag, self.hint)
        if self.later:
            text += self.flow_start.to_bytes(4, "big")
        if self.pins is not None:
            text += bytes([len(self.pins)]) + b"".join([key + question for key, question in self.pins.items()])
        return text if self.state is None else text + self.state


def inspect(plaintext: bytes) -> Claims:
    """Reads what a Guard sealed: what `Codec.open` returns under `CONTEXT_GUARD`. It checks the form and nothing else; a
    Guard alone can tell whether the state may be used."""
    check(isinstance(plaintext, bytes), "inspect takes the bytes that Codec.open returns", plaintext)
    if len(plaintext) < _FIXED.size:
        raise CodecError(Code.MALFORMED)
    flags, rounds, minted, minutes, salt, tag, hint = _FIXED.unpack_from(plaintext)
    if flags & 0x8F != _FORMAT or not 0 < minutes * 60 <= MAX_TTL:
        raise CodecError(Code.MALFORMED)
    start, at = minted, _FIXED.size
    if flags & _FLOW_START:
        if len(plaintext) < at + 4:
            raise CodecError(Code.MALFORMED)
        start, at = int.from_bytes(plaintext[at : at + 4], "big"), at + 4
    pins: dict[bytes, bytes] | None = None
    if flags & _PINS:
        count = plaintext[at] if len(plaintext) > at else MAX_QUESTIONS + 1
        end = at + 1 + count * _PIN
        if count > MAX_QUESTIONS or len(plaintext) < end:
            raise CodecError(Code.MALFORMED)
        pins = {}
        for pin in range(at + 1, end, _PIN):
            pins.setdefault(plaintext[pin : pin + _KEY], plaintext[pin + _KEY : pin + _PIN])
        at = end
    state: bytes | None = plaintext[at:]
    if flags & _NO_STATE:
        if state:
            raise CodecError(Code.MALFORMED)
        state = None
    later = flags & _FLOW_START != 0
    return Claims(rounds, minted, minutes * 60, salt, tag, hint, start, later, pins, state)

"""Seals what a server hands out as requestState.

A requestState comes back as attacker-controlled input (MCP 2026-07-28, basic/patterns/mrtr, server requirements 4 and
5). A `Codec` turns bytes into a token that cannot be read or changed; a `Guard` adds MCP's rules: which request the
state belongs to, whose it is, until when it may come back, which questions were asked, how many rounds there were.
"""

from .binding import Binding
from .claims import Claims, inspect
from .codec import CONTEXT_GUARD, CONTEXT_SDK, CONTEXT_SNAPSHOT, Box, Codec
from .errors import Code, CodecError
from .exchange import Exchange, Verdict
from .guard import Guard
from .keys import Key, KeyRing, new_key, read_key_file
from .principal import principal
from .question import Question
from .replay import MemoryReplay, ReplayError, ReplayStore
from .sealing import Sealing

__all__ = [
    "CONTEXT_GUARD",
    "CONTEXT_SDK",
    "CONTEXT_SNAPSHOT",
    "Binding",
    "Box",
    "Claims",
    "Code",
    "Codec",
    "CodecError",
    "Exchange",
    "Guard",
    "Key",
    "KeyRing",
    "MemoryReplay",
    "Question",
    "ReplayError",
    "ReplayStore",
    "Sealing",
    "Verdict",
    "inspect",
    "new_key",
    "principal",
    "read_key_file",
]

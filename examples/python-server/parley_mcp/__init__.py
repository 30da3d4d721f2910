"""Parley's seal codec in the official MCP SDK for Python, on either of its levels.

`SealCodec` is a codec for the SDK's own `RequestStateSecurity`, as `MCPServer` takes it: the SDK checks its claims,
Parley seals them. `GuardMiddleware` replaces that on the low-level `Server`: its states are those of every other
Parley server, so a round begun here can be finished by one written in Go or JavaScript.
"""

from .guard_middleware import GuardMiddleware, authenticated, verdict
from .request_state import SealCodec

__all__ = ["GuardMiddleware", "SealCodec", "authenticated", "verdict"]

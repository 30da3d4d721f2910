"""Parley's seal codec for Python servers, as the WebAssembly module parley-codec.wasm under wasmtime.

`Codec` turns bytes into a token that cannot be read or changed, and back. `Guard` adds MCP's rules to it, on JSON
text: which request a requestState belongs to, whose it is, until when it may come back, which questions were asked.
Tokens are the same as those of Parley in Go and JavaScript, so servers in all three may share a key file.

The module has no imports: it takes the time and random bytes from here with every call. The boundary is described in
wasm/ABI.md, "The codec".
"""

from .codec import CONTEXT_SDK, Codec
from .errors import Code, CodecError, InstanceError
from .guard import Exchange, Guard, ReplayStore, Verdict, principal
from .keyfile import new_key, read_key_file
from .module import ABI_VERSION, Module

__all__ = [
    "ABI_VERSION",
    "CONTEXT_SDK",
    "Code",
    "Codec",
    "CodecError",
    "Exchange",
    "Guard",
    "InstanceError",
    "Module",
    "ReplayStore",
    "Verdict",
    "new_key",
    "principal",
    "read_key_file",
]

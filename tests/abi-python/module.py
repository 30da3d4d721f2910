"""A module of the engine in wasmtime: wasm/ABI.md, Life of an instance and Memory."""

from pathlib import Path

from wasmtime import Engine, Func, Instance, Memory, Module, Store

ABI = 3
ROOT = Path(__file__).resolve().parents[2]


class Guest:
    """An instance. Requests and answers are bytes; what they say is nobody's business here."""

    def __init__(self, name: str) -> None:
        self._store = Store(Engine())
        module = Module.from_file(self._store.engine, str(ROOT / "wasm" / name))
        self._exports = Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, Memory)
        self._memory = memory
        self.number("_initialize")
        version = self.number("parley_abi_version")
        if version != ABI:
            raise RuntimeError(f"{name} speaks ABI {version}, this host {ABI}")

    def number(self, export: str, *arguments: float) -> int:
        """Calls an export that answers a number, or nothing."""
        function = self._exports[export]
        assert isinstance(function, Func)
        return (function(self._store, *arguments) or 0) & 0xFFFFFFFF

    def ask(self, export: str, *arguments: float) -> bytes:
        """Calls an export that has an answer and takes no request."""
        size = self.number(export, *arguments)
        at = self.number("parley_output")
        return bytes(self._memory.read(self._store, at, at + size))

    def tell(self, export: str, request: bytes, *arguments: float) -> bytes:
        """Calls an export that takes a request, whose size is its last argument."""
        self._memory.write(self._store, request, self.number("parley_input", len(request)))
        return self.ask(export, *arguments, len(request))

"""An instance of the engine's module: wasm/ABI.md, Life of an instance and Memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wasmtime import Engine, Func, Memory, Module, Store, Trap, WasmtimeError
from wasmtime import Instance as Wasm

from parley_mrtr.host import frame
from parley_mrtr.host.errors import InstanceError, ParleyError

ABI = 3  # what this package speaks


class Compiled:
    """The module, compiled. `memory` bounds that of each instance, in bytes."""

    def __init__(self, engine: Engine, module: Module, memory: int = 1 << 30) -> None:
        self.engine = engine
        self.module = module
        self.memory = memory


class Instance:
    """Frames in, frames out. It is dead after its first trap. What its exports refuse is a ParleyError."""

    def __init__(self, compiled: Compiled) -> None:
        self.trap: Exception | None = None
        self._store = Store(compiled.engine)
        self._store.set_limits(memory_size=compiled.memory)
        try:
            version = self._begin(compiled)
        except (Trap, WasmtimeError) as trap:  # such as no memory
            raise InstanceError("no instance of the engine can be made") from trap
        if version != ABI:
            raise RuntimeError(
                f"parley: the engine speaks ABI version {version}, this package version {ABI}: "
                "use the module of the same release"
            )

    def _begin(self, compiled: Compiled) -> int:
        exports = Wasm(self._store, compiled.module, []).exports(self._store)
        self._functions = {name: export for name, export in exports.items() if isinstance(export, Func)}
        memory = exports.get("memory")
        if not isinstance(memory, Memory) or "parley_abi_version" not in self._functions:
            raise RuntimeError("parley: the WebAssembly module is not Parley's: its ABI version is missing")
        self._memory = memory
        self.call("_initialize")
        return self.call("parley_abi_version")

    def call(self, export: str, *arguments: float) -> int:
        """Calls an export that answers a number, or nothing."""
        return (self._functions[export](self._store, *arguments) or 0) & 0xFFFFFFFF

    def let_go(self, export: str, *handles: int) -> None:
        """Calls an export that refuses nothing: its trap shows at the next call."""
        if self.trap is None:
            try:
                self.call(export, *handles)
            except (Trap, WasmtimeError) as trap:
                self.trap = trap

    @property
    def live(self) -> int:
        """How many flows, sessions and calls the instance holds."""
        return 0 if self.trap else self.call("parley_live")

    def tell(self, export: str, request: Mapping[str, Any], *before: float) -> dict[str, Any]:
        """Calls an export with a request, whose size is its last argument."""
        return self._answer(export, frame.write(request), before)

    def read(self, export: str, text: bytes) -> dict[str, Any]:
        """Calls an export that takes a text as it came."""
        return self._answer(export, text, ())

    def ask(self, export: str, *handles: int) -> dict[str, Any]:
        """Calls an export that has an answer and takes no request."""
        return self._answer(export, None, handles)

    def _answer(self, export: str, request: bytes | None, arguments: tuple[float, ...]) -> dict[str, Any]:
        if self.trap is not None:
            raise InstanceError("the engine's instance is gone") from self.trap
        try:
            if request is not None:
                self._memory.write(self._store, request, self.call("parley_input", len(request)))
                arguments = (*arguments, len(request))
            size = self.call(export, *arguments)
            at = self.call("parley_output")
            answer = frame.read(bytes(self._memory.read(self._store, at, at + size)))
        except (Trap, WasmtimeError, ValueError, IndexError) as trap:
            self.trap = trap
            raise InstanceError("the engine's instance trapped") from trap
        error = answer.get("error")
        if isinstance(error, dict):
            raise ParleyError(error["code"], error["detail"])
        return answer

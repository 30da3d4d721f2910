"""The module parley-codec.wasm under wasmtime: compiled once, instantiated for each codec and guard."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import wasmtime

from .errors import CodecError, InstanceError

#: The ABI this package speaks; see wasm/ABI.md.
ABI_VERSION = 2

#: The memory an instance may take, in bytes. A call that needs more traps.
MEMORY_LIMIT = 64 << 20

_PATH = Path(__file__).resolve().parents[3] / "wasm" / "parley-codec.wasm"


class Module:
    """A compiled codec module. It may be shared by threads; its instances may not."""

    def __init__(self, source: Path | bytes = _PATH, *, memory_limit: int = MEMORY_LIMIT) -> None:
        self._engine = wasmtime.Engine()
        self._module = wasmtime.Module(self._engine, source if isinstance(source, bytes) else source.read_bytes())
        self._memory_limit = memory_limit
        if self._module.imports:
            raise InstanceError("parley: the module has imports: it is not one of Parley's")

    @classmethod
    @cache
    def default(cls) -> Module:
        """The module of this repository. Compiling it takes some 150 ms, once."""
        return cls()

    def instantiate(self) -> Instance:
        store = wasmtime.Store(self._engine)
        store.set_limits(memory_size=self._memory_limit)
        return Instance(store, wasmtime.Instance(store, self._module, []).exports(store))


class Instance:
    """One instance: bytes in, bytes out. It is used by one thread at a time, and dead after an `InstanceError`."""

    def __init__(self, store: wasmtime.Store, exports: Mapping[str, Any]) -> None:
        self._store = store
        # The functions are looked up once; wasmtime makes an object for each look.
        self._exports: dict[str, Any] = dict(exports)
        self._memory: wasmtime.Memory = self._exports["memory"]
        self._invoke("_initialize")
        version = self._invoke("parley_abi_version")
        if version != ABI_VERSION:
            raise InstanceError(
                f"parley: the codec speaks ABI version {version}, this package version {ABI_VERSION}: "
                "use the module of the same release"
            )

    def status(self, export: str, request: bytes, *arguments: float) -> int:
        """Calls an export that answers with a number alone: a handle or a verdict."""
        status = self._call(export, request, arguments)
        self._invoke("parley_wipe")
        return status

    def answer(self, export: str, request: bytes, *arguments: float) -> bytes:
        """Calls an export that answers with bytes."""
        size = self._call(export, request, arguments)
        answer = self._read(self._output(), size)
        self._invoke("parley_wipe")
        return answer

    def _call(self, export: str, request: bytes, arguments: tuple[float, ...]) -> int:
        at = self._invoke("parley_input", len(request)) & 0xFFFF_FFFF
        try:
            self._memory.write(self._store, request, at)
        except IndexError:
            raise InstanceError("parley: the codec's input buffer is outside its memory") from None
        status: int = self._invoke(export, *arguments, len(request))
        if status < 0:
            raise self._error(-status)
        return status

    def _error(self, code: int) -> CodecError:
        """Reads the two fields that follow a failure; only their lengths tell where they end."""
        at = self._output()
        text = self._read(at + 4, self._u32(at))
        at += 4 + len(text)
        response = self._read(at + 4, self._u32(at))
        self._invoke("parley_wipe")
        return CodecError.from_module(code, text, response)

    def _output(self) -> int:
        at: int = self._invoke("parley_output") & 0xFFFF_FFFF
        return at

    def _u32(self, at: int) -> int:
        return int.from_bytes(self._read(at, 4), "little")

    def _read(self, at: int, size: int) -> bytes:
        data = bytes(self._memory.read(self._store, at, at + size))
        if len(data) < size:
            raise InstanceError("parley: the codec's answer is outside its memory")
        return data

    def _invoke(self, export: str, *arguments: float) -> Any:
        try:
            return self._exports[export](self._store, *arguments)
        except KeyError:
            raise InstanceError(f"parley: the module has no {export}: it is not one of Parley's") from None
        except (wasmtime.Trap, wasmtime.WasmtimeError) as trap:
            raise InstanceError(f"parley: the codec's instance trapped in {export}") from trap

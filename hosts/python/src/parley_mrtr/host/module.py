"""The engine's module: compiled once, and kept on disk as the native code of this machine."""

from __future__ import annotations

import hashlib
import os
import platform
import stat
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from wasmtime import Engine, Module, WasmtimeError

from parley_mrtr.host.instance import Compiled

NAME = "parley.wasm"
_DIGEST = hashlib.sha256().digest_size


def wasm() -> bytes:
    """The module, as the package has it."""
    return (Path(__file__).parent / NAME).read_bytes()


@lru_cache(maxsize=1)
def compiled() -> Compiled:
    """The module, compiled: 0.6 s the first time on a machine, and a millisecond from then on.

    The native code is kept in `PARLEY_CACHE_DIR`, or where programs of this user keep such things; an empty
    `PARLEY_CACHE_DIR` keeps none. It is used only if nobody but this user can have written it, since whoever writes
    it runs code here. Where that cannot be told, as on Windows, nothing is kept.
    """
    engine = Engine()
    binary = wasm()
    folder = _folder()
    name = hashlib.sha256(f"{version('wasmtime')} {platform.machine()} {os.name}".encode() + binary).hexdigest()
    native = _read(folder, name) if folder else None
    if native is not None:
        with suppress(WasmtimeError):
            return Compiled(engine, Module.deserialize(engine, native))
    module = Module(engine, binary)
    if folder:
        with suppress(OSError):
            _write(folder, name, bytes(module.serialize()))
    return Compiled(engine, module)


def _folder() -> Path | None:
    if not hasattr(os, "geteuid"):
        return None
    named = os.environ.get("PARLEY_CACHE_DIR")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "parley-mrtr" if os.path.isabs(base) else None


def _open(folder: Path) -> int:
    """The folder, if it is this user's alone."""
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    if _is_ours(os.fstat(at)):
        return at
    os.close(at)
    raise PermissionError(f"{folder} is not this user's alone")


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077


def _read(folder: Path, name: str) -> bytes | None:
    try:
        at = _open(folder)
    except OSError:
        return None
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
    except OSError:
        return None
    finally:
        os.close(at)
    with os.fdopen(file, "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status):
            return None
        kept = opened.read()
    digest, native = kept[:_DIGEST], kept[_DIGEST:]
    return native if hashlib.sha256(native).digest() == digest else None  # a full disk cuts files


def _write(folder: Path, name: str, native: bytes) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    at = _open(folder)
    part = f"{name}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=at)
        try:
            with os.fdopen(file, "wb") as opened:
                opened.write(hashlib.sha256(native).digest() + native)
            os.rename(part, name, src_dir_fd=at, dst_dir_fd=at)
        except OSError:
            os.unlink(part, dir_fd=at)
            raise
    finally:
        os.close(at)

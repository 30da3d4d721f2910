"""What lives in an instance, and in a new one after a trap."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from .errors import InstanceError
from .module import Instance, Module

_T = TypeVar("_T")


class Handle:
    """A codec or guard with an instance of its own. It is safe for threads: they take turns.

    After a trap nothing in the instance can be trusted, so it is dropped, and the next call makes the same codec or
    guard again in a new one. For that the keys stay here until `close`; Python cannot wipe them, nor what passes
    through.
    """

    def __init__(self, module: Module | None, export: str, request: bytes) -> None:
        self._module = module or Module.default()
        self._export = export
        self._request: bytes | None = request
        self._lock = Lock()
        self._living: tuple[Instance, int] | None = None
        self._run(lambda _instance, _handle: None)  # what is wrong with the options shows now

    def call(self, export: str, request: bytes, *arguments: float) -> bytes:
        """Calls an export that takes the handle first, then the arguments and the size of the request."""
        return self._run(lambda instance, handle: instance.answer(export, request, handle, *arguments))

    def ask(self, export: str, request: bytes) -> bytes:
        """Calls an export that takes no handle."""
        return self._run(lambda instance, _handle: instance.answer(export, request))

    def status(self, export: str, request: bytes) -> int:
        """Calls an export that takes no handle and answers with a number."""
        return self._run(lambda instance, _handle: instance.status(export, request))

    def replace(self, request: bytes) -> None:
        """Makes a codec or guard of another request, in another instance, and goes on with that. Calls meanwhile are
        served by the one before, which stays if the request is refused."""
        instance = self._module.instantiate()
        living = instance, instance.status(self._export, request)
        with self._lock:
            if self._request is None:
                raise InstanceError("parley: the codec or guard is closed")
            self._request, self._living = request, living

    def close(self) -> None:
        """Drops the instance, and with it the keys it holds."""
        with self._lock:
            self._living = self._request = None

    def _run(self, use: Callable[[Instance, int], _T]) -> _T:
        with self._lock:
            if self._request is None:
                raise InstanceError("parley: the codec or guard is closed")
            if self._living is None:
                instance = self._module.instantiate()
                self._living = instance, instance.status(self._export, self._request)
            try:
                return use(*self._living)
            except InstanceError:
                self._living = None
                raise

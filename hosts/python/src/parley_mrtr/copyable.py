"""Exceptions that survive pickle, copy and deepcopy, as worker pools need them."""

from __future__ import annotations

from typing import Any


class CopyableError(Exception):
    """An exception whose copies have all of its attributes, whatever its constructor takes. As for every exception, a copy
    has no `__cause__`."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args), self.__dict__


def _rebuild(cls: type[CopyableError], args: tuple[Any, ...]) -> CopyableError:
    return cls.__new__(cls, *args)  # which sets args; the attributes follow

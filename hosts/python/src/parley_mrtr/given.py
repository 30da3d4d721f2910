"""Checks of arguments when they are given. Errors name types, never values: a value may be a secret."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def check(fits: bool, needs: str, value: object) -> None:
    """TypeError unless it `fits`. `needs` is the sentence up to ", not": "Guard: audience must be a str"."""
    if not fits:
        raise TypeError(f"{needs}, not {kind(value)}")


def kind(value: object) -> str:
    """A value's type, as a sentence names it."""
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def has(value: object, *methods: str) -> bool:
    """Whether this is an object, not its class, with these methods."""
    return not isinstance(value, type) and all(callable(getattr(value, method, None)) for method in methods)


def names(value: Any, what: str) -> frozenset[str]:
    """A collection of names. A str would be one of its letters."""
    needs = f'{what} must be a collection of names, such as ["pay"]'
    check(isinstance(value, Collection) and not isinstance(value, str | bytes), needs, value)
    found: list[Any] = list(value)
    for name in found:
        check(isinstance(name, str), f"{needs}: each name is a str", name)
    return frozenset(found)

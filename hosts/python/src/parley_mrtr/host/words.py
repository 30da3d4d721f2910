"""Words for a person."""

from __future__ import annotations

_MOST_SAID = 300  # characters of a server's words that an error repeats


def quoted(text: str) -> str:
    """A server's text on one line, with what a terminal would obey spelled out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:_MOST_SAID])


def sized(size: int) -> str:
    """A number of bytes, as a person would say it."""
    for unit, name in (1 << 20, "MiB"), (1 << 10, "KiB"):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} bytes"

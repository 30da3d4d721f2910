"""Scripts of hosts/testdata/drivers, and how they are played; internal/testkit/drivertest says how they read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol


class Script:
    def __init__(self, path: Path) -> None:
        text = path.read_text()
        header = re.match(r"(#.*\n)*", text)
        assert header and header[0], f"{path.name}: the first line must say with # what the script shows"
        self.needs = re.findall(r"^# needs: (.+)$", header[0], re.MULTILINE)
        self.blocks = []
        for block in text[header.end() :].strip("\n").split("\n\n"):
            does, _, calls = block.partition("\n----")
            self.blocks.append((does.strip().split("\n"), calls.strip()))


class Impossible(Exception):
    """What cannot happen: a fault of the script."""


class Playing(Protocol):
    """Where a script is played: a Stage, or one in another process."""

    @property
    def open(self) -> bool: ...
    def do(self, line: str) -> list[str]: ...
    def end(self) -> list[str]: ...


def play(script: Script, stage: Playing) -> None:
    """Plays one script. It fails where something else was called than stands there."""
    try:
        for number, (does, want) in enumerate(script.blocks):
            calls: list[str] = []
            for line in does:
                if line.startswith("until ") and any(f"{call} ".startswith(f"{line[6:]} ") for call in calls):
                    continue  # the time has passed already
                calls += stage.do(line)
            got = "\n".join(calls) or "nothing"
            assert got == want, f"block {number + 1}, {does}\n got {got[:3000]}\nwant {want[:3000]}"
        assert not stage.open, "the script is over, and a call is not"
    finally:
        late = stage.end()
    assert not late, f"after the end it calls {late}"

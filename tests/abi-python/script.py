"""The files of the corpora: blocks of a call, ---- and the answer."""

import re
from pathlib import Path
from typing import NamedTuple

from module import ROOT

_REPEAT = re.compile(rb"@repeat\((..?),(\d+)\)")


class Block(NamedTuple):
    call: bytes
    answer: bytes


def paths(corpus: str) -> list[Path]:
    found = sorted((ROOT / "engine" / "testdata" / corpus).glob("*.txt"))
    assert found, f"no scripts in {corpus}"
    return found


def blocks(path: Path) -> list[Block]:
    text = _REPEAT.sub(lambda m: m[1] * int(m[2]), path.read_bytes())
    lines = [line for line in text.split(b"\n") if not line.startswith(b"#")]
    found = []
    for block in b"\n".join(lines).strip(b"\n").split(b"\n\n"):
        call, line, answer = block.strip(b"\n").split(b"\n")
        assert line == b"----", f"{path.name}: {line!r} in place of ----"
        found.append(Block(call, answer))
    return found

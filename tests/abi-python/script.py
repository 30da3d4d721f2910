"""The files of the corpora: blocks of a call, ---- and the answer."""

import re
from pathlib import Path
from typing import NamedTuple

import frame
from module import ROOT

_TOKEN = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"(:?)|[\[\]{}]')
_REPEAT = re.compile(rb"@repeat\((..?),(\d+)\)")


class Block(NamedTuple):
    call: bytes
    answer: bytes


def paths(corpus: str) -> list[Path]:
    found = sorted((ROOT / "engine" / "testdata" / corpus).glob("*.txt"))
    assert found, f"no scripts in {corpus}"
    return found


def read(path: Path) -> list[Block]:
    """A script, in the notation."""
    return [
        Block(_repeated(_unfolded(call, frame.RAW_IN_REQUESTS)), _repeated(_unfolded(answer, frame.RAW_IN_ANSWERS)))
        for call, answer in blocks(path)
    ]


def blocks(path: Path) -> list[Block]:
    """Any file, as it stands."""
    lines = [line for line in path.read_bytes().split(b"\n") if not line.startswith(b"#")]
    found = []
    for block in b"\n".join(lines).strip(b"\n").split(b"\n\n"):
        call, line, answer = block.strip(b"\n").split(b"\n")
        assert line == b"----", f"{path.name}: {line!r} in place of ----"
        found.append(Block(call, answer))
    return found


def _unfolded(line: bytes, raw: frozenset[bytes]) -> bytes:
    """A line in the notation: a raw member that is an object or an array stands for the string that holds its text."""
    if line.startswith(b'{"error":'):
        return line
    out, done = b"", 0
    tokens = _TOKEN.finditer(line)
    for token in tokens:
        at = token.end()
        if not token[2] or token[1] not in raw or line[at : at + 1] not in (b"{", b"["):
            continue
        depth = 0
        for inner in tokens:
            depth += (inner[0] in b"{[") - (inner[0] in b"]}")
            if depth == 0:
                out += line[done:at] + frame.escape(line[at : inner.end()])
                done = inner.end()
                break
    return out + line[done:]


def _repeated(text: bytes) -> bytes:
    return _REPEAT.sub(lambda m: m[1] * int(m[2]), text)

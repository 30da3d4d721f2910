"""The module is the repository's, and what is kept of it is nobody else's."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from wasmtime import Module

from parley_mrtr.host import module

WASM = Path(__file__).parents[4] / "wasm"


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], int]:
    """Loads a module, and says how often one has been compiled."""
    compiled: list[object] = []
    monkeypatch.setenv("PARLEY_CACHE_DIR", str(tmp_path / "cache"))

    class Counted(Module):
        def __init__(self, *arguments: object) -> None:
            compiled.append(arguments)
            super().__init__(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "Module", Counted)
    monkeypatch.setattr(module, "wasm", lambda: b"\0asm\1\0\0\0")  # what is in it makes no difference

    def load() -> int:
        module.compiled.__wrapped__()
        return len(compiled)

    return load


def test_it_is_the_repositorys() -> None:
    entry = json.loads((WASM / "manifest.json").read_text())["artifacts"][module.NAME]
    assert hashlib.sha256(module.wasm()).hexdigest() == entry["sha256"]


def test_it_is_compiled_once(compiles: Callable[[], int], tmp_path: Path) -> None:
    assert compiles() == 1
    assert compiles() == 1
    (kept,) = (tmp_path / "cache").iterdir()
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def change(kept: Path) -> None:
    *rest, last = kept.read_bytes()
    kept.write_bytes(bytes((*rest, last ^ 1)))


def cut(kept: Path) -> None:
    os.truncate(kept, 1000)


def link(kept: Path) -> None:
    kept.rename(kept.with_name("other"))
    kept.symlink_to("other")


def open_up(kept: Path) -> None:
    kept.chmod(0o644)


def open_folder(kept: Path) -> None:
    kept.parent.chmod(0o770)


@pytest.mark.parametrize("damage", [change, cut, link, open_up, open_folder])
def test_what_others_may_have_written_is_not_run(
    damage: Callable[[Path], None], compiles: Callable[[], int], tmp_path: Path
) -> None:
    compiles()
    (kept,) = (tmp_path / "cache").iterdir()
    damage(kept)
    assert compiles() == 2


def test_nothing_is_kept_where_it_may_not_be(
    compiles: Callable[[], int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARLEY_CACHE_DIR", "")
    assert (compiles(), compiles()) == (1, 2)
    monkeypatch.setenv("PARLEY_CACHE_DIR", "/proc/none")
    assert compiles() == 3
    assert list(tmp_path.iterdir()) == []

"""The corpus of drivers: what is called must be the very lines of the scripts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from wasmtime import Engine, Module, Trap

from host.drivers import Script, Stage
from parley_mrtr.host import instance, module

ROOT = Path(__file__).parents[4]
SCRIPTS = sorted((ROOT / "hosts/testdata/drivers").glob("*.txt"))
PAGE = 1 << 16


@pytest.fixture(scope="module")
def small() -> instance.Compiled:
    """An engine with so little memory that a large message traps it."""
    engine = Engine()
    return instance.Compiled(engine, Module.from_file(engine, str(ROOT / "wasm" / module.NAME)), 40 * PAGE)


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 111


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path, small: instance.Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(path)
    trapping: set[str] = set()
    call = instance.Instance.call

    def trap(self: instance.Instance, export: str, *arguments: float) -> int:
        if export in trapping:
            trapping.discard(export)
            raise Trap("unreachable")
        return call(self, export, *arguments)

    monkeypatch.setattr(instance.Instance, "call", trap)

    async def play() -> None:
        stage = Stage(small if "instance" in script.needs else module.compiled(), trapping.add)
        await stage.play(script)
        assert [session._router.live for session in stage.live] == [0] * len(stage.live)

    asyncio.run(play())

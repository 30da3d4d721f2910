"""The corpus of drivers: what is called must be the very lines of the scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.driver_script import Script, play
from host.drivers import Stage, Trapping, small
from parley_mrtr.host import module
from parley_mrtr.host.instance import Compiled

ROOT = Path(__file__).parents[4]
SCRIPTS = sorted((ROOT / "hosts/testdata/drivers").glob("*.txt"))


@pytest.fixture(scope="module")
def limited() -> Compiled:
    return small()


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 111


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path, limited: Compiled) -> None:
    script = Script(path)
    with Trapping() as trapping:
        play(script, Stage(limited if "instance" in script.needs else module.compiled(), trapping))

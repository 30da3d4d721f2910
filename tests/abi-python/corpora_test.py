"""Every script of flows and sessions, as it is, parked and sliced."""

from collections.abc import Callable

import pytest

import player
import script
from module import Guest


@pytest.mark.parametrize("way", [player.plain, player.parked, player.sliced])
def test_flows(guest: Guest, way: Callable[..., None]) -> None:
    play_all(player.FlowPlayer(guest), way, "flows")


@pytest.mark.parametrize("guest", ["parley.wasm", "testdata/flow.wasm"], indirect=True)
@pytest.mark.parametrize("way", [player.plain, player.sliced])
def test_sessions(guest: Guest, way: Callable[..., None]) -> None:
    play_all(player.SessionPlayer(guest), way, "sessions")


def play_all(one: player.Player, way: Callable[..., None], corpus: str) -> None:
    failed = []
    for path in script.paths(corpus):
        try:
            way(one, script.read(path))
        except AssertionError as error:
            failed.append(f"{path.name}: {error}")
        one.close()
        if one.guest.number("parley_live") != 0:
            failed.append(f"{path.name}: something is still held")
    assert not failed, f"{len(failed)} scripts\n" + "\n".join(failed[:5])

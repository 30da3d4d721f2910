"""Two workers of the high-level server, as two processes over HTTP."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import REFUSED, Process, Start, accept, python
from parley_mrtr.codec import CONTEXT_SDK, Codec, read_key_file

FRIDAY = '{"day":"Friday"}'


@pytest.fixture(scope="module")
def workers(start: Start, key_file: Path) -> list[Process]:
    shared = python("workers.py", "--key-file", key_file)
    return start(shared, shared, python("workers.py"))


def only(requests: dict[str, Any]) -> str:
    """The key of the only question."""
    (key,) = requests
    return str(key)


def test_a_round_begun_on_one_worker_is_finished_on_the_other(workers: list[Process]) -> None:
    first, second, _ = workers
    sitting = first.call("book_table", FRIDAY)
    assert sitting.result["resultType"] == "input_required", sitting
    early = accept(only(sitting.result["inputRequests"]), {"sitting": "early"})
    seats = second.call("book_table", FRIDAY, sitting.state, early)
    (question,) = seats.result["inputRequests"].values()
    assert question["params"]["message"] == "How many seats at the early sitting on Friday?"
    done = first.call("book_table", FRIDAY, seats.state, accept(only(seats.result["inputRequests"]), {"seats": 4}))
    assert done.text == "Booked for Friday: 4 seats at the early sitting."


def test_the_state_cannot_be_read(workers: list[Process], key_file: Path) -> None:
    state = workers[0].call("book_table", FRIDAY).state
    raw = base64.urlsafe_b64decode(state + "=" * (-len(state) % 4))
    assert b"ask_sitting" not in raw and b"tools/call" not in raw
    claims = json.loads(Codec(read_key_file(key_file)).open(state, CONTEXT_SDK))
    assert (claims["m"], claims["aud"]) == ("tools/call", "parley-workers")


def test_refusals(workers: list[Process]) -> None:
    first, second, stranger = workers
    state = first.call("book_table", FRIDAY).state
    cases = {
        "other arguments": second.call("book_table", '{"day":"Monday"}', state),
        "changed": second.call("book_table", FRIDAY, state[:-1] + ("A" if state[-1] != "A" else "B")),
        "not ASCII": second.call("book_table", FRIDAY, state + "é"),
        "lone surrogate": second.call("book_table", FRIDAY, "\ud800"),
        "over the cap": second.call("book_table", FRIDAY, "A" * 16_385),
        "key of another process": stranger.call("book_table", FRIDAY, state),
    }
    for name, answer in cases.items():
        assert (answer.status, answer.error) == (400, REFUSED), name
    assert second.call("book_table", FRIDAY, state).result["resultType"] == "input_required"

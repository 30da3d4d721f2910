"""Servers that share a Guard's keys and audience, over HTTP: two of this one, and this one with Go and JavaScript."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE, REFUSED, REPO, Process, Start, accept, python
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, TextContent
from parley_mrtr.codec import Guard, new_key

import fleet

OSLO = '{"location":"Oslo"}'
RESOLVE = '{"id":4711,"state":"Resolved"}'
METRIC = accept("units", {"units": "metric"})


@pytest.fixture(scope="module")
def pair(start: Start, key_file: Path) -> list[Process]:
    return start(*[python("fleet.py", "--key-file", key_file, "--audience", "fleet")] * 2)


@pytest.fixture(scope="module")
def go_server(start: Start, key_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Process:
    if shutil.which("go") is None:
        pytest.skip("there is no go on PATH")
    program = tmp_path_factory.mktemp("go") / "go-server"
    subprocess.run(["go", "build", "-o", program, "./tests/stories/go-server"], cwd=REPO, check=True)
    (server,) = start([program, "-addr", "127.0.0.1:0", "-key-file", key_file, "-audience", "fleet"])
    return server


@pytest.fixture(scope="module")
def js_server(start: Start, key_file: Path) -> Process:
    folder = REPO / "tests" / "stories" / "js-server"
    if not (folder / "node_modules").is_dir() or not (REPO / "hosts/js/dist/parley-codec.wasm").is_file():
        pytest.skip("tests/stories/js-server is not installed: see its README")
    (server,) = start(["node", folder / "main.js", "--port", "0", "--key-file", key_file, "--audience", "fleet"])
    return server


@pytest.fixture(params=["go", "js"])
def other(request: pytest.FixtureRequest) -> Process:
    server: Process = request.getfixturevalue(f"{request.param}_server")
    return server


def weather(first: Process, second: Process) -> None:
    asked = first.call("get_weather", OSLO)
    assert list(asked.result["inputRequests"]) == ["units"], asked
    assert second.call("get_weather", OSLO, asked.state, METRIC).text == "Oslo: 18 °C, light rain, wind 15 km/h."


def work_item(first: Process, second: Process) -> None:
    """Three legs, the middle one on the second server: facts of one go on in the other."""
    resolution = first.call("update_work_item", RESOLVE)
    # Answered unusably once, so that the tries of one server count in the other.
    again = second.call("update_work_item", RESOLVE, resolution.state, accept("resolution", {"resolution": "?"}))
    (question,) = again.result["inputRequests"].values()
    assert question["params"]["message"].startswith("That answer could not be used. How was work item 4711")
    chosen = accept("resolution", {"resolution": "Duplicate"})
    duplicate = first.call("update_work_item", RESOLVE, again.state, chosen)
    assert list(duplicate.result["inputRequests"]) == ["duplicate"], duplicate
    named = accept("duplicate", {"original_id": 4242, "comment": "same"})
    done = second.call("update_work_item", RESOLVE, duplicate.state, named)
    assert done.text == 'Work item 4711 is now Resolved as a duplicate of 4242. Comment: "same".'


def test_rounds_between_two_python_servers(pair: list[Process]) -> None:
    weather(*pair)
    work_item(*pair)


def test_rounds_begun_elsewhere(other: Process, pair: list[Process]) -> None:
    weather(other, pair[0])
    work_item(other, pair[0])


def test_rounds_finished_elsewhere(other: Process, pair: list[Process]) -> None:
    weather(pair[0], other)
    work_item(pair[0], other)


def test_all_ask_alike(other: Process, pair: list[Process]) -> None:
    for name, arguments in ("get_weather", OSLO), ("update_work_item", RESOLVE):
        here, there = pair[0].call(name, arguments).result, other.call(name, arguments).result
        assert here["inputRequests"] == there["inputRequests"]


def test_numbers_are_bound_as_they_were_sent(go_server: Process, pair: list[Process]) -> None:
    """2^53 and 2^53+1 are one number to a double; Python and Go tell them apart, and so does the state."""
    sent = '{"location":"Oslo","near":[9007199254740993,0.1000000000000000055511151231257827]}'
    respelled = '{ "near":[9007199254740993e0,1000000000000000055511151231257827E-34], "location":"\\u004fslo"}'
    for first, second in (pair[0], go_server), (go_server, pair[0]):
        state = first.call("get_weather", sent).state
        assert second.call("get_weather", respelled, state, METRIC).text.startswith("Oslo: 18")
        for other in sent.replace("993", "992"), sent.replace("0.1000000000000000055511151231257827", "0.1"):
            assert second.call("get_weather", other, state, METRIC).error == REFUSED


def test_refusals(pair: list[Process]) -> None:
    first, second = pair
    state = first.call("get_weather", OSLO).state
    cases = {
        "other arguments": second.call("get_weather", '{"location":"Rome"}', state, METRIC),
        "other tool": second.call("update_work_item", OSLO, state, METRIC),
        "not ASCII": second.call("get_weather", OSLO, state + "é", METRIC),
        "lone surrogate": second.call("get_weather", OSLO, "\ud800", METRIC),
        "over the cap": second.call("get_weather", OSLO, "A" * 300_000, METRIC),
        "a handler's own words": second.call("get_weather", OSLO, '{"keys":["units"],"tries":1}', METRIC),
    }
    for name, answer in cases.items():
        assert (answer.status, answer.error) == (400, REFUSED), name


def test_rotation_loses_no_round(start: Start, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.touch(0o600)
    old, new = new_key(), new_key()

    def load(text: bytes) -> None:
        keys.write_bytes(text)
        server.popen.send_signal(signal.SIGHUP)

    def key_id() -> str:
        return server.call("get_weather", OSLO).state[:6]

    keys.write_bytes(old)
    (server,) = start(python("fleet.py", "--key-file", keys))
    begun, id = server.call("get_weather", OSLO).state, key_id()
    load(new + old)
    deadline = time.monotonic() + PATIENCE
    while key_id() == id and time.monotonic() < deadline:
        time.sleep(0.01)
    assert key_id() != id, "the new key does not mint"
    assert server.call("get_weather", OSLO, begun, METRIC).text.startswith("Oslo")
    load(b"no key file")
    said = "keys not read again, the ones before stay"
    while said not in server.log.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert said in server.log.read_text()
    assert server.call("get_weather", OSLO, begun, METRIC).text.startswith("Oslo")


def test_answers_nobody_asked_for_are_not_used(pair: list[Process]) -> None:
    unproven = pair[0].call("get_weather", OSLO, answers=METRIC)
    assert unproven.result["resultType"] == "input_required"
    state = pair[0].call("update_work_item", RESOLVE).state
    ahead = pair[1].call("update_work_item", RESOLVE, state, accept("duplicate", {"original_id": 1}))
    assert list(ahead.result["inputRequests"]) == ["resolution"]


def test_the_same_question_is_put_three_times(pair: list[Process]) -> None:
    answer = pair[0].call("get_weather", OSLO)
    for n in range(2):
        answer = pair[n].call("get_weather", OSLO, answer.state, accept("units", {"units": "kelvin"}))
        assert answer.result["resultType"] == "input_required"
    answer = pair[0].call("get_weather", OSLO, answer.state, {})
    assert answer.result["isError"] and answer.text == 'No usable answer to ["units"] after asking 3 times.'


def test_no_is_an_answer(pair: list[Process]) -> None:
    for action, text in ("decline", "Oslo: 18 °C"), ("cancel", "The user cancelled: no weather for Oslo."):
        state = pair[0].call("get_weather", OSLO).state
        assert pair[1].call("get_weather", OSLO, state, {"units": {"action": action}}).text.startswith(text)


def test_without_the_capability_nothing_is_asked(pair: list[Process]) -> None:
    answer = pair[0].call("get_weather", OSLO, forms=False)
    assert (answer.status, answer.error["code"]) == (400, -32021)


def test_older_clients_are_asked_by_requests() -> None:
    answers: dict[str, dict[str, Any]] = {
        "How was work item 4711 resolved?": {"resolution": "Duplicate"},
        "Which other work item does 4711 duplicate?": {"original_id": 4242},
    }

    async def person(_context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content=answers.pop(params.message))

    async def run() -> None:
        server = fleet.make_server(Guard())
        async with Client(server, mode="legacy", elicitation_callback=person) as client:
            (block,) = (await client.call_tool("update_work_item", json.loads(RESOLVE))).content
            assert isinstance(block, TextContent)
            assert block.text == "Work item 4711 is now Resolved as a duplicate of 4242."
        async with Client(server, mode="legacy") as client:
            with pytest.raises(MCPError, match="needs a client that declares the elicitation capability"):
                await client.call_tool("update_work_item", json.loads(RESOLVE))

    asyncio.run(run())


def test_a_large_request_passes(pair: list[Process]) -> None:
    sent = f'{{"id":7,"state":"New","padding":"{"x" * 3_000_000}"}}'
    assert pair[0].call("update_work_item", sent).text == "Work item 7 is now New."


def test_the_log_says_why_and_nothing_else(pair: list[Process]) -> None:
    server = pair[0]
    state = server.call("get_weather", OSLO).state
    server.call("get_weather", '{"location":"Bergen"}', state, METRIC)
    log = server.log.read_text()
    assert "requestState refused on tools/call: codec: arguments\n" in log
    assert state not in log and "Bergen" not in log and "Oslo" not in log and "Traceback" not in log

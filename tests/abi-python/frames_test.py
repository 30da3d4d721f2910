"""Frames byte for byte, and frames that are refused and change nothing."""

from collections.abc import Iterator

import pytest

import frame
import script
from module import ROOT, Guest
from player import FlowPlayer, SessionPlayer

FRAMES = ROOT / "engine" / "testdata" / "frames"
MOST = 2**32 - 1


class State:
    """A flow, and a call of a session, in the middle of their first leg."""

    def __init__(self, guest: Guest) -> None:
        self.guest, self.flow, self.session = guest, FlowPlayer(guest), SessionPlayer(guest)
        assert self.flow.play(b'new {"method":"tools/call"}') == b"ok"
        assert self.session.play(b"session {}") == b"ok"
        assert self.session.play(b'call {"method":"tools/call"}') == b'{"call":1}'
        self.flow.play(b'0 {"type":"begin"}')
        self.session.play(b'0 {"type":"begin","call":1}')
        self.before = self.what_is()

    def what_is(self) -> list[bytes | int]:
        told = []
        for what in "snapshot", "info":
            told += [self.flow.ask(what, self.flow.handle), self.session.ask(what, self.session.handle, 1)]
        assert not any(answer.startswith(b'{"error":') for answer in told), told
        return [*told, self.guest.number("parley_live")]

    def refused(self, export: str, request: bytes) -> bytes:
        """The error that a request is answered. Nothing may have changed."""
        arguments: dict[str, tuple[float, ...]] = {
            "parley_flow_step": (self.flow.handle, 0.0),
            "parley_session_step": (self.session.handle, 0.0),
            "parley_session_call": (self.session.handle,),
            "parley_session_restore": (self.session.handle,),
        }
        answer = frame.to_notation(self.guest.tell(export, request, *arguments.get(export, ())))
        assert answer.startswith(b'{"error":'), answer
        assert self.what_is() == self.before
        return answer


@pytest.fixture
def state(guest: Guest) -> Iterator[State]:
    one = State(guest)
    yield one
    one.flow.close()
    one.session.close()


def test_requests() -> None:
    for call, answer in script.blocks(FRAMES / "requests.txt"):
        _, _, notation = call.split(b" ", 2)
        assert frame.from_notation(notation).hex() == answer.decode().replace(" ", ""), call


def test_answers() -> None:
    for call, answer in script.blocks(FRAMES / "answers.txt"):
        _, _, notation = call.split(b" ", 2)
        assert frame.to_notation(bytes.fromhex(answer.decode())) == notation


def test_refused(state: State) -> None:
    for call, answer in script.blocks(FRAMES / "refused.txt"):
        _, export, *hexadecimal = call.decode().split(" ", 2)
        assert state.refused(export, bytes.fromhex("".join(hexadecimal))) == answer, call


@pytest.mark.parametrize("export, event", [
    ("parley_flow_step", b'{"type":"response","leg":1,"body":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{}}"}'),
    ("parley_session_step", b'{"type":"message","exchange":1,"body":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{}}"}'),
])  # fmt: skip
def test_cut_anywhere(state: State, export: str, event: bytes) -> None:
    whole = frame.from_notation(event)
    blobs = 4 + int.from_bytes(whole[:4], "little")
    for size in range(len(whole)):
        says = rb"member \"body\" is not within the frame"
        if size < blobs:
            says = b"shorter than its head" if size >= 4 else b"no length"
        assert says in state.refused(export, whole[:size]), f"the first {size} bytes"


@pytest.mark.parametrize("at, size", [
    (0, MOST), (MOST, 0), (MOST, 1), (MOST, MOST), (1, MOST), (2, MOST), (MOST - 1, 4), (0, 3), (3, 0),
])  # fmt: skip
def test_span_beyond(state: State, at: int, size: int) -> None:
    head = b'"body":[%d,%d]}' % (at, size)
    for export, event in ("flow", b'{"type":"response","leg":1,'), ("session", b'{"type":"message","exchange":1,'):
        error = state.refused(f"parley_{export}_step", frame.join(event + head, b"{}"))
        assert b'"code":2' in error and rb"member \"body\" is not within the frame" in error


@pytest.mark.parametrize("head, says", [
    (b'{"type":"response","leg":1,"body":[0,2],"bodi":[0,2]}', rb"member \"bodi\" is not known here"),
    (b'{"type":"response","leg":1,"body":[0,2],"leg":1}', rb"member \"leg\" is there twice"),
    (b'{"type":"response","leg":1,"body":[0,2],"body":[0,2]}', rb"member \"body\" is there twice"),
    (b'{"type":"response","leg":"1","body":[0,2]}', rb"member \"leg\" is not an integer"),
    (b'{"type":"response","leg":1,"body":"{}"}', rb"member \"body\" is not a span"),
    (b'{"type":"response","leg":1,"body":[0,2.0]}', rb"member \"body\" is not a span"),
    (b'{"type":"response","leg":1}', rb"member \"body\" is missing"),
])  # fmt: skip
def test_wrong_member(state: State, head: bytes, says: bytes) -> None:
    error = state.refused("parley_flow_step", frame.join(head, b"{}"))
    assert b'"code":2' in error and says in error


@pytest.mark.parametrize("head, blobs", [
    (b'{"type":"answer","ask":1,"raw":[0,20]}', b'{"action":"decline"}'),
    (b' \n{"raw":[ 3 , 20 ],"ask":1,"type":"answer"}\t', b'gap{"action":"decline"}rest'),
])  # fmt: skip
def test_any_order(guest: Guest, head: bytes, blobs: bytes) -> None:
    flow = FlowPlayer(guest)
    flow.play(b'new {"method":"tools/call","options":{"can":{"form":true}}}')
    flow.play(b'0 {"type":"begin"}')
    question = b'{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}'
    result = b'{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":%b}}}' % question
    flow.play(b'0 {"type":"response","leg":1,"body":%b}' % frame.escape(result))
    answer = frame.to_notation(guest.tell("parley_flow_step", frame.join(head, blobs), flow.handle, 0.0))
    assert answer.startswith(b'{"actions":[{"type":"send","leg":2,'), answer
    flow.close()


def test_room_exceeded(state: State) -> None:
    state.guest.number("parley_input", 10)
    answer = frame.to_notation(state.guest.ask("parley_flow_step", state.flow.handle, 0.0, 2**31 - 1))
    assert b"the frame has no length" in answer and state.what_is() == state.before

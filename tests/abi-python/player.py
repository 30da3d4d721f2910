"""Performs the calls of scripts: engine/testdata/README.md."""

import json
import re
from typing import Any

import frame
from module import Guest
from script import Block

_BODY = re.compile(
    rb'\{"type":"(part|response|message)"((?:,"(?:leg|exchange)":\d+)?)(?:,"status":\d+)?,"body":"((?:[^"\\]|\\.)*)"'
)
_WHERE = re.compile(rb'(\{"type":"done",)"from":(\d+),"to":(\d+)')
_NOTHING = b'{"actions":[]}'


class Player:
    """Plays one script on what the instance holds. Close it at the script's end."""

    exports: str  # how their names begin

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.handle = 0

    def play(self, call: bytes) -> bytes:
        """Performs a call, such as `250 {"type":"tick"}`. The answer is in the notation."""
        verb, _, rest = call.partition(b" ")
        return self.step(float(verb), rest) if verb.isdigit() else getattr(self, verb.decode())(rest)

    def step(self, now: float, event: bytes) -> bytes:
        return self.tell("step", event, self.handle, now)

    def make(self, export: str, request: bytes) -> bytes:
        """Calls an export that answers a handle. It replaces the one at hand, if all is well."""
        answer = self.tell(export, request)
        made = json.loads(answer)
        if "error" in made:
            return answer
        self.close()
        (self.handle,) = made.values()
        return b"ok"

    def tell(self, export: str, request: bytes, *arguments: float) -> bytes:
        return frame.to_notation(self.guest.tell(self.exports + export, frame.from_notation(request), *arguments))

    def ask(self, export: str, *arguments: float) -> bytes:
        return frame.to_notation(self.guest.ask(self.exports + export, *arguments))

    def close(self) -> None:
        self.guest.number(self.exports + "free", self.handle)
        self.handle = 0


class FlowPlayer(Player):
    exports = "parley_flow_"

    def new(self, request: bytes) -> bytes:
        self.close()
        self.labels = _labels(json.loads(request).get("options", {}))
        return self.make("new", request)

    def load(self, request: bytes) -> bytes:
        self.labels = _labels(json.loads(request))
        return self.make("restore", request)

    def snapshot(self, _: bytes = b"") -> bytes:
        return self.ask("snapshot", self.handle)

    def restore(self, members: bytes) -> bytes:
        snapshot = self.snapshot()
        assert snapshot.startswith(b'{"snapshot":'), snapshot
        return self.make("restore", snapshot[:-1] + (b"," if members != b"{}" else b"") + members[1:])

    def park(self) -> None:
        """Goes on from a snapshot, as a host that was stopped and started."""
        answer = self.restore(json.dumps(self.labels).encode())
        assert answer == b"ok", answer


class SessionPlayer(Player):
    exports = "parley_session_"

    def session(self, request: bytes) -> bytes:
        self.close()
        return self.make("new", request)

    def call(self, request: bytes) -> bytes:
        return self.tell("call", request, self.handle)

    def restore(self, request: bytes) -> bytes:
        return self.tell("restore", request, self.handle)

    def snapshot(self, call: bytes) -> bytes:
        return self.ask("snapshot", self.handle, int(call))

    def drop(self, call: bytes) -> bytes:
        self.guest.number("parley_session_drop", self.handle, int(call))
        return b"ok"


def plain(player: Player, blocks: list[Block]) -> None:
    for block in blocks:
        _compare(block, player.play(block.call))


def parked(player: FlowPlayer, blocks: list[Block]) -> None:
    """With a snapshot taken and restored before each step, but not while one is to be kept: what waits for that is in
    none."""
    after_part = saving = False
    for block in blocks:
        time, _, event = block.call.partition(b" ")
        begins = event.startswith(b'{"type":"begin"')
        if time.isdigit() and not after_part and not saving and not begins:
            player.park()
        _compare(block, player.play(block.call))
        after_part = event.startswith(b'{"type":"part"')
        if not time.isdigit():
            saving = saving and time == b"snapshot"
        elif b'{"type":"save"}' in block.answer:
            saving = True
        elif not block.answer.startswith(b'{"error"'):
            ends = any(b'{"type":"%b"' % end in block.answer for end in (b"done", b"parked", b"failed"))
            saving = saving and not begins and not ends and not event.startswith(b'{"type":"saved"')


def sliced(player: Player, blocks: list[Block]) -> None:
    """With each body in three slices, but for those the script has cut itself."""
    before = 0.0  # the time of the step before; a session is given its slices at 0
    cut: set[bytes] = set()  # the legs or exchanges that the script cuts
    for block in blocks:
        time, _, event = block.call.partition(b" ")
        found = _BODY.match(event) if time.isdigit() else None
        if found and (found[1] == b"part" or found[2] in cut):
            (cut.add if found[1] == b"part" else cut.discard)(found[2])
            found = None
        _compare(block, _play_sliced(player, block.call, found, before) if found else player.play(block.call))
        if time.isdigit() and isinstance(player, FlowPlayer):
            before = float(time)


def _play_sliced(player: Player, call: bytes, body: re.Match[bytes], before: float) -> bytes:
    whole = frame.unescape(body[3])
    first, second = len(whole) // 3, len(whole) * 2 // 3
    waits, refused = b"", False
    for piece in whole[:first], whole[first:second]:
        answer = player.step(before, b'{"type":"part"%b,"body":%b}' % (body[2], frame.escape(piece)))
        refused = answer.startswith(b'{"error":')
        if not refused and answer != _NOTHING:
            assert answer.startswith(b'{"actions":[{"type":"wait","until":'), answer
            waits = answer[len(b'{"actions":[') : -len(b"]}")]
    event = len(call) - len(body.string)
    last = call[: event + body.start(3) - 1] + frame.escape(whole[second:]) + call[event + body.end() :]
    answer = player.play(last)
    assert not refused or answer.startswith(b'{"error":'), answer
    answer = _WHERE.sub(lambda m: m[1] + b'"result":' + frame.escape(whole[int(m[2]) : int(m[3])]), answer)
    if waits:
        answer = answer[:-2] + (b"" if answer == _NOTHING else b",") + waits + b"]}"
    return answer


def _labels(members: dict[str, Any]) -> dict[str, Any]:
    """What a snapshot of the flow must be restored with."""
    names = ("peer", "principal", "can") if "anyForm" in str(members.get("can")) else ("peer", "principal")
    return {name: members[name] for name in names if name in members}


def _compare(block: Block, got: bytes) -> None:
    assert got == block.answer, f"{block.call[:2000]!r}\n got {got[:4000]!r}\nwant {block.answer[:4000]!r}"

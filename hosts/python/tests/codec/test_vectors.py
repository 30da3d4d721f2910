"""Replays codec/testdata/vectors; their format is described in the README there."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checkout import REPO
from parley_mrtr.codec import Box, Codec, CodecError, Exchange, Guard, Question, principal
from parley_mrtr.codec.canonical import canonical

VECTORS = sorted((REPO / "codec" / "testdata" / "vectors").glob("*.txt"))


def calls(path: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    lines = iter(path.read_text().split("\n"))
    for line in lines:
        if line and not line.startswith("#"):
            verb, _, arguments = line.partition(" ")
            assert next(lines) == "----", f"{verb} without an answer"
            yield verb, json.loads(arguments), next(lines)


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vector(path: Path) -> None:
    script, count = Script(), 0
    for verb, arguments, want in calls(path):
        got = script.run(verb, arguments)
        assert got == want, f"{verb} {arguments}"
        count += 1
    assert count > 0, "a vector without a call"


class Store:
    def __init__(self) -> None:
        self.ids: set[bytes] = set()
        self.noted: dict[str, Any] = {}
        self.broken = False

    def consume(self, id: bytes, expires: int) -> bool:
        if self.broken:
            raise RuntimeError("broken")
        self.noted = {"consume": id.hex(), "expires": expires}
        first = id not in self.ids
        self.ids.add(id)
        return first


class Script:
    """What the calls of a vector share."""

    codec: Codec
    guard: Guard
    box: Box

    def __init__(self) -> None:
        self.exchange: Exchange | None = None
        self.store = Store()
        self.random = b""
        self.now = 0
        self.token = ""

    def run(self, verb: str, a: dict[str, Any]) -> str:
        self.random = bytes.fromhex(a.get("Random", ""))
        method: Callable[[dict[str, Any]], dict[str, Any]] = getattr(self, verb.replace("-", "_") + "_")
        try:
            answer = method(a)
        except CodecError as error:
            answer = {"error": int(error.code), "text": str(error)}
            if verb in ("inbound", "outbound"):
                answer["client"] = error.response
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")

    def entropy(self, size: int) -> bytes:
        """The bytes of the call: a guard's salt of 8, and then the codec's."""
        drawn, self.random = self.random[:size], self.random[size:]
        return drawn

    def codec_(self, a: dict[str, Any]) -> dict[str, Any]:
        self.codec = Codec(a["Keys"].encode(), max_token=a.get("MaxToken", 0), entropy=self.entropy)
        return {}

    def seal_(self, a: dict[str, Any]) -> dict[str, Any]:
        self.token = self.codec.seal(plaintext(a), a["Context"].encode())
        return {"token": short(self.token)}

    def open_(self, a: dict[str, Any]) -> dict[str, Any]:
        token = self.token if a["Token"] == "@last" else a["Token"]
        return shown(self.codec.open(token, a["Context"].encode()))

    def mutate_(self, a: dict[str, Any]) -> dict[str, Any]:
        fate = Counter[str]()
        for at, character in enumerate(self.token):
            changed = self.token[:at] + ("A" if character == "B" else "B") + self.token[at + 1 :]
            fate.update([self.opened(changed, a), self.opened(self.token[:at], a)])
        return dict(sorted(fate.items()))

    def insert_(self, a: dict[str, Any]) -> dict[str, Any]:
        places = {"start": 0, "middle": len(self.token) // 2, "end": len(self.token)}
        return {name: self.opened(self.token[:at] + a["Insert"] + self.token[at:], a) for name, at in places.items()}

    def opened(self, token: str, a: dict[str, Any]) -> str:
        try:
            self.codec.open(token, a["Context"].encode())
        except CodecError as error:
            return error.code.reason
        return "opened"

    def box_(self, a: dict[str, Any]) -> dict[str, Any]:
        self.box = Box(a["Keys"].encode())
        return {}

    def box_seal_(self, a: dict[str, Any]) -> dict[str, Any]:
        return {"box": self.box.seal(plaintext(a), a["Context"].encode()).hex()}

    def box_open_(self, a: dict[str, Any]) -> dict[str, Any]:
        return shown(self.box.open(bytes.fromhex(a["Box"]), a["Context"].encode()))

    def guard_(self, a: dict[str, Any]) -> dict[str, Any]:
        self.guard = Guard(
            a["Keys"].encode(),
            audience=a.get("Audience", ""),
            process_local=a.get("ProcessLocal", False),
            ttl=a.get("TTL", 0),
            max_flow_age=a.get("MaxFlowAge", 0),
            max_rounds=a.get("MaxRounds", 0),
            max_token=a.get("MaxToken", 0),
            require_state=a.get("RequireState", False),
            single_use=a.get("SingleUse", ()),
            replay=self.store,
            entropy=self.entropy,
            now=lambda: self.now,
        )
        return {}

    def break_store_(self, _a: dict[str, Any]) -> dict[str, Any]:
        self.store.broken = True
        return {}

    def inbound_(self, a: dict[str, Any]) -> dict[str, Any]:
        self.now, self.store.noted = a["Now"], {}
        params = a["Params"].replace("@state", self.token)
        self.exchange = None
        opened, self.exchange = self.guard.inbound(a["Method"], params, a.get("Principal"))
        answer: dict[str, Any] = {"params": None if opened == params else opened}
        if self.exchange is None:
            answer["guarded"] = False
        return answer | self.store.noted

    def outbound_(self, a: dict[str, Any]) -> dict[str, Any]:
        self.now = a["Now"]
        sealed = self.guard.outbound(self.exchange, a["Result"])
        if sealed == a["Result"]:
            return {"result": None}
        self.token = json.loads(sealed)["requestState"]
        return {"result": sealed}

    def verdict_(self, a: dict[str, Any]) -> dict[str, Any]:
        assert self.exchange is not None
        verdict = self.exchange.verdict(Question(a["Key"], a["Method"], a.get("Params")))
        return {"verdict": verdict.name.lower()}

    def question_(self, a: dict[str, Any]) -> dict[str, Any]:
        return {"digest": Question(a["Key"], a["Method"], a.get("Params")).digest().hex()}

    def principal_(self, a: dict[str, Any]) -> dict[str, Any]:
        return {"principal": principal(a.get("Client"), a.get("Issuer"), a.get("Subject"))}

    def canonical_(self, a: dict[str, Any]) -> dict[str, Any]:
        form = canonical(a["JSON"])
        return {"canonical": None if form is None else form.decode()}


def plaintext(a: dict[str, Any]) -> bytes:
    if "Hex" in a:
        return bytes.fromhex(a["Hex"])
    return b"x" * a["Repeat"] if "Repeat" in a else str(a["Plaintext"]).encode()


def shown(data: bytes) -> dict[str, Any]:
    if all(0x20 <= byte <= 0x7E for byte in data):
        return {"plaintext": short(data.decode())}
    return {"hex": data.hex()}


def short(text: str) -> str:
    if len(text) <= 2000:
        return text
    return f"{len(text)} characters, sha256 {hashlib.sha256(text.encode()).hexdigest()}"


def test_there_are_vectors() -> None:
    assert VECTORS

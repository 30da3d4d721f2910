from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import wasmtime
from conftest import KEY

from parley_codec import CONTEXT_SDK, Code, Codec, CodecError, Guard, InstanceError, Module, new_key, read_key_file
from parley_codec.module import Instance


def test_round_trip() -> None:
    keys = new_key()
    codec, other = Codec(keys), Codec(keys)
    for plaintext in b"", b"\x00\xff", b"state " * 1000:
        token = codec.seal(plaintext, CONTEXT_SDK)
        assert other.open(token, CONTEXT_SDK) == plaintext
        assert re.fullmatch(r"[A-Za-z0-9_-]+", token)


def test_refusals() -> None:
    codec = Codec(KEY)
    token = codec.seal(b"step 1", CONTEXT_SDK)
    mallory = Codec(new_key()).seal(b"step 1", CONTEXT_SDK)
    cases: dict[str, tuple[str, bytes, Code]] = {
        "other context": (token, b"parley-guard/1", Code.FORGED),
        "other key": (mallory, CONTEXT_SDK, Code.UNKNOWN_KEY),
        "changed": (token[:40] + ("A" if token[40] != "A" else "B") + token[41:], CONTEXT_SDK, Code.FORGED),
        "cut": (token[:-4], CONTEXT_SDK, Code.FORGED),
        "empty": ("", CONTEXT_SDK, Code.MALFORMED),
        "not ASCII": (token + "é", CONTEXT_SDK, Code.MALFORMED),
        "lone surrogate": (token + "\ud800", CONTEXT_SDK, Code.MALFORMED),
        "NUL": (token + "\x00", CONTEXT_SDK, Code.MALFORMED),
        "over the cap": ("A" * 16_385, CONTEXT_SDK, Code.TOO_LARGE),
        "over every cap": ("A" * 300_000, CONTEXT_SDK, Code.TOO_LARGE),
    }
    responses = []
    for name, (text, context, code) in cases.items():
        with pytest.raises(CodecError) as caught:
            codec.open(text, context)
        assert caught.value.code is code, name
        assert str(caught.value) == f"codec: {code.reason}", name
        responses.append(caught.value.response)
    assert all(response == responses[0] for response in responses), "a client can tell them apart"


def test_the_state_must_fit() -> None:
    with pytest.raises(CodecError) as caught:
        Codec(KEY).seal(bytes(12_244), CONTEXT_SDK)
    assert caught.value.code is Code.TOO_LARGE
    assert caught.value.response == {"code": -32603, "message": "Internal error"}
    assert Codec(KEY, max_token=20_000).seal(bytes(12_244), CONTEXT_SDK)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Codec(b"# none\n"), "unusable key: the key file holds no key"),
        (lambda: Codec(KEY + b"secret-thing\n"), "unusable key: line 2 of the key file"),
        (lambda: Codec(KEY, max_token=1 << 20), "unusable options"),
        (lambda: Codec(KEY, max_token=-1), "unusable options"),
        (lambda: Guard(KEY), "unusable options: an Audience is required"),
        (lambda: Guard(KEY, audience="a", single_use=["x"]), "unusable options: single_use needs a replay store"),
    ],
)
def test_unusable_options_show_at_once(make: Callable[[], object], text: str) -> None:
    with pytest.raises(CodecError, match=text) as caught:
        make()
    assert "secret-thing" not in str(caught.value)


def test_broken_randomness_mints_nothing() -> None:
    with pytest.raises(CodecError) as caught:
        Codec(KEY, entropy=lambda size: bytes(size - 1)).seal(b"x", CONTEXT_SDK)
    assert caught.value.code is Code.NO_RANDOMNESS


def test_a_trap_costs_one_call() -> None:
    codec = Codec(KEY, module=Module(memory_limit=1 << 20))
    token = codec.seal(b"before", CONTEXT_SDK)
    with pytest.raises(InstanceError, match="trapped"):
        codec.seal(bytes(4 << 20), CONTEXT_SDK)  # more than the instance's memory
    assert codec.open(token, CONTEXT_SDK) == b"before"


def test_rotation() -> None:
    codec, old, new = Codec(KEY), KEY, new_key()
    first = codec.seal(b"1", CONTEXT_SDK)
    codec.rekey(new + old)
    second = codec.seal(b"2", CONTEXT_SDK)
    assert codec.open(first, CONTEXT_SDK) == b"1"
    for unusable in b"", new + new:
        with pytest.raises(CodecError):
            codec.rekey(unusable)
    codec.rekey(new)
    assert codec.open(second, CONTEXT_SDK) == b"2"
    with pytest.raises(CodecError) as caught:
        codec.open(first, CONTEXT_SDK)
    assert caught.value.code is Code.UNKNOWN_KEY


def test_closed() -> None:
    codec = Codec(KEY)
    codec.close()
    with pytest.raises(InstanceError, match="closed"):
        codec.seal(b"x", CONTEXT_SDK)
    with pytest.raises(InstanceError, match="closed"):
        codec.rekey(KEY)


def test_threads_take_turns() -> None:
    codec, failed = Codec(KEY), []

    def work(n: int) -> None:
        for i in range(40):
            plaintext = f"{n}-{i}".encode() * 50
            if codec.open(codec.seal(plaintext, CONTEXT_SDK), CONTEXT_SDK) != plaintext:
                failed.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_the_buffers_are_wiped() -> None:
    codec = Codec(KEY)
    plaintext = secrets.token_bytes(300)
    token = codec.seal(plaintext, CONTEXT_SDK)
    assert codec.open(token, CONTEXT_SDK) == plaintext
    living = codec._handle._living
    assert living is not None
    memory = bytes(living[0]._memory.read(living[0]._store))
    assert plaintext not in memory
    assert KEY.split()[2] not in memory


FAKE = """(module (memory (export "memory") 1) (func (export "_initialize"))
  (func (export "parley_abi_version") (result i32) i32.const {version}))"""


@pytest.mark.parametrize(
    ("wat", "text"),
    [
        (FAKE.format(version=3), "speaks ABI version 3, this package version 2: use the module of the same release"),
        ('(module (memory (export "memory") 1))', "the module has no _initialize"),
        ('(module (import "env" "now" (func)))', "the module has imports"),
    ],
)
def test_another_module_is_refused(wat: str, text: str) -> None:
    with pytest.raises(InstanceError, match=text):
        Codec(KEY, module=Module(bytes(wasmtime.wat2wasm(wat))))


def test_a_module_that_lies_is_dropped() -> None:
    wat = FAKE.format(version=2)[:-1] + '(func (export "parley_input") (param i32) (result i32) i32.const -16))'
    instance: Instance = Module(bytes(wasmtime.wat2wasm(wat))).instantiate()
    with pytest.raises(InstanceError, match="outside its memory"):
        instance.answer("parley_input", b"x" * 32)


def test_key_file(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.touch(0o600)
    path.write_bytes(KEY)
    assert read_key_file(path) == KEY
    path.chmod(0o640)
    with pytest.raises(PermissionError, match=r"can be used by others \(mode 0640\): run  chmod 600"):
        read_key_file(path)
    path.chmod(0o600)
    path.write_bytes(b"#" * 70_000)
    with pytest.raises(ValueError, match="more than 65536 bytes"):
        read_key_file(path)
    with pytest.raises(FileNotFoundError):
        read_key_file(tmp_path / "none")


def test_new_keys_differ() -> None:
    assert new_key() != new_key()

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from checkout import KEY
from parley_mrtr.codec import CONTEXT_SDK, Box, Code, Codec, CodecError, Guard, KeyRing, new_key, read_key_file


def test_round_trip() -> None:
    keys = new_key()
    codec, other = Codec(keys), Codec(keys)
    for plaintext in b"", b"\x00\xff", b"state " * 1000:
        token = codec.seal(plaintext, CONTEXT_SDK)
        assert other.open(token, CONTEXT_SDK) == plaintext
        assert re.fullmatch(r"[A-Za-z0-9_-]+", token)


def test_refusals_look_alike() -> None:
    codec = Codec(KEY)
    token = codec.seal(b"step 1", CONTEXT_SDK)
    mallory = Codec(new_key()).seal(b"step 1", CONTEXT_SDK)
    cases: dict[str, tuple[str, bytes, Code]] = {
        "other context": (token, b"parley-guard/1", Code.FORGED),
        "other key": (mallory, CONTEXT_SDK, Code.UNKNOWN_KEY),
        "cut": (token[:-4], CONTEXT_SDK, Code.FORGED),
        "empty": ("", CONTEXT_SDK, Code.MALFORMED),
        "not ASCII": (token + "é", CONTEXT_SDK, Code.MALFORMED),
        "lone surrogate": (token + "\ud800", CONTEXT_SDK, Code.MALFORMED),
        "NUL": (token + "\x00", CONTEXT_SDK, Code.MALFORMED),
        "padded": (token + "=" * (-len(token) % 4 or 4), CONTEXT_SDK, Code.MALFORMED),
        "over the cap": ("A" * 16_385, CONTEXT_SDK, Code.TOO_LARGE),
    }
    for name, (text, context, code) in cases.items():
        with pytest.raises(CodecError) as caught:
            codec.open(text, context)
        assert caught.value.code is code, name
        assert str(caught.value) == f"codec: {code.reason}", name
        assert caught.value.response == CodecError(Code.FORGED).response, "a client can tell them apart"


def test_every_byte_flipped_and_every_character_respelled() -> None:
    """Whatever is changed, nothing opens: bytes by each of their bits, characters by each other one of the alphabet."""
    codec = Codec(KEY)
    token = codec.seal(b"amount=10", CONTEXT_SDK)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    tried = 0
    for at, character in enumerate(token):
        for other in alphabet + "+/= \n\ré":
            if other == character:
                continue
            with pytest.raises(CodecError):
                codec.open(token[:at] + other + token[at + 1 :], CONTEXT_SDK)
            tried += 1
    assert tried == len(token) * (64 + 7 - 1)


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
        (lambda: Codec(KEY + KEY), "unusable key: two keys of the ring have the same id"),
        (lambda: KeyRing(), "unusable key: a key ring holds a key"),
        (lambda: Box(new_key(0x21)), "unusable key: the active key must be of suite 11"),
        (lambda: Codec(KEY, max_token=1 << 20), "unusable options"),
        (lambda: Codec(KEY, max_token=-1), "unusable options"),
        (lambda: Guard(KEY), "unusable options: an Audience is required"),
        (lambda: Guard(KEY, audience="a", ttl=float("nan")), "unusable options: TTL"),
        (lambda: Guard(KEY, audience="a", ttl=float("inf")), "unusable options: TTL"),
        (lambda: Guard(KEY, audience="a", max_flow_age=-1), "unusable options: MaxFlowAge"),
        (lambda: Guard(KEY, audience="a", single_use=["x"]), "unusable options: SingleUse needs a Replay store"),
    ],
)
def test_unusable_options_show_at_once(make: Callable[[], object], text: str) -> None:
    with pytest.raises(CodecError, match=text) as caught:
        make()
    assert "secret-thing" not in str(caught.value)


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


def test_threads_share_a_codec_that_is_rekeyed() -> None:
    first, second = new_key(), new_key()
    codec, failed = Codec(first + second), []

    def work(n: int) -> None:
        for i in range(200):
            plaintext = f"{n}-{i}".encode() * 50
            if codec.open(codec.seal(plaintext, CONTEXT_SDK), CONTEXT_SDK) != plaintext:
                failed.append(n)
            codec.rekey(second + first if i % 2 else first + second)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_nothing_shows_a_secret() -> None:
    ring = KeyRing.parse(KEY)
    assert repr(ring.active) == "<Key cb728bba of suite 11>"


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

"""Wrong arguments are refused when they are given, by their type and not their value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from checkout import KEY
from parley_mrtr.codec import (
    CONTEXT_SDK,
    Box,
    Codec,
    CodecError,
    Guard,
    Key,
    KeyRing,
    MemoryReplay,
    inspect,
    new_key,
    principal,
)
from parley_mrtr.codec.redis import RedisReplay

SECRET = "hunter2"


def guard(**options: Any) -> Guard:
    return Guard(KEY, audience="shop", **options)


codec: Any = Codec(KEY)
box: Any = Box(KEY)
whole: Any = "10"
text: Any = SECRET


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Guard(text, audience="shop"), r"read_key_file or new_key gives it\), a KeyRing or a codec, not str$"),
        (lambda: Guard(None, audience="shop"), "not NoneType$"),  # type: ignore[arg-type]
        (lambda: Guard(Codec, audience="shop"), "a codec, not the class Codec$"),  # type: ignore[arg-type]
        (lambda: Guard(object(), audience="shop"), "not object$"),  # type: ignore[arg-type]
        (lambda: Guard(KEY, audience=b"shop"), "audience must be a str, not bytes$"),  # type: ignore[arg-type]
        (lambda: guard(ttl=whole), "ttl must be a number of seconds, not str$"),
        (lambda: guard(ttl=True), "ttl must be a number of seconds, not bool$"),
        (lambda: guard(max_flow_age=whole), "max_flow_age must be a number of seconds, not str$"),
        (lambda: guard(max_rounds=1.5), "max_rounds must be a whole number, not float$"),
        (lambda: guard(max_token=whole), "max_token must be a whole number of characters, not str$"),
        (lambda: guard(single_use="pay", replay=MemoryReplay()), r'such as \["pay"\], not str$'),
        (lambda: guard(single_use=[1], replay=MemoryReplay()), "each name is a str, not int$"),
        (lambda: guard(single_use=["pay"], replay=MemoryReplay), "not the class MemoryReplay$"),
        (lambda: guard(replay={}), "such as MemoryReplay\\(\\), not dict$"),
        (lambda: guard(entropy=b"\7" * 32), "entropy must be a function that takes a number of bytes, not bytes$"),
        (lambda: guard(now=5), "now must be a function that returns Unix seconds, not int$"),
        (lambda: guard().rekey(text), "rekey: keys must be .* KeyRing, not str$"),
        (lambda: Codec(text), "Codec: keys must be .*not str$"),
        (lambda: codec.rekey(None), "rekey: keys must be .*not NoneType$"),
        (lambda: Codec(KEY, max_token=whole), "max_token must be a whole number of characters, not str$"),
        (lambda: codec.seal(SECRET, CONTEXT_SDK), "plaintext must be bytes, not str$"),
        (lambda: codec.seal(b"", SECRET), "context must be bytes, such as CONTEXT_SDK, not str$"),
        (lambda: codec.open(b"token", CONTEXT_SDK), "token must be a str, not bytes$"),
        (lambda: codec.open("token", SECRET), "context must be bytes, such as CONTEXT_SDK, not str$"),
        (lambda: Box(text), "Box: keys must be .*not str$"),
        (lambda: box.seal(SECRET, b""), "plaintext must be bytes, not str$"),
        (lambda: box.open(SECRET, b""), "box must be bytes, not str$"),
        (lambda: Key(0x11, text), "secret must be bytes, not str$"),
        (lambda: Key("11", b"k" * 32), "suite must be an int, such as 0x11, not str$"),  # type: ignore[arg-type]
        (lambda: KeyRing(KEY), "KeyRing.parse takes the text of a key file, not bytes$"),  # type: ignore[arg-type]
        (lambda: KeyRing.parse(text), "KeyRing.parse takes the text of a key file as bytes.*, not str$"),
        (lambda: new_key("11"), "suite must be an int, such as 0x11, not str$"),  # type: ignore[arg-type]
        (lambda: principal(None, None, 7), "subject must be a str, or None .*, not int$"),  # type: ignore[arg-type]
        (lambda: inspect(text), "the bytes that Codec.open returns, not str$"),
        (lambda: MemoryReplay(whole), "capacity must be a whole number of states, not str$"),
        (lambda: MemoryReplay(now=5), "now must be a function that returns Unix seconds, not int$"),  # type: ignore[arg-type]
        (lambda: RedisReplay(None), "url must be a str, such as redis://localhost:6379, not NoneType$"),  # type: ignore[arg-type]
        (lambda: RedisReplay("redis://localhost", whole), "timeout must be a number of seconds, not str$"),
    ],
)
def test_a_wrong_type(wrong: Callable[[], Any], says: str) -> None:
    with pytest.raises(TypeError, match=says) as caught:
        wrong()
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: guard(ttl=-1), "TTL"),
        (lambda: guard(ttl=float("nan")), "TTL"),
        (lambda: guard(max_flow_age=-1), "MaxFlowAge"),
        (lambda: guard(max_flow_age=float("inf")), "MaxFlowAge"),
        (lambda: guard(max_rounds=-1), "MaxRounds"),
        (lambda: guard(max_token=-1), "MaxToken"),
        (lambda: Key(0x11, b"k" * 31), "32 to 64 bytes"),
        (lambda: Key(0x12, b"k" * 32), "unknown suite"),
        (lambda: new_key(0x12), "unknown suite"),
    ],
)
def test_a_value_out_of_range(wrong: Callable[[], Any], says: str) -> None:
    with pytest.raises(CodecError, match=says):
        wrong()


def test_sizes_that_are_none() -> None:
    with pytest.raises(ValueError, match="capacity must be at least 1"):
        MemoryReplay(0)
    for timeout in 0, -1, float("nan"), float("inf"):
        with pytest.raises(ValueError, match="timeout must be more than 0"):
            RedisReplay("redis://localhost", timeout)

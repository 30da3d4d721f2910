from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from checkout import KEY
from parley_mrtr.codec import Binding, Code, Codec, CodecError, Guard, MemoryReplay, ReplayError, new_key
from parley_mrtr.codec.canonical import canonical, canonical_value

NOW = 1_800_000_000
RESULT = json.dumps(
    {
        "resultType": "input_required",
        "requestState": "step 1",
        "inputRequests": {"sure": {"method": "elicitation/create", "params": {"message": "Sure?"}}},
    }
)


class Clock:
    def __init__(self) -> None:
        self.now: float = NOW

    def __call__(self) -> float:
        return self.now


def guard(keys: bytes = KEY, **options: object) -> tuple[Guard, Clock]:
    clock = Clock()
    return Guard(keys, audience="shop", now=clock, **options), clock  # type: ignore[arg-type]


def params(**members: object) -> str:
    return json.dumps({"name": "pay", "arguments": {"amount": 10, "to": "Ada"}, **members})


def asked(of: Guard, text: str | None = None, principal: str | None = "ada", method: str = "tools/call") -> str:
    opened, exchange = of.inbound(method, text or params(), principal)
    return str(json.loads(of.outbound(exchange, RESULT))["requestState"])


def refused(of: Guard, token: str, code: Code, **changed: object) -> None:
    method, principal = changed.pop("method", "tools/call"), changed.pop("principal", "ada")
    with pytest.raises(CodecError) as caught:
        of.inbound(str(method), params(requestState=token, **changed), principal)  # type: ignore[arg-type]
    assert caught.value.code is code
    assert caught.value.response["code"] == -32602
    assert token not in str(caught.value)


def test_every_character_of_a_token() -> None:
    of, _ = guard()
    token = asked(of)
    for at, character in enumerate(token):
        for changed in (token[:at] + ("A" if character != "A" else "B") + token[at + 1 :], token[:at], token[at + 1 :]):
            with pytest.raises(CodecError) as caught:
                of.inbound("tools/call", params(requestState=changed), "ada")
            assert caught.value.response == CodecError(Code.FORGED).response
    assert json.loads(of.inbound("tools/call", params(requestState=token), "ada")[0])["requestState"] == "step 1"


def test_a_state_moved_to_another_request() -> None:
    of, _ = guard()
    token = asked(of)
    refused(of, token, Code.TARGET, name="refund")
    refused(of, token, Code.TARGET, method="prompts/get")
    refused(of, token, Code.ARGUMENTS, arguments={"amount": 11, "to": "Ada"})
    refused(of, token, Code.ARGUMENTS, arguments={"amount": "10", "to": "Ada"})
    refused(of, token, Code.ARGUMENTS, arguments=None)
    refused(of, token, Code.PRINCIPAL, principal="mallory")
    refused(of, token, Code.PRINCIPAL, principal="")
    refused(of, token, Code.PRINCIPAL, principal=None)
    other, _ = guard(new_key())
    refused(other, token, Code.UNKNOWN_KEY)
    elsewhere = Guard(KEY, audience="bank", now=Clock())
    refused(elsewhere, token, Code.TARGET)
    respelled = '{"arguments":{ "to":"\\u0041da", "amount":1.0e1 },"requestState":"%s","name":"\\u0070ay"}' % token
    assert of.inbound("tools/call", respelled, "ada")[1] is not None


@pytest.mark.parametrize(
    "members",
    [
        '"requestState":"%s","requestState":"%s"',
        '"requestState":"%s","requeststate":"x"',
        '"requestState":"%s","Arguments":{}',
        '"requestState":"%s","request\\u0053tate":"x"',
        '"requestState":["%s"]',
        '"requestState":NaN',
        '"requestState":"%s","inputResponses":{"a":1,"a":2}',
    ],
)
def test_requests_that_can_be_read_in_two_ways(members: str) -> None:
    of, _ = guard()
    text = members.replace("%s", asked(of))
    with pytest.raises(CodecError) as caught:
        of.inbound("tools/call", '{"name":"pay","arguments":{"amount":10,"to":"Ada"},%s}' % text, "ada")
    assert caught.value.code is Code.MALFORMED


@pytest.mark.parametrize("depth", [70, 5_000, 200_000])
def test_nesting_cannot_crash(depth: int) -> None:
    of, _ = guard()
    deep = "[" * depth + "]" * depth
    text = '{"name":"pay","arguments":{"x":%s}}' % deep
    try:
        token = asked(of, text)
    except CodecError as error:
        assert error.code is Code.MALFORMED
        return
    back = text[:-1] + f',"requestState":"{token}"}}'
    assert of.inbound("tools/call", back, "ada")[1] is not None
    with pytest.raises(CodecError):
        of.inbound("tools/call", back.replace("]}", " ]}"), "ada")  # bound by its bytes


def test_numbers_that_a_double_cannot_tell_apart() -> None:
    of, _ = guard()
    text = '{"name":"pay","arguments":{"amount":9007199254740993}}'
    token = asked(of, text)
    back = text[:-1] + f',"requestState":"{token}"}}'
    assert of.inbound("tools/call", back.replace("993}", "993.0}"), "ada")[1] is not None
    with pytest.raises(CodecError) as caught:
        of.inbound("tools/call", back.replace("993}", "992}"), "ada")
    assert caught.value.code is Code.ARGUMENTS


def test_second_use() -> None:
    replay = MemoryReplay(now=Clock())
    of, _ = guard(single_use=["pay"], replay=replay)
    token = asked(of)
    refused(of, token, Code.ARGUMENTS, arguments={})
    assert of.inbound("tools/call", params(requestState=token), "ada")[1] is not None  # what was refused used nothing
    refused(of, token, Code.REPLAYED)
    assert len(replay) == 1


def test_a_replay_store_that_fails_refuses() -> None:
    class Broken:
        def consume(self, id: bytes, expires: int) -> bool:
            raise OSError("no connection")

    of, _ = guard(single_use=["pay"], replay=Broken())
    refused(of, asked(of), Code.REPLAY_STORE)


def test_replay_memory() -> None:
    clock = Clock()
    store = MemoryReplay(2, now=clock)
    assert store.consume(b"1", NOW + 10)
    assert not store.consume(b"1", NOW + 10)
    assert store.consume(b"2", NOW + 20)
    with pytest.raises(ReplayError, match="full"):
        store.consume(b"3", NOW + 30)
    clock.now += 15  # the first is forgotten
    assert store.consume(b"3", NOW + 30)
    clock.now -= 15  # and refused where the clock was set back
    with pytest.raises(ReplayError, match="expired"):
        store.consume(b"1", NOW + 10)
    assert not store.consume(b"2", NOW + 20)


@pytest.mark.parametrize(
    ("later", "code"),
    [(86_399, None), (86_400, Code.EXPIRED), (-60, None), (-61, Code.NOT_YET_VALID), (-20_000_000, Code.CLOCK)],
)
def test_clocks(later: int, code: Code | None) -> None:
    of, clock = guard()
    token = asked(of)
    clock.now = NOW + later + (0.9 if code is None and later > 0 else 0)
    if code is None:
        assert of.inbound("tools/call", params(requestState=token), "ada")[1] is not None
    else:
        refused(of, token, code)


def test_a_clock_that_cannot_be_right_mints_nothing() -> None:
    of, clock = guard()
    for now in 0, 2**32, -1:
        clock.now = now
        with pytest.raises(CodecError) as caught:
            asked(of)
        assert caught.value.code is Code.CLOCK and caught.value.response["code"] == -32603


def test_answers_to_another_question() -> None:
    of, _ = guard()
    token = asked(of)
    answers = {"sure": {"action": "accept"}, "extra": {"action": "accept"}}
    opened, exchange = of.inbound("tools/call", params(requestState=token, inputResponses=answers), "ada")
    assert list(json.loads(opened)["inputResponses"]) == ["sure"]
    assert exchange is not None and list(exchange.answers) == ["sure"]


@pytest.mark.parametrize("entropy", [lambda size: bytes(size - 1), lambda size: b"", lambda size: 1 / 0])
def test_broken_randomness_mints_nothing(entropy: Callable[[int], bytes]) -> None:
    of, _ = guard(entropy=entropy)
    with pytest.raises(CodecError) as caught:
        asked(of)
    assert caught.value.code is Code.NO_RANDOMNESS and caught.value.response["code"] == -32603


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": [1, -2.5, 1e30, 1e-7, 0, -0.0, True, None, 1000, 12.5]},
        {"é": "\u2028 \x7f \x00 <&>", 'a"b\\': ["1", ":5", ',-6 "', "\\"]},
        {"\U0001f600": 1, "\ufb33": 2},
        {"n": 2**80, "deep": [[[[1]]]]},
        [{}, [], "", 7],
    ],
)
def test_what_is_decoded_has_the_form_of_its_text(value: object) -> None:
    form = canonical_value(value)
    assert form is not None and form == canonical(json.dumps(value)) == canonical(json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize("value", ["\ud800", {"a": float("nan")}, {"a": float("inf")}, {"a": object()}, {"\udfff": 1}])
def test_what_has_no_form(value: object) -> None:
    assert canonical_value(value) is None


class Failing:
    """A codec of one's own that fails."""

    def __init__(self, fault: object) -> None:
        self.fault = fault

    def seal(self, plaintext: bytes, context: bytes) -> str:
        if isinstance(self.fault, Exception):
            raise self.fault
        return self.fault  # type: ignore[return-value]

    def open(self, token: str, context: bytes) -> bytes:
        return self.seal(b"", context)  # type: ignore[return-value]


@pytest.mark.parametrize(
    "fault",
    [
        ValueError("bad padding"),
        KeyError("kid"),
        ConnectionError("the key service is away"),
        TimeoutError(),
        RuntimeError(),
        RecursionError(),
        UnicodeDecodeError("utf-8", b"x", 0, 1, "no"),
        CodecError(Code.NO_RANDOMNESS, minting=True),
        CodecError(Code.EXPIRED),
        None,
        7,
        bytearray(b"x"),
        "\ud800",
        "",
        "A" * (256 << 10 | 1),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_a_codec_of_ones_own_that_fails_tells_the_client_nothing(fault: object) -> None:
    of = Guard(Failing(fault), audience="shop", now=Clock())
    with pytest.raises(CodecError) as caught:
        of.inbound("tools/call", params(requestState="token"), "ada")
    assert caught.value.response == CodecError(Code.FORGED).response
    opened, exchange = of.inbound("tools/call", params(), "ada")
    with pytest.raises(CodecError) as caught:
        of.outbound(exchange, RESULT)
    assert caught.value.response == {"code": -32603, "message": "Internal error"}


def test_a_token_over_the_cap_gets_to_no_codec() -> None:
    class Keeps(Failing):
        def open(self, token: str, context: bytes) -> bytes:
            raise AssertionError("asked")

    of = Guard(Keeps(""), audience="shop", now=Clock())
    with pytest.raises(CodecError) as caught:
        of.inbound("tools/call", params(requestState="A" * (256 << 10 | 1)), "ada")
    assert caught.value.code is Code.TOO_LARGE


class Later:
    """An asynchronous codec."""

    def __init__(self) -> None:
        self.codec = Codec(KEY)

    async def seal(self, plaintext: bytes, context: bytes) -> str:
        await asyncio.sleep(0)
        return self.codec.seal(plaintext, context)

    async def open(self, token: str, context: bytes) -> bytes:
        await asyncio.sleep(0)
        return self.codec.open(token, context)


def test_an_asynchronous_codec() -> None:
    of, binding = Guard(Later(), audience="shop", now=Clock()), Binding("tools/call", "pay", None, None)

    async def run() -> None:
        _, exchange = await of.open_async(binding, None)
        token = await of.seal_async(exchange, "step 1", [])
        assert (await of.open_async(binding, token))[0] == "step 1"
        assert await of.seal_async(exchange, None, []) is None
        with pytest.raises(CodecError) as caught:
            await of.open_async(binding, "token")
        assert caught.value.code is Code.MALFORMED and not caught.value.minting

    asyncio.run(run())
    _, exchange = of.open(binding, None)
    for wrong in (lambda: of.open(binding, "token"), lambda: of.seal(exchange, "step 1", [])):
        with pytest.raises(CodecError, match="the Guard's codec is asynchronous"):
            wrong()


@pytest.mark.parametrize("fault", [ConnectionError("away"), CodecError(Code.EXPIRED), None, 7])
def test_an_asynchronous_codec_that_fails_tells_the_client_nothing(fault: object) -> None:
    class FailsLater(Failing):
        async def seal(self, plaintext: bytes, context: bytes) -> str:  # type: ignore[override]
            return super().seal(plaintext, context)

    of, binding = Guard(FailsLater(fault), audience="shop", now=Clock()), Binding("tools/call", "pay", None, None)

    async def run() -> None:
        with pytest.raises(CodecError) as caught:
            await of.open_async(binding, "token")
        assert caught.value.response == CodecError(Code.FORGED).response
        _, exchange = await of.open_async(binding, None)
        with pytest.raises(CodecError) as caught:
            await of.seal_async(exchange, "step 1", [])
        assert caught.value.response == {"code": -32603, "message": "Internal error"}
        if isinstance(fault, ConnectionError):
            assert caught.value.__cause__ is fault

    asyncio.run(run())


def test_a_guard_without_keys() -> None:
    one, another = Guard(now=Clock()), Guard(now=Clock())
    token = asked(one)
    assert json.loads(one.inbound("tools/call", params(requestState=token), "ada")[0])["requestState"] == "step 1"
    refused(another, token, Code.UNKNOWN_KEY)
    refused(one, token, Code.PRINCIPAL, principal="mallory")
    with_audience = Guard(audience="shop", now=Clock())
    assert with_audience.inbound("tools/call", params(requestState=asked(with_audience)), "ada")[1] is not None


def test_a_guard_without_keys_has_its_own_memory_of_used_states() -> None:
    of = Guard(single_use=["pay"], now=Clock())
    token = asked(of)
    assert of.inbound("tools/call", params(requestState=token), "ada")[1] is not None
    refused(of, token, Code.REPLAYED)

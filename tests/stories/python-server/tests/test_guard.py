from __future__ import annotations

import json

import pytest
from conftest import KEY, REFUSED

from parley_codec import Code, CodecError, Exchange, Guard, Verdict, principal

PARAMS = '{"name":"get_weather","arguments":{"location":"Oslo"}}'
QUESTION = '{"mode":"form","message":"Which units?"}'
ASKING = (
    '{"resultType":"input_required","requestState":"step 1",'
    f'"inputRequests":{{"units":{{"method":"elicitation/create","params":{QUESTION}}}}}}}'
)
NOW = 1_800_000_000


def guard(now: int = NOW, audience: str = "weather") -> Guard:
    return Guard(KEY, audience=audience, now=lambda: now)


def ask(g: Guard, who: str | None = None) -> str:
    """The token of a first round."""
    opened, exchange = g.inbound("tools/call", PARAMS, who)
    assert opened is PARAMS
    sealed = json.loads(g.outbound(exchange, ASKING))
    assert sealed["inputRequests"] == json.loads(ASKING)["inputRequests"]
    return str(sealed["requestState"])


def second(token: str, params: str = PARAMS) -> str:
    answers = '{"units":{"action":"accept"},"other":{"action":"accept"}}'
    return f'{params[:-1]},"requestState":"{token}","inputResponses":{answers}}}'


def test_a_round() -> None:
    token = ask(guard())
    assert "step" not in token
    g = guard(NOW + 30)
    opened, exchange = g.inbound("tools/call", second(token))
    params = json.loads(opened)
    assert params["requestState"] == "step 1"
    assert list(params["inputResponses"]) == ["units"], "an answer nobody asked for reached the handler"
    assert g.verdict(exchange, "units", "elicitation/create", QUESTION) is Verdict.SAME
    assert g.verdict(exchange, "units", "elicitation/create", '{"message":"Pay?"}') is Verdict.CHANGED
    assert g.verdict(exchange, "other", "elicitation/create", QUESTION) is Verdict.MISSING
    assert "step" not in repr(exchange) and "Oslo" not in repr(exchange)


def test_refusals_look_alike() -> None:
    mine = principal("app", "https://issuer", "alice")
    token, owned = ask(guard()), ask(guard(), mine)
    oslo = second(token)
    cases: dict[str, tuple[Guard, str, str | None, Code]] = {
        "too late": (guard(NOW + 600), oslo, None, Code.EXPIRED),
        "other service": (guard(audience="billing"), oslo, None, Code.TARGET),
        "other tool": (guard(), oslo.replace("get_weather", "set_weather"), None, Code.TARGET),
        "other arguments": (guard(), oslo.replace("Oslo", "Rome"), None, Code.ARGUMENTS),
        "other user": (guard(), second(owned), principal("app", "https://issuer", "mallory"), Code.PRINCIPAL),
        "no user": (guard(), second(owned), None, Code.PRINCIPAL),
        "handler's own words": (guard(), second("step"), None, Code.MALFORMED),
        "not a string": (guard(), PARAMS[:-1] + ',"requestState":7}', None, Code.MALFORMED),
        "given twice": (guard(), oslo[:-1] + ',"name":"get_weather"}', None, Code.MALFORMED),
        "lone surrogate": (guard(), PARAMS[:-1] + ',"x":"\ud800"}', None, Code.MALFORMED),
    }
    for name, (g, params, who, code) in cases.items():
        with pytest.raises(CodecError) as caught:
            g.inbound("tools/call", params, who)
        assert caught.value.code is code, name
        assert caught.value.response == REFUSED, name
    assert guard().inbound("tools/call", second(owned), mine)[1] is not None


def test_other_methods_pass() -> None:
    g = guard()
    assert g.inbound("tools/list", "{}") == ("{}", None)
    assert g.outbound(None, ASKING) is ASKING
    assert g.verdict(None, "units", "elicitation/create") is Verdict.MISSING


def test_final_results_pass() -> None:
    g = guard()
    _, exchange = g.inbound("tools/call", PARAMS)
    result = '{"content":[],"resultType":"complete"}'
    assert g.outbound(exchange, result) is result


def test_what_cannot_be_sealed_is_an_internal_error() -> None:
    g = guard()
    _, exchange = g.inbound("tools/call", PARAMS)
    for result in ASKING.replace("step 1", "\\ud800"), ASKING.replace("step 1", "\ud800"), ASKING + "}":
        with pytest.raises(CodecError) as caught:
            g.outbound(exchange, result)
        assert caught.value.code is Code.UNUSABLE_RESULT
        assert caught.value.response == {"code": -32603, "message": "Internal error"}


class Store:
    """A replay store that counts, and may fail."""

    def __init__(self) -> None:
        self.noted: dict[bytes, int] = {}
        self.full = False

    def consume(self, id: bytes, expires: int) -> bool:
        if self.full:
            raise RuntimeError("full")
        return self.noted.setdefault(id, expires) is expires and len(self.noted) == 1


def test_single_use() -> None:
    store = Store()
    g = Guard(KEY, audience="weather", single_use=["get_weather"], replay=store, now=lambda: NOW)
    token = ask(g)
    assert g.inbound("tools/call", second(token))[1] is not None
    assert list(store.noted.values()) == [NOW + 600 + 60]
    for full, code in (False, Code.REPLAYED), (True, Code.REPLAY_STORE):
        store.full = full
        with pytest.raises(CodecError) as caught:
            g.inbound("tools/call", second(token))
        assert caught.value.code is code and caught.value.response == REFUSED


def test_an_exchange_may_outlive_its_instance() -> None:
    first, other = guard(), guard()
    _, exchange = first.inbound("tools/call", PARAMS)
    assert exchange is not None
    token = json.loads(other.outbound(Exchange(exchange.data), ASKING))["requestState"]
    assert first.inbound("tools/call", second(token))[1] is not None


def test_principal_is_gos() -> None:
    # codec.Principal: a JSON array without spaces, in which only what JSON forbids is escaped.
    assert principal("app", None, 'Zoë "\x01\n\x7f</') == '["app",null,"Zoë \\"\\u0001\\n\x7f</"]'
    assert principal("\b\f", "\r\t\x1f\\", "\u2028😀") == '["\\u0008\\u000c","\\r\\t\\u001f\\\\","\u2028😀"]'
    assert principal(None, None, "") == '[null,null,""]'

"""What Python's own encoder writes, and what it would write otherwise: the vectors have the rest."""

from __future__ import annotations

import json

import pytest

from parley_mrtr.codec.canonical import canonical, canonical_value, simple
from parley_mrtr.codec.sodium import CHACHA, XCHACHA

FORMS = {
    '{"b":10,"a":[12.5,-0,100,4711]}': '{"a":[125e-1,0,1e2,4711],"b":1e1}',
    '{"a":[":10,","[1.5]","\\"",":10,","\\\\",[20],"\\n:30]"],"b":":40}"}': (
        '{"a":[":10,","[1.5]","\\"",":10,","\\\\",[2e1],"\\n:30]"],"b":":40}"}'
    ),
    "[1e5,1.10,0.10000000000000000555,9007199254740993,1E-7]": (
        "[1e5,11e-1,10000000000000000555e-20,9007199254740993,1e-7]"
    ),
    '"10,"': '"10,"',
    "100": "1e2",
    "[-0.0,1.0,1e400]": "[0,1,1e400]",
}


@pytest.mark.parametrize("text", FORMS)
def test_forms(text: str) -> None:
    assert canonical(text) == FORMS[text].encode()
    assert canonical('{"a":' + text + "}", folded=True) == b'{"a":' + FORMS[text].encode() + b"}"


@pytest.mark.parametrize("text", list(FORMS)[:2])
def test_values(text: str) -> None:
    assert canonical_value(json.loads(text)) == FORMS[text].encode()
    message = simple('{"v":' + text + "}")
    assert message is not None and canonical_value(message["v"]) == FORMS[text].encode()


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        '{"a":1,"A":2}',
        '{"s":1,"\u017f":2}',
        '{"a":1.10}',
        '{"a":"\\u0061"}',
        '{"a":NaN}',
        "[1]",
        "{}x",
    ],
)
def test_what_is_not_simple(text: str) -> None:
    assert simple(text) is None


def test_sizes_are_checked_before_libsodium_reads() -> None:
    for aead, nonce in (XCHACHA, bytes(24)), (CHACHA, bytes(12)):
        sealed = aead.seal(b"", b"", nonce, bytes(32))
        assert aead.open(sealed, b"", nonce, bytes(32)) == b""
        assert aead.open(sealed, b"x", nonce, bytes(32)) is None
        assert aead.open(sealed[:-1], b"", nonce, bytes(32)) is None
        for short in (nonce[1:], bytes(32)), (nonce, bytes(31)):
            with pytest.raises(ValueError, match="another size"):
                aead.seal(b"", b"", *short)
            with pytest.raises(ValueError, match="another size"):
                aead.open(sealed, b"", *short)

"""Forms as the engine reads them, and what a person fills in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from parley_mrtr.host import Askers, Code, Form, ParleyError, Question, accept, connect
from parley_mrtr.host.form import Field
from parley_mrtr.host.outcome import Done

from .test_interop import serving
from .test_session import Server, run

KINDS: dict[str, Any] = {
    "text": {"type": "string", "minLength": 2, "default": "hello"},
    "big": {"type": "integer", "maximum": 9223372036854775807},
    "exact": {"type": "number", "maximum": 1e300},
    "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "either": {"anyOf": [{"type": "number"}, {"type": "string"}]},
    "size": {"enum": ["1", 1, True]},
    "maybe": {"type": ["integer", "null"], "exclusiveMinimum": 0},
    "code": {"type": "string", "pattern": "^a", "contentEncoding": "base64", "not": {}},
    "shown": {"type": "string", "readOnly": True, "default": "only"},
}


def params(properties: dict[str, Any], required: list[str]) -> str:
    schema = {"type": "object", "properties": properties, "required": required, "minProperties": 1}
    return json.dumps({"message": "Fill in", "requestedSchema": schema})


def test_fields_are_what_the_engine_reads() -> None:
    form = Form(params(KINDS, ["maybe"]))
    fields: dict[str, Field] = {field["name"]: field for field in form.fields}
    assert form.message == "Fill in"
    assert form.unchecked == [{"keyword": "minProperties"}]
    assert [field["kind"] for field in form.fields] == (
        ["string", "integer", "number", "list", "union", "choice", "integer", "string", "string"]
    )
    assert [option["value"] for option in fields["size"]["options"]] == ['"1"', "1", "true"]
    assert len({option["title"] for option in fields["size"]["options"]}) == 3
    assert fields["maybe"]["nullable"] and fields["maybe"]["exclusiveMinimum"] == "0"
    assert fields["tags"]["items"]["kind"] == "string" and fields["tags"]["uniqueItems"]
    assert [one["kind"] for one in fields["either"]["alternatives"]] == ["number", "string"]
    assert fields["code"]["unchecked"] == [
        {"keyword": "pattern", "value": "^a"},
        {"keyword": "contentEncoding", "value": "base64"},
        {"keyword": "not"},
    ]
    assert fields["shown"]["readOnly"]


def test_what_was_typed_goes_out_as_it_was_typed() -> None:
    form = Form(params(KINDS, ["maybe"]))
    assert form.enter("text", "h") == "must be at least 2 characters"
    assert form.enter("text", "hé") is None
    assert form.enter("big", "9223372036854775808") == "must be at most 9223372036854775807"
    assert form.enter("big", "9223372036854775807") is None
    assert form.enter("exact", "1.50") is None
    assert form.enter("tags", "a\na") == "must not have a value twice"
    assert form.enter("tags", "a, b\nc") is None
    assert form.enter("either", "007", 1) is None
    assert form.choose("size", "1") is None
    assert form.enter("maybe", "") is None
    assert form.enter("shown", "else") is None
    assert form.accept() == (
        '{"action":"accept","content":{"text":"hé","big":9223372036854775807,"exact":1.50,'
        '"tags":["a, b","c"],"either":"007","size":1,"maybe":null}}'
    )
    assert form.enter("text", "") is None  # taken back
    assert json.loads(form.accept())["content"].keys() == {"big", "exact", "tags", "either", "size", "maybe"}


def test_a_number_of_the_schema_keeps_its_digits() -> None:
    schema = '{"type":"object","properties":{"n":{"type":"number","multipleOf":0.10000000000000000001}}}'
    form = Form(f'{{"message":"","requestedSchema":{schema}}}')
    assert form.fields[0]["multipleOf"] == "0.10000000000000000001"
    assert form.enter("n", "0.1") == "must be a multiple of 0.10000000000000000001"


@pytest.mark.parametrize(
    "params", [None, "{}", {"message": "Sure?"}, {"requestedSchema": {}}, {"requestedSchema": None}]
)
def test_no_fields_ask_for_consent(params: Any) -> None:
    form = Form(params)
    assert form.fields == []
    assert form.accept() == '{"action":"accept","content":{}}'


@pytest.mark.parametrize(
    "properties,code,why",
    [
        ({"word": {"type": "string", "format": "password"}}, Code.FORM, "word asks for a secret"),
        ({"box": {"type": "object"}}, Code.FORM, "box is an object"),
    ],
)
def test_what_cannot_be_asked(properties: Any, code: Code, why: str) -> None:
    with pytest.raises(ParleyError, match=why) as refused:
        Form({"requestedSchema": {"type": "object", "properties": properties}})
    assert refused.value.code == code


def test_params_are_an_object() -> None:
    for wrong in ("[]", b"\xff", "{", '"x"'):
        with pytest.raises(ParleyError) as refused:
            Form(wrong)
        assert refused.value.code == Code.ORDER


def asks(properties: dict[str, Any]) -> dict[str, Any]:
    question = {"method": "elicitation/create", "params": json.loads(params(properties, []))}
    return {"resultType": "input_required", "requestState": "s", "inputRequests": {"q": question}}


BOX = {"box": {"type": "object", "properties": {"deep": {"type": "string"}}}}


@run
async def test_a_host_that_draws_any_form() -> None:
    answer = accept({"box": {"deep": "x"}})
    server = Server(asks(BOX), {"content": []})

    async def elicit(question: Question) -> dict[str, Any]:
        with pytest.raises(ParleyError):
            Form(question.params)
        return answer

    async with connect(server.transport, elicit=elicit, any_form=True) as session:
        assert isinstance(await session.call("tools/call", {"name": "t"}), Done)
    assert server.heard[1]["inputResponses"] == {"q": answer}


@run
async def test_one_that_does_not_is_not_asked() -> None:
    async def elicit(question: Question) -> dict[str, Any]:
        raise AssertionError("nobody is asked")

    secret = {"box": {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": True}}}}
    for properties, any_form in ((BOX, False), (secret, True)):
        async with connect(Server(asks(properties)).transport, elicit=elicit, any_form=any_form) as session:
            with pytest.raises(Exception) as refused:
                await session.call("tools/call", {"name": "t"})
        assert getattr(refused.value, "code", None) == Code.FORM


def test_a_form_of_the_sdk_1() -> None:
    """A server of the earlier era waits in the connection, so an asker fills the form in, with typed text that does not fit first."""
    typed = {
        "seats": [("many", None), ("", None)],
        "shelf": [("007", None), ("007", 1)],
        "tags": [("window, aisle\nquiet", None)],
        "share": [("1", None), ("0.3", None), ("0.75", None)],
        "code": [("ABC", None)],
        "note": [("", None)],
    }
    problems: list[str | None] = []

    async def elicit(question: Question) -> str:
        form = Form(question.params)
        assert [field["name"] for field in form.fields] == list(typed)
        problems.extend(form.enter(name, text, index) for name, texts in typed.items() for text, index in texts)
        return form.accept()

    async def call(url: str) -> str:
        async with connect(url, elicit=elicit) as session:
            return (await session.call_tool("order", {})).text

    with serving("python-legacy", "legacy") as url:
        ordered = json.loads(asyncio.run(call(url)))
    assert list(filter(None, problems)) == [
        "must be a whole number like 42",
        "must be a value of one of the types",
        "must be less than 1",
        "must be a multiple of 0.25",
    ]
    tags = ["window, aisle", "quiet"]
    assert ordered == {"seats": None, "shelf": "007", "tags": tags, "share": 0.75, "code": "ABC", "note": None}


def test_any_form_needs_an_asker() -> None:
    assert Askers(any_form=True).can()["anyForm"] is False

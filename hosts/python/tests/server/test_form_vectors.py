"""Replays hosts/testdata/forms, whose README says how the files read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import _v2025_11_25, _v2026_07_28
from pydantic import TypeAdapter

from parley_mrtr.server import form
from parley_mrtr.server.forms import strict_form
from parley_mrtr.server.questions import Unusable

PRIMITIVES: list[TypeAdapter[Any]] = [
    TypeAdapter(_v2025_11_25.PrimitiveSchemaDefinition),
    TypeAdapter(_v2026_07_28.PrimitiveSchemaDefinition),
]
FILES = sorted((Path(__file__).parents[4] / "hosts/testdata/forms").glob("*.json"))


def test_there_are_files() -> None:
    assert len(FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    fact = json.loads(path.read_text())
    if "refused" in fact:
        with pytest.raises(TypeError) as error:
            form("?", fact["schema"])
        assert str(error.value) == f"form: {fact['refused']['says']}"
        return
    want = fact.get("strict", fact["schema"])
    read = strict_form(fact["schema"], "form")
    assert json.dumps(read.schema, sort_keys=True) == json.dumps(want, sort_keys=True)
    assert list(read.schema["properties"]) == list(want["properties"])
    assert (read.nullable, read.empty) == (set(fact.get("nullable", ())), set(fact.get("empty", ())))
    assert read.closed == fact.get("closed", False)
    if "strict" not in fact:
        assert json.dumps(read.schema) == json.dumps(fact["schema"])

    for field in read.schema["properties"].values():
        for sdk in PRIMITIVES:
            sdk.validate_python(field)

    question = form("?", fact["schema"])
    assert question.wire["params"]["requestedSchema"] == want
    for answer in fact.get("answers", ()):
        assert taken(question, answer["given"]) == answer["taken"]


def taken(question: Any, given: Any) -> Any:
    try:
        recorded = question.accept({"action": "accept", "content": given})
    except Unusable:
        return None
    return question.recall(json.loads(json.dumps(recorded)))

"""A form as the engine reads it, and what becomes of what a person fills in. See wasm/ABI.md, A form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from parley_mrtr.codec.raw_json import NotJSON, join, quote, scan
from parley_mrtr.host.errors import Code, ParleyError
from parley_mrtr.host.instance import Instance
from parley_mrtr.host.module import compiled
from parley_mrtr.host.question import json_text

Kind = Literal["string", "number", "integer", "boolean", "choice", "choices", "list", "union"]


class Option(TypedDict):
    """A choice: `value` is JSON text, such as `"s"` in quotes, `1` or `true`."""

    value: str
    title: str


class _Unchecked(TypedDict):
    keyword: str


class Unchecked(_Unchecked, total=False):
    """A keyword that only the server checks. `value` is the server's text, of `pattern`, `format` and two others of content."""

    value: str


class _Field(TypedDict):
    name: str
    kind: Kind
    title: str


class Field(_Field, total=False):
    """What to fill in. What says nothing is left out. `default` and `examples` are JSON text, bounds are numbers as text.

    Of a `list`, `items` is what each value is. Of a `union`, `alternatives` are the types that the person picks one of.
    What is `readOnly` is shown, and neither asked for nor sent.
    """

    description: str
    required: bool
    nullable: bool
    readOnly: bool
    deprecated: bool
    format: Literal["email", "uri", "date", "date-time"]
    minLength: int
    maxLength: int
    minimum: str
    maximum: str
    exclusiveMinimum: str
    exclusiveMaximum: str
    multipleOf: str
    minItems: int
    maxItems: int
    uniqueItems: bool
    options: list[Option]
    items: Field
    alternatives: list[Field]
    default: str
    examples: list[str]
    unchecked: list[Unchecked]


class Shown(TypedDict):
    """A form as values, for whoever draws it elsewhere."""

    fields: list[Field]
    unchecked: list[Unchecked]


class Form:
    """The form of an elicitation, from its params: JSON text as it came, or values.

    It raises ParleyError if Parley cannot read the form, which can only be where `any_form` is said.

        form = Form(question.params)
        for field in form.fields:
            while problem := form.enter(field["name"], input(field["title"])):
                print(field["title"], problem)
        return form.accept()
    """

    def __init__(self, params: Mapping[str, Any] | str | bytes | None) -> None:
        said = {member.name: member for member in _members(json_text(params or {}))}
        self.message = str(said["message"].value) if "message" in said else ""
        self._schema = said["requestedSchema"].text.encode() if "requestedSchema" in said else b"null"
        self._instance = Instance(compiled())
        read = self._instance.read("parley_form", self._schema)
        if "problem" in read:
            problem = read["problem"]
            raise ParleyError(Code.FORM, " ".join(filter(None, (problem["property"], problem["message"]))))
        self.fields: list[Field] = read["fields"]
        self.unchecked: list[Unchecked] = read.get("unchecked", [])
        """What only the server checks of the whole answer."""
        self._values: dict[str, str] = {}

    @property
    def shown(self) -> Shown:
        """All there is to draw, as values."""
        return {"fields": self.fields, "unchecked": self.unchecked}

    def enter(self, name: str, typed: str, alternative: int | None = None) -> str | None:
        """Takes what a person typed into a field, and says what is wrong with it.

        A list has one value a line. Of a union, `alternative` is the index of the type that the person picked.
        """
        return self._check({"field": name, "typed": typed, "alternative": alternative})

    def choose(self, name: str, value: str) -> str | None:
        """Takes JSON text for a field, such as an option's `value` or a field's `default`; says what is wrong with it."""
        return self._check({"field": name, "value": value})

    def accept(self) -> str:
        """The answer with what was filled in, as JSON text. Each number has the digits that were typed."""
        content = join(
            [
                (quote(field["name"]), self._values[field["name"]])
                for field in self.fields
                if field["name"] in self._values
            ]
        )
        return f'{{"action":"accept","content":{content}}}'

    def _check(self, request: dict[str, Any]) -> str | None:
        answer = self._instance.tell("parley_form_check", {"schema": self._schema, **request})
        self._values.pop(request["field"], None)
        if "problem" in answer:
            return str(answer["problem"]["message"])
        if "value" in answer:
            self._values[request["field"]] = answer["value"]
        return None


def _members(params: bytes) -> Any:
    try:
        return scan(params.decode())
    except (NotJSON, UnicodeDecodeError):
        raise ParleyError(Code.ORDER, "the params of a question are no JSON object") from None

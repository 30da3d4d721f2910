"""What MCP 2026-07-28 lets a field of a form have (PrimitiveSchemaDefinition), and what to do about the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..given import is_number

Schema = dict[str, Any]
Keywords = dict[str, Callable[[Any, Schema], bool]]  # whether a keyword's value may be there, beside the others

FORMATS = ("email", "uri", "date", "date-time")


def _is_text(value: Any, _: Schema) -> bool:
    return isinstance(value, str)


def _is_number(value: Any, _: Schema) -> bool:
    return is_number(value)


def is_whole(value: Any) -> bool:
    return is_number(value) and value == value // 1


def _is_count(value: Any, _: Schema) -> bool:
    return is_whole(value) and value >= 0


def _is_within(value: Any, least: Any, most: Any) -> bool:
    low = least if is_number(least) else -math.inf
    high = most if is_number(most) else math.inf
    return bool(low <= value <= high)


def _is_most(least: str) -> Callable[[Any, Schema], bool]:
    """A count that leaves something to answer beside the least."""
    return lambda value, schema: _is_count(value, schema) and value > 0 and _is_within(value, schema.get(least), None)


def _values(schema: Schema) -> list[Any]:
    """The choices of a schema."""
    if "enum" in schema:
        return list(schema["enum"])
    options: list[Schema] = schema.get("oneOf") or schema.get("anyOf") or []
    return [option["const"] for option in options]


def _is_number_default(value: Any, schema: Schema) -> bool:
    fits = is_number(value) and _is_within(value, schema.get("minimum"), schema.get("maximum"))
    return fits and (schema["type"] == "number" or is_whole(value))


def _is_text_default(value: Any, schema: Schema) -> bool:
    return isinstance(value, str) and _is_within(len(value), schema.get("minLength"), schema.get("maxLength"))


def _is_list_default(value: Any, schema: Schema) -> bool:
    chosen = isinstance(value, list) and all(one in _values(schema["items"]) for one in value)
    return chosen and _is_within(len(value), schema.get("minItems"), schema.get("maxItems"))


def _are_names(value: Any, schema: Schema) -> bool:
    texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return texts and len(value) == len(schema.get("enum", ()))


def _known(_value: Any, _: Schema) -> bool:
    return True  # it was read before


_ANY: Keywords = {"type": _is_text, "title": _is_text, "description": _is_text}
_NUMBER: Keywords = _ANY | {
    "minimum": _is_number,
    "maximum": lambda value, schema: is_number(value) and _is_within(value, schema.get("minimum"), None),
    "default": _is_number_default,
}

KINDS: dict[str, Keywords] = {
    "number": _NUMBER,
    "integer": _NUMBER,
    "boolean": _ANY | {"default": lambda value, _: isinstance(value, bool)},
    "string": _ANY
    | {
        "format": lambda value, _: value in FORMATS,
        "minLength": _is_count,
        "maxLength": _is_most("minLength"),
        "default": _is_text_default,
    },
    "choice": _ANY
    | {
        "enum": _known,
        "oneOf": _known,
        "enumNames": _are_names,
        "default": lambda value, schema: value in _values(schema),
    },
    "array": _ANY
    | {
        "items": _known,
        "minItems": lambda value, schema: _is_count(value, schema) and value <= len(_values(schema["items"])),
        "maxItems": _is_most("minItems"),
        "default": _is_list_default,
    },
}

_BOUND = "it must be a number, go with the type and leave something to answer"
_CHOICES = "choices are one list of texts, each there once, with nothing but titles beside them"
_TYPES = f"a field has one type, or choices; {_CHOICES}"
_TEXT = "it must be text"
WITH_A_URL = "a form must not ask for a secret; have the person open a page, with a url"

_ADVICE = {
    "$ref": "it must lead to the $defs of the same schema, and to nothing that differs from what is beside it",
    "type": "a form is an object, and each field a string, a number, an integer, a boolean or an array of choices",
    "properties": "it must be an object of at most 128 fields",
    "required": "it must list fields of the form, each once",
    "items": "only choices can be listed; give the items an enum of texts",
    "default": "it must be an answer to the field; leave it out beside null",
    "format": "it must be email, uri, date or date-time",
    "writeOnly": WITH_A_URL,
    "exclusiveMinimum": "use minimum",
    "exclusiveMaximum": "use maximum",
    "enumNames": "it must be a list of texts, one for each choice of an enum",
    **dict.fromkeys(("const", "enum"), _CHOICES),
    **dict.fromkeys(("anyOf", "oneOf"), _TYPES),
    **dict.fromkeys(("title", "description", "$schema"), _TEXT),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"), _BOUND),
}


def advice(keyword: str) -> str:
    """What to do about a keyword that cannot be there."""
    return _ADVICE.get(keyword, "leave it out, and say in the description what is needed")

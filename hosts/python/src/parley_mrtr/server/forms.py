"""Holds the forms of a server to what MCP allows, because other clients are strict. What says the same in other words is
rewritten. The rules are in hosts/testdata/forms; servers in Go and JavaScript have them, too."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote

from ..given import is_number
from .form_keywords import KINDS, WITH_A_URL, Schema, advice

_MOST_HOPS = 16  # of references
_MOST_FIELDS = 128
_MOST_OPTIONS = 1024

_CLOSING = ("additionalProperties", "unevaluatedProperties")  # forbid all answers but those that are asked for
_LABELS = ("title", "description", "default")  # what is beside a reference counts, and what it leads to does not
_NOTHING = ("$defs", "definitions", "$id", "$anchor", "$comment")  # say nothing about answers
_FLAGS = ("readOnly", "writeOnly", "deprecated", "nullable", "uniqueItems")  # do not if they are false


@dataclass
class Form:
    """A form as it is asked. An answer may have null in `nullable` fields all the same, which counts as left out. Those
    in `empty` are null for the handler if they are left out. A `closed` form takes no answers to what it does not ask."""

    schema: dict[str, Any]
    nullable: frozenset[str]
    empty: frozenset[str]
    closed: bool

    @property
    def checked(self) -> dict[str, Any]:
        """What an answer is held against."""
        return self.schema | {"additionalProperties": False} if self.closed else self.schema


def strict_form(schema: Mapping[str, Any], who: str) -> Form:
    """Reads the form that a schema asks with. TypeError if MCP has no such form; `who` is the function that says so."""
    given = json.loads(json.dumps(dict(schema), allow_nan=False))
    return _Reader(given, who).form(dict(schema))


class _Reader:
    def __init__(self, given: Schema, who: str) -> None:
        self._given, self._who, self._at = given, who, "a form"

    def _refuse(self, keyword: str, what: str | None = None) -> NoReturn:
        raise TypeError(f'{self._who}: MCP allows no such "{keyword}" for {self._at}: {what or advice(keyword)}')

    def form(self, original: dict[str, Any]) -> Form:
        root, _ = self._plain(self._given)
        properties, asked = root.get("properties", {}), root.get("required", [])
        if root.get("type", "object") != "object":
            self._refuse("type")
        if not isinstance(properties, dict) or len(properties) > _MOST_FIELDS:
            self._refuse("properties")
        closed = any(root.get(name) is False for name in _CLOSING)
        kept = {}
        for name, value in sorted(root.items()):  # of several that are wrong, the first by its name is told
            if name in ("type", "properties", "required"):
                continue
            if name in _CLOSING and (isinstance(value, bool) or value == {}):
                continue
            if name not in ("$schema", "title", "description") or not isinstance(value, str):
                self._refuse(name)
            kept[name] = value
        if (
            not isinstance(asked, list)
            or not all(isinstance(name, str) for name in asked)
            or len(set(asked)) < len(asked)
        ):
            self._refuse("required")
        nullable, empty, fields = set(), set(), {}
        for name in [*properties, *asked]:
            self._at = f"the field {json.dumps(name, ensure_ascii=False)} of a form"
            if name not in properties:
                self._refuse("required")
            fields[name], may_be_null, is_null = self._field(properties[name])
            if may_be_null:
                nullable.add(name)
            if is_null or (may_be_null and name in asked):
                empty.add(name)
        needed = [name for name in asked if name not in nullable]
        strict = {**kept, "type": "object", "properties": fields}
        if "required" in root and (needed or not asked):
            strict["required"] = needed
        asked_with = original if _same(strict, self._given) else strict
        return Form(asked_with, frozenset(nullable), frozenset(empty), closed)

    def _field(self, given: Any) -> tuple[Schema, bool, bool]:
        """A field as it is asked, whether it may be null, and whether it is null where it is left out."""
        schema, nullable = self._plain(given)
        schema = self._chosen(schema)
        empty = "default" in schema and schema["default"] is None
        if empty:
            del schema["default"]
        multiple = schema.get("multipleOf")
        if schema.get("type") in ("number", "integer") and is_number(multiple) and multiple == 1:
            schema["type"] = "integer"
            del schema["multipleOf"]
        if schema.get("type") == "integer":
            _inside(schema)
        if schema.get("type") == "array":
            schema["items"] = self._listed(schema.get("items"))
            schema.pop("uniqueItems", None)  # the same choice is not there twice
        kind = "choice" if schema.keys() & {"enum", "oneOf"} else schema.get("type")
        may = KINDS.get(kind) if isinstance(kind, str) else None
        if may is None:
            self._refuse("type")
        for name, value in sorted(schema.items()):
            if name not in may or not may[name](value, schema):
                self._refuse(name, WITH_A_URL if (name, value) == ("format", "password") else None)
        if nullable and "default" in schema:
            self._refuse("default")
        return schema, nullable, empty

    def _plain(self, schema: Any, hops: int = 0) -> tuple[Schema, bool]:
        """What a schema stands for, without references and without null, and whether there was null."""
        if not isinstance(schema, dict):
            self._refuse("type")
        if hops > _MOST_HOPS:
            self._refuse("$ref")
        if "$ref" in schema:
            return self._plain(self._merged(schema, "$ref", self._led(schema["$ref"])), hops + 1)
        if "allOf" in schema:
            entries = schema["allOf"]
            if not isinstance(entries, list) or len(entries) != 1:
                self._refuse("allOf")
            return self._plain(self._merged(schema, "allOf", entries[0]), hops + 1)
        found = {k: v for k, v in schema.items() if k not in _NOTHING and not (k in _FLAGS and v is False)}
        nullable = found.get("nullable") is True
        if nullable:
            del found["nullable"]
        for keyword, nothing in (("type", "null"), ("enum", None)):
            entries = found.get(keyword)
            if not isinstance(entries, list):
                continue
            others = [one for one in entries if one != nothing]
            nullable = nullable or 0 < len(others) < len(entries)
            found[keyword] = others[0] if keyword == "type" and len(others) == 1 else others
        for keyword in ("anyOf", "oneOf"):
            if keyword not in found:
                continue
            if not isinstance(found[keyword], list):
                self._refuse(keyword)
            read = [self._plain(entry, hops + 1) for entry in found[keyword]]
            kept = [one for one, _ in read if one.get("type") != "null" and one.get("const", "") is not None]
            nullable = nullable or len(kept) < len(read) or any(also for _, also in read)
            found[keyword] = kept
            if len(kept) == 1 and "const" not in kept[0]:
                one, also = self._plain(self._merged(found, keyword, kept[0]), hops + 1)
                return one, nullable or also
        return found, nullable

    def _merged(self, schema: Schema, keyword: str, other: Any) -> Schema:
        """A schema in which a keyword stands for another schema."""
        if not isinstance(other, dict):
            self._refuse("type")
        own = {name: value for name, value in schema.items() if name != keyword}
        if any(n in own and n not in _LABELS and not _same(own[n], value) for n, value in other.items()):
            self._refuse(keyword)
        return {**other, **own}

    def _led(self, pointer: Any) -> Any:
        """What a $ref leads to."""
        if not isinstance(pointer, str) or not pointer.startswith("#/"):
            self._refuse("$ref")
        found: Any = self._given
        for step in pointer[2:].split("/"):
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or name not in found:
                self._refuse("$ref")
            found = found[name]
        return found

    def _chosen(self, schema: Schema) -> Schema:
        """A schema whose choices, if it has any, are an enum, or a oneOf if they have titles."""
        lists = [name for name in ("const", "enum", "anyOf", "oneOf") if name in schema]
        if not lists:
            return schema
        keyword = lists[0]
        if len(lists) > 1:
            self._refuse(lists[1])
        if schema.get("type", "string") != "string":
            self._refuse(keyword)
        options = self._options(keyword, schema[keyword])
        values = [value for value, _ in options]
        if not 0 < len(values) <= _MOST_OPTIONS or not all(isinstance(value, str) for value in values):
            self._refuse(keyword)
        if keyword != "enum" and len(set(values)) < len(values):
            self._refuse(keyword)
        rest = {name: value for name, value in schema.items() if name != keyword} | {"type": "string"}
        if not any(title for _, title in options):
            return rest | {"enum": values}
        return rest | {"oneOf": [{"const": value, "title": title or value} for value, title in options]}

    def _options(self, keyword: str, entries: Any) -> list[tuple[Any, Any]]:
        if keyword == "const":
            return [(entries, None)]
        if not isinstance(entries, list):
            self._refuse(keyword)
        if keyword == "enum":
            return [(value, None) for value in entries]
        found: list[tuple[Any, Any]] = []
        for entry in entries:
            values = entry.get("enum")
            if entry.get("type", "string") != "string" or ("const" in entry) == isinstance(values, list):
                self._refuse(keyword)
            for name in sorted(entry.keys() - {"const", "enum", "type", "title"}):
                self._refuse(name, advice(keyword))
            if not isinstance(entry.get("title", ""), str):
                self._refuse("title")
            found += [(entry["const"], entry.get("title"))] if values is None else [(value, None) for value in values]
        return found

    def _listed(self, items: Any) -> Schema:
        """The items of a list, which are choices."""
        if items is None:
            self._refuse("items")
        schema = self._chosen(self._plain(items)[0])
        for name in sorted(schema):
            if name not in ("type", "enum", "oneOf", *_LABELS):
                self._refuse(name)
        if "enum" in schema:
            return {"type": "string", "enum": schema["enum"]}
        if "oneOf" in schema:
            return {"anyOf": schema["oneOf"]}
        self._refuse("items")


def _inside(schema: Schema) -> None:
    """Makes of a bound of whole numbers that is outside of them the nearest one inside."""
    above, least = schema.get("exclusiveMinimum"), schema.get("minimum", -math.inf)
    if isinstance(above, int | float) and is_number(above) and is_number(least):
        schema["minimum"] = max(least, math.floor(above) + 1)
        del schema["exclusiveMinimum"]
    below, most = schema.get("exclusiveMaximum"), schema.get("maximum", math.inf)
    if isinstance(below, int | float) and is_number(below) and is_number(most):
        schema["maximum"] = min(most, math.ceil(below) - 1)
        del schema["exclusiveMaximum"]


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

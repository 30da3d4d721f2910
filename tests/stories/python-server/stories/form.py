"""A form put to the person, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from jsonschema import Draft202012Validator
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult


@dataclass(frozen=True)
class Form:
    """An elicitation/create question. The schema shown is the schema the answer is held against."""

    key: str  # in inputRequests
    message: str
    schema: dict[str, Any]

    def question(self, again: bool) -> ElicitRequest:
        message = "That answer could not be used. " + self.message if again else self.message
        return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=self.schema))

    def content(self, answer: ElicitResult) -> dict[str, Any] | None:
        """The accepted values, with the schema's defaults for what was left out; None if they do not fit."""
        properties: dict[str, Any] = self.schema["properties"]
        values = {name: value for name, value in (answer.content or {}).items() if name in properties}
        if not Draft202012Validator(self.schema).is_valid(values):
            return None
        defaults = {name: p["default"] for name, p in properties.items() if "default" in p}
        return {**defaults, **values}


class Outcome(Enum):
    UNUSABLE = 0  #: missing, out of range, or an answer to another question: ask again
    ACCEPTED = 1
    DECLINED = 2  #: the person said no
    CANCELLED = 3  #: the person walked away

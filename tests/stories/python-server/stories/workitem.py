"""update_work_item: a second form that depends on the answer to the first, which travels in requestState."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import Tool

from .form import Form, Outcome
from .round import Reply, Round, answer

WORK_ITEM = Tool(
    name="update_work_item",
    title="Update a work item",
    description=(
        "Moves a work item to another state. Resolving it asks for the resolution, and a duplicate for its original."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 1, "maximum": 2147483647},
            "state": {
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "description": "For example New, Active, Resolved or Closed",
            },
        },
        "required": ["id", "state"],
    },
)


def work_item(arguments: Mapping[str, Any], round: Round) -> Reply:
    id, state = int(arguments["id"]), arguments["state"]
    if state != "Resolved":
        return answer(f"Work item {id} is now {state}.")
    resolution = round.facts.get("resolution")
    if not resolution:
        form = _resolution(id)
        outcome, values = round.form(form)
        if outcome is Outcome.UNUSABLE:
            return round.ask(form)
        if outcome is Outcome.DECLINED:
            return answer(f"Work item {id} is unchanged: the user declined to give a resolution.")
        if outcome is Outcome.CANCELLED:
            return answer(f"Work item {id} is unchanged: the user cancelled.")
        resolution = values["resolution"]
    if resolution == "Duplicate":
        return _duplicate(id, round)
    return answer(f"Work item {id} is now Resolved as {resolution}.")


def _duplicate(id: int, round: Round) -> Reply:
    form = Form(
        "duplicate",
        f"Which other work item does {id} duplicate?",
        {
            "type": "object",
            "properties": {
                "original_id": {"type": "integer", "title": "Original work item", "minimum": 1},
                "comment": {"type": "string", "title": "Comment", "maxLength": 200},
            },
            "required": ["original_id"],
        },
    )
    outcome, values = round.form(form)
    if outcome is Outcome.DECLINED:
        return answer(f"Work item {id} is unchanged: the user declined to name the original.")
    if outcome is Outcome.CANCELLED:
        return answer(f"Work item {id} is unchanged: the user cancelled after choosing Duplicate.")
    if outcome is Outcome.UNUSABLE or int(values["original_id"]) == id:
        return round.ask(form, facts={"resolution": "Duplicate"})
    text = f"Work item {id} is now Resolved as a duplicate of {int(values['original_id'])}."
    if values.get("comment"):
        text += f" Comment: {json.dumps(values['comment'], ensure_ascii=False)}."
    return answer(text)


def _resolution(id: int) -> Form:
    return Form(
        "resolution",
        f"How was work item {id} resolved?",
        {
            "type": "object",
            "properties": {
                "resolution": {
                    "type": "string",
                    "title": "Resolution",
                    "enum": ["Fixed", "Won't fix", "Duplicate", "By design"],
                }
            },
            "required": ["resolution"],
        },
    )

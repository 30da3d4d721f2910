"""One round of a tool that asks before it answers. Nothing is kept between rounds but the requestState."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from mcp_types import CallToolRequestParams, CallToolResult, ElicitResult, InputRequiredResult, TextContent
from parley_mrtr.codec import Verdict
from parley_mrtr.server import verdict

from .form import Form, Outcome

MAX_TRIES = 3  # how often the same question is put before a tool gives up

Reply: TypeAlias = CallToolResult | InputRequiredResult
Story: TypeAlias = Callable[[Mapping[str, Any], "Round"], Reply]


class Round:
    """A request as a tool sees it, behind a Guard."""

    def __init__(self, params: CallToolRequestParams) -> None:
        # Sealed by one of our servers, so it is JSON of this form: {"keys":["units"],"tries":1,"facts":{…}}
        state: dict[str, Any] = json.loads(params.request_state or "{}")
        self._keys: list[str] = state.get("keys", [])
        self._tries: int = state.get("tries", 0)
        #: What earlier answers established.
        self.facts: dict[str, Any] = state.get("facts") or {}
        self._answers = params.input_responses or {}

    def form(self, form: Form) -> tuple[Outcome, dict[str, Any]]:
        """What became of a form, and its values if it was accepted.

        An answer counts if it answers this very question, wherever it was put: the digest of the question as it was
        shown came back in the sealed state.
        """
        answer = self._answers.get(form.key)
        asked = form.question(again=self._tries > 1)
        if not isinstance(answer, ElicitResult) or verdict(form.key, asked) is not Verdict.SAME:
            return Outcome.UNUSABLE, {}
        if answer.action == "accept":
            values = form.content(answer)
            return (Outcome.UNUSABLE, {}) if values is None else (Outcome.ACCEPTED, values)
        return Outcome.DECLINED if answer.action == "decline" else Outcome.CANCELLED, {}

    def ask(self, form: Form, facts: Mapping[str, Any] | None = None) -> Reply:
        """Puts the form, or gives up on it. The facts come back with the answer."""
        tries = self._tries + 1 if form.key in self._keys else 1
        if tries > MAX_TRIES:
            text = f'No usable answer to ["{form.key}"] after asking {MAX_TRIES} times.'
            return CallToolResult(content=[TextContent(text=text)], is_error=True)
        state: dict[str, Any] = {"keys": [form.key], "tries": tries}
        if facts is not None:
            state["facts"] = facts
        return InputRequiredResult(
            input_requests={form.key: form.question(again=tries > 1)},
            request_state=json.dumps(state, separators=(",", ":")),
        )


def answer(text: str) -> Reply:
    """Ends the tool with a result. That the person declined is one, too."""
    return CallToolResult(content=[TextContent(text=text)])

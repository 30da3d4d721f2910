"""Calls that wait outside the process."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import Any

from parley_mrtr.host.question import PARK, Answer, Askers, Question

Answers = Mapping[str, Mapping[str, Any] | str | bytes]
"""ElicitResults, as values or JSON text, by the `id` of the questions."""


class Desk:
    """Answers elicitations with what is there, and parks the call for the others."""

    def __init__(self, live: Askers, answers: Answers) -> None:
        self._live = live
        self._answers = dict(answers)
        self._parked: set[str] = set()

    def askers(self, url: bool) -> Askers:
        return replace(self._live, elicit=self._answer, elicit_url=self._answer if url else None)

    def _answer(self, question: Question) -> Answer | Awaitable[Answer]:
        if question.id in self._answers:
            return self._answers.pop(question.id)  # put again, it could not be used
        if question.id not in self._parked:
            self._parked.add(question.id)
            return PARK
        # It could not be parked.
        asker = self._live.asker(question)
        if asker is None:
            raise RuntimeError("parley: the server waits in the connection for an answer: give connect an elicit")
        return asker(question)

"""One request and its result."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from .binding import Binding, Digests
from .errors import CodecError
from .question import Question


class Verdict(IntEnum):
    """What is known of an answer when the handler wants to use it.

    A handler that asks from the request alone may use `SAME` only, or accept `UNPROVEN` where a wrong answer harms
    nobody but the client.
    """

    MISSING = 0  #: there is none, or nobody asked for it
    SAME = 1  #: it answers this very question
    CHANGED = 2  #: the question was another one then: ask again
    UNPINNED = 3  #: it came with a state that pins no questions
    UNPROVEN = 4  #: it came without a state, which any client can strip


class Exchange:
    """A request and its result, between `Guard.open` and `Guard.seal`. It never goes on the wire."""

    __slots__ = ("answers", "binding", "digests", "proven", "rounds", "start")

    def __init__(self, binding: Binding, answers: Mapping[str, bytes | None], proven: bool) -> None:
        self.binding = binding
        #: The answers that may be used, in the order received, and the digests of the questions they were given to,
        #: None where the state pins none. Others must be removed from inputResponses: nobody asked for them.
        self.answers = answers
        self.proven = proven  #: they came with a state
        self.digests: Digests | None = None  # once they were needed
        self.rounds = 0  # with questions, so far
        self.start = 0  # the flow's, in Unix seconds; 0 before its first state

    def verdict(self, question: Question) -> Verdict:
        """Whether the answer under the question's key answers this question."""
        if question.key not in self.answers:
            return Verdict.MISSING
        asked = self.answers[question.key]
        if asked is None:
            return Verdict.UNPINNED if self.proven else Verdict.UNPROVEN
        try:
            return Verdict.SAME if question.digest() == asked else Verdict.CHANGED
        except CodecError:
            return Verdict.CHANGED

"""A result, split."""

from __future__ import annotations

from .errors import Code, CodecError
from .question import Question
from .raw_json import BadNames, Member, NotJSON, is_text, join, members, quote, scan


class Result:
    def __init__(self, text: str) -> None:
        self.questions: list[Question] = []
        self.state: str | None = None
        try:
            self._members = members(text)
        except BadNames:
            raise _unusable("a result with a member twice, too many or not Unicode") from None
        except NotJSON:
            raise _unusable("a result that is not a JSON object") from None
        found = {member.name: member for member in self._members}
        kind, state, requests = found.get("resultType"), found.get("requestState"), found.get("inputRequests")
        self.input_required = kind is not None and kind.text[0] == '"' and kind.value == "input_required"
        if not self.input_required:
            return
        if state is not None and state.text != "null":
            if state.text[0] != '"' or not is_text(state.value):
                raise _unusable("a requestState that is not a string of Unicode text")
            self.state = state.value
        if requests is not None and requests.text != "null":
            self.questions = [
                _question(entry) for entry in _object(requests.text, "inputRequests that are not an object")
            ]

    def rewrite(self, token: str) -> str:
        """The result with this requestState."""
        sealed = quote(token)
        parts = [(m.name_text, sealed if m.name == "requestState" else m.text) for m in self._members]
        if all(m.name != "requestState" for m in self._members):
            parts.append(('"requestState"', sealed))
        return join(parts)


def _question(entry: Member) -> Question:
    if not is_text(entry.name):
        raise _unusable("inputRequests with a key that is not Unicode text")
    method, params = "", None
    for member in _object(entry.text, "inputRequests with an entry that is not an object"):
        if member.name == "method":
            if member.text[0] != '"' or not is_text(member.value):
                raise _unusable("inputRequests with a method that is not a string")
            method = member.value
        elif member.name == "params":
            params = member.text
    return Question(entry.name, method, params)


def _object(text: str, what: str) -> list[Member]:
    try:
        return scan(text)
    except NotJSON:
        raise _unusable(what) from None


def _unusable(detail: str) -> CodecError:
    return CodecError(Code.UNUSABLE_RESULT, detail, minting=True)

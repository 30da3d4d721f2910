"""The params of a request with rounds, split."""

from __future__ import annotations

from typing import Any

from .binding import RESOURCE, Binding
from .canonical import canonical_value, fold
from .errors import Code, CodecError
from .exchange import Exchange
from .raw_json import MAX_NAMES, BadNames, NotJSON, is_text, join, members, quote

# What a Guard reads. A parser behind it that ignores letter case must not find another value than the Guard did.
_GUARDED = {name.lower(): name for name in ("requestState", "inputResponses", "name", "uri", "arguments")}
_PLAIN = frozenset({*_GUARDED.values(), "_meta"})
_LONGEST = 2 * len("inputResponses")  # folding makes no name half as long


class Request:
    """The params of one of the three methods. What a Guard cannot be sure of fails: members given twice, and ones that
    only differ in letter case from one it reads."""

    def __init__(self, method: str, params: str, principal: str | None) -> None:
        try:
            self._members = members(params)
        except BadNames:
            raise CodecError(Code.MALFORMED, "params with a member twice, too many or not Unicode") from None
        except NotJSON:
            raise CodecError(Code.MALFORMED, "params that are not a JSON object") from None
        self.token: str | None = None
        self._responses: str | None = None
        target: str | None = None
        arguments: str | None = None
        for member in self._members:
            name = member.name
            guarded = _GUARDED.get(fold(name)) if len(name) <= _LONGEST else None
            if guarded is None:
                continue
            if guarded != name:
                raise CodecError(Code.MALFORMED, "params with a member that could be taken for " + guarded)
            if name == "requestState":
                if member.text[0] == '"':
                    # A lone surrogate makes no token, and is refused as such.
                    self.token = member.value
                elif member.text != "null":
                    raise CodecError(Code.MALFORMED, "requestState is not a string")
            elif name == "inputResponses":
                if member.text[0] == "{":
                    self._responses = member.text
            elif name == "arguments":
                arguments = member.text
            elif name == ("uri" if method == RESOURCE else "name") and member.text[0] == '"' and is_text(member.value):
                target = member.value
        if target is None and self.token is not None:
            raise CodecError(Code.MALFORMED, "a state without the name or uri it belongs to")
        self.binding = Binding(method, target or "", arguments, principal)
        try:
            self._answers = [] if self._responses is None else members(self._responses)
        except NotJSON:
            raise CodecError(Code.MALFORMED, "inputResponses with a key twice, too many or not Unicode") from None
        self.keys = [member.name for member in self._answers]

    @classmethod
    def of_simple(cls, method: str, params: dict[str, Any], principal: str | None) -> Request | None:
        """A request of what its text stands for, if that is enough (see `simple`); `rewrite` is not for it."""
        if not params.keys() <= _PLAIN and any(name not in _PLAIN and fold(name) in _GUARDED for name in params):
            return None
        token, answers = params.get("requestState"), params.get("inputResponses")
        target, arguments = params.get("uri" if method == RESOURCE else "name"), params.get("arguments")
        if not isinstance(target, str) or not (token is None or isinstance(token, str)):
            return None
        keys = list(answers) if isinstance(answers, dict) else []
        if len(params) > MAX_NAMES or len(keys) > MAX_NAMES:
            return None
        form = None if arguments is None else canonical_value(arguments)
        if form is None and arguments is not None:
            return None
        request = cls.__new__(cls)
        request._members = request._answers = []
        request.token, request.keys = token, keys
        request.binding = Binding(method, target, form, principal)
        return request

    def untouched(self, exchange: Exchange) -> bool:
        return self.token is None and len(exchange.answers) == len(self.keys)

    def rewrite(self, state: str | None, exchange: Exchange) -> str:
        """The params with another state and without the answers that may not be used."""
        parts: list[tuple[str, str]] = []
        for member in self._members:
            if member.name == "requestState":
                if state is not None:
                    parts.append((member.name_text, quote(state)))
            elif member.name == "inputResponses" and len(exchange.answers) < len(self.keys):
                if exchange.answers:
                    kept = [(m.name_text, m.text) for m in self._answers if m.name in exchange.answers]
                    parts.append((member.name_text, join(kept)))
            else:
                parts.append((member.name_text, member.text))
        return join(parts)

"""What was asked, in a digest."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from .binding import sized, utf8
from .canonical import canonical, canonical_value, text
from .errors import Code, CodecError
from .raw_json import NotJSON, join, scan


class Question(NamedTuple):
    """An entry of inputRequests."""

    key: str
    method: str
    params: str | Mapping[str, Any] | None = None  #: JSON text, or what it stands for

    def __repr__(self) -> str:
        return f"<Question {self.key!r}, {self.method}>"

    def digest(self) -> bytes:
        """Stands for the question: its key, its method, and its params without params._meta, however they are spelled
        and ordered. It fails on params without a canonical form, such as ones with a member twice."""
        try:
            form = b'{"method":' + text(self.method)
            params = self.params
            if params is not None and params != "":
                if isinstance(params, str):
                    own = canonical(_without_meta(params), within=1)
                elif "_meta" in params:
                    own = canonical_value({name: params[name] for name in params if name != "_meta"}, within=1)
                else:
                    own = canonical_value(params, within=1)
                if own is None:
                    raise ValueError
                form += b',"params":' + own
        except ValueError:
            raise _unusable("a question has no canonical form") from None
        return sha256(b"Q" + sized(self.key) + form + b"}").digest()[:16]


def _without_meta(params: str) -> str:
    if "_meta" not in params and "\\" not in params:
        return params
    try:
        if not params.lstrip(" \t\r\n").startswith("{"):
            return params
        return join([(m.name_text, m.text) for m in scan(params) if m.name != "_meta"])
    except NotJSON:
        raise _unusable("a question's params are not JSON") from None


def key_digest(key: str) -> bytes:
    """Stands for a key of inputRequests in a state."""
    return sha256(b"K" + utf8(key)).digest()[:8]


def _unusable(detail: str) -> CodecError:
    return CodecError(Code.UNUSABLE_RESULT, detail, minting=True)

"""Frames, and the notation of them: wasm/ABI.md, Frames, and engine/testdata/README.md.

Both ways work on the text. A JSON parser would lose what scripts are about: the order of members, one
that is there twice, 1.0.
"""

import json
import re

RAW_IN_REQUESTS = frozenset(b"params capabilities clientInfo snapshot body raw request schema typed value".split())
RAW_IN_ANSWERS = frozenset(
    b"params capabilities serverInfo snapshot body request result error next earlier entry defaults".split()
)

_STRING = rb'"((?:[^"\\]|\\.)*)"'
_SPACE = rb"[ \t\r\n]*"
# A member whose value is what a raw one may be, or any other string, which is passed over whole.
_STRING_MEMBER = re.compile(_STRING + rb"(" + _SPACE + rb":" + _SPACE + rb")" + _STRING + rb"|" + _STRING, re.DOTALL)
_SPAN_MEMBER = re.compile(_STRING + rb"(:)\[(\d+),(\d+)\]|" + _STRING, re.DOTALL)
_ESCAPE = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.", re.DOTALL)
_TO_ESCAPE = re.compile(rb'[\x00-\x1f"\\]')
_SHORT = {b'"': b'\\"', b"\\": b"\\\\", b"\n": b"\\n", b"\r": b"\\r", b"\t": b"\\t"}


def escape(raw: bytes) -> bytes:
    """A JSON string that holds these bytes, with its quotes."""
    return b'"' + _TO_ESCAPE.sub(lambda m: _SHORT.get(m[0], b"\\u%04x" % m[0][0]), raw) + b'"'


def unescape(text: bytes) -> bytes:
    """What a JSON string, given without its quotes, holds."""
    return _ESCAPE.sub(lambda m: json.loads(b'"' + m[0] + b'"').encode("utf-8", "surrogatepass"), text)


def join(head: bytes, blobs: bytes = b"") -> bytes:
    """A frame."""
    return len(head).to_bytes(4, "little") + head + blobs


def from_notation(text: bytes) -> bytes:
    """The frame of a request. What is no JSON is the head as it stands."""
    if not _is_json(text):
        return join(text)
    blobs = bytearray()

    def span(m: re.Match[bytes]) -> bytes:
        if m[1] not in RAW_IN_REQUESTS:
            return m[0]
        blob = unescape(m[3])
        at = len(blobs)
        blobs.extend(blob)
        return b'"%b"%b[%d,%d]' % (m[1], m[2], at, len(blob))

    head = _STRING_MEMBER.sub(span, text)
    return join(head, bytes(blobs))


def to_notation(frame: bytes) -> bytes:
    """The notation of an answer, whose blobs must stand in the order of the head, without gaps."""
    size = int.from_bytes(frame[:4], "little")
    head, blobs = frame[4 : 4 + size], frame[4 + size :]
    assert len(frame) >= 4 and len(head) == size, "a frame shorter than its head"
    json.loads(head.decode("utf-8"))
    end = 0

    def text(m: re.Match[bytes]) -> bytes:
        nonlocal end
        if m[1] not in RAW_IN_ANSWERS:
            return m[0]
        at, length = int(m[3]), int(m[4])
        assert at == end and at + length <= len(blobs), f"{m[0]!r} after {end} of {len(blobs)} bytes"
        end += length
        return b'"%b"%b%b' % (m[1], m[2], escape(blobs[at:end]))

    notation = _SPAN_MEMBER.sub(text, head)
    assert end == len(blobs), f"{len(blobs) - end} bytes that no span has"
    return notation


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text.decode("latin-1"), parse_constant=_refuse)  # bodies may be no UTF-8
    except ValueError:
        return False
    return True


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")

"""Why a request has no answer, in words for a person.

They say the same in every host, which hosts/testdata/verdicts holds them to. None has a URL in it, which may hold a
secret.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2

from parley_mrtr.host.errors import UnsentError
from parley_mrtr.host.words import quoted

_BAD_URL = (
    "the server's URL cannot be used: it must begin with http:// or https:// and a host, as in https://example.com/mcp"
)
# What a client raises that certainly sent nothing, where it does not tell how far it got.
_BEFORE = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.InvalidURL,
)
# What OpenSSL calls an answer that is none of TLS.
_PLAIN = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")
# OpenSSL's X509_V_ERR_…
_CERTIFICATES = {
    9: "is not valid yet",
    10: "has expired",
    18: "is self-signed",
    **dict.fromkeys((2, 19, 20, 21), "is signed by an authority that is not trusted here"),
    **dict.fromkeys((62, 64), "is for another host"),
}


class Arrival:
    """Watches how far a request gets: once anything of it was to be written, it may have arrived."""

    def __init__(self) -> None:
        self._told = False  # the client says what it does
        self._sent = False
        self._at: object = None  # which host it connected to
        self.securing = False

    async def trace(self, name: str, info: dict[str, Any]) -> None:
        self._told = True
        self.securing = name.startswith("connection.start_tls.")
        if name == "connection.connect_tcp.started":
            self._at = info.get("host")
        if name.endswith(".send_request_headers.started"):
            # A CONNECT asks a proxy for the way, and carries nothing of ours.
            self._sent = self._sent or getattr(info.get("request"), "method", b"") != b"CONNECT"

    @property
    def is_ahead(self) -> bool:
        """Whether the client has said what it does, and not yet that it writes the request."""
        return self._told and not self._sent

    def peer(self, error: BaseException) -> str:
        """Who it is to whom there was no connection."""
        return "proxy" if self._at is not None and self._at != _host(error) else "server"

    def is_excluded(self, error: BaseException) -> bool:
        """Whether a request that failed certainly never reached the server."""
        if any(isinstance(e, UnsentError) for e in chain(error)):
            return True
        if self._told:
            return not self._sent
        return any(isinstance(e, _BEFORE) for e in chain(error))


def check_url(url: str) -> None:
    """Refuses what no request can be sent to. Its words do not repeat what may be a password."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise UnsentError(_BAD_URL) from None
    if not usable:
        raise UnsentError(_BAD_URL)
    if parts.username is not None or parts.password is not None:
        raise UnsentError("the server's URL cannot be used: it must not hold a user name or a password")


def failed(error: BaseException) -> dict[str, Any]:
    """What a connection of the host's own says by an error, and whether its request was certainly not sent."""
    words = _unsent_words(error)
    return {"reason": "the transport failed"} if words is None else {"reason": words, "unsent": True}


def why_unsent(error: BaseException, arrival: Arrival) -> str:
    words = _unsent_words(error)
    if words is not None:
        return words
    peer = arrival.peer(error)
    for e in chain(error):
        if isinstance(e, socket.gaierror):
            return f"the name of the {peer} cannot be looked up: {_host(error) if peer == 'server' else ''}"
        if isinstance(e, ConnectionRefusedError):
            return f"the connection to the {peer} was refused: is it running there?"
        if isinstance(e, ssl.SSLCertVerificationError):
            why = _CERTIFICATES.get(e.verify_code, f"is not valid: {e.verify_message}")
            return f"the certificate of the {peer} {why}"
        if isinstance(e, ssl.SSLError):
            if e.reason in _PLAIN:
                return f"the {peer} does not speak TLS: is its URL one of http:// rather than https://?"
            return f"no secure connection to the {peer} can be made: {e.reason or 'it was closed'}"
        if isinstance(e, (httpx2.ConnectTimeout, httpx2.PoolTimeout)):
            return f"connecting to the {peer} takes too long"
        if isinstance(e, httpx2.ProxyError):
            return f"no connection to the server can be made by the proxy: {quoted(str(e))}"
    if arrival.securing:
        return f"no secure connection to the {peer} can be made: it was closed"
    return f"no connection to the {peer} can be made: {type(error).__name__}"


def why_lost(error: BaseException) -> str:
    """Why a request that may have arrived has no answer."""
    for e in chain(error):
        if isinstance(e, httpx2.TimeoutException):
            return "the server did not answer in time"
        if isinstance(e, (ConnectionResetError, BrokenPipeError)):
            return "the server broke the connection without an answer"
        if isinstance(e, httpx2.RemoteProtocolError) and "without sending" in str(e):
            return "the server closed the connection without an answer"
        if isinstance(e, MalformedFieldError):
            return str(e)
    return f"the connection to the server was lost: {type(error).__name__}"


class MalformedFieldError(Exception):
    """In place of an error that quotes a header field, as that may be a cookie."""


def without_fields(error: Exception) -> Exception:
    """An error that quotes no header field of the server."""
    if isinstance(error, httpx2.RemoteProtocolError) and "header" in str(error).lower():
        return MalformedFieldError("a header field of the server's answer is malformed")
    return error


def why_cut(error: BaseException) -> str:
    """Why an answer ended before it was whole."""
    if isinstance(error, httpx2.TimeoutException):
        return "the server did not go on with its answer in time"
    return "the connection broke before the answer was whole"


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what caused it."""
    for _ in range(16):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _unsent_words(error: BaseException) -> str | None:
    """What who says that nothing was sent says to the person."""
    unsent = next((e for e in chain(error) if isinstance(e, UnsentError)), None)
    return None if unsent is None else str(unsent).removeprefix("parley: ") or "the request was not sent"


def _host(error: BaseException) -> str:
    try:
        request = error.request if isinstance(error, httpx2.RequestError) else None
    except RuntimeError:
        request = None
    return "" if request is None else request.url.host

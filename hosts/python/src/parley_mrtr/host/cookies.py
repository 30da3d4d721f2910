"""What a server sets by Set-Cookie, in memory, and for its URL alone: balancers pin sessions by it.

hosts/testdata/cookies has the rules, which are those of hosts/go and hosts/js, too. Fields are str whose characters are
bytes (Latin-1). Names and values go back as they came: http.cookies leaves out all that follows something odd, and
http.cookiejar has no bounds, and writes some values anew.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import datetime, timezone
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

_MOST = 50  # if there is one more, the one goes that was set longest ago
_LONGEST = 4096  # bytes of a name and its value together

_ODD = re.compile(r"[^\t\x20-\x7e\x80-\xff]")
# How servers write dates: RFC 9110, 5.6.7, and with dashes as PHP did.
_DATES = (
    re.compile(
        r"[a-z]+, (?P<d>\d\d?)[ -](?P<b>[a-z]{3})[ -](?P<y>\d{4}|\d\d) (?P<t>\d\d:\d\d:\d\d) [a-z]+", re.I | re.A
    ),
    re.compile(r"[a-z]+ (?P<b>[a-z]{3}) {1,2}(?P<d>\d\d?) (?P<t>\d\d:\d\d:\d\d) (?P<y>\d{4})", re.I | re.A),
)
_MONTHS = {name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}


class Jar:
    """The cookies of one session, whose requests all go to one URL."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._path = parts.path or "/"
        self._secure = parts.scheme == "https" or _is_loopback(parts.hostname or "")
        self._account = 0
        self._current = Cookies(self._path, self._secure)

    def of(self, account: int) -> Cookies:
        """The cookies of the account that was the n-th to sign in after the first.

        A later account begins with none, and those of the one before are gone. An earlier one has none either, and
        what is set for it is not kept.
        """
        if account != self._account:
            none = Cookies(self._path, self._secure)
            if account < self._account:
                return none
            self._account, self._current = account, none
        return self._current


class Cookies:
    """Those of one account."""

    def __init__(self, path: str, secure: bool) -> None:
        self._path = path  # that requests go to
        self._secure = secure  # nobody else reads what goes there
        self._kept: list[_Cookie] = []  # in the order in which they were set

    def take(self, fields: Iterable[str], now: float) -> None:
        """Keeps what the Set-Cookie fields of a response set, at a Unix time. What cannot be used is left out."""
        for field in fields:
            cookie = _read(field, now)
            if cookie is None or (cookie.secure and not self._secure):
                continue
            cookie = cookie._replace(path=cookie.path or self._path[: self._path.rindex("/")] or "/")
            if not _covers(cookie.path, self._path):
                continue
            key = (cookie.name, cookie.path)
            self._kept = [old for old in self._kept if old.until > now and (old.name, old.path) != key]
            if cookie.until > now:
                self._kept.append(cookie)
            self._kept = self._kept[-_MOST:]

    def field(self, now: float) -> str:
        """The value of the Cookie field for a request, "" if there is none.

        Source: RFC 6265, 5.4: longer paths first, because servers take the first of two cookies with one name.
        """
        self._kept = [cookie for cookie in self._kept if cookie.until > now]
        return "; ".join(f"{c.name}={c.value}" for c in sorted(self._kept, key=lambda c: -len(c.path)))


class _Cookie(NamedTuple):
    name: str
    value: str
    path: str  # "" if the server named none
    until: float  # a Unix time; infinite if it lasts as long as the session
    secure: bool


def _read(field: str, now: float) -> _Cookie | None:
    """Reads a Set-Cookie field. One with a control character, or longer than may be, is not kept.

    What else the server says about a cookie does not matter here: there is one host that it could go to, whatever its
    Domain, and no page that could read it. Source: RFC 6265, 5.2.
    """
    pair, *attributes = field.split(";")
    name, value = _halves(pair)
    if "=" not in pair or not name or len(name) + len(value) > _LONGEST or _ODD.search(field):
        return None
    said = {name.lower(): value for name, value in map(_halves, attributes)}
    path = said.get("path", "")
    until = _lasts(said.get("max-age", ""), said.get("expires", ""), now)
    return _Cookie(name, value, path if path.startswith("/") else "", until, "secure" in said)


def _halves(text: str) -> tuple[str, str]:
    """What is before an equals sign and what is after it."""
    name, _, value = text.partition("=")
    return name.strip(" \t"), value.strip(" \t")


def _lasts(age: str, expires: str, now: float) -> float:
    """Until when a cookie lasts. Max-Age counts before Expires."""
    if re.fullmatch(r"-?[0-9]+", age):
        return now + float(age)  # infinite if it is too large
    date = next(filter(None, (form.fullmatch(expires) for form in _DATES)), None)
    if date is None:
        return math.inf
    year = int(date["y"]) + (0 if len(date["y"]) == 4 else 2000 if int(date["y"]) < 70 else 1900)
    hour, minute, second = map(int, date["t"].split(":"))
    try:
        month = _MONTHS[date["b"].lower()]
        return datetime(year, month, int(date["d"]), hour, minute, second, tzinfo=timezone.utc).timestamp()
    except (KeyError, ValueError):  # no 31st of June
        return math.inf


def _covers(above: str, path: str) -> bool:
    """Whether a cookie's path is that of a request or above it: RFC 6265, 5.1.4."""
    return path == above or path.startswith(above if above.endswith("/") else above + "/")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False

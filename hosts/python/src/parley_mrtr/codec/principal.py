"""Who a request comes from, in text that every instance spells alike."""

from __future__ import annotations

from ..given import check
from .raw_json import quote


def principal(client: str | None, issuer: str | None, subject: str | None) -> str:
    """The text of an authenticated principal: a JSON array of the OAuth client, the issuer and the subject, with null
    for what the server does not know.

    Give the same parts on every instance and in every round, and never the bearer token's text, which changes when it
    is refreshed. Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 5(a).
    """
    for name, part in ("client", client), ("issuer", issuer), ("subject", subject):
        check(
            part is None or isinstance(part, str), f"principal: {name} must be a str, or None if it is not known", part
        )
    return f"[{','.join('null' if part is None else quote(part) for part in (client, issuer, subject))}]"

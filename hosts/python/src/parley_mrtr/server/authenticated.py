"""Whose request it is, by its access token."""

from __future__ import annotations

import logging
from threading import Lock
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import ServerRequestContext

from ..codec import principal
from ..codec.raw_json import is_text

logger = logging.getLogger(__name__)

_warn_once = Lock()  # taken by the first warning, and never released


def authenticated(_ctx: ServerRequestContext[Any, Any]) -> str | None:
    """The client, the issuer and the subject of the request's access token, None only where the server has no
    authentication: what the SDK's own boundary binds.

    The verifier sets `client_id`, `claims["iss"]` and `subject`; an empty text counts as none. With all three a state
    opens for the same user at the same client only; another client of the user starts over.

    Without a subject it is the client and the issuer, so users of one client can continue each other's calls; a warning
    says so once in a process. Without subject and client it fails. The tokens of codec/testdata/principals say the same
    in Go (gosdk.TokenPrincipal) and JavaScript (tokenPrincipal).
    """
    token = get_access_token()
    if token is None:
        return None
    issuer = (token.claims or {}).get("iss")
    parts = [token.client_id or None, None if issuer == "" else issuer, token.subject or None]
    if not all(part is None or (isinstance(part, str) and is_text(part)) for part in parts):
        raise LookupError("the token's verifier sets a client_id, iss or subject that is no text")
    client, issuer, subject = parts
    if subject is None:
        if client is None:
            raise LookupError(
                "the token's verifier sets no subject and no client_id; set them, or give the middleware another who"
            )
        if _warn_once.acquire(blocking=False):
            logger.warning(
                "the token's verifier sets no subject, so users of one client can continue each other's calls; set it, "
                "or give the middleware another who"
            )
    return principal(client, issuer, subject)

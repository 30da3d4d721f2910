"""Calls over the connection that the official SDK's client has made."""

from __future__ import annotations

import json
from typing import Any

from mcp import ClientSession, MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
    ErrorData,
    Request,
)
from pydantic import BaseModel, ConfigDict

from parley_mrtr.host.errors import UnsentError
from parley_mrtr.host.question import json_text
from parley_mrtr.host.requests import Outbound, Requests

_VERSION = "2026-07-28"


def over(client: ClientSession) -> Requests:
    """A transport over a client session that speaks MCP 2026-07-28, whose ids, header fields and sign-in it keeps.

    What the server asks by results is the session's from then on. The SDK declares the client's own capabilities, so
    make the client with an `elicitation_callback` where elicitations are to be asked. Values are kept, their spellings
    are not: 1.0 may become 1. An answer that the client rejects counts as lost.
    """

    async def send(outbound: Outbound) -> bytes:
        version = client.protocol_version
        if version != _VERSION:
            raise UnsentError(f"the client speaks {version}, and only one of {_VERSION} can carry calls: give its URL")

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            said = {"progressToken": outbound.leg, "progress": progress, "total": total, "message": message}
            outbound.progress(json_text({name: value for name, value in said.items() if value is not None}))

        request = _Said(method=outbound.method, params=json.loads(outbound.params))
        try:
            result = await client.send_request(request, _Anything, progress_callback=progress)
        except MCPError as error:
            if _is_the_clients(error.error):
                raise
            return json_text({"jsonrpc": "2.0", "id": outbound.leg, "error": error.error.model_dump(exclude_none=True)})
        return json_text({"jsonrpc": "2.0", "id": outbound.leg, "result": result.model_extra or {}})

    return Requests(send)


# What the SDK (2.3) puts in the place of an answer that it did not get, as if it were one: the beginning of its words.
_MADE_UP = {
    PARSE_ERROR: ("Failed to parse JSON response: ", "Failed to parse SSE message: "),
    INVALID_REQUEST: (
        "Session terminated",
        "Unexpected content type: ",
        "Redirect to ",
        "server answered a request with 202 Accepted",
    ),
    METHOD_NOT_FOUND: ("Not Found",),
    INTERNAL_ERROR: ("Server returned an error response",),
    CONNECTION_CLOSED: ("Connection closed", "SSE stream "),
    REQUEST_TIMEOUT: ("Request '",),
}


def _is_the_clients(error: ErrorData) -> bool:
    """Whether an error may be one that the client made, which says nothing of what became of the request."""
    return error.data is None and error.message.startswith(_MADE_UP.get(error.code, ()))


class _Said(Request[Any, Any]):
    """A request whose params go out as they are: the SDK's dump would leave out what is null."""

    method: str
    params: Any

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return {"method": self.method, "params": self.params}


class _Anything(BaseModel):
    """What is the engine's to judge."""

    model_config = ConfigDict(extra="allow")

"""Questions as the SDK sends them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import InputRequest, InputRequiredResult
from mcp_types.methods import serialize_server_result
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..codec import Question


def as_sent(requests: Mapping[str, InputRequest], ctx: ServerRequestContext[Any, Any]) -> dict[str, Question]:
    """The questions of a round as the client gets them: the SDK drops what the protocol version does not have, such as
    a title of a form's schema. A Guard sees them so, and an answer is held to what was seen. What is asked by requests is
    sent as it is."""
    result = InputRequiredResult(input_requests=dict(requests)).model_dump(
        by_alias=True, mode="json", exclude_none=True
    )
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        result = serialize_server_result(ctx.method, ctx.protocol_version, result)
    sent = result["inputRequests"]
    return {key: Question(key, entry["method"], entry.get("params")) for key, entry in sent.items()}

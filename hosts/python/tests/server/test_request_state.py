"""The codec inside the SDK's own boundary, without a transport."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from unittest.mock import Mock

import pytest
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.mcpserver import InvalidRequestState, RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import InputRequiredResult

from checkout import KEY, REFUSED
from parley_mrtr.codec import CONTEXT_SDK, Codec, new_key
from parley_mrtr.server import SealCodec


def request(state: str | None = None) -> ServerRequestContext[Any, Any]:
    params: dict[str, Any] = {"name": "book_table", "arguments": {"day": "Friday"}}
    if state is not None:
        params["requestState"] = state
    return ServerRequestContext(
        session=Mock(),
        lifespan_context={},
        protocol_version="2026-07-28",
        method="tools/call",
        params=params,
        request_id=1,
    )


def boundary(codec: Codec) -> RequestStateBoundary:
    return RequestStateBoundary(RequestStateSecurity(codec=SealCodec(codec)), default_audience="tests")


def leg(codec: Codec, received: str | None, returned: str) -> tuple[str | None, str]:
    """What a handler sees of a state received, and what the client gets of one returned."""
    seen: list[str | None] = []

    async def handler(ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        assert ctx.params is not None
        seen.append(ctx.params.get("requestState"))
        return InputRequiredResult(request_state=returned)

    result = asyncio.run(boundary(codec)(request(received), handler))
    assert isinstance(result, InputRequiredResult) and result.request_state is not None
    return seen[0], result.request_state


def test_a_round_on_two_instances() -> None:
    keys = new_key()
    _, token = leg(Codec(keys), None, "step 1")
    state, _ = leg(Codec(keys), token, "step 2")
    assert state == "step 1"


@pytest.mark.parametrize(
    "token", ["", "v1.AAAA", "Ectyi7rH", "A" * 16_385, "A" * 300_000, "é", "\ud800", "\x00", "ＡＡＡＡ"]
)
def test_every_failure_is_invalid_request_state(token: str, caplog: pytest.LogCaptureFixture) -> None:
    codec = Codec(KEY)
    with pytest.raises(InvalidRequestState):
        SealCodec(codec).unseal(token)
    with caplog.at_level(logging.WARNING), pytest.raises(MCPError) as caught:
        leg(codec, token, "step 2")
    assert caught.value.error.model_dump(exclude_none=True) == REFUSED
    assert caplog.text.count("requestState rejected on tools/call") == 1
    assert "Traceback" not in caplog.text and (not token or token not in caplog.text)


def test_a_token_of_another_purpose() -> None:
    codec = Codec(KEY)
    with pytest.raises(InvalidRequestState, match="forged"):
        SealCodec(codec).unseal(codec.seal(b"{}", b"parley-guard/1"))
    assert SealCodec(codec).unseal(codec.seal(b"{}", CONTEXT_SDK)) == b"{}"


def test_a_state_over_the_cap_is_an_internal_error() -> None:
    with pytest.raises(MCPError) as caught:
        leg(Codec(KEY), None, "x" * 20_000)
    assert (caught.value.code, caught.value.message) == (-32603, "Internal error")

"""What the middleware binds a state to: the params as they came, where they can be had."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest
from conftest import KEY, REFUSED
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from starlette.requests import Request

from parley_codec import Guard, Module, Verdict
from parley_mcp import GuardMiddleware, verdict
from parley_mcp.raw_params import member, received

QUESTION = ElicitRequest(params=ElicitRequestFormParams(message="Which?", requested_schema={"type": "object"}))
PRECISE = '{"name":"t","arguments":{"x":0.1000000000000000055511151231257827}}'


def request(params: str, *, http: bool = True, body: bytes | None = None) -> ServerRequestContext[Any, Any]:
    """A request as the SDK hands it on: decoded, and over HTTP with the body it read."""
    if body is None:
        body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'.encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return ServerRequestContext(
        session=Mock(),
        lifespan_context={},
        protocol_version="2026-07-28",
        method="tools/call",
        params=json.loads(params),
        request_id=1,
        request=Request({"type": "http", "method": "POST", "headers": []}, receive) if http else None,
    )


class Server:
    """A handler behind the middleware."""

    def __init__(self, guard: Guard | None = None) -> None:
        self.middleware = GuardMiddleware(guard or Guard(KEY, audience="tests"))
        self.params: dict[str, Any] = {}
        self.verdicts: list[Verdict] = []

    async def handler(self, ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        self.params = dict(ctx.params or {})
        self.verdicts.append(verdict("q", QUESTION))
        return InputRequiredResult(input_requests={"q": QUESTION}, request_state="step 1")

    def call(self, ctx: ServerRequestContext[Any, Any]) -> str:
        """The token of the answer, or an MCPError."""
        result = asyncio.run(self.middleware(ctx, self.handler))
        assert isinstance(result, dict)
        return str(result["requestState"])


def again(params: str, token: str) -> str:
    return f'{params[:-1]},"requestState":"{token}","inputResponses":{{"q":{{"action":"accept"}}}}}}'


def refused(server: Server, ctx: ServerRequestContext[Any, Any]) -> bool:
    with pytest.raises(MCPError) as caught:
        server.call(ctx)
    return caught.value.error.model_dump(exclude_none=True) == REFUSED


def test_a_round() -> None:
    server = Server()
    token = server.call(request(PRECISE))
    server.call(request(again(PRECISE, token)))
    assert server.params["requestState"] == "step 1"
    assert server.verdicts == [Verdict.MISSING, Verdict.SAME]


def test_numbers_beyond_double_precision() -> None:
    server = Server()
    token = server.call(request(PRECISE))
    assert refused(server, request(again(PRECISE.replace("55511151231257827", ""), token)))
    # Without the text the serialiser's is bound: the same request to Python, another to the fleet.
    assert refused(server, request(again(PRECISE, token), http=False))
    token = server.call(request(PRECISE, http=False))
    server.call(request(again(PRECISE, token), http=False))


def test_another_middleware_may_change_the_params() -> None:
    server = Server()
    token = server.call(request('{"name":"t","arguments":{"x":1}}'))
    changed = request(again('{"name":"t","arguments":{"x":1}}', token))
    assert changed.params is not None
    assert refused(server, replace(changed, params={**changed.params, "arguments": {"x": 2}}))


def test_what_is_not_json_binds_nothing() -> None:
    assert refused(Server(), request('{"name":"t","arguments":{"x":NaN}}'))
    assert refused(Server(), request('{"name":"t","arguments":{},"name":"t"}'))


def test_notifications_and_other_methods_pass() -> None:
    async def handler(ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        assert ctx.params == {"requestState": 7}
        return {"resultType": "input_required", "requestState": "kept"}

    ctx = request('{"requestState":7}')
    for passed in replace(ctx, method="tools/list"), replace(ctx, request_id=None):
        result = asyncio.run(Server().middleware(passed, handler))
        assert result == {"resultType": "input_required", "requestState": "kept"}


@contextmanager
def user(subject: str | None) -> Iterator[None]:
    token = AccessToken(token="t", client_id="app", scopes=[], subject=subject)
    before = auth_context_var.set(AuthenticatedUser(token))
    try:
        yield
    finally:
        auth_context_var.reset(before)


def test_a_state_belongs_to_a_user() -> None:
    server = Server()
    with user("alice"):
        token = server.call(request(PRECISE))
        server.call(request(again(PRECISE, token)))
    with user("mallory"):
        assert refused(server, request(again(PRECISE, token)))
    assert refused(server, request(again(PRECISE, token)))


def test_a_user_nobody_can_name_has_no_rounds(caplog: pytest.LogCaptureFixture) -> None:
    async def final(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        return {"resultType": "complete"}

    server = Server()
    token = server.call(request(PRECISE))
    with user(None):
        assert refused(server, request(again(PRECISE, token)))
        with pytest.raises(MCPError) as caught:
            server.call(request(PRECISE))
        assert asyncio.run(server.middleware(request(PRECISE), final)) == {"resultType": "complete"}
    assert (caught.value.code, caught.value.message) == (-32603, "Internal error")
    assert caplog.text.count("the token's verifier sets no subject") == 2


def test_a_trap_is_an_internal_error_once(caplog: pytest.LogCaptureFixture) -> None:
    server = Server(Guard(KEY, audience="tests", module=Module(memory_limit=1 << 20)))
    token = server.call(request(PRECISE))
    large = f'{{"name":"t","arguments":{{"x":"{"x" * 2_000_000}"}}}}'
    with caplog.at_level(logging.ERROR), pytest.raises(MCPError) as caught:
        server.call(request(large))
    assert (caught.value.code, caught.value.message) == (-32603, "Internal error")
    assert "the codec's instance trapped" in caplog.text and "xxx" not in caplog.text
    server.call(request(again(PRECISE, token)))


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ('{"params":{"a":1}}', '{"a":1}'),
        (' { "id" : 1 ,\n"params" : { "a" : [ 1.0 ] } , "x" : {} } ', '{ "a" : [ 1.0 ] }'),
        ('{"params":1,"params":{"a":"}"}}', '{"a":"}"}'),
        ('{"p\\u0061rams":{}}', "{}"),
        ('{"x":{"params":1}}', None),
        ("{}", None),
    ],
)
def test_member(message: str, text: str | None) -> None:
    assert member(message, "params") == (None if text is None else (text, json.loads(text)))


def test_the_text_is_used_only_if_it_is_what_the_handler_gets() -> None:
    assert received(b'{"params":{"a":1.0}}', {"a": 1.0}) == '{"a":1.0}'
    assert received(b'{"params":{"a":1.0}}', {"a": 2}) is None
    assert received('{"params":{"a":1}}'.encode("utf-16"), {"a": 1}) is None
    assert received(b'\xef\xbb\xbf{"params":{"a":1}}', {"a": 1}) is None
    assert received(b'{"params":{"a":"\xed\xa0\x80"}}', {"a": "\ud800"}) is None
    assert received(b"", {}) is None

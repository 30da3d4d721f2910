"""What the middleware binds a state to: the params as they came, where they can be had."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from pydantic import ValidationError
from starlette.requests import Request

from checkout import KEY, REFUSED
from parley_mrtr.codec import Codec, Guard, MemoryReplay, Verdict
from parley_mrtr.server import GuardMiddleware, verdict
from parley_mrtr.server.raw_params import received

QUESTION = ElicitRequest(
    params=ElicitRequestFormParams(message="Which?", requested_schema={"type": "object", "properties": {}})
)
PRECISE = '{"name":"t","arguments":{"x":0.1000000000000000055511151231257827}}'


def request(params: str, *, http: bool = True, body: bytes | None = None) -> ServerRequestContext[Any, Any]:
    """A request as the SDK hands it on: decoded, and over HTTP with the body it read."""
    if body is None:
        body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'.encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return ServerRequestContext(
        session=Mock(client_capabilities=ClientCapabilities(elicitation=ElicitationCapability())),
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
def user(subject: str | None, client: str = "app") -> Iterator[None]:
    token = AccessToken(token="t", client_id=client, scopes=[], subject=subject)
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
    with user(None, client=""):
        assert refused(server, request(again(PRECISE, token)))
        with pytest.raises(MCPError) as caught:
            server.call(request(PRECISE))
        assert asyncio.run(server.middleware(request(PRECISE), final)) == {"resultType": "complete"}
    assert (caught.value.code, caught.value.message) == (-32603, "Internal error")
    assert caplog.text.count("the token's verifier sets no subject") == 2


@pytest.mark.parametrize(
    ("declared", "wanted"),
    [
        (ClientCapabilities(elicitation=ElicitationCapability()), None),
        (ClientCapabilities(), {"elicitation": {"form": {}}}),
        (None, {"elicitation": {"form": {}}}),
    ],
)
def test_a_question_the_client_did_not_declare(declared: ClientCapabilities | None, wanted: object) -> None:
    ctx = replace(request(PRECISE), session=Mock(client_capabilities=declared))
    if wanted is None:
        assert Server().call(ctx)
        return
    with pytest.raises(MCPError) as caught:
        Server().call(ctx)
    assert (caught.value.code, caught.value.error.data) == (-32021, {"requiredCapabilities": wanted})


def test_clients_without_rounds() -> None:
    async def final(ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        assert ctx.params == {"name": "t"}
        return {"content": []}

    server = Server(Guard(KEY, audience="tests", max_rounds=1))
    answer = ElicitResult(action="accept", content={})
    session = Mock(client_capabilities=ClientCapabilities(elicitation=ElicitationCapability()))
    session.send_request = AsyncMock(return_value=answer)
    made_up = request('{"name":"t","requestState":"x","inputResponses":{}}')
    ctx = replace(made_up, protocol_version="2025-11-25", session=session)
    assert asyncio.run(server.middleware(ctx, final)) == {"content": []}
    with pytest.raises(MCPError, match="still asks after 1 rounds") as caught:
        asyncio.run(server.middleware(ctx, server.handler))
    assert caught.value.code == -32603
    assert server.params == {
        "name": "t",
        "requestState": "step 1",
        "inputResponses": {"q": {"action": "accept", "content": {}}},
    }
    assert server.verdicts == [Verdict.MISSING, Verdict.SAME]
    assert session.send_request.await_args.kwargs["metadata"].related_request_id == 1  # the call's stream


def test_clients_without_rounds_whose_answer_is_none() -> None:
    session = Mock(client_capabilities=ClientCapabilities(elicitation=ElicitationCapability()))
    with pytest.raises(ValidationError) as unusable:
        ElicitResult.model_validate({"action": "hunter2"})
    session.send_request = AsyncMock(side_effect=unusable.value)
    with pytest.raises(MCPError) as caught:
        Server().call(replace(request(PRECISE), protocol_version="2025-11-25", session=session))
    assert (caught.value.code, caught.value.message) == (-32600, "The client's answer is none to elicitation/create")


def test_clients_without_rounds_that_cannot_be_reached() -> None:
    session = Mock(can_send_request=False, protocol_version="2025-11-25")
    with pytest.raises(MCPError, match="cannot ask a client of protocol revision 2025-11-25"):
        Server().call(replace(request(PRECISE), protocol_version="2025-11-25", session=session))
    assert not session.send_request.called


@pytest.mark.parametrize(
    "result",
    [{"resultType": "input_required"}, {"resultType": "input_required", "inputRequests": {"q": {"method": "x"}}}],
)
def test_clients_without_rounds_are_not_asked_what_is_no_question(
    result: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def asks(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        return dict(result)

    with pytest.raises(MCPError) as caught:
        asyncio.run(Server().middleware(replace(request(PRECISE), protocol_version="2025-11-25"), asks))
    assert (caught.value.code, caught.value.message) == (-32603, "Internal error")
    assert "a result that is no InputRequiredResult" in caplog.text


def test_unpinned() -> None:
    async def asks(_ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
        return InputRequiredResult(input_requests={"q": QUESTION})

    for unpinned in ["t"], []:
        middleware = GuardMiddleware(Guard(KEY, audience="tests"), unpinned=unpinned)
        result = asyncio.run(middleware(request(PRECISE), asks))
        assert isinstance(result, dict) and ("requestState" in result) is not bool(unpinned)


def test_the_text_is_used_only_if_it_is_what_the_handler_gets() -> None:
    assert received(b'{"params":{"a":1.0}}', {"a": 1.0}) == '{"a":1.0}'
    assert received(b'{"params":{"a":1.0}}', {"a": 2}) is None
    assert received('{"params":{"a":1}}'.encode("utf-16"), {"a": 1}) is None
    assert received(b'\xef\xbb\xbf{"params":{"a":1}}', {"a": 1}) is None
    assert received(b'{"params":{"a":"\xed\xa0\x80"}}', {"a": "\ud800"}) is None
    assert received(b"", {}) is None


# Else a store that is asked over a network holds up everybody's calls.
def test_a_replay_store_is_asked_beside_the_event_loop() -> None:
    async def run() -> None:
        loop, turned = asyncio.get_running_loop(), threading.Event()

        class Store:
            def consume(self, id: bytes, expires: int) -> bool:
                loop.call_soon_threadsafe(turned.set)
                return turned.wait(60)

        server = Server(Guard(KEY, audience="tests", single_use=["t"], replay=Store()))
        first = await server.middleware(request('{"name":"t"}'), server.handler)
        assert isinstance(first, dict)
        again = json.dumps({"name": "t", "requestState": first["requestState"]})
        await server.middleware(request(again), server.handler)
        assert server.params["requestState"] == "step 1"

    asyncio.run(run())


def test_a_principal_that_is_no_text_makes_no_state(caplog: Any) -> None:
    server = Server()
    server.middleware = GuardMiddleware(Guard(KEY, audience="tests"), who=lambda _ctx: 7)  # type: ignore[arg-type, return-value]
    with pytest.raises(MCPError) as caught:
        server.call(request(PRECISE))
    assert caught.value.code == -32603
    assert "who must return a str or None, not int" in caplog.text


class KeyService:
    """A codec of one's own, which waits for a service."""

    def __init__(self) -> None:
        self.codec, self.away = Codec(KEY), False

    async def seal(self, plaintext: bytes, context: bytes) -> str:
        await self._reached()
        return self.codec.seal(plaintext, context)

    async def open(self, token: str, context: bytes) -> bytes:
        await self._reached()
        return self.codec.open(token, context)

    async def _reached(self) -> None:
        await asyncio.sleep(0)
        if self.away:
            raise ConnectionError("the key service is away")


@pytest.mark.parametrize("single_use", [[], ["t"]])
def test_an_asynchronous_codec(single_use: list[str], caplog: pytest.LogCaptureFixture) -> None:
    service = KeyService()
    server = Server(Guard(service, audience="tests", single_use=single_use, replay=MemoryReplay()))
    token = server.call(request(PRECISE))
    server.call(request(again(PRECISE, token)))
    assert server.params["requestState"] == "step 1"
    service.away = True
    assert refused(server, request(again(PRECISE, token)))
    with pytest.raises(MCPError) as caught:
        server.call(request(PRECISE))
    assert (caught.value.code, caught.value.message) == (-32603, "Internal error")
    assert caplog.text.count("the key service is away") == 2

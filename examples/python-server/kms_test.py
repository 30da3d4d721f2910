"""The codec of kms.py: held to what a Guard relies on, and behind a tool on the official SDK's server."""

import asyncio
import logging
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from mcp import Client, MCPError
from mcp.server.mcpserver import MCPServer
from mcp_types import ElicitResult
from pydantic import BaseModel

from kms import MAX_TOKEN, EnvelopeCodec, StandIn
from parley_mrtr.codec import CONTEXT_GUARD, Guard, inspect
from parley_mrtr.codec.testing import check_codec
from parley_mrtr.server import Ask, asking, protect


def unwrapped(kms: StandIn, *wrapped: bytes) -> EnvelopeCodec:
    return asyncio.run(EnvelopeCodec.unwrap(kms, list(wrapped)))


def test_a_guard_can_rely_on_it() -> None:
    kms = StandIn()
    check_codec(unwrapped(kms, kms.wrapped_data_key()), unwrapped(kms, kms.wrapped_data_key()), MAX_TOKEN)


def test_a_data_key_of_another_service_is_none() -> None:
    with pytest.raises(InvalidTag):
        unwrapped(StandIn(), StandIn().wrapped_data_key())
    for wrong in [], [b"short"]:
        with pytest.raises(ValueError, match="data keys of 32 bytes"):
            EnvelopeCodec(wrong)


def test_rotation() -> None:
    kms = StandIn()
    old, new = kms.wrapped_data_key(), kms.wrapped_data_key()
    token = unwrapped(kms, old).seal(b"state", CONTEXT_GUARD)
    assert unwrapped(kms, new, old).open(token, CONTEXT_GUARD) == b"state"
    assert unwrapped(kms, old, new).open(unwrapped(kms, new).seal(b"state", CONTEXT_GUARD), CONTEXT_GUARD) == b"state"


class Room(BaseModel):
    name: str


def hotel(codec: EnvelopeCodec) -> MCPServer:
    """An instance of a server."""
    guard = Guard(codec, audience="hotel")
    server = MCPServer("hotel")
    protect(server, guard)

    @server.tool()
    @asking(guard)
    async def book(city: str, ask: Ask) -> str:
        room = await ask.form(f"Which room in {city}?", Room)
        floor = await ask.form("Which floor?", Room)
        return f"{room.name} on {floor.name}"

    return server


async def called(server: MCPServer, **more: Any) -> Any:
    """One round, by the official client: its result, or the error."""

    async def nobody(*_: Any) -> ElicitResult:
        raise AssertionError("the rounds are played by hand")

    async with Client(server, elicitation_callback=nobody) as client:
        try:
            return await client.session.call_tool("book", {"city": "Oslo"}, allow_input_required=True, **more)
        except MCPError as error:
            return error


def answered(asked: Any, name: str) -> dict[str, Any]:
    (key,) = asked.input_requests
    answer = ElicitResult(action="accept", content={"name": name})
    return {"request_state": asked.request_state, "input_responses": {key: answer}}


def test_a_call_on_three_instances(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    async def run() -> None:
        kms = StandIn()
        wrapped = [kms.wrapped_data_key()]
        codecs = [await EnvelopeCodec.unwrap(kms, wrapped) for _ in range(3)]  # each on a machine of its own
        first = await called(hotel(codecs[0]))
        assert inspect(codecs[2].open(first.request_state, CONTEXT_GUARD)).rounds == 1
        second = await called(hotel(codecs[1]), **answered(first, "blue"))
        done = await called(hotel(codecs[2]), **answered(second, "the first"))
        assert done.content[0].text == "blue on the first"
        assert kms.asked == 3  # each instance once, and no call asks it again

        other = await EnvelopeCodec.unwrap(kms, [kms.wrapped_data_key()])
        refused = await called(hotel(other), **answered(first, "blue"))
        data = {"reason": "invalid_request_state"}
        assert refused.error.model_dump(exclude_none=True) == {"code": -32602, "message": "Invalid or expired requestState", "data": data}
        assert "unknown key" in caplog.text and first.request_state not in caplog.text

    asyncio.run(run())


def test_a_whole_call_by_the_official_client() -> None:
    async def run() -> None:
        async def person(_context: Any, params: Any) -> ElicitResult:
            asked.append(params.message)
            return ElicitResult(action="accept", content={"name": f"answer {len(asked)}"})

        asked: list[str] = []
        kms = StandIn()
        server = hotel(await EnvelopeCodec.unwrap(kms, [kms.wrapped_data_key()]))
        async with Client(server, elicitation_callback=person) as client:
            said = await client.call_tool("book", {"city": "Oslo"})
        assert said.content[0].text == "answer 1 on answer 2"  # type: ignore[union-attr]
        assert (asked, kms.asked) == (["Which room in Oslo?", "Which floor?"], 1)

    asyncio.run(run())

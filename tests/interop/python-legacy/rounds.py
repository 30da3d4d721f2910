"""The official client of the Python SDK, version 1, calls tools of a server that ask by their results. Takes the url and the
calls, a JSON array of name and arguments, prompts and resources as in kind. It answers each form with the number of questions so
far, and prints what each call came to and what was asked."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import timedelta
from typing import Any

from mcp import ClientSession, McpError, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.context import RequestContext
from pydantic import AnyUrl

PATIENCE = timedelta(seconds=180)  # how long anything may take. Nobody waits for it on a good day.


async def main(url: str, calls: str) -> None:
    asked: list[str] = []

    async def elicit(_: RequestContext[Any, Any], params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        if isinstance(params, types.ElicitRequestURLParams):
            assert params.elicitationId
            return types.ElicitResult(action="accept")
        return types.ElicitResult(action="accept", content={"a": str(len(asked))})

    async def sample(_: RequestContext[Any, Any], params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        (message,) = params.messages
        assert isinstance(message.content, types.TextContent)
        asked.append(message.content.text)
        said = types.TextContent(type="text", text="sampled")
        return types.CreateMessageResult(role="assistant", model="none", content=said)

    async def roots(_: RequestContext[Any, Any]) -> types.ListRootsResult:
        asked.append("roots")
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///books"})])

    async def call(session: ClientSession, kind: str, name: str, arguments: dict[str, Any]) -> str:
        if kind == "prompt":
            (message,) = (await session.get_prompt(name, arguments)).messages
            assert isinstance(message.content, types.TextContent)
            return message.content.text
        if kind == "resource":
            (content,) = (await session.read_resource(AnyUrl(name))).contents
            assert isinstance(content, types.TextResourceContents)
            return content.text
        (block,) = (await session.call_tool(name, arguments)).content
        assert isinstance(block, types.TextContent)
        return block.text

    came_to = []
    async with (
        streamable_http_client(url) as (read, write, _),
        ClientSession(
            read, write, PATIENCE, elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots
        ) as session,
    ):
        await session.initialize()
        for kind, name, arguments in json.loads(calls):
            asked.clear()
            try:
                text = await call(session, kind, name, arguments)
            except McpError as error:
                text = f"{error.error.code} {error.error.message}"
            came_to.append({"text": text, "asked": list(asked)})
    print(json.dumps(came_to))


asyncio.run(main(*sys.argv[1:]))

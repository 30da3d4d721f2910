"""The official client of the Python SDK, with its automatic loop. Plays the calls on standard input."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
import urllib.request
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp_types import (
    URL_ELICITATION_REQUIRED,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitCompleteNotification,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    ListRootsResult,
    LoggingMessageNotificationParams,
    Root,
    TextContent,
)


PATIENCE = 180  # s: how long anything may take. Nobody waits for it on a good day.


class Player:
    """Plays one call at a time, and answers as the case says."""

    client: Client
    case: dict[str, Any]
    got: dict[str, Any]

    def __init__(self) -> None:
        self.completed: set[str] = set()

    async def play(self, case: dict[str, Any]) -> dict[str, Any]:
        self.case = case
        self.got = {"asked": [], "progress": [], "logs": []}
        got = self.got
        try:
            with anyio.move_on_after(PATIENCE) as self.scope:
                got["text"] = await self.call_opening(case)
            if self.scope.cancelled_caught:
                got["cancelled"] = True
        except* Exception as group:
            got["error"] = "; ".join(str(error) for error in flat(group))
        late = time.monotonic() + PATIENCE  # notifications are delivered apart from results
        while "error" not in got and not self.told(case) and time.monotonic() < late:
            await anyio.sleep(0.02)
        if then := case.get("then"):
            late = time.monotonic() + PATIENCE
            while got.get("then") != then["text"] and time.monotonic() < late:
                got["then"] = await self.call(then)
                await anyio.sleep(0.02)
        return got

    def told(self, case: dict[str, Any]) -> bool:
        """Whether every notification that the case expects is there."""
        return all(len(self.got[what]) >= len(case.get(what, [])) for what in ("progress", "logs"))

    async def call_opening(self, case: dict[str, Any]) -> str:
        """Opens the pages that an error requires, which the SDK leaves to its user."""
        try:
            return await self.call(case)
        except MCPError as error:
            if error.code != URL_ELICITATION_REQUIRED:
                raise
            for elicitation in error.data["elicitations"]:
                self.answer(elicitation["message"], elicitation["url"])
                while elicitation["elicitationId"] not in self.completed:
                    await anyio.sleep(0.02)
            return await self.call(case)

    async def call(self, case: dict[str, Any]) -> str:
        arguments = case.get("arguments")
        if tool := case.get("tool"):
            result = await self.client.call_tool(tool, arguments, progress_callback=self.progress)
            return "".join(block.text if isinstance(block, TextContent) else block.type for block in result.content)
        if prompt := case.get("prompt"):
            (message,) = (await self.client.get_prompt(prompt, arguments)).messages
            return message.content.text if isinstance(message.content, TextContent) else message.content.type
        (content,) = (await self.client.read_resource(case["resource"])).contents
        return str(getattr(content, "text", "blob"))

    def answer(self, message: str, url: str | None) -> dict[str, Any]:
        answers = self.case["answers"][message]
        nth = self.got["asked"].count(message)
        self.got["asked"].append(message)
        answer: dict[str, Any] = answers[min(nth, len(answers) - 1)]
        if answer.get("visit") and url:
            urllib.request.urlopen(url).close()
        return answer

    async def elicit(self, _: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        url = params.url if isinstance(params, ElicitRequestURLParams) else None
        answer = self.answer(params.message, url)
        return ElicitResult(action=answer["action"], content=answer.get("content"))

    async def sample(self, _: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
        content = params.messages[0].content
        assert isinstance(content, TextContent)
        self.got["asked"].append(f"sampling: {content.text}")
        return CreateMessageResult(role="assistant", model="none", content=TextContent(type="text", text="A line."))

    async def list_roots(self, _: ClientRequestContext) -> ListRootsResult:
        self.got["asked"].append("roots")
        return ListRootsResult(roots=[Root(uri="file:///interop")])

    async def log(self, params: LoggingMessageNotificationParams) -> None:
        self.got["logs"].append(params.data)

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        self.got["progress"].append(progress)
        if self.case.get("cancel"):
            self.scope.cancel()

    async def notified(self, message: object) -> None:
        if isinstance(message, ElicitCompleteNotification):
            self.completed.add(message.params.elicitation_id)


def flat(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    leaves: list[BaseException] = []
    for error in group.exceptions:
        leaves += flat(error) if isinstance(error, BaseExceptionGroup) else [error]
    return leaves


async def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--legacy", action="store_true")
    flags.add_argument("target", nargs="+", help="a URL, or -- and a command")
    given = flags.parse_args()
    program, *arguments = given.target
    server: str | StdioServerParameters = program
    if arguments:
        server = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
    cases = json.loads(sys.stdin.read())
    player = Player()
    async with Client(
        server,
        mode="legacy" if given.legacy else "2026-07-28",
        elicitation_callback=player.elicit,
        sampling_callback=player.sample,
        list_roots_callback=player.list_roots,
        logging_callback=player.log,
        message_handler=player.notified,
        log_level="info",
    ) as player.client:
        if given.legacy and player.client.server_capabilities.logging:
            await player.client.set_logging_level("info")
        await player.client.list_tools()  # names the parameters that are header fields
        outcomes = [await player.play(case) for case in cases]
    print(json.dumps(outcomes))


asyncio.run(main())

"""Features that build their InputRequiredResult by hand, and ask clients of the earlier era by requests."""

from __future__ import annotations

import json
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
)

from state import FORMS, NO, State


def legacy(ctx: Context) -> bool:
    return (ctx.protocol_version or "") < "2026-07-28"


async def ask(
    ctx: Context, key: str, params: ElicitRequestFormParams | ElicitRequestURLParams, remember: str | None = None
) -> ElicitResult | InputRequiredResult:
    """The answer to a question, or the result that asks it."""
    request = ElicitRequest(params=params)
    if legacy(ctx):
        # Related to the request, which puts the question on its stream.
        related = ServerMessageMetadata(related_request_id=ctx.request_id)
        return await ctx.session.send_request(request, ElicitResult, metadata=related)
    answer = (ctx.input_responses or {}).get(key)
    if isinstance(answer, ElicitResult):
        return answer
    return InputRequiredResult(input_requests={key: request}, request_state=remember)


def form(name: str) -> ElicitRequestFormParams:
    return ElicitRequestFormParams(message=FORMS[name]["message"], requested_schema=FORMS[name]["requestedSchema"])


def add(server: MCPServer, state: State) -> None:
    async def ask_form(ctx: Context) -> str | InputRequiredResult:
        """Asks a form with every kind of field."""
        answer = await ask(ctx, "form", form("person"))
        if isinstance(answer, InputRequiredResult):
            return answer
        if answer.action != "accept":
            return NO[answer.action]
        return "accepted " + json.dumps(answer.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    async def open_page(ctx: Context) -> str | InputRequiredResult:
        """Asks to open a page."""
        page = ctx.request_state or state.pages.add()
        question = ElicitRequestURLParams(
            message="Please open the page.",
            url=state.pages.url(page),
            elicitation_id=page if legacy(ctx) else None,
        )
        answer = await ask(ctx, "page", question, page)
        if isinstance(answer, InputRequiredResult):
            return answer
        if answer.action != "accept":
            return NO[answer.action]
        if legacy(ctx):
            await state.pages.visit(page)
            await ctx.session.send_elicit_complete(page, ctx.request_id)
        elif not state.pages.visited(page):
            again = ElicitRequest(params=question)
            return InputRequiredResult(input_requests={"page": again}, request_state=page)
        return "visited"

    async def busy(rounds: int, ctx: Context) -> str | InputRequiredResult:
        """Has the client come back a few times."""
        done = rounds if legacy(ctx) else int(ctx.request_state or 0)  # there is no such round in the earlier era
        if done < rounds:
            return InputRequiredResult(request_state=str(done + 1))
        return f"ready after {done} rounds"

    for tool in ask_form, open_page, busy:
        server.add_tool(tool, structured_output=False)

    @server.prompt()
    async def advise(topic: str, ctx: Context) -> str | InputRequiredResult:
        answer = await ask(ctx, "tone", form("tone"))
        if isinstance(answer, InputRequiredResult):
            return answer
        content: dict[str, Any] = dict(answer.content or {})
        return f"Advise on {topic} in a {content['tone']} tone." if content else f"Advise on {topic}."

    # The SDK lets templates ask, but no resource with a fixed URI.
    @server.resource("interop://{name}", mime_type="text/plain")
    async def report(name: str, ctx: Context) -> str | InputRequiredResult:
        answer = await ask(ctx, "quarter", form("quarter"))
        if isinstance(answer, InputRequiredResult):
            return answer
        content: dict[str, Any] = dict(answer.content or {})
        return f"Report for {content['quarter']}." if content else "Report for the year."

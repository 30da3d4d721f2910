"""Tools that ask nothing, and those of the earlier era."""

from __future__ import annotations

import asyncio
import warnings

import anyio
from mcp import UrlElicitationRequiredError
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import ElicitRequestURLParams

from state import FORMS, State

warnings.simplefilter("ignore", MCPDeprecationWarning)


def add(server: MCPServer, state: State, legacy: bool) -> None:
    async def echo(text: str) -> str:
        """Says what it was told."""
        return text

    async def progress(steps: int, ctx: Context) -> str:
        """Reports progress."""
        await ctx.info("working", logger_name="interop")
        for step in range(1, steps + 1):
            await ctx.report_progress(step, steps, f"step {step}")
            await anyio.sleep(0.02)  # clients forget who wants progress when the result is there
        return f"done after {steps} steps"

    async def slow(id: str, seconds: float, ctx: Context) -> str:
        """Takes its time."""
        state.outcomes[id] = "running"
        await ctx.report_progress(1)  # tells that it runs
        try:
            await anyio.sleep(seconds)
        except anyio.get_cancelled_exc_class():
            state.outcomes[id] = "cancelled"
            raise
        state.outcomes[id] = "finished"
        return "finished"

    async def outcome(id: str) -> str:
        """Says what became of a slow call."""
        return state.outcomes.get(id, "unknown")

    async def charged(id: str) -> str:
        """Says how often money was taken."""
        return str(state.charges.get(id, 0))

    for tool in echo, progress, slow, outcome, charged:
        server.add_tool(tool, structured_output=False)
    if not legacy:
        return

    told: set[asyncio.Task[None]] = set()

    async def require_page(ctx: Context) -> str:
        """Fails until a page was opened."""
        session = (ctx.headers or {}).get("mcp-session-id")
        page = state.required.get(session)
        if page is not None and state.pages.visited(page):
            del state.required[session]
            return "visited"
        if page is None:
            page = state.required[session] = state.pages.add()
            task = asyncio.create_task(tell(ctx, page))
            told.add(task)  # or it may be collected
            task.add_done_callback(told.discard)
        question = ElicitRequestURLParams(
            message="Please open the page.", url=state.pages.url(page), elicitation_id=page
        )
        raise UrlElicitationRequiredError([question])

    async def tell(ctx: Context, page: str) -> None:
        await state.pages.visit(page)
        await ctx.session.send_elicit_complete(page)

    async def ask_on_stream(ctx: Context) -> str:
        """Asks on the stream that belongs to no request."""
        answer = await ctx.session.elicit_form(FORMS["name"]["message"], FORMS["name"]["requestedSchema"])
        return str((answer.content or {})["name"])

    async def cut_stream(ctx: Context) -> str:
        """Ends its response stream before the result."""
        await ctx.close_sse_stream()
        await anyio.sleep(0.1)  # the client is between two streams
        return "resumed"

    for tool in require_page, ask_on_stream, cut_stream:
        server.add_tool(tool, structured_output=False)

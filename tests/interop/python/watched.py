"""What clients can watch, and how the argument of the prompt could go on."""

from __future__ import annotations

from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import Completion, EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

REPORT = "interop://report"
TOPICS = ["tea", "terns", "coffee"]


def add(server: MCPServer, legacy: bool) -> None:
    async def touch(ctx: Context) -> str:
        """Says that the tools and the report have changed."""
        if legacy:
            await ctx.session.send_tool_list_changed()
            await ctx.session.send_resource_updated(REPORT)
        else:
            await ctx.notify_tools_changed()
            await ctx.notify_resource_updated(REPORT)
        return "touched"

    server.add_tool(touch, structured_output=False)

    @server.completion()
    async def complete(ref, argument, context) -> Completion:  # noqa: ANN001
        values = [topic for topic in TOPICS if topic.startswith(argument.value)]
        return Completion(values=values, total=len(values), has_more=False)

    if legacy:  # MCPServer has subscriptions of 2026-07-28 alone
        lowlevel = server._lowlevel_server
        lowlevel.add_request_handler("resources/subscribe", SubscribeRequestParams, taken)
        lowlevel.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, taken)


async def taken(ctx: ServerRequestContext, params: SubscribeRequestParams | UnsubscribeRequestParams) -> EmptyResult:
    return EmptyResult()

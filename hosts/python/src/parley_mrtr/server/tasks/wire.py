"""Tasks as clients see them.

Source: ext-tasks 2026-07-28.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY, RequestParams
from mcp_types.jsonrpc import HEADER_MISMATCH
from pydantic import Field

from ..abilities import TASKS_EXTENSION
from .store import TaskRecord


class TaskParams(RequestParams):
    task_id: str


class UpdateParams(TaskParams):
    input_responses: dict[str, Any] = Field(default_factory=dict)


def state(record: TaskRecord, poll: float) -> dict[str, Any]:
    """What every form of a task says. How long it lives changes while it waits for a person."""
    said: dict[str, Any] = {
        "resultType": "complete",
        "taskId": record.id,
        "status": "input_required" if record.asked else record.status,
        "createdAt": _stamp(record.created),
        "lastUpdatedAt": _stamp(record.updated),
        "ttlMs": round(1000 * (record.expires - record.created)),
        "pollIntervalMs": round(1000 * poll),
    }
    return {**said, "statusMessage": record.message} if record.message else said


def details(record: TaskRecord, poll: float) -> dict[str, Any]:
    """What tasks/get says."""
    said = state(record, poll)
    more = {"inputRequests": record.asked or None, "result": record.result, "error": record.error}
    return {**said, **{name: value for name, value in more.items() if value is not None}}


def _stamp(at: float) -> str:
    text = datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def check_name(ctx: ServerRequestContext[Any, Any], id: str) -> None:
    """Holds the header field Mcp-Name against a task's id: the SDK knows only the standard methods. One that is missing
    passes, because FastMCP's client sends none for tasks."""
    headers = getattr(ctx.request, "headers", None)
    name = None if headers is None else headers.get(MCP_NAME_HEADER)
    if name is not None and decode_header_value(name) != id:
        raise MCPError(HEADER_MISMATCH, "The header field Mcp-Name does not name the task")


def no_tasks() -> MCPError:
    return MCPError(
        MISSING_REQUIRED_CLIENT_CAPABILITY,
        f"This needs a client that declares the extension {TASKS_EXTENSION}",
        {"requiredCapabilities": {"extensions": {TASKS_EXTENSION: {}}}},
    )


def no_such_task() -> MCPError:
    return MCPError(INVALID_PARAMS, "There is no such task, or not any more")


def failure(message: str) -> MCPError:
    return MCPError(INTERNAL_ERROR, message)

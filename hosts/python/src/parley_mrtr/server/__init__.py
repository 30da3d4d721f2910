"""Middleware and handlers for MCP servers on the official SDK and on FastMCP."""

from .abilities import TASKS_EXTENSION, Abilities, abilities
from .ask import Ask, AskError, Suspended
from .asked import Asked
from .asking import asking
from .authenticated import authenticated
from .current import exchange, verdict
from .middleware import GuardMiddleware
from .protect import protect
from .questions import Cancelled, Declined, Question, elicit, form, roots, sampling, url
from .request_state import SealCodec
from .tasks.store import TaskMemory, TaskRecord, TaskStore, TooManyTasks
from .tasks.task import Task
from .tasks.tasks import Tasks

__all__ = [
    "TASKS_EXTENSION",
    "Abilities",
    "Ask",
    "AskError",
    "Asked",
    "Cancelled",
    "Declined",
    "GuardMiddleware",
    "Question",
    "SealCodec",
    "Suspended",
    "Task",
    "TaskMemory",
    "TaskRecord",
    "TaskStore",
    "Tasks",
    "TooManyTasks",
    "abilities",
    "asking",
    "authenticated",
    "elicit",
    "exchange",
    "form",
    "protect",
    "roots",
    "sampling",
    "url",
    "verdict",
]

"""The host side of Parley: calls that can wait for people, carried by a client."""

from parley_mrtr.host.connect import connect, new_session
from parley_mrtr.host.core import SessionCore
from parley_mrtr.host.errors import CallFailed, Code, InstanceError, ParleyError, StatusError, UnsentError
from parley_mrtr.host.form import Form
from parley_mrtr.host.http import StreamableHTTP
from parley_mrtr.host.outcome import Done, Outcome, Pending
from parley_mrtr.host.question import PARK, Answer, Asker, Askers, Question, accept, decline
from parley_mrtr.host.requests import Outbound, Requests, Send
from parley_mrtr.host.results import Parked, ToolResult, tool_result
from parley_mrtr.host.session import Session
from parley_mrtr.host.stdio import Stdio
from parley_mrtr.host.transport import Transport
from parley_mrtr.host.watchers import SessionWatchers, Watchers

__all__ = [
    "PARK",
    "Answer",
    "Asker",
    "Askers",
    "CallFailed",
    "Code",
    "Done",
    "Form",
    "InstanceError",
    "Outbound",
    "Outcome",
    "Parked",
    "ParleyError",
    "Pending",
    "Question",
    "Requests",
    "Send",
    "Session",
    "SessionCore",
    "SessionWatchers",
    "StatusError",
    "Stdio",
    "StreamableHTTP",
    "ToolResult",
    "Transport",
    "UnsentError",
    "Watchers",
    "accept",
    "connect",
    "decline",
    "new_session",
    "tool_result",
]

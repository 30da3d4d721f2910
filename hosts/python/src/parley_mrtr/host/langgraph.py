"""Tools of MCP servers for LangGraph, whose questions interrupt the graph.

LangGraph runs what was interrupted again from its beginning. A tool that asks in the middle of its call would so call
the server again, and throw away what the person has answered. Here each way to the server is a task of LangGraph, of
which the checkpoint keeps what came of it: the pending call's snapshot stands there beside the interrupt, and the tool
goes on from it, in any process.

It needs Python 3.11, as LangGraph's asynchronous tasks do, and a checkpointer. Calls that may ask at the same time have
to be runs of a node of their own, as `Send` makes them.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Awaitable
from typing import Any

from langchain_core.tools import StructuredTool, ToolException
from langgraph.func import task
from langgraph.types import interrupt

from parley_mrtr.host.errors import CallFailed, Code, ParleyError
from parley_mrtr.host.form import Form, Shown
from parley_mrtr.host.listing import Tool
from parley_mrtr.host.options import Options
from parley_mrtr.host.outcome import Outcome, Pending
from parley_mrtr.host.question import Question
from parley_mrtr.host.results import tool_result
from parley_mrtr.host.session import Session

if sys.version_info < (3, 11):
    raise ImportError("parley: LangGraph has asynchronous tasks from Python 3.11 on")


async def tools(session: Session, *, peer: str = "", principal: str = "") -> list[StructuredTool]:
    """The server's tools, for `bind_tools` and `ToolNode`.

    An interrupt's value is a dict: `tool`, and `questions`, each with `id`, `key`, `kind`, `mode`, `round`, `params` and
    where there is one `problem`. Of a form it has also `form`, with `fields` and `unchecked` as `Form` reads them: what
    there is to draw. It is resumed with ElicitResults by the ids, values or JSON text such as `Form.accept` makes; what
    has none is asked again, and so, with a `problem`, is what was answered with something that does not fit. If nobody
    knows whether the tool has run, there are an `id` and a `problem` in place of questions: True under that id calls it
    again, and False gives it up. Ids are unlike those of every other call.

    A checkpoint holds snapshots, which are secrets: use an encrypted serializer where others can read it. `peer` and
    `principal` are the host's names for the server and for who calls: a call goes on for nobody else.
    """
    labels: Labels = {"peer": peer, "principal": principal}
    return [_tool(session, tool, labels) async for tool in session.tools()]


Labels = dict[str, str]
State = dict[str, Any]

_AGAIN = "again"


def _tool(session: Session, tool: Tool, labels: Labels) -> StructuredTool:
    name = tool["name"]

    @task(name=f"call {name}")
    async def begin(arguments: dict[str, Any]) -> State:
        options: Options = {"peer": labels["peer"], "principal": labels["principal"]}
        calling = session.start("tools/call", {"name": name, "arguments": arguments}, options=options)
        return await _kept(secrets.token_hex(8), calling)

    @task(name=f"go on with {name}")
    async def go_on(call: str, snapshot: str, answers: dict[str, Any], resend: bool) -> State:
        expect: Any = labels
        return await _kept(call, session.resume(snapshot, answers, expect=expect, resend=resend))

    async def call(**arguments: Any) -> str:
        state = await begin(arguments)
        while "snapshot" in state:
            answers = _own(state["call"], interrupt({"tool": name, **state["shown"]}))
            again = answers.pop(_AGAIN, None)
            if again is False:
                raise ToolException(f"{state['shown']['problem']}; it was not called again")
            state = await go_on(state["call"], state["snapshot"], answers, again is True)
        if state["is_error"]:
            raise ToolException(state["text"])
        return str(state["text"])

    return StructuredTool(
        name=name,
        description=tool.get("description", ""),
        args_schema=tool["inputSchema"],
        coroutine=call,
        handle_tool_error=True,
    )


async def _kept(call: str, calling: Awaitable[Outcome]) -> State:
    """What a checkpoint keeps of a call. A failure is not kept, so that it is tried again, unless the tool may have run."""
    try:
        outcome = await calling
    except CallFailed as failed:
        if not failed.in_doubt or failed.snapshot is None:
            raise
        shown = {"id": f"{call}-{_AGAIN}", "problem": failed.detail}
        return {"call": call, "snapshot": failed.snapshot, "shown": shown}
    if isinstance(outcome, Pending):
        questions = [_shown(call, question) for question in outcome.questions]
        return {"call": call, "snapshot": outcome.snapshot, "shown": {"questions": questions}}
    result = tool_result(outcome)
    return {"text": result.text, "is_error": result.is_error}


def _own(call: str, answers: object) -> dict[str, Any]:
    """Answers to this call by its own ids. LangGraph may give it another's, or some from before."""
    found = answers.items() if isinstance(answers, dict) else ()
    return {id.removeprefix(f"{call}-"): answer for id, answer in found if str(id).startswith(f"{call}-")}


def _shown(call: str, question: Question) -> dict[str, Any]:
    shown = {
        "id": f"{call}-{question.id}",
        "key": question.key,
        "kind": question.kind,
        "mode": question.mode,
        "round": question.round,
        "params": question.about,
        "form": _form(question),
        "problem": question.problem,
        "host": question.host,
        "punycode": question.punycode or None,
        "repeat": question.repeat or None,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _form(question: Question) -> Shown | None:
    """What there is to draw, if it is a form, and one that Parley can read."""
    if question.mode != "form":
        return None
    try:
        return Form(question.params).shown
    except ParleyError as error:
        if error.code != Code.FORM:
            raise
        return None  # the host draws it itself, as it said with any_form

"""What a server asks, and who answers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from parley_mrtr.host.core import Action, Event
from parley_mrtr.host.frame import utf8
from parley_mrtr.host.options import Can


class Park:
    """The type of PARK."""

    def __repr__(self) -> str:
        return "PARK"


PARK: Final = Park()
"""What an asker returns to park the call: everything is kept in a snapshot, and `resume` asks again."""


@dataclass(frozen=True)
class Question:
    """A question of the server.

    `id` is never another question's in the same call. `kind` is a method's name, or `authorize`. `params` are the
    server's, as JSON text, if it sent any. Of a url, `host` is where it leads, `punycode` says that its name may
    imitate another, and `repeat` that the person has agreed to this very url before. `problem` says why the last
    answer to this very question could not be used. `earlier` is what this very form was filled in with before the call
    was started over, as JSON text, for the person to look at.
    """

    id: str
    key: str
    kind: str
    round: int
    params: bytes | None = None
    mode: Literal["form", "url"] | None = None
    host: str | None = None
    loopback: bool = False
    punycode: bool = False
    repeat: bool = False
    problem: str | None = None
    earlier: bytes | None = None

    @classmethod
    def of(cls, ask: Action) -> Question:
        names = {field.name for field in fields(cls)} & ask.keys()
        return cls(id=str(ask["ask"]), **{name: ask[name] for name in names})

    @property
    def about(self) -> dict[str, Any]:
        """The params, as values: `message` is the server's text, `requestedSchema` the form, `url` the address."""
        about: dict[str, Any] = json.loads(self.params or b"{}")
        return about

    @property
    def message(self) -> str:
        """What an elicitation says to the person."""
        return str(self.about.get("message", ""))


Answer = Mapping[str, Any] | str | bytes | Park
"""An ElicitResult, CreateMessageResult or ListRootsResult: values, or JSON text, which goes out as it is; or PARK."""

Asker = Callable[[Question], "Answer | Awaitable[Answer]"]


@dataclass(frozen=True)
class Askers:
    """Who answers a server's questions. A missing asker is a capability not declared.

    One that raises refuses its question, which ends the call resumably; one whose question is moot is cancelled.
    `authorize` signs in because the server wants authorization: the question's params have the `challenge`, and its
    answer may name the `account`. `sample_tools`: the server may ask `sample` for tools. `tasks`: it may make a task
    of a tool call, which is polled. `fill`: accepted forms get the schema's defaults where an answer leaves fields out.
    `any_form`: `elicit` draws forms itself that Parley cannot read, such as one with an object in it; their answers are
    not checked. One that asks for a secret is refused all the same.
    """

    elicit: Asker | None = None
    elicit_url: Asker | None = None
    sample: Asker | None = None
    list_roots: Asker | None = None
    authorize: Asker | None = None
    sample_tools: bool = False
    tasks: bool = False
    fill: bool = False
    any_form: bool = False

    def can(self) -> Can:
        """What can be answered, in the engine's words."""
        said: Can = {
            "form": self.elicit is not None,
            "url": self.elicit_url is not None,
            "sampling": self.sample is not None,
            "samplingTools": self.sample_tools,
            "roots": self.list_roots is not None,
            "tasks": self.tasks,
            "authorize": self.authorize is not None,
            "anyForm": self.any_form and self.elicit is not None,
        }
        return said

    def asker(self, question: Question) -> Asker | None:
        """Who a question is for."""
        elicit = self.elicit_url if question.mode == "url" else self.elicit
        others = {"sampling/createMessage": self.sample, "roots/list": self.list_roots, "authorize": self.authorize}
        return others.get(question.kind, elicit)


def accept(content: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The answer to an elicitation: yes, with what was filled in."""
    return {"action": "accept"} if content is None else {"action": "accept", "content": dict(content)}


def decline() -> dict[str, Any]:
    """The answer to an elicitation: no."""
    return {"action": "decline"}


async def ask(askers: Askers, question: Question) -> tuple[Event, BaseException | None]:
    """Asks, and returns the event that it leads to. Whatever an asker raises refuses its question."""
    try:
        asker = askers.asker(question)
        if asker is None:
            raise TypeError(f"parley: nobody answers {question.kind}")
        answer = asker(question)
        if isinstance(answer, Awaitable):
            answer = await answer
        if isinstance(answer, Park):
            return {"type": "park"}, None
        return {"type": "answer", "raw": json_text(answer), "fill": askers.fill or None}, None
    except GeneratorExit:
        raise
    except BaseException as error:
        return {"type": "refuse", "reason": _reason(question, error)}, error


def json_text(value: Mapping[str, Any] | str | bytes) -> bytes:
    """Values as JSON text, and text as it is."""
    if isinstance(value, (str, bytes)):
        return utf8(value)
    return utf8(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def _reason(question: Question, error: BaseException) -> str:
    """Why a question was refused. Of a sign-in, what to do about it is in the words."""
    said = str(error).removeprefix("parley: ")
    return said if question.kind == "authorize" and said else "the asker failed"

"""Parameters that a person fills in, and not the model."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, NoReturn, Union, get_args, get_origin

from pydantic import BaseModel, Field, create_model
from pydantic.json_schema import GenerateJsonSchema

from ..given import check
from .questions import Question, form

ORDER = "write @asking(guard) directly above the async def, and what registers the tool above that"


class Asked:
    """In a parameter's annotation: the person is asked for it, by a form of its type, before the function runs.

        @mcp.tool()
        @asking(guard)
        async def book(
            city: str,
            room: Annotated[Room, Asked(lambda city: f"Which room in {city}?")],
            nights: Annotated[int, Field(ge=1), Asked("How many nights?")],
            note: Annotated[Note | None, Asked("Anything else?")],
        ) -> str: ...

    The tool does not have such a parameter, so the model cannot set it. All of them are asked for at once, in the order
    of their names. A type that is
    no pydantic model makes a form of one field. If the person declines or cancels, the call fails with `Declined` or
    `Cancelled`; a type with `| None` is None then.
    """

    def __init__(self, message: str | Callable[..., str]) -> None:
        """`message` is the question, or a function that makes it of the tool's arguments, which it takes by name."""
        needs = "Asked: message must be a str, or a plain function that makes one of the tool's arguments"
        check(isinstance(message, str) or (callable(message) and not isinstance(message, type)), needs, message)
        check(not inspect.iscoroutinefunction(message), needs, message)
        if message == "":
            raise ValueError("Asked: message is empty: write the question into it")
        self.message = message

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> NoReturn:
        """A framework that sees this sees a function that `asking` has not taken."""
        raise TypeError(f"A tool with a parameter that is Asked was registered without asking: {ORDER}")


class AskedParameter:
    """A parameter of a function, and how it is asked for."""

    def __init__(self, name: str, wanted: Any, asked: Asked) -> None:
        self.name, self._asked = name, asked
        self._optional, wanted = _without_none(wanted)
        self._one_field = not (isinstance(wanted, type) and issubclass(wanted, BaseModel))
        if self._one_field:
            inner, *own = get_args(wanted) if get_origin(wanted) is Annotated else (wanted,)
            titled = Field(title=GenerateJsonSchema().get_title_from_name(name))  # unless it has its own
            self._model: type[BaseModel] = create_model("Asked", value=(_annotated(inner, titled, *own), ...))
        else:
            self._model = wanted
        self._make("?")  # TypeError if MCP has no such form

    @property
    def needs(self) -> frozenset[str]:
        """The arguments that the question is made of."""
        message = self._asked.message
        return frozenset() if isinstance(message, str) else frozenset(inspect.signature(message).parameters)

    def question(self, arguments: Mapping[str, Any]) -> Question[Any]:
        message = self._asked.message
        return self._make(message if isinstance(message, str) else message(**{n: arguments[n] for n in self.needs}))

    def _make(self, message: str) -> Question[Any]:
        question = form(message, self._model, key=self.name)
        return question.or_none() if self._optional else question

    def value(self, answer: Any) -> Any:
        return answer.value if self._one_field and answer is not None else answer


def asked_parameters(
    handler: Callable[..., Any], hints: Mapping[str, Any], others: Collection[str]
) -> list[AskedParameter]:
    """A function's parameters that are Asked. TypeError if one is written in a way that cannot be asked for. `others` are no
    arguments of the tool either."""
    found = []
    signature = inspect.signature(handler)
    for name, parameter in signature.parameters.items():
        hint = hints.get(name)
        marks = _marks(hint)
        if not marks:
            continue
        where = f"{handler.__name__}: the parameter {name}"
        if parameter.default is not inspect.Parameter.empty:
            raise TypeError(f"{where} is asked for, so it has no default: write | None into its type")
        at_top = get_origin(hint) is Annotated and _marks(get_args(hint)[0]) == []
        if not at_top or len(marks) > 1 or not isinstance(marks[0], Asked):
            raise TypeError(
                f'{where} must be written Annotated[…, Asked("the question")], with | None inside of the […]'
            )
        wanted, *metadata = get_args(hint)
        rest = [one for one in metadata if one is not marks[0]]
        found.append(AskedParameter(name, _annotated(wanted, *rest), marks[0]))
    arguments = signature.parameters.keys() - {one.name for one in found} - set(others)
    for one in found:
        unknown = sorted(one.needs - arguments)
        if unknown:
            text = ", ".join(unknown)
            raise TypeError(
                f"{handler.__name__}: the question for {one.name} is made of {text}, no argument of the tool"
            )
    return found


def _marks(hint: Any) -> list[Any]:
    """Everything in a hint that is Asked, or the class itself."""
    own = (
        [one for one in get_args(hint)[1:] if isinstance(one, Asked) or one is Asked]
        if get_origin(hint) is Annotated
        else []
    )
    inner = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    return own + [mark for one in inner for mark in _marks(one)]


def _annotated(wanted: Any, *metadata: Any) -> Any:
    annotated: Any = Annotated
    parts = (wanted, *metadata)
    return annotated[parts] if metadata else wanted


def _without_none(wanted: Any) -> tuple[bool, Any]:
    """Whether a type may be None, and what it is else."""
    if get_origin(wanted) is Annotated:
        inner, *metadata = get_args(wanted)
        optional, inner = _without_none(inner)
        return optional, _annotated(inner, *metadata)
    if get_origin(wanted) in (Union, types.UnionType):
        members = [one for one in get_args(wanted) if one is not type(None)]
        if len(members) < len(get_args(wanted)):
            return True, Union[tuple(members)]  # noqa: UP007
    return False, wanted

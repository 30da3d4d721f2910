"""The questions a handler can ask, and which answers they take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResultWithTools,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    InputRequest,
    ListRootsRequest,
    ListRootsResult,
    RequestParams,
    Root,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from .. import codec
from ..given import check, is_whole
from .forms import Form, strict_form
from .record import by_name

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

_MAX_TOKENS = 1000


class Declined(ToolError):
    """The person said no. A handler that lets it pass ends the call with a tool's error that says so."""


class Cancelled(ToolError):
    """The person walked away."""


class Unusable(Exception):
    """An answer that is none to its question, which is asked again."""


class Question(Generic[T]):
    """Something to ask the client, for `Ask.all`.

    `accept` makes of a client's answer what is recorded, `recall` of that what the handler gets; both raise `Unusable`.
    """

    kind = ""  # as in the keys of questions without a key of their own

    def __init__(self, request: InputRequest, key: str | None) -> None:
        check(key is None or isinstance(key, str), "the key of a question must be a str", key)
        self.request, self.key = request, key

    @cached_property
    def wire(self) -> dict[str, Any]:
        """The question as it is sent."""
        return self.request.model_dump(by_alias=True, mode="json", exclude_none=True)

    def under(self, key: str) -> codec.Question:
        return codec.Question(key, self.wire["method"], self.wire.get("params"))

    def accept(self, answer: Any) -> Any:
        raise NotImplementedError

    def recall(self, recorded: Any) -> T:
        raise NotImplementedError


class Elicitation(Question[T]):
    kind = "elicitation"

    def __init__(
        self,
        params: ElicitRequestFormParams | ElicitRequestURLParams,
        key: str | None,
        read: Callable[[str, dict[str, Any]], T],
        form: Form | None = None,
        fits: Callable[[dict[str, Any]], bool] = lambda _: True,
    ) -> None:
        """`read` makes of an action and the content what the handler gets. `fits` holds an answer against the form."""
        super().__init__(ElicitRequest(params=params), key)
        self._params, self._read, self._form, self._fits = params, read, form, fits

    def accept(self, answer: Any) -> Any:
        if not isinstance(answer, dict) or answer.get("action") not in ("accept", "decline", "cancel"):
            raise Unusable
        recorded = _with_meta(answer) | {"action": answer["action"]}
        if answer["action"] == "accept":
            content = answer.get("content")
            if not isinstance(content, dict | None):
                raise Unusable
            content = self._filled(content or {})
            if content:
                recorded["content"] = by_name(content)
        try:
            self.recall(recorded)  # or it is no answer
        except (Declined, Cancelled):
            pass
        return recorded

    def _filled(self, content: dict[str, Any]) -> dict[str, Any]:
        """The content with what stands for what was left out."""
        if self._form is None:
            return content
        content = {n: value for n, value in content.items() if value is not None or n not in self._form.nullable}
        if not self._fits(content):
            raise Unusable
        properties = self._form.schema["properties"]
        defaults = {name: value["default"] for name, value in properties.items() if "default" in value}
        return {**defaults, **dict.fromkeys(sorted(self._form.empty)), **content}

    def recall(self, recorded: Any) -> T:
        try:
            action = recorded["action"]
            content = recorded.get("content") or {}
            return self._read(action, content if action == "accept" else {})
        except (ValueError, TypeError, KeyError, AttributeError):  # pydantic's too, whose text repeats the answer
            raise Unusable from None

    def or_none(self) -> Elicitation[T | None]:
        """The same, answered with None if the person does not answer."""
        read = self._read
        return Elicitation(
            self._params,
            self.key,
            lambda action, content: read(action, content) if action == "accept" else None,
            self._form,
            self._fits,
        )


def _check_text(value: object, what: str) -> None:
    check(isinstance(value, str), f"{what} must be a str", value)


def _with_meta(answer: dict[str, Any]) -> dict[str, Any]:
    meta = answer.get("_meta")
    return {"_meta": by_name(meta)} if isinstance(meta, dict) else {}


def _accepted(action: str) -> None:
    if action == "decline":
        raise Declined("the person declined")
    if action == "cancel":
        raise Cancelled("the person cancelled")


@overload
def form(message: str, asked: type[M], *, key: str | None = None) -> Elicitation[M]: ...
@overload
def form(message: str, asked: Mapping[str, Any], *, key: str | None = None) -> Elicitation[dict[str, Any]]: ...
def form(message: str, asked: type[BaseModel] | Mapping[str, Any], *, key: str | None = None) -> Elicitation[Any]:
    """A form of a pydantic model's fields, answered with an instance of it; or of a JSON Schema, answered with a dict,
    which asks word for word the same as a server in another language with that schema. `Declined` or `Cancelled` is
    raised if the person does not fill it in. An answer that does not fit is none, and is asked for again.

    TypeError is raised at once if MCP has no such form, because other clients are strict. What says the same in other
    words is rewritten: with null beside a type, or None, the field may be left out."""
    _check_text(message, "form: message")
    if isinstance(asked, Mapping):
        return _schema_form(message, dict(asked), key)

    needs = "form: what is asked must be a pydantic model's class or a JSON Schema as a dict"
    check(isinstance(asked, type) and issubclass(asked, BaseModel), needs, asked)

    def read(action: str, content: dict[str, Any]) -> BaseModel:
        _accepted(action)
        return asked.model_validate(content)

    schema = asked.model_json_schema()
    for name, field in schema.get("properties", {}).items():
        field.setdefault(
            "title", GenerateJsonSchema().get_title_from_name(name)
        )  # not that of an Enum, which others have
    return _typed_form(message, strict_form(schema, "form"), schema, key, read)


def _typed_form(
    message: str, form: Form, schema: Mapping[str, Any], key: str | None, read: Callable[[str, dict[str, Any]], T]
) -> Elicitation[T]:
    """A form of a type, which fills in what may be left out by itself."""
    form = replace(form, empty=form.empty & set(schema.get("required", ())))
    return Elicitation(ElicitRequestFormParams(message=message, requested_schema=form.schema), key, read, form)


def _schema_form(message: str, schema: dict[str, Any], key: str | None) -> Elicitation[dict[str, Any]]:
    from jsonschema import Draft202012Validator  # slow to import, and not needed by everybody

    form = strict_form(schema, "form")
    validator = Draft202012Validator(form.checked)

    def read(action: str, content: dict[str, Any]) -> dict[str, Any]:
        _accepted(action)
        return content

    params = ElicitRequestFormParams(message=message, requested_schema=form.schema)
    return Elicitation(params, key, read, form, validator.is_valid)


def elicit(message: str, response_type: Any, *, key: str | None = None) -> Question[Any]:
    """What FastMCP's `ctx.elicit` asks, with all its response types and results, for code written for it. TypeError is
    raised at once if MCP has no such form."""
    from fastmcp.server import elicitation

    _check_text(message, "elicit: message")
    config = elicitation.parse_elicit_response_type(response_type)

    def read(action: str, content: dict[str, Any]) -> Any:
        if action == "decline":
            return elicitation.DeclinedElicitation()
        if action == "cancel":
            return elicitation.CancelledElicitation()
        return elicitation.handle_elicit_accept(config, content)

    return _typed_form(message, strict_form(config.schema, "elicit"), config.schema, key, read)


def url(message: str, address: str, *, key: str | None = None) -> Question[None]:
    """Has the person open a page. `Declined` or `Cancelled` is raised if they do not; that they agreed does not say that
    they are done there."""

    _check_text(message, "url: message")
    _check_text(address, "url: address")

    def read(action: str, _content: dict[str, Any]) -> None:
        _accepted(action)

    return Elicitation(ElicitRequestURLParams(message=message, url=address), key, read)


class Sampling(Question[T]):
    kind = "sampling"

    def __init__(
        self, params: CreateMessageRequestParams, key: str | None, read: Callable[[CreateMessageResultWithTools], T]
    ) -> None:
        super().__init__(CreateMessageRequest(params=params), key)
        self._params, self._read = params, read

    def accept(self, answer: Any) -> Any:
        result = self._validated(answer)
        if result.role != "assistant":
            raise Unusable
        dump = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        content = dump["content"]
        if isinstance(content, list) and len(content) == 1:
            dump["content"] = content[0]
        return _with_meta(dump) | {n: dump[n] for n in ("content", "model", "role", "stopReason") if n in dump}

    def recall(self, recorded: Any) -> T:
        return self._read(self._validated(recorded))

    @staticmethod
    def _validated(answer: Any) -> CreateMessageResultWithTools:
        try:
            return CreateMessageResultWithTools.model_validate(answer)
        except ValidationError:
            raise Unusable from None


@overload
def sampling(messages: str, *, max_tokens: int = ..., key: str | None = ..., **options: Any) -> Question[str]: ...
@overload
def sampling(
    messages: Sequence[SamplingMessage], *, max_tokens: int = ..., key: str | None = ..., **options: Any
) -> Question[CreateMessageResultWithTools]: ...
def sampling(
    messages: str | Sequence[SamplingMessage], *, max_tokens: int = _MAX_TOKENS, key: str | None = None, **options: Any
) -> Question[Any]:
    """Asks the client's model. A prompt is answered with text, messages with the whole result. `options` are those of
    `CreateMessageRequestParams`."""
    check(is_whole(max_tokens), "sampling: max_tokens must be a whole number", max_tokens)
    if isinstance(messages, str):
        prompt = [SamplingMessage(role="user", content=TextContent(type="text", text=messages))]
        return Sampling(CreateMessageRequestParams(messages=prompt, max_tokens=max_tokens, **options), key, _text)
    needs = "sampling: messages must be a prompt as a str or a list of SamplingMessage"
    check(isinstance(messages, Sequence) and not isinstance(messages, bytes), needs, messages)
    for message in messages:
        check(isinstance(message, SamplingMessage), f"{needs}: each message is a SamplingMessage", message)
    params = CreateMessageRequestParams(messages=list(messages), max_tokens=max_tokens, **options)
    return Sampling(params, key, lambda result: result)


def _text(result: CreateMessageResultWithTools) -> str:
    content = result.content if isinstance(result.content, list) else [result.content]
    return "".join(block.text for block in content if isinstance(block, TextContent))


class Roots(Question[list[Root]]):
    kind = "roots"

    def accept(self, answer: Any) -> Any:
        dump = self._validated(answer).model_dump(by_alias=True, mode="json", exclude_none=True)
        return _with_meta(dump) | {"roots": [by_name(root) for root in dump["roots"]]}

    def recall(self, recorded: Any) -> list[Root]:
        return self._validated(recorded).roots

    @staticmethod
    def _validated(answer: Any) -> ListRootsResult:
        try:
            return ListRootsResult.model_validate(answer)
        except ValidationError:
            raise Unusable from None


def roots(*, key: str | None = None) -> Question[list[Root]]:
    """Asks for the client's roots."""
    return Roots(ListRootsRequest(params=RequestParams()), key)

"""Asking in the middle of a handler."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn, TypeVar, overload

import anyio
from mcp.server.context import ServerRequestContext
from mcp_types import CreateMessageResultWithTools as Sampled
from mcp_types import InputRequiredResult, Root, SamplingMessage
from pydantic import BaseModel

from .. import codec
from ..given import check
from . import questions
from .asked import ORDER
from .capability import undeclared
from .current import Current
from .earlier import check_reach, reach
from .questions import Question, Unusable
from .record import Record, Step, by_name, entry, find
from .sent import as_sent
from .tasks.task import MOST_QUESTIONS, TaskPlace, call

T = TypeVar("T")
T1 = TypeVar("T1")
T2 = TypeVar("T2")
T3 = TypeVar("T3")
M = TypeVar("M", bound=BaseModel)


class Suspended(BaseException):
    """Ends a run of a handler whose answer is not there yet. It is no error: let it pass."""


class AskError(Exception):
    """A handler that asks in a way that cannot be replayed."""


class Ask:
    """Asks for input in the middle of a handler (see `asking`).

    A handler is run from its beginning in every round of a call, and is given the answers of earlier rounds by the same
    calls in the same order. Code before a question therefore runs several times, and so do `finally` and `__aexit__`
    around one: effects belong after the last question, or into `once`.

    An answer is used only for the question it was given to. Each step, a call to a method of Ask, is compared with the
    one recorded in its place: if anything of a question differs, or its place does, it is asked anew, and so is
    everything that came after it; with `strict`, the call fails. A question's text must thus not change by itself, as it
    would with the time of day in it; pass what varies through `once`.

    Questions asked at the same time, as with `asyncio.gather`, need a key= each and must all start before anything else
    is awaited; `all` needs neither. A question that goes unanswered is asked again, and a call has as many rounds as the
    Guard's max_rounds. Clients of protocol revisions without rounds are asked by requests of the server while the
    handler waits; it runs once then. So it does once the call has become a task (see `Tasks`), which asks without rounds.
    """

    def __init__(self, here: Current, *, strict: bool, max_record: int) -> None:
        self._here, self._strict, self._max_record = here, strict, max_record
        self._call = call.get()
        self._record = Record(here.state if here.exchange is not None else None)
        self._open = len(self._record.steps) - 1 if self._record.going else 0  # whose questions the last round put
        self._answers: Mapping[str, Any] | None = here.answers if self._record.going else None
        self._next = 0  # the step to come
        self._asked = 0  # questions without a key of their own
        self._task = anyio.get_current_task().id
        self._batch: _Batch | None = None
        self._pending: InputRequiredResult | None = None
        self._refused: AskError | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> NoReturn:
        """A framework that sees a parameter of this type sees a function that `asking` has not taken."""
        raise TypeError(f"A tool with a parameter of type Ask was registered without asking: {ORDER}")

    @property
    def request_context(self) -> ServerRequestContext[Any, Any]:
        """The request being served, as the SDK's own contexts have it."""
        return self._here.ctx

    @overload
    async def form(self, message: str, asked: type[M], *, key: str | None = None) -> M: ...
    @overload
    async def form(self, message: str, asked: Mapping[str, Any], *, key: str | None = None) -> dict[str, Any]: ...
    async def form(self, message: str, asked: Any, *, key: str | None = None) -> Any:
        """Asks the person to fill in a form: see `questions.form`."""
        return await self._one(questions.form(message, asked, key=key))

    async def elicit(self, message: str, response_type: Any, *, key: str | None = None) -> Any:
        """Asks what FastMCP's `ctx.elicit` asks, and returns its result types."""
        return await self._one(questions.elicit(message, response_type, key=key))

    async def url(self, message: str, address: str, *, key: str | None = None) -> None:
        """Has the person open a page: see `questions.url`."""
        await self._one(questions.url(message, address, key=key))

    @overload
    async def sampling(self, messages: str, *, key: str | None = None, **options: Any) -> str: ...
    @overload
    async def sampling(self, messages: list[SamplingMessage], *, key: str | None = None, **options: Any) -> Sampled: ...
    async def sampling(self, messages: Any, *, key: str | None = None, **options: Any) -> Any:
        """Asks the client's model: see `questions.sampling`."""
        return await self._one(questions.sampling(messages, key=key, **options))

    async def roots(self, *, key: str | None = None) -> list[Root]:
        """Asks for the client's roots."""
        return await self._one(questions.roots(key=key))

    @overload
    async def all(self, first: Question[T1], /) -> tuple[T1]: ...
    @overload
    async def all(self, first: Question[T1], second: Question[T2], /) -> tuple[T1, T2]: ...
    @overload
    async def all(self, first: Question[T1], second: Question[T2], third: Question[T3], /) -> tuple[T1, T2, T3]: ...
    @overload
    async def all(self, *asked: Question[Any]) -> tuple[Any, ...]: ...
    async def all(self, *asked: Question[Any]) -> tuple[Any, ...]:
        """Asks several questions in one round: `form`, `elicit`, `url`, `sampling` and `roots` of this package. If the
        client answers some of them, the others are asked again."""
        self._alone()
        for question in asked:
            needs = "Ask.all takes questions: form, elicit, url, sampling and roots of parley_mrtr.server make them"
            if inspect.iscoroutine(question):
                question.close()  # a method of Ask, which would warn that nobody awaits it
            check(isinstance(question, Question), needs, question)
        answers = await self._step({question.key or self._place(question): question for question in asked}, len(asked))
        return tuple(answers)

    async def once(self, key: str, work: Callable[[], T | Awaitable[T]]) -> T:
        """Runs `work` in one round of a call and gives its result in all later ones: for an effect between two
        questions, or for a value that a question depends on. The result must survive JSON, and what is returned has been
        through it.

        It is in the state that the next question goes out with. If `work` fails, or the client never comes back or sends
        the state before it twice, it runs again: what must happen once needs a key of the handler's own.
        """
        check(isinstance(key, str), "Ask.once: key must be a str", key)
        check(callable(work), "Ask.once: work must be a function", work)
        self._alone()
        if self._here.exchange is None:
            return await _run(work)  # type: ignore[no-any-return]
        self._ready()
        digest = codec.Question(key, "once").digest()  # no question has this method
        known = self._known()
        found = find(known, digest)
        if found is not None:
            self._take(known, complete=True)
            return found["is"]  # type: ignore[no-any-return]
        self._diverged(known)
        kept = by_name(json.loads(json.dumps(await _run(work), allow_nan=False)))
        self._take([entry(digest, kept)], complete=True)
        return kept  # type: ignore[no-any-return]

    async def _one(self, question: Question[T]) -> T:
        if question.key is None:
            self._alone()
            return (await self._step({self._place(question): question}, 1))[0]  # type: ignore[no-any-return]
        batch = self._batch
        if batch is None:
            batch = self._batch = _Batch()
        if question.key in batch.asked:
            raise self._refuse("two questions at the same time have one key")
        batch.asked[question.key] = question
        await anyio.lowlevel.checkpoint()  # what starts in the same turn is asked in the same round
        if self._batch is batch:
            self._batch = None
            try:
                batch.answers = dict(zip(batch.asked, await self._step(batch.asked, len(batch.asked)), strict=True))
            except BaseException as error:
                batch.error = error
            batch.done.set()
        await batch.done.wait()
        if isinstance(batch.error, Suspended):
            raise Suspended
        if batch.error is not None:
            raise batch.error
        return batch.answers[question.key]  # type: ignore[no-any-return]

    def _place(self, question: Question[Any]) -> str:
        """A key that says a question's kind and its place, such as elicitation-1."""
        self._asked += 1
        return f"{question.kind}-{self._asked}"

    def _alone(self) -> None:
        """Steps have an order, which another task than the handler's own would leave to chance."""
        if anyio.get_current_task().id != self._task or self._batch is not None:
            raise self._refuse("questions asked at the same time need a key= each, or Ask.all")

    def _refuse(self, why: str) -> AskError:
        self._refused = AskError(why)
        return self._refused

    async def _step(self, asked: dict[str, Question[Any]], count: int) -> list[Any]:
        """The answers, in the order of the questions."""
        if len(asked) < count:
            raise self._refuse("two questions of a round have one key")
        if self._place_of_task is not None:
            return await self._ask_in(self._place_of_task, asked)
        if self._here.exchange is None:
            return await self._reach(asked)
        if self._pending is not None and anyio.get_current_task().id != self._task:
            raise self._refuse("questions asked at the same time must all start before anything else is awaited")
        self._ready()
        known = self._known()
        sent = as_sent({key: question.request for key, question in asked.items()}, self._here.ctx)
        answers: dict[str, Any] = {}
        now: Step = []
        for key in sorted(asked):
            question = asked[key]
            digest = sent[key].digest()
            found = find(known, digest)
            try:
                if found is not None:
                    recorded = found["is"]
                else:
                    self._diverged(known, sent[key])
                    if self._next != self._open or self._answers is None:
                        continue
                    if self._here.exchange.verdict(sent[key]) is not codec.Verdict.SAME:
                        continue
                    recorded = question.accept(self._answers[key])
                answers[key] = _Answer(question, recorded)
                now.append(found or entry(digest, recorded))
            except Unusable:
                continue
        self._take(now, complete=len(answers) == len(asked))
        if len(answers) < len(asked):
            self._suspend({key: question for key, question in asked.items() if key not in answers})
        return [answers[key].get() for key in asked]

    async def _reach(self, asked: dict[str, Question[Any]]) -> list[Any]:
        """Asks a client by requests, one after the other."""
        check_reach(self._here.ctx, [q.under(key) for key, q in asked.items()])
        answers: dict[str, Any] = {}
        for key in sorted(asked):
            question = asked[key]
            try:
                answers[key] = _Answer(question, question.accept(await reach(self._here.ctx, question.request)))
            except Unusable:
                raise AskError("the client's answer does not fit the question") from None
        return [answers[key].get() for key in asked]

    @property
    def _place_of_task(self) -> TaskPlace | None:
        """Where the call goes on as a task, if it has become one."""
        return None if self._call is None else self._call.place

    async def _ask_in(self, place: TaskPlace, asked: dict[str, Question[Any]]) -> list[Any]:
        """Asks in a task, where what is not answered is asked again under another key."""
        sent = as_sent({key: question.request for key, question in asked.items()}, self._here.ctx)
        missing = undeclared(sent.values(), self._here.ctx.session.client_capabilities)
        if missing is not None:
            raise missing
        answers: dict[str, Any] = {}
        while len(answers) < len(asked):
            if not place.has_room(len(asked) - len(answers)):
                raise AskError(f"a task asks {MOST_QUESTIONS} questions at most, those that are asked again included")
            given = await place.put({key: sent[key] for key in asked if key not in answers})
            for key, answer in given.items():
                try:
                    answers[key] = _Answer(asked[key], asked[key].accept(answer))
                except Unusable:
                    continue
        return [answers[key].get() for key in asked]

    def _ready(self) -> None:
        if self._pending is not None:
            raise Suspended

    def _known(self) -> Step:
        """What the record has for the step to come."""
        return self._record.steps[self._next] if self._next < len(self._record.steps) else []

    def _diverged(self, known: Step, question: codec.Question | None = None) -> None:
        """With `strict`, refuses a step that is not the one recorded in its place."""
        if not self._strict or not self._record.going:
            return
        exchange = self._here.exchange
        changed = (
            self._next == self._open
            and question is not None
            and exchange is not None
            and exchange.verdict(question) is codec.Verdict.CHANGED
        )
        if self._next < self._open or changed:
            raise self._refuse("the handler asked otherwise than in the round before")

    def _take(self, now: Step, *, complete: bool) -> None:
        """Puts a step in its place in the record. If it is not the one that was recorded there, nothing that came after
        it counts."""
        if self._next >= self._open or not complete or now != self._known():
            if self._next < self._open:
                self._answers = None
            self._record.steps[self._next :] = [now]
        self._next += 1

    def _suspend(self, asked: dict[str, Question[Any]]) -> None:
        """Ends the round with these questions."""
        state = self._record.encode()
        if len(state.encode()) > self._max_record:
            raise AskError(
                "the answers recorded so far do not fit a requestState: "
                "ask for less, or raise max_record and the Guard's max_token"
            )
        requests = {key: question.request for key, question in sorted(asked.items())}
        self._pending = InputRequiredResult(input_requests=requests, request_state=state)
        raise Suspended

    def outcome(self) -> InputRequiredResult | None:
        """What the round ends with, if that is not what the handler returns or raises."""
        if self._refused is not None:
            raise self._refused
        return self._pending


class _Batch:
    """Questions with keys that started at the same time."""

    def __init__(self) -> None:
        self.asked: dict[str, Question[Any]] = {}
        self.answers: dict[str, Any] = {}
        self.error: BaseException | None = None
        self.done = anyio.Event()


class _Answer:
    def __init__(self, question: Question[Any], recorded: Any) -> None:
        try:
            self._value, self._error = question.recall(recorded), None
        except (questions.Declined, questions.Cancelled) as error:
            self._value, self._error = None, error

    def get(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._value


async def _run(work: Callable[[], Any]) -> Any:
    done = work()
    return await done if inspect.isawaitable(done) else done

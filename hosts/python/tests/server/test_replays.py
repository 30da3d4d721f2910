"""Handlers are run again in every round: what was answered is used for the very question it was given to, and never asked
again unless the handler changed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from parley_mrtr.server import Ask, AskError, Declined, form
from rounds import fill, leg

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}

Handler = Callable[[Ask], Awaitable[str]]


def one(text: str, key: str | None = None) -> Any:
    return form(text, SCHEMA, key=key)


class Client:
    """Answers every question with its own text, and keeps what it was asked."""

    def __init__(self, seed: int = 0) -> None:
        self.asked: list[str] = []
        self._random = random.Random(seed)
        self._token: str | None = None
        self._answers: dict[str, Any] = {}

    def round(self, handler: Handler, *, forgets: bool = False, **options: Any) -> str | None:
        """What the tool says, None while it asks. One that forgets leaves out answers, but never all."""
        result = leg(handler, self._token, self._answers or None, **options)
        if "text" in result:
            return str(result["text"])
        texts = {key: entry["params"]["message"] for key, entry in result["inputRequests"].items()}
        self.asked += texts.values()
        if forgets:
            kept = self._random.sample(sorted(texts), self._random.randint(1, len(texts)))
            texts = {key: texts[key] for key in kept}
        self._token, self._answers = result["requestState"], {}
        for key, text in texts.items():
            self._answers |= fill(key, a=text)
        return None

    def call(self, handler: Handler, **options: Any) -> str:
        while (text := self.round(handler, **options)) is None:
            pass
        return text


def test_asks_in_a_loop() -> None:
    async def handler(ask: Ask) -> str:
        said = []
        for number in range(5):
            said.append((await ask.form(f"{number}?", SCHEMA))["a"])
        return " ".join(said)

    client = Client()
    assert client.call(handler) == "0? 1? 2? 3? 4?"
    assert client.asked == ["0?", "1?", "2?", "3?", "4?"]


def test_the_same_question_in_a_loop() -> None:
    async def handler(ask: Ask) -> str:
        said = []
        while "stop" not in said:
            said.append((await ask.form("More?", SCHEMA))["a"])
        return " ".join(said)

    token = None
    answers: dict[str, Any] = {}
    for number, word in enumerate(["one", "two", "stop"], start=1):
        asked = leg(handler, token, answers)
        assert list(asked["inputRequests"]) == [f"elicitation-{number}"]  # by its place, so that each has its own
        token, answers = asked["requestState"], fill(f"elicitation-{number}", a=word)
    assert leg(handler, token, answers) == {"text": "one two stop"}


def test_all_in_a_loop() -> None:
    async def handler(ask: Ask) -> str:
        said = []
        for number in range(3):
            said += [reply["a"] for reply in await ask.all(one(f"{number}a?"), one(f"{number}b?"))]
        return " ".join(said)

    client = Client()
    assert client.call(handler, forgets=True) == "0a? 0b? 1a? 1b? 2a? 2b?"
    assert sorted(set(client.asked)) == ["0a?", "0b?", "1a?", "1b?", "2a?", "2b?"]


def test_gather_in_a_loop() -> None:
    async def handler(ask: Ask) -> str:
        said = []
        for number in range(3):
            keys = [f"{number}{letter}" for letter in "abc"]
            found = await asyncio.gather(*(ask.form(f"{key}?", SCHEMA, key=key) for key in keys))
            said += [reply["a"] for reply in found]
        return " ".join(said)

    client = Client()
    assert client.call(handler) == "0a? 0b? 0c? 1a? 1b? 1c? 2a? 2b? 2c?"
    assert len(client.asked) == 9


def branches(chance: random.Random) -> tuple[Handler, Handler]:
    """A handler that takes one of two ways in each round, and one that keeps which."""

    async def wanders(ask: Ask) -> str:
        text = chance.choice(["Left?", "Right?"])
        a = (await ask.form(text, SCHEMA))["a"]
        b = (await ask.form(f"After {text}", SCHEMA))["a"]
        assert (a, b) == (text, f"After {text}")
        return "done"

    async def keeps(ask: Ask) -> str:
        text = await ask.once("way", lambda: chance.choice(["Left?", "Right?"]))
        return str((await ask.form(text, SCHEMA))["a"] + (await ask.form("Sure?", SCHEMA))["a"])

    return wanders, keeps


def test_a_random_branch() -> None:
    """Whatever it takes, no answer goes to another question; and where the choice is kept, nobody is asked twice."""
    done = 0
    for seed in range(20):
        wanders, keeps = branches(random.Random(seed))
        client = Client()
        done += any(client.round(wanders) == "done" for _ in range(10))  # as many rounds as the Guard has
        steady = Client()
        assert steady.call(keeps, strict=True) in ("Left?Sure?", "Right?Sure?")
        assert len(steady.asked) == 2
    assert done > 10

    left_then_right = iter(["Left?", "Right?"])

    async def strictly(ask: Ask) -> str:
        return str(await ask.form(next(left_then_right), SCHEMA))

    with pytest.raises(AskError, match="asked otherwise"):
        Client().call(strictly, strict=True)


def test_a_handler_that_raises_may_be_called_again() -> None:
    broken = True

    async def handler(ask: Ask) -> str:
        a = (await ask.form("One?", SCHEMA))["a"]
        try:
            b = (await ask.form("Two?", SCHEMA))["a"]
        except Exception as error:  # which a suspension is not
            raise AssertionError from error
        if broken:
            raise LookupError("no connection")
        return f"{a} {b}"

    client = Client()
    assert client.round(handler) is None and client.round(handler) is None
    with pytest.raises(LookupError, match="no connection"):
        client.round(handler)
    broken = False
    assert client.call(handler) == "One? Two?"
    assert client.asked == ["One?", "Two?"]


def test_what_is_asked_after_a_no() -> None:
    async def handler(ask: Ask) -> str:
        try:
            await ask.form("One?", SCHEMA)
        except Declined:
            return str((await ask.form("Why not?", SCHEMA))["a"])
        raise AssertionError

    first = leg(handler)
    second = leg(handler, first["requestState"], {"elicitation-1": {"action": "decline"}})
    assert leg(handler, second["requestState"], fill("elicitation-2", a="no time")) == {"text": "no time"}


def test_a_request_that_is_cancelled_asks_nothing() -> None:
    """A cancellation is the client's, whether the handler waits for something else or has asked already."""

    async def waits(ask: Ask) -> str:
        own = asyncio.current_task()
        assert own
        asyncio.get_running_loop().call_soon(own.cancel)
        await asyncio.Event().wait()
        return "never"

    async def asks(ask: Ask) -> str:
        try:
            await ask.form("One?", SCHEMA)
        finally:
            await waits(ask)
        return "never"

    async def gathers(ask: Ask) -> str:
        await asyncio.gather(ask.form("One?", SCHEMA, key="one"), waits(ask))
        return "never"

    for handler in waits, asks:
        with pytest.raises(asyncio.CancelledError):
            leg(handler)
    # Here it is a task of the handler's own that is cancelled, while the other has asked.
    assert list(leg(gathers)["inputRequests"]) == ["one"]


def one_by_one(texts: list[str]) -> Handler:
    async def handler(ask: Ask) -> str:
        return " ".join([(await ask.form(text, SCHEMA))["a"] for text in texts])

    return handler


@pytest.mark.parametrize("after", [1, 2, 3])
@pytest.mark.parametrize(
    "now",
    [
        ["X?", "A?", "B?", "C?"],
        ["A?", "X?", "B?", "C?"],
        ["A?", "B?", "C?", "X?"],
        ["B?", "C?"],
        ["A?"],
        ["C?", "B?", "A?"],
    ],
)
def test_a_handler_whose_code_changed(now: list[str], after: int) -> None:
    client = Client()
    for _ in range(after):
        assert client.round(one_by_one(["A?", "B?", "C?"])) is None
    before = client.asked.copy()
    assert client.call(one_by_one(now)) == " ".join(now)
    alike = 0
    while alike < min(len(before), len(now)) and before[alike] == now[alike]:
        alike += 1
    assert client.asked[len(before) :] == now[alike:]  # and nothing before what changed


def test_what_is_done_once_changed() -> None:
    """A question that comes after something else than before is asked anew, too."""

    def orders(what: str) -> Handler:
        async def handler(ask: Ask) -> str:
            await ask.once(what, lambda: 1)
            return str((await ask.form("Pay?", SCHEMA))["a"])

        return handler

    client = Client()
    assert client.round(orders("a room")) is None
    assert client.call(orders("a boat")) == "Pay?"
    assert client.asked == ["Pay?", "Pay?"]


def test_handlers_by_chance() -> None:
    """Handlers of random steps, some of which change between rounds, and clients that leave out answers."""
    ended, changed = 0, 0
    for seed in range(100):
        chance = random.Random(seed)
        program, client = steps(chance), Client(seed)
        changes = chance.random() < 0.5
        for _ in range(9):
            text = client.round(run(program), forgets=chance.random() < 0.3)
            if text is not None:
                assert text == str(questions(program))
                assert changes or set(client.asked) == set(questions(program))
                ended, changed = ended + 1, changed + (set(client.asked) > set(questions(program)))
                break
            if changes:
                program = mutated(program, chance)
    assert ended > 80 and changed > 10


Program = list[tuple[str, list[str]]]


def steps(chance: random.Random) -> Program:
    return [step(chance, number) for number in range(chance.randint(1, 4))]


def step(chance: random.Random, number: int) -> tuple[str, list[str]]:
    kind = chance.choice(["one", "keyed", "all", "gather", "once"])
    count = 1 if kind in ("one", "keyed", "once") else chance.randint(1, 3)
    return kind, [f"{number}.{place} v{chance.randint(1, 3)}?" for place in range(count)]


def mutated(program: Program, chance: random.Random) -> Program:
    at = chance.randrange(len(program))
    do = chance.choice(["nothing", "replace", "drop", "insert", "swap"])
    changed = list(program)
    if do == "replace":
        changed[at] = step(chance, at)
    elif do == "drop" and len(changed) > 1:
        del changed[at]
    elif do == "insert":
        changed.insert(at, step(chance, 9))
    elif do == "swap":
        changed[0], changed[at] = changed[at], changed[0]
    return changed


def questions(program: Program) -> list[str]:
    return [text for kind, texts in program for text in texts if kind != "once"]


def run(program: Program) -> Handler:
    async def handler(ask: Ask) -> str:
        said: list[str] = []
        for number, (kind, texts) in enumerate(program):
            if kind == "one":
                said.append((await ask.form(texts[0], SCHEMA))["a"])
            elif kind == "keyed":
                said.append((await ask.form(texts[0], SCHEMA, key=f"k{number}"))["a"])
            elif kind == "all":
                said += [reply["a"] for reply in await ask.all(*map(one, texts))]
            elif kind == "gather":
                asked = [ask.form(text, SCHEMA, key=f"g{number}{place}") for place, text in enumerate(texts)]
                said += [reply["a"] for reply in await asyncio.gather(*asked)]
            else:
                assert await ask.once(texts[0], lambda texts=texts: texts[0]) == texts[0]  # type: ignore[misc]
        assert said == questions(program)
        return str(said)

    return handler

"""What pydantic makes forms of, answered by a person in LangGraph, at a server of the official SDK."""

import asyncio
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import BaseModel, Field, SecretStr

from parley_mrtr.host import Form, connect
from parley_mrtr.host.langgraph import tools
from parley_mrtr.host.over import over


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Order(BaseModel):
    """One field of each kind that is not in the specification's subset."""

    tags: list[str] = Field(min_length=1, max_length=3)
    price: Decimal
    floor: int | None
    due: date | None = None
    size: Literal[1, 2, 3]
    agree: Literal[True]
    code: str = Field(pattern="^[A-Z]{3}$")
    colour: Literal["red", "blue"]
    share: float = Field(gt=0, lt=1, multiple_of=0.25)
    note: str | None = Field("none", examples=["at the door"])


class Paint(BaseModel):
    colour: Colour


class Login(BaseModel):
    password: SecretStr


class Tree(BaseModel):
    about: dict[str, int]


class Shop:
    """A server of the official SDK that asks for a model, and keeps what it made of the answers."""

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model
        self.got: list[BaseModel] = []
        self.server = MCPServer("shop", log_level="WARNING")
        self.server.add_tool(self.order, structured_output=False)

    async def order(self, ctx: Context) -> str | InputRequiredResult:
        """Asks for the order."""
        answer = (ctx.input_responses or {}).get("order")
        if not isinstance(answer, ElicitResult):
            form = ElicitRequestFormParams(message="Your order?", requested_schema=self.model.model_json_schema())
            return InputRequiredResult(input_requests={"order": ElicitRequest(params=form)}, request_state="1")
        self.got.append(self.model.model_validate(answer.content))
        return "ordered"


async def asked_nobody(*_: Any) -> ElicitResult:
    raise AssertionError("the SDK asks nobody by itself")


class Chat:
    """A graph that calls the tool, interrupted where a person is asked."""

    def __init__(self, served: list[Any]) -> None:
        made = StateGraph(MessagesState)
        made.add_node("tools", ToolNode(served))
        made.add_edge(START, "tools")
        self._graph = made.compile(InMemorySaver())
        self._thread: Any = {"configurable": {"thread_id": "1"}}

    async def begin(self) -> Any:
        call = {"id": "call-1", "name": "order", "args": {}}
        return await self._run({"messages": [AIMessage("", tool_calls=[call])]})

    async def answer(self, question: Any, result: Any) -> Any:
        return await self._run(Command(resume={question["id"]: result}))

    async def _run(self, what: Any) -> Any:
        """The question that interrupts the graph, or what the tool said in the end."""
        state = await self._graph.ainvoke(what, self._thread)
        if waiting := state.get("__interrupt__"):
            (question,) = waiting[0].value["questions"]
            return question
        return state["messages"][-1].content


# What a person types, by field: some of it does not fit, and then they type again.
TYPED: dict[str, list[tuple[str, int | None, str | None]]] = {
    "tags": [("", None, "must be at least 1 value"), ("red\n\nround, soft\n", None, None)],
    "price": [
        ("7.50", None, "must be a value of one of the types"),  # no type was picked
        ("007", 0, "must be a number like 42 or 2.5"),
        ("007.50", 1, None),
    ],
    "floor": [("", None, None)],
    "due": [("tomorrow", None, "must be a date like 2026-03-31"), ("", None, None)],
    "size": [("4", None, "must be one of the choices"), ("2", None, None)],
    "agree": [("", None, "must be filled in"), ("yes", None, None)],
    "code": [("abc", None, None), ("ABC", None, None)],
    "colour": [("green", None, "must be one of the choices"), ("blue", None, None)],
    "share": [("1", None, "must be less than 1"), ("0.3", None, "must be a multiple of 0.25"), ("0.75", None, None)],
    "note": [("", None, None)],
}


def test_a_person_fills_in_what_pydantic_asks() -> None:
    async def run() -> None:
        shop = Shop(Order)
        async with (
            Client(shop.server, elicitation_callback=asked_nobody) as client,
            connect(over(client.session)) as session,
        ):
            chat = Chat([*await tools(session)])
            question = await chat.begin()
            drawn = {field["name"]: field for field in question["form"]["fields"]}
            form = Form(question["params"])
            assert form.shown == question["form"]
            for name, attempts in TYPED.items():
                for typed, alternative, problem in attempts:
                    assert form.enter(name, typed, alternative) == problem, name
            said = await chat.answer(question, form.accept())
        assert said == "ordered"
        assert shop.got == [
            Order(
                tags=["red", "round, soft"],
                price=Decimal("7.50"),
                floor=None,
                due=None,
                size=2,
                agree=True,
                code="ABC",
                colour="blue",
                share=0.75,
                note=None,
            )
        ]
        assert {name: field["kind"] for name, field in drawn.items()} == {
            "tags": "list",
            "price": "union",
            "floor": "integer",
            "due": "string",
            "size": "choice",
            "agree": "choice",
            "code": "string",
            "colour": "choice",
            "share": "number",
            "note": "string",
        }
        assert drawn["code"]["unchecked"] == [{"keyword": "pattern", "value": "^[A-Z]{3}$"}]
        assert drawn["size"]["options"] == [{"value": str(n), "title": str(n)} for n in (1, 2, 3)]
        assert drawn["agree"]["options"] == [{"value": "true", "title": "true"}]
        assert "default" not in drawn["agree"]
        assert [one["kind"] for one in drawn["price"]["alternatives"]] == ["number", "string"]
        assert drawn["floor"]["nullable"] and drawn["floor"]["required"]
        assert drawn["note"]["examples"] == ['"at the door"']

    asyncio.run(run())


def test_what_does_not_fit_is_asked_again() -> None:
    good = {
        "tags": ["a"],
        "price": "1",
        "floor": 3,
        "size": 1,
        "agree": True,
        "code": "ABC",
        "colour": "red",
        "share": 0.5,
    }
    wrong = {
        "tags": [],
        "price": True,
        "floor": 1.5,
        "size": "1",
        "agree": False,
        "colour": "RED",
        "share": 0,
        "due": 5,
    }

    async def run() -> None:
        shop = Shop(Order)
        async with (
            Client(shop.server, elicitation_callback=asked_nobody) as client,
            connect(over(client.session)) as session,
        ):
            chat = Chat([*await tools(session)])
            question = await chat.begin()
            for name, value in wrong.items():
                question = await chat.answer(question, {"action": "accept", "content": {**good, name: value}})
                assert f'"{name}"' in question["problem"]
            assert await chat.answer(question, {"action": "accept", "content": good}) == "ordered"
        assert len(shop.got) == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    "model,why",
    [
        (Login, '"password" asks for a secret'),
        (Tree, '"about" is an object'),
        # The SDK leaves out "$defs" when it sends a form, so that what an Enum's "$ref" refers to never arrives.
        (Paint, '"colour" refers to a schema that is not there'),
    ],
)
def test_what_a_form_must_not_ask_interrupts_nobody(model: type[BaseModel], why: str) -> None:
    async def run() -> None:
        shop = Shop(model)
        async with (
            Client(shop.server, elicitation_callback=asked_nobody) as client,
            connect(over(client.session)) as session,
        ):
            with pytest.raises(Exception, match=why):
                await Chat([*await tools(session)]).begin()

    asyncio.run(run())


def test_a_form_that_the_host_draws_itself_is_no_form_of_ours() -> None:
    async def run() -> None:
        shop = Shop(Tree)
        async with (
            Client(shop.server, elicitation_callback=asked_nobody) as client,
            connect(over(client.session), any_form=True) as session,
        ):
            chat = Chat([*await tools(session)])
            question = await chat.begin()
        assert "form" not in question
        assert question["params"]["requestedSchema"]["properties"]["about"]["type"] == "object"

    asyncio.run(run())

"""Tools that declare what they need of the person, the model or the client: the SDK asks."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Elicit, ElicitationResult, ListRoots, MCPServer, Resolve, Sample
from mcp.server.mcpserver import AcceptedElicitation as Accepted
from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel, Field

from state import FORMS, NO, State


class Kind(BaseModel):
    kind: Literal["fruit", "vegetable"]


class Which(BaseModel):
    which: str


class Fruit(Which):
    which: Literal["apple", "pear"]


class Vegetable(Which):
    which: Literal["leek", "kale"]


class Name(BaseModel):
    name: str


class Confirmation(BaseModel):
    confirm: bool


async def ask_kind() -> Elicit[Kind]:
    return Elicit(FORMS["kind"]["message"], Kind)


async def ask_which(kind: Annotated[ElicitationResult[Kind], Resolve(ask_kind)]) -> Elicit[Which] | None:
    if not isinstance(kind, Accepted):
        return None
    return Elicit(FORMS[kind.data.kind]["message"], Fruit if kind.data.kind == "fruit" else Vegetable)


async def ask_twice(
    kind: Annotated[ElicitationResult[Kind], Resolve(ask_kind)],
    which: Annotated[ElicitationResult[Which], Resolve(ask_which)],
) -> str:
    """Asks twice; the second question follows from the first answer."""
    if not isinstance(kind, Accepted):
        return NO[kind.action]
    if not isinstance(which, Accepted):
        return NO[which.action]
    return f"a {kind.data.kind}: {which.data.which}"


async def ask_name() -> Elicit[Name]:
    return Elicit(FORMS["name"]["message"], Name)


async def sample() -> Sample:
    content = TextContent(type="text", text="Write a line about the sea.")
    return Sample([SamplingMessage(role="user", content=content)], max_tokens=100)


async def list_roots() -> ListRoots:
    return ListRoots()


async def ask_all(
    name: Annotated[ElicitationResult[Name], Resolve(ask_name)],
    sampled: Annotated[CreateMessageResult, Resolve(sample)],
    roots: Annotated[ListRootsResult, Resolve(list_roots)],
) -> str:
    """Asks a form, the client's model and its roots."""
    if not isinstance(name, Accepted):
        return NO[name.action]
    assert isinstance(sampled.content, TextContent)
    return f"{name.data.name}; {sampled.content.text}; {roots.roots[0].uri}"


async def ask_confirmation(amount: int) -> Elicit[Confirmation]:
    return Elicit(FORMS["pay"]["message"].replace("AMOUNT", str(amount)), Confirmation)


async def ask_delivery() -> Elicit[Confirmation]:
    return Elicit(FORMS["deliver"]["message"], Confirmation)


async def deliver(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
    confirm: Annotated[ElicitationResult[Confirmation], Resolve(ask_delivery)],
    priority: Annotated[int, Field(json_schema_extra={"x-mcp-header": "Priority"})] = 0,
    insured: Annotated[bool, Field(json_schema_extra={"x-mcp-header": "Insured"})] = False,
) -> str:
    """Has parameters that also travel as header fields."""
    if not isinstance(confirm, Accepted):
        return NO[confirm.action]
    return f"region {region}, priority {priority}, insured {str(insured).lower()}"


def add(server: MCPServer, state: State) -> None:
    async def charge(
        id: str, amount: int, confirm: Annotated[ElicitationResult[Confirmation], Resolve(ask_confirmation)]
    ) -> str:
        """Takes money, once confirmed."""
        if not isinstance(confirm, Accepted):
            return NO[confirm.action]
        if not confirm.data.confirm:
            return "not confirmed"
        state.charges[id] = state.charges.get(id, 0) + 1
        return f"paid {amount}"

    for tool in ask_twice, ask_all, charge, deliver:
        server.add_tool(tool, structured_output=False)

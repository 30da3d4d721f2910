"""A server on the Python SDK 2 that asks with each of the models, by a resolver as far as that takes it."""

import json
import sys
from typing import Annotated

import mcp_types as types
from mcp.server.elicitation import render_elicitation_schema
from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
from models import draw
from pydantic import BaseModel
from sent import sent

mcp = MCPServer("forms", version="1.0.0")
drawn = draw(int(sys.argv[1]))


def takes(model) -> tuple[dict, str]:
    """What is asked with, and why a resolver refuses a model, which it does before it asks; empty if it takes it."""
    try:
        return sent(render_elicitation_schema(model)), ""
    except TypeError as error:
        return sent(model.model_json_schema()), str(error)


@mcp.tool(name="types", structured_output=False)
def list_types() -> str:
    """Lists the models."""
    rendered = [(d.kind, *takes(d.model)) for d in drawn]
    return json.dumps([{"kind": kind, "schema": schema, "refuses": refuses} for kind, schema, refuses in rendered])


async def ask_by_model(type: int) -> Elicit[BaseModel]:
    return Elicit("Please fill in", drawn[type].model)


@mcp.tool(structured_output=False)
async def ask(type: int, answer: Annotated[ElicitationResult[BaseModel], Resolve(ask_by_model)]) -> str:
    """Asks with a model."""
    return "taken" if isinstance(answer, AcceptedElicitation) else answer.action


@mcp.tool(structured_output=False)
async def ask_by_schema(type: int, ctx: Context) -> str | types.InputRequiredResult:
    """Asks with the schema of a model, which the SDK passes on as it is."""
    model = drawn[type].model
    answer = (ctx.input_responses or {}).get("form")
    if answer is None:
        form = types.ElicitRequestFormParams(message="Please fill in", requested_schema=takes(model)[0])
        return types.InputRequiredResult(input_requests={"form": types.ElicitRequest(params=form)})
    if answer.action == "accept":
        model.model_validate(answer.content)
    return "taken" if answer.action == "accept" else answer.action


if __name__ == "__main__":
    mcp.run()

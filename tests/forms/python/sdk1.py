"""A server on the Python SDK 1 that asks with each of the models, by ctx.elicit as far as that takes it."""

import json
import sys

from mcp.server.elicitation import _validate_elicitation_schema
from mcp.server.fastmcp import Context, FastMCP
from models import draw

mcp = FastMCP("forms")
drawn = draw(int(sys.argv[1]))


def takes(model) -> str:
    """Why ctx.elicit refuses a model, which it does before it asks; empty if it takes it."""
    try:
        _validate_elicitation_schema(model)
    except TypeError as error:
        return str(error)
    return ""


@mcp.tool(structured_output=False)
def types() -> str:
    """Lists the models."""
    return json.dumps(
        [{"kind": d.kind, "schema": d.model.model_json_schema(), "refuses": takes(d.model)} for d in drawn]
    )


@mcp.tool(structured_output=False)
async def ask(type: int, ctx: Context) -> str:
    """Asks with a model."""
    model = drawn[type].model
    if not takes(model):
        answer = await ctx.elicit(message="Please fill in", schema=model)
    else:
        answer = await ctx.session.elicit_form("Please fill in", model.model_json_schema(), ctx.request_id)
        if answer.action == "accept":
            model.model_validate(answer.content)
    return "taken" if answer.action == "accept" else answer.action


if __name__ == "__main__":
    mcp.run()

"""A server on FastMCP that asks with each of the models, by ctx.elicit as far as that takes it."""

import json
import sys

from fastmcp import Context, FastMCP
from fastmcp.server.elicitation import get_elicitation_schema
from models import draw

mcp = FastMCP("forms")
drawn = draw(int(sys.argv[1]))


def takes(model) -> tuple[dict, str]:
    """What is asked with, and why ctx.elicit refuses a model, which it does before it asks; empty if it takes it."""
    try:
        return get_elicitation_schema(model), ""
    except TypeError as error:
        return model.model_json_schema(), str(error)


offers = [(d.kind, *takes(d.model)) for d in drawn]


@mcp.tool(output_schema=None)
def types() -> str:
    """Lists the models."""
    return json.dumps([{"kind": kind, "schema": schema, "refuses": refuses} for kind, schema, refuses in offers])


@mcp.tool(output_schema=None)
async def ask(type: int, ctx: Context) -> str:
    """Asks with a model."""
    model, (_, schema, refuses) = drawn[type].model, offers[type]
    if not refuses:
        answer = await ctx.elicit("Please fill in", response_type=model)
    else:
        answer = await ctx.session.elicit_form("Please fill in", schema, ctx.request_id)
        if answer.action == "accept":
            model.model_validate(answer.content)
    return "taken" if answer.action == "accept" else answer.action


if __name__ == "__main__":
    mcp.run(show_banner=False)

"""What version 2 of the SDK sends of a schema in a round: it drops $defs and what else is at the root."""

ROOT = ("type", "properties", "required")


def sent(schema: dict) -> dict:
    """A schema with what it refers to written out: a $ref would point nowhere."""
    written = inline(schema, schema.get("$defs", {}))
    return {name: written[name] for name in ROOT if name in written}


def inline(node, defs: dict):
    if isinstance(node, list):
        return [inline(one, defs) for one in node]
    if not isinstance(node, dict):
        return node
    of = defs.get(node.get("$ref", "").removeprefix("#/$defs/"), {})
    return {name: inline(value, defs) for name, value in {**of, **node}.items() if name != "$ref"}

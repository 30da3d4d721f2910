"""Fills in a form line by line. The plug-in reads it, whichever way the server's SDK writes it, and checks what is typed."""

import json

KINDS = {
    "string": "text", "number": "a number", "integer": "a whole number", "boolean": "yes or no",
    "choice": "one of some choices", "choices": "some of some choices", "list": "a list",
}


WORDS = {"true": "yes", "false": "no"}


def text_of(value):
    """What JSON text says: a string without its quotes, yes and no of booleans."""
    return json.loads(value) if value.startswith('"') else WORDS.get(value, value)


def choice(option):
    """What a choice is called, and what it stands for if that says more."""
    value, title = option["value"], option["title"]
    if title not in (value, text_of(value)):
        return f"{title} ({text_of(value)})"
    return WORDS.get(value, title)


def notes(unchecked, known=False):
    """What only the server checks; beside a format that Parley checks, its pattern says nothing new."""
    texts = [f"{note['keyword']} {json.dumps(note['value'][:40], ensure_ascii=False)}" for note in unchecked if "value" in note and not known]
    more = ", ".join(note["keyword"] for note in unchecked if "value" not in note)
    return texts + ([f"the server checks more: {more}"] if more else [])


def hints(field):
    kind = field["kind"]
    ways = {"boolean": "yes or no", "choices": "commas between", "list": "one a line, an empty line ends"}
    said = ["no longer used"] if field.get("deprecated") else []
    said += [choice(option) for option in field.get("options", [])] + ([ways[kind]] if kind in ways else [])
    said += [field["format"]] if "format" in field else []
    said += [f"such as {text_of(example)}" for example in field.get("examples", [])]
    return ", ".join(said + notes(field.get("unchecked", []), "format" in field))


def fill(form, check, line, say):
    """Asks for one field after the other; returns the content as JSON text. `line` raises what ends the question."""
    content = []
    for field in form["fields"]:
        if field.get("readOnly"):
            say(f"{field['title']}: {text_of(field['default']) if 'default' in field else ''}")
            continue
        while True:
            value, problem = one(form["schema"], field, check, line)
            if not problem:
                break
            say(f"{field['title']} {problem}.")
        if value is not None:
            content.append(f"{json.dumps(field['name'])}:{value}")
    return f"{{{','.join(content)}}}"


def one(schema, field, check, line):
    """The value of a field as JSON text, None to leave it out, and what is wrong with what was typed."""
    request = {"schema": schema, "field": field["name"]}
    typed = None
    if field["kind"] == "union":  # the type is picked, and never guessed from the text
        each = [f"{n} for {one.get('format') or KINDS[one['kind']]}" for n, one in enumerate(field["alternatives"], 1)]
        picked = line(f"{field['title']}: {', '.join(each)}")
        if picked and picked not in map(str, range(1, len(each) + 1)):
            return None, "must be one of the numbers"
        if picked:
            request["alternative"] = int(picked) - 1
            field = {**field["alternatives"][int(picked) - 1], "title": field["title"]}
        else:
            typed = ""
    if typed is None:
        default = f" [{text_of(field['default'])}]" if "default" in field else ""
        typed = line(f"{field['title']}{f' ({hints(field)})' if hints(field) else ''}{default}")
        if field["kind"] == "list" and typed:
            lines = [typed]
            while more := line(f"{field['title']}, one more"):
                lines.append(more)
            typed = "\n".join(lines)
    if not typed and "default" in field:
        return field["default"], None
    answer = check({**request, "typed": typed})
    return answer.get("value"), answer.get("problem", {}).get("message")

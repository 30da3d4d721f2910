"""Calls a tool of an MCP server through the Extism plug-in and asks here what the server wants to know. See README.md."""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import extism

if len(sys.argv) < 3:
    sys.exit("""Usage: main.py URL TOOL [ARGUMENTS], or main.py URL --resume FILE with a call that was parked.
At a question, /decline says no and /park keeps the call in parked.json.""")
url, tool, extra = (sys.argv[1:] + ["{}"])[:3]


def now():
    return int(time.time() * 1000)


def shown(text):
    """Text of the server, with what a terminal would obey made visible."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in str(text))


def send(leg):
    """One leg: what goes on the wire, as the plug-in made it."""
    time.sleep(max(0, leg.get("at", 0) - now()) / 1000)
    patience = max(1, leg["until"] - now()) / 1000 if "until" in leg else None
    headers = {**dict(leg["headers"]), "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    post = urllib.request.Request(url, leg["body"].encode(), headers)
    try:
        with urllib.request.urlopen(post, timeout=patience) as response:
            text = response.read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors="replace")
    except OSError as error:
        unsent = isinstance(getattr(error, "reason", None), ConnectionRefusedError)
        return {"type": "lost", "reason": str(error), "unsent": unsent}
    # The text is one message, or an event stream with one in each event's data.
    for message in [text, *(line.removeprefix("data:").strip() for line in text.split("\n"))]:
        try:
            if json.loads(message)["id"] == leg["id"]:
                return {"type": "response", "body": message}
        except (ValueError, KeyError, TypeError):
            continue
    return {"type": "lost", "reason": "the server's answer is no response to the request"}


def value_of(schema, text):
    """What was typed as JSON text; the engine checks it."""
    kind = schema.get("type")
    if kind in ("number", "integer") and text.strip("0123456789.eE+-") == "":
        return text
    typed = {"boolean": text.lower() in ("y", "yes", "true"), "array": [part.strip() for part in text.split(",")]}
    return json.dumps(typed.get(kind, text))


def choices_of(schema):
    items = schema.get("items", {})
    return schema.get("enum") or items.get("enum") or [one["const"] for one in schema.get("oneOf") or items.get("anyOf") or []]


def elicit(ask):
    """A form, a line for each field. The input's end parks the call."""
    if ask["mode"] != "form":
        return {"type": "refuse", "reason": "this program shows forms only"}
    params = json.loads(ask["params"])
    print(f"\n{url} asks: {shown(params['message'])}")
    if "problem" in ask:
        print(f"That could not be sent: {shown(ask['problem'])}")
    content = []
    fields = params["requestedSchema"]["properties"] or {"Enter agrees": None}  # without fields, only consent is asked for
    for name, schema in fields.items():
        choices = ", ".join(choices_of(schema or {}))
        print(f"  {shown(name)}{shown(f' ({choices})' if choices else '')}: ", end="", flush=True)
        text = (sys.stdin.readline() or "/park").strip()
        if text in ("/park", "/decline"):
            return {"type": "park"} if text == "/park" else {"type": "answer", "raw": '{"action":"decline"}'}
        if schema and text:
            content.append(f"{json.dumps(name)}:{value_of(schema, text)}")
    return {"type": "answer", "raw": f'{{"action":"accept","content":{{{",".join(content)}}}}}', "fill": True}


def callback(name, answer):
    """A callback of the plug-in: JSON in, JSON out, and the time with every answer."""
    def called(text: str) -> str:
        return json.dumps({**answer(json.loads(text)), "now": now()})

    extism.host_fn(name)(called)


def main():
    callback("send", send)
    callback("elicit", elicit)
    for name in ("sample", "list_roots"):  # what is not declared below is never asked
        callback(name, lambda _: {"type": "refuse", "reason": "this program cannot"})
    plugin = extism.Plugin((Path(__file__).parent / "../../wasm/parley-extism.wasm").read_bytes())
    request = {"now": now(), "clientInfo": '{"name":"parley-extism-python","version":"1.0.0"}'}
    if tool == "--resume":
        request |= {"snapshot": Path(extra).read_text(), "peer": url}
    else:
        options = {"capabilities": '{"elicitation":{"form":{}}}', "peer": url}
        request |= {"method": "tools/call", "params": f'{{"name":{json.dumps(tool)},"arguments":{extra}}}', "options": options}
    outcome = json.loads(plugin.call("resume" if "snapshot" in request else "call", json.dumps(request)))
    if outcome.get("type") == "done":
        for block in json.loads(outcome["result"])["content"]:
            print("\n" + shown(block.get("text")))
    elif outcome.get("type") != "parked":
        print("\n" + shown(outcome.get("detail") or outcome["error"]["detail"]), file=sys.stderr)
    if "snapshot" in outcome:
        os.umask(0o077)  # it holds a secret
        Path("parked.json").write_text(outcome["snapshot"])
        print(f"\nKept in parked.json. To go on: main.py {url} --resume parked.json")
    sys.exit(outcome.get("type") != "done")


main()

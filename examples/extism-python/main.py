"""Calls a tool of an MCP server through the Extism plug-in and asks here what the server wants to know. See README.md."""

import json
import os
import sys
import time
from functools import cache
from itertools import chain, repeat
from pathlib import Path

import extism

from form import fill, notes
from network import Network

WASM = Path(__file__).parent / "../../wasm/parley-extism.wasm"

if len(sys.argv) < 3:
    sys.exit("""Usage: main.py URL TOOL [ARGUMENTS], or main.py URL --resume FILE with a call that was parked.
At a question, /decline says no, /park keeps the call in parked.json and /stop gives it up.""")
url, tool, extra = (sys.argv[1:] + ["{}"])[:3]


def now():
    return int(time.time() * 1000)


def shown(text):
    """Text of the server, with what a terminal would obey made visible."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in str(text))


class Ended(Exception):
    """What was typed ends the question."""


def entered(prompt):
    """A line for a form."""
    text = line(shown(prompt))
    if text in ENDS:
        raise Ended(text)
    return text


def elicit(ask):
    """A form, a line for each field. The input's end parks the call."""
    if ask["mode"] != "form":
        return {"type": "refuse", "reason": "this program shows forms only"}
    form = read("form", ask["params"])
    say(f"asks: {shown(json.loads(ask['params'])['message'])}", ask)
    for note in notes(form.get("unchecked", [])):
        print(f"  {shown(note)}")
    try:
        content = fill(form, lambda typed: read("form_check", json.dumps(typed)), entered, lambda text: print(f"  {shown(text)}"))
        if not form["fields"]:  # only consent is asked for
            entered("Enter agrees")
    except Ended as ended:
        return {"type": "answer", "raw": '{"action":"decline"}'} if str(ended) == "/decline" else dict(ENDS[str(ended)])
    return {"type": "answer", "raw": f'{{"action":"accept","content":{content}}}'}


@cache
def another():
    """An instance that reads forms, because the one that asks is busy until it has the answer."""
    return extism.Plugin(WASM.read_bytes())


def read(export, text):
    return json.loads(another().call(export, text))


def say(what, ask):
    print(f"\n{url} {what}")
    if "problem" in ask:
        print(f"That could not be sent: {shown(ask['problem'])}")


def line(prompt):
    """Asks for one line. The input's end parks the call or, where that was impossible, gives it up."""
    print(f"  {prompt}: ", end="", flush=True)
    return (sys.stdin.readline() or next(at_end)).strip()


at_end = chain(["/park"], repeat("/stop"))

# How a question ends by what was typed instead of an answer.
ENDS = {"/park": {"type": "park"}, "/stop": {"type": "cancel"}, "/decline": {"type": "refuse", "reason": "declined"}}


def sample(ask):
    """Whoever sits here says what a model would."""
    say("asks what a model would say to:", ask)
    for message in json.loads(ask["params"])["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else [message["content"]]
        print(f"  {shown(message['role'])}: {shown(' '.join(block.get('text', '') for block in blocks))}")
    text = line("Answer")
    reply = {"role": "assistant", "model": "a person", "content": {"type": "text", "text": text}}
    return dict(ENDS.get(text) or {"type": "answer", "raw": json.dumps(reply)})


def list_roots(ask):
    """The folder this program runs in, if that is wanted."""
    say("asks which folders it may know of.", ask)
    text = line(f"Enter tells it of {Path.cwd()}")
    return dict(ENDS.get(text) or {"type": "answer", "raw": json.dumps({"roots": [{"uri": Path.cwd().as_uri()}]})})


def callback(name, answer):
    """A callback of the plug-in: JSON in, JSON out, and the time with every answer."""
    def called(text: str) -> str:
        return json.dumps({**answer(json.loads(text)), "now": now()})

    extism.host_fn(name)(called)


def main():
    network = Network(url)
    for name, answer in {
        "post": network.post, "receive": network.receive, "elicit": elicit, "sample": sample, "list_roots": list_roots,
    }.items():
        callback(name, answer)
    plugin = extism.Plugin(WASM.read_bytes())

    def ask(export, request):
        return json.loads(plugin.call(export, json.dumps(request)))

    # What this program can answer; nothing else will be asked. The session could make any number of calls.
    can = {"form": True, "sampling": True, "roots": True}
    ask("session", {"clientInfo": '{"name":"parley-extism-python","version":"1.0.0"}', "can": can})
    if tool == "--resume":
        outcome = ask("resume", {"now": now(), "snapshot": Path(extra).read_text(), "peer": url})
    else:
        params = f'{{"name":{json.dumps(tool)},"arguments":{extra}}}'
        outcome = ask("call", {"now": now(), "method": "tools/call", "params": params, "options": {"peer": url}})
    ask("close", {"now": now()})
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

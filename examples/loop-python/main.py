"""Calls a tool over a connection of its own, a client of the official SDK, and drives Parley's loop by hand.

README.md says how to run it.
"""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from mcp import Client, MCPError

from parley_mrtr.host import Form, ParleyError, SessionCore, new_session

USAGE = "Usage: main.py URL TOOL ARGUMENTS, the arguments as JSON; or main.py URL FILE, to resume a call"


async def main(url: str, name: str, arguments: str | None = None) -> str | None:
    """Calls the tool, or resumes the call in a file, and returns what went wrong."""
    session = new_session({"transport": "requests", "can": {"form": True}})
    try:
        if arguments is None:
            file = Path(name)
            call = session.restore(file.read_bytes(), {"peer": url})
        else:
            file = Path("parked.json")
            params = f'{{"name":{json.dumps(name)},"arguments":{arguments}}}'
            call = session.call("tools/call", params.encode(), {"peer": url})
        async with AsyncExitStack() as stack:
            done, text = await drive(session, call, file, Connection(url, stack))
    except (OSError, ParleyError) as error:
        return plain(str(error))
    if not done:
        return plain(text)
    print("\n" + plain(text))
    return None


async def drive(session: SessionCore, call: int, file: Path, connection: "Connection") -> tuple[bool, str]:
    """Steps a call until it is over, and returns its result or what went wrong. It does one thing at a time, so nothing happens while a person thinks."""

    def save() -> None:  # in the file, which holds a secret then
        file.touch(0o600)
        file.write_bytes(session.snapshot(call))

    events: list[dict[str, Any]] = [{"type": "begin", "call": call, "save": True}]  # to be stepped
    until = 0
    while True:
        if not events:  # the server is to be asked later
            await asyncio.sleep(until / 1000 - time.time())
            events.append({"type": "tick", "call": call})
        for action in session.step(int(time.time() * 1000), events.pop(0)):
            match action["type"]:
                case "request":
                    events.append(await connection.send(action["exchange"], json.loads(action["params"])))
                case "save":
                    try:
                        save()
                        events.append({"type": "saved", "call": call})
                    except (OSError, ParleyError) as error:
                        events.append({"type": "saveFailed", "call": call, "reason": str(error)})
                case "ask":
                    events.append({"call": call, "ask": action["ask"], **ask(action)})
                case "wait" if "call" in action:
                    until = action["until"]
                case "done":
                    file.unlink()
                    return True, action["result"].decode()
                case "parked":
                    save()
                    return False, f"the call is parked in {file}"
                case "failed":
                    if action.get("resumable"):
                        save()
                    else:  # the file has no call any more
                        file.unlink(missing_ok=True)
                    return False, f"{action['detail']} {action.get('error', b'').decode()}"


def ask(question: dict[str, Any]) -> dict[str, Any]:
    """Asks the person, field by field. The end of the input parks the call."""
    form = Form(question["params"])
    print("\nThe server asks:", plain(form.message))
    try:
        for field in form.fields:
            options = ", ".join(option["value"] for option in field.get("options", []))
            problem: str | None = f"one of {options}" if options else ""
            while problem is not None:
                print(plain(f"  {field['title']}: {problem} [{field.get('default', '')}] (or /decline)"))
                typed = input("  > ")
                if typed == "/decline":
                    return {"type": "answer", "raw": '{"action":"decline"}'}
                chosen = field.get("default") if typed == "" else None
                problem = form.choose(field["name"], chosen) if chosen else form.enter(field["name"], typed)
        if input("  Enter sends this (or /decline): ") == "/decline":
            return {"type": "answer", "raw": '{"action":"decline"}'}
    except EOFError:
        return {"type": "park"}
    return {"type": "answer", "raw": form.accept()}


class Connection:
    """A client of the SDK, which connects with the first request. Tools are all that this program calls."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.client = Client(url, elicitation_callback=self.never_asked)  # declares that forms can be asked
        self.stack = stack
        self.connected = False

    async def never_asked(self, _context: Any, _params: Any) -> Any:
        raise NotImplementedError("the rounds are Parley's")

    async def send(self, exchange: int, params: dict[str, Any]) -> dict[str, Any]:
        """Sends a request, and says what came of it."""
        ended = {"type": "ended", "exchange": exchange}
        try:
            if not self.connected:
                await self.stack.enter_async_context(self.client)
            self.connected = True
        except Exception as error:
            return {**ended, "reason": str(error), "unsent": True}
        try:
            result = await self.client.session.call_tool(
                params["name"],
                params.get("arguments"),
                read_timeout_seconds=50,  # the engine's own bound is a minute
                input_responses=params.get("inputResponses"),
                request_state=params.get("requestState"),
                allow_input_required=True,
            )
            response = {"result": result.model_dump(by_alias=True, mode="json", exclude_unset=True)}
        except MCPError as error:
            response = {"error": error.error.model_dump(exclude_none=True)}
        except Exception as error:
            return {**ended, "reason": str(error)}
        body = json.dumps({"jsonrpc": "2.0", "id": exchange, **response}, ensure_ascii=False)
        return {"type": "message", "exchange": exchange, "body": body, "last": True}


def plain(text: str) -> str:
    """Text of the server without what a terminal would obey."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])) if len(sys.argv) in (3, 4) else USAGE)

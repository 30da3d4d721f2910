"""The plug-in in Python, for tests that are written in another language: they ask for calls, one at a time, and answer
the callbacks, a line of JSON each way.

  <- {"export":"call","input":BASE64}
  -> {"callback":"post","text":BASE64}
  <- {"answer":BASE64}
  -> {"output":BASE64} or {"error":TEXT}

Usage: plugin.py MODULE CONFIG    with the plug-in's config as JSON
"""

import json
import sys
from base64 import b64decode, b64encode
from pathlib import Path

import extism


def heard():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()


def say(message):
    print(json.dumps(message), flush=True)


def callback(name):
    def called(text: bytes) -> bytes:
        say({"callback": name, "text": b64encode(text).decode()})
        return b64decode(heard()["answer"])

    extism.host_fn(name)(called)


def main():
    for name in ("post", "receive", "elicit", "sample", "list_roots"):
        callback(name)
    manifest = {"wasm": [{"data": b64encode(Path(sys.argv[1]).read_bytes()).decode()}]}
    plugin = extism.Plugin(manifest, config=json.loads(sys.argv[2]))
    while True:
        request = heard()
        try:
            output = plugin.call(request["export"], b64decode(request["input"]))
            say({"output": b64encode(output).decode()})
        except extism.Error as error:
            say({"error": str(error)})


main()

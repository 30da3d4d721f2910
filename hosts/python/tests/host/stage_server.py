"""The stage of scripts of hosts/testdata/drivers as a program: a request a line, an answer a line, one after the other.

    {"do":"start"}                       a new stage, whose sessions have new instances of the engine
    {"do":"input","input":"saved"}       lets something happen, as it stands in a script
    {"do":"end"}                         lets every callback return, gives the calls up and closes their sessions

An answer is {"lines":[…],"open":…}: what was called by the time everything stands still, and whether a call has not
ended. "error" says what went wrong: something that cannot happen, or with "fatal":true the driver; then only start helps.
No time passes but where a script says until, and there as much as it takes, up to a day.

    PYTHONPATH=hosts/python/tests python -m host.stage_server
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextlib import suppress
from typing import Any

from host.driver_script import Impossible
from host.drivers import Stage, Trapping, small


class Server:
    def __init__(self, trapping: Trapping) -> None:
        self._trapping = trapping
        self._compiled = small()
        self._stage = Stage(self._compiled, trapping)
        self._ended = False

    def answer(self, line: str) -> dict[str, Any]:
        try:
            lines = self._do(json.loads(line))
        except Impossible as error:
            return {"lines": self._stage.called(), "open": self._stage.open, "error": str(error)}
        except Exception as error:
            said = "".join(traceback.format_exception(error))
            return {"lines": [], "open": self._stage.open, "error": said, "fatal": True}
        return {"lines": lines, "open": self._stage.open}

    def _do(self, request: dict[str, Any]) -> list[str]:
        match request.get("do"):
            case "start":
                if not self._ended:
                    with suppress(Exception):  # what is wrong with it was told, or was not asked for
                        self._stage.end()
                self._trapping.next.clear()
                self._stage = Stage(self._compiled, self._trapping)
                self._ended = False
                return []
            case "input":
                return self._stage.do(request.get("input", ""))
            case "end":
                self._ended = True
                return self._stage.end()
        raise Impossible("do is start, input or end")


def main() -> None:
    logging.disable()  # of watchers that raise on purpose
    with Trapping() as trapping:
        server = Server(trapping)
        for line in sys.stdin:
            sys.stdout.write(json.dumps(server.answer(line), ensure_ascii=False) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

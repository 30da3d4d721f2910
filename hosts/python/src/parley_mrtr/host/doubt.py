"""What becomes of a leg when the session that knows is gone.

It is in doubt if and only if it may have arrived and was not answered.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from parley_mrtr.host.core import Event, SessionCore
from parley_mrtr.host.driver import Driver
from parley_mrtr.host.errors import ParleyError
from parley_mrtr.host.instance import Compiled


def answers(event: Event, call: Driver) -> bool:
    """Whether an event tells that the leg of a call is answered, or was not sent.

    At the end of the call the engine knows, and should that be gone, nobody does.
    """
    if event.get("exchange") != call.flying:
        return False
    if event["type"] == "message":
        return bool(event.get("last")) and not call.over
    return event["type"] == "ended" and bool(event.get("unsent"))


def settle(compiled: Compiled, shape: Mapping[str, Any], call: Driver, kept: bytes) -> None:
    """Finds out whether a call that a trap has ended is in doubt, by its last snapshot.

    It is not if its leg waited for a save, which the snapshot learns. What it begins for that is not performed: it has
    a session of its own.
    """
    core = None
    try:
        core = SessionCore(compiled, shape)
        number = core.restore(kept, call.labels)
        in_doubt = core.info(number).get("inDoubt", False)
        if call.in_doubt or not in_doubt:
            call.in_doubt = in_doubt
            return
        for kind in "begin", "cancel":
            core.step(int(time.time() * 1000), {"type": kind, "call": number, "unsent": True})
        call.kept = core.snapshot(number)
        call.in_doubt = core.info(number).get("inDoubt", False)  # by a leg before
    except (ParleyError, RuntimeError):
        pass  # it is as far as it was known
    finally:
        if core is not None:
            core.free()

"""Sessions with servers."""

from __future__ import annotations

from parley_mrtr.host.core import SessionCore
from parley_mrtr.host.http import StreamableHTTP
from parley_mrtr.host.module import compiled
from parley_mrtr.host.options import SessionOptions
from parley_mrtr.host.question import Asker, Askers
from parley_mrtr.host.session import Session
from parley_mrtr.host.transport import Transport
from parley_mrtr.host.watchers import SessionWatchers


def connect(
    server: str | Transport,
    *,
    elicit: Asker | None = None,
    elicit_url: Asker | None = None,
    sample: Asker | None = None,
    list_roots: Asker | None = None,
    authorize: Asker | None = None,
    sample_tools: bool = False,
    tasks: bool = False,
    fill: bool = False,
    any_form: bool = False,
    watchers: SessionWatchers | None = None,
    shape: SessionOptions | None = None,
) -> Session:
    """A session with a server: at a URL, or over a transport such as `stdio` or `over` make.

    It speaks MCP 2026-07-28, and the versions before it with servers of earlier eras. Who answers what is said at
    `Askers`; `shape` has further options; `can`, `transport` and `cache` are set here. It belongs to the event loop that uses it first. Nothing is sent before its first call.
    """
    transport = StreamableHTTP(server) if isinstance(server, str) else server
    askers = Askers(elicit, elicit_url, sample, list_roots, authorize, sample_tools, tasks, fill, any_form)
    return Session(compiled(), transport, askers, shape or {}, watchers or SessionWatchers())


def new_session(options: SessionOptions | None = None) -> SessionCore:
    """A session for a loop of your own: give it events by `step`, and perform the actions that it returns.

    wasm/GUIDE.md of the repository has the duties, wasm/ABI.md the events and actions; raw members are bytes in actions, and
    bytes or str in events. `connect` does all of that.
    """
    return SessionCore(compiled(), options or {})

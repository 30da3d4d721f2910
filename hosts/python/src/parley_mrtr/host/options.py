"""The options of calls and sessions.

Written by go test ./internal/wire -update, from the functions that read and write these.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Can(TypedDict, total=False):
    """What the host can answer: questions of other kinds fail the call."""

    form: bool

    url: bool

    sampling: bool

    samplingTools: bool
    """Sampling with tools."""

    roots: bool

    tasks: bool
    """A tool call may become a task."""

    authorize: bool
    """Sign in: a session asks, and it is declared to no server."""

    anyForm: bool
    """Draw forms that Parley cannot read: their answer only has to be an object. It is declared to no server."""


class Limits(TypedDict, total=False):
    """What a server may send."""

    response: int
    """A response that the engine reads, and one answer, in bytes; 1048576 if absent."""

    result: int
    """A response with a complete result, in bytes; 67108864 if absent."""

    state: int
    """A requestState as it stands in the text, in bytes; 262144 if absent."""

    asks: int
    """Questions in one round, at most 512; 64 if absent."""

    key: int
    """A key of inputRequests, in bytes; 256 if absent."""

    snapshot: int
    """A snapshot, in bytes; 8388608 if absent."""

    params: int
    """Params of the call, in bytes; 1048576 if absent."""


class Options(TypedDict, total=False):
    """The options of a call. Times are in milliseconds."""

    can: Can
    """What the host can answer: questions of other kinds fail the call."""

    capabilities: bytes | str
    """The clientCapabilities to declare beside `can`, such as extensions; {} if absent."""

    id: str
    """A label for notes and snapshots."""

    peer: str
    """The host's own label for the server."""

    principal: str
    """The host's own label for the person or account that calls."""

    audit: bool
    """`note` actions."""

    resendTools: bool
    """Send a lost `tools/call` again by itself."""

    fresh: bool
    """Ask the server, even if an earlier result may be used again."""

    askConcurrency: int
    """Questions open at once; below 0 is all; 1 if absent."""

    maxRounds: int
    """Rounds that ask; 10 if absent."""

    maxWaits: int
    """Rounds in a row that ask nothing; 120 if absent."""

    maxTries: int
    """Unusable answers to one question; after that it counts as refused; 20 if absent."""

    limits: Limits

    legTimeout: int
    """A leg in flight; below 0 is without bound; 60000 if absent."""

    legMax: int
    """A leg in flight while there is progress; 600000 if absent."""

    askTimeout: int
    """A question open; 0 is without bound."""

    budget: int
    """The whole call, without the time a person took; 0 is without bound."""

    maxPace: int
    """The longest pause after a round that asks nothing or only repeats urls, 1 to 3,600,000; 5000 if absent."""

    deadline: int
    """Of the whole call, Unix ms; keeps running while it is parked."""


class Expect(TypedDict, total=False):
    """What a snapshot must match, and which of its bounds to replace."""

    peer: str
    """Must be what the call was made with."""

    principal: str
    """Must be what the call was made with."""

    can: Can
    """What the host can answer: a call that declared more is refused, and so is one with an open form that only `anyForm` can draw; if absent, nothing is checked."""

    deadline: int
    """Replaces the call's own, as do the next three."""

    budget: int

    maxRounds: int

    maxWaits: int

    size: int
    """The longest snapshot accepted, in bytes; 8 MiB if absent."""


class SessionOptions(TypedDict, total=False):
    """The options of a session."""

    transport: Literal["http", "stdio", "requests"]
    """`http`, `stdio` for anything that carries messages in order, or `requests` for a connection that is another's; `http` if absent."""

    clientInfo: bytes | str
    """The client's Implementation object."""

    can: Can
    """What the host can answer: questions of other kinds fail the call."""

    capabilities: bytes | str
    """The clientCapabilities to declare beside `can`, such as extensions, in calls that have none of their own."""

    versions: list[str]
    """The versions that may be spoken, the preferred one first; one alone pins it."""

    known: str
    """The version that `ready` reported earlier for this server."""

    discover: bool
    """Ask `server/discover` first, over HTTP too."""

    probeTimeout: int
    """How long a server over stdio may take to say which era it is of; 5000 if absent."""

    firstId: int
    """The id of the first request, from 1 to 2^20; later ones are larger. A host draws it at random; 1 if absent."""

    stringIds: bool
    """Make request ids strings."""

    dialect: Literal["", "SEP-2322", "SEP-2322-draft", "SEP-2322-draft-camel", "SEP-1685"]
    """How the server asks, if it follows a proposal from before 2026-07-28: `SEP-2322`, `SEP-2322-draft`, `SEP-2322-draft-camel` or `SEP-1685`."""

    logLevel: str
    """Asks for the server's log messages at this level and above."""

    cache: bool
    """The host performs `recall`, `keep` and `forget`; ignored over `requests`."""

    cachedAs: str
    """What the host calls the server, if what it keeps outlives the session or is shared; at most 2 KiB."""

"""What the two servers have in common as programs: flags, keys, and one line when they listen."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn
from parley_mrtr.codec import Codec, CodecError, Guard, new_key, read_key_file
from starlette.applications import Starlette

DAY = 24 * 60 * 60  # s: as tests/stories/go-server, for clients that park a call until somebody answers

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Settings:
    name: str
    host: str
    port: int
    key_file: str | None  # None: a new key that ends with the process
    audience: str
    ttl: int  # s

    def keys(self) -> bytes:
        """The text of the key file, or of one with a new key."""
        return new_key() if self.key_file is None else read_key_file(self.key_file)


def settings(name: str, description: str, audience: str) -> Settings:
    """Reads the command line. Prints and exits where it is wrong."""
    flags = argparse.ArgumentParser(prog=name, description=description)

    def flag(option: str, metavar: str, default: str | int | None, text: str) -> None:
        kind = int if isinstance(default, int) else str
        flags.add_argument(option, metavar=metavar, default=default, type=kind, help=text)

    flag("--addr", "HOST:PORT", "127.0.0.1:8000", "where to listen; port 0 takes a free one (default %(default)s)")
    flag(
        "--key-file",
        "FILE",
        None,
        "the keys that seal requestState, for several instances, mode 0600; SIGHUP reads them again "
        "(default: a new key that ends with the process)",
    )
    flag("--audience", "NAME", audience, "the service, the same on all instances with these keys (default %(default)s)")
    flag("--ttl", "SECONDS", DAY, "how long a client may take to answer a round (default %(default)s)")
    given = flags.parse_args()
    host, _, port = given.addr.rpartition(":")
    if not host or not port.isdecimal():
        flags.error("--addr is HOST:PORT")
    if given.ttl <= 0:
        flags.error("--ttl must be positive")
    return Settings(name, host.strip("[]"), int(port), given.key_file, given.audience, given.ttl)


def run(at: Settings, make: Callable[[bytes], tuple[Codec | Guard, Starlette]]) -> None:
    """Serves what `make` makes of the keys until it is interrupted.

    Prints "listening on URL" on standard output; the log is on standard error. Ends the program where keys, options or
    the address are unusable.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        sealing, app = make(at.keys())
    except (OSError, ValueError, CodecError) as error:
        sys.exit(f"{at.name}: {error}")
    try:
        family = socket.AF_INET6 if ":" in at.host else socket.AF_INET
        listener = socket.create_server((at.host, at.port), family=family)
    except OSError as error:
        sys.exit(f"{at.name}: {error}: choose a port with --addr 127.0.0.1:N, or a free one with --addr 127.0.0.1:0")
    with listener:
        host = f"[{at.host}]" if ":" in at.host else at.host
        print(f"listening on http://{host}:{listener.getsockname()[1]}/mcp", flush=True)
        asyncio.run(_serve(app, listener, at, sealing))


async def _serve(app: Starlette, listener: socket.socket, at: Settings, sealing: Codec | Guard) -> None:
    if at.key_file is not None and hasattr(signal, "SIGHUP"):
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload, at, sealing)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    await uvicorn.Server(config).serve(sockets=[listener])


def reload(at: Settings, sealing: Codec | Guard) -> None:
    """Goes on with the keys that the file holds now, or with the ones before where it is unusable."""
    try:
        sealing.rekey(at.keys())
    except (OSError, ValueError, CodecError) as error:
        logger.error("keys not read again, the ones before stay: %s", error)

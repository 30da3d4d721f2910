"""A Redis of a test's own, on a free port, in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Server:
    def __init__(self, folder: Path, *arguments: str, watching: int | None = None) -> None:
        """With `watching`, a sentinel of the server at that port."""
        # Debian has the program in the package redis-tools, under another name: it looks at what it is called.
        program = shutil.which("redis-server") or shutil.which("redis-check-rdb")
        if program is None:
            assert not os.environ.get("CI"), "there is no redis-server: ./test.sh setup installs it"
            pytest.skip("there is no redis-server: ./test.sh setup installs it")
        for _ in range(10):
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port: int = free.getsockname()[1]
            command = [
                "redis-server",
                "--bind",
                "127.0.0.1",
                "--port",
                str(self.port),
                "--dir",
                str(folder),
                "--save",
                "",
            ]
            if watching is not None:
                command = ["redis-sentinel", self._sentinel(folder, watching)]
            with (folder / "log").open("a") as log:
                self.process = subprocess.Popen(
                    [*command, *arguments], executable=program, stdout=log, stderr=subprocess.STDOUT
                )
            if self._starts():
                return
        pytest.fail("no Redis starts")

    def _sentinel(self, folder: Path, watching: int) -> str:
        file = folder / f"sentinel-{self.port}.conf"
        file.write_text(
            f"bind 127.0.0.1\nport {self.port}\ndir {folder}\nsentinel monitor shop 127.0.0.1 {watching} 1\n"
            "sentinel down-after-milliseconds shop 300\nsentinel failover-timeout shop 1000\n"
        )
        return str(file)

    def _starts(self) -> bool:
        while self.process.poll() is None:  # else somebody else got the port
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return True
            except ConnectionRefusedError:
                time.sleep(0.005)
        return False

    def url(self, more: str = "") -> str:
        return f"redis://127.0.0.1:{self.port}{more}"

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

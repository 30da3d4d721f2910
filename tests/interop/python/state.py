"""What the features remember from one call to another, and the pages that URL questions lead to."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import anyio

FORMS: dict[str, Any] = json.loads((Path(__file__).parent.parent / "features" / "features.json").read_text())["forms"]


class Pages:
    """Pages have a listener of their own, so that a server over stdio has them too.

    Fetching one is what a person does there.
    """

    def __init__(self) -> None:
        self._visited: dict[str, bool] = {}
        visited = self._visited

        class Visit(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = self.path.removeprefix("/")
                known = page in visited
                if known:
                    visited[page] = True
                self.send_response(200 if known else 404)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        listener = ThreadingHTTPServer(("127.0.0.1", 0), Visit)
        self._base = f"http://127.0.0.1:{listener.server_port}/"
        Thread(target=listener.serve_forever, daemon=True).start()

    def add(self) -> str:
        page = secrets.token_urlsafe(16)
        self._visited[page] = False
        return page

    def url(self, page: str) -> str:
        return self._base + page

    def visited(self, page: str) -> bool:
        return self._visited.get(page, False)

    async def visit(self, page: str) -> None:
        """Returns once the page was visited."""
        while not self.visited(page):
            await anyio.sleep(0.02)


@dataclass
class State:
    pages: Pages = field(default_factory=Pages)
    charges: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    required: dict[str | None, str] = field(default_factory=dict)
    """The page that a session must visit."""


NO = {"decline": "declined", "cancel": "cancelled"}
"""What a feature says if the person said no."""

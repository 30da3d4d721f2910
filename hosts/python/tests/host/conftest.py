from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from checkout import REPO


@pytest.fixture(scope="session")
def go_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of examples/go-server."""
    program = tmp_path_factory.mktemp("server") / "server"
    subprocess.run(["go", "build", "-o", program, "./examples/go-server"], cwd=REPO, check=True)
    return program

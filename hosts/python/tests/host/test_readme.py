"""The README's host, run as a person would."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
ROOT = PACKAGE.parents[1]


def test_host(tmp_path: Path) -> None:
    section = (PACKAGE / "README.md").read_text().partition("## On a host\n")[2]
    code = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)[0]
    assert sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(code))) <= 15
    program = tmp_path / "host.py"
    program.write_text(code)
    snapshot = tmp_path / "call"

    server = tmp_path / "server"
    subprocess.run(["go", "build", "-o", server, "./examples/go-server"], cwd=ROOT, check=True)
    with subprocess.Popen([server, "-addr", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout
            url = serving.stdout.readline().split()[-1]
            assert run(program, url, snapshot) == "1: Which units should the weather in Oslo be in?\n"
            answers = '{"1": {"action": "accept", "content": {"units": "metric"}}}'
            assert f"'{answers}'" in section
            assert run(program, url, snapshot, answers) == "Oslo: 18 °C, light rain, wind 15 km/h.\n"
        finally:
            serving.terminate()


def run(program: Path, *arguments: object) -> str:
    command = [sys.executable, "-B", str(program), *map(str, arguments)]
    environment = {"PYTHONPATH": str(PACKAGE / "src"), "PATH": "/usr/bin:/bin", "PARLEY_CACHE_DIR": ""}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

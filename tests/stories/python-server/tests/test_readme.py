"""The snippets of the README run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import HERE, KEY

SNIPPETS = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=["MCPServer", "Server"])
def test_snippet(snippet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fleet.keys").touch(0o600)
    (tmp_path / "fleet.keys").write_bytes(KEY)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(snippet, names)
    assert names["server"]

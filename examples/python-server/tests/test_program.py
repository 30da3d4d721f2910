"""The command lines of both servers. What is wrong shows before anything listens."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

import fleet
import workers


@pytest.fixture(params=[fleet, workers], ids=["fleet", "workers"])
def program(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = request.param
    return module


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("--help", 0, "--key-file"),
        ("--addr 8000", 2, "--addr is HOST:PORT"),
        ("--ttl 0", 2, "--ttl must be positive"),
        ("--no-such-flag", 2, "unrecognized arguments"),
        ("--key-file none", 1, "No such file"),
        ("--key-file open.keys", 1, "can be used by others (mode 0644): run  chmod 600"),
        ("--key-file broken.keys", 1, "line 1 of the key file"),
    ],
)
def test_command_line(
    program: ModuleType,
    line: str,
    code: int,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, mode in ("open.keys", 0o644), ("broken.keys", 0o600):
        path = tmp_path / name
        path.write_text("parley-key/1 11 not-a-key\n")
        path.chmod(mode)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [f"{program.__name__}.py", *line.split()])
    with pytest.raises(SystemExit) as ended:
        program.main()
    out, err = capsys.readouterr()
    shown = out + err + str(ended.value.code)
    assert text in shown and "not-a-key" not in shown
    assert ended.value.code == code or code == 1 and isinstance(ended.value.code, str)

"""The command lines of both servers. What is wrong shows before anything listens."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import KEY
from parley_mrtr.codec import CONTEXT_SDK, Codec

import fleet
import program as programs
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


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        (b"not-a-key\n", "unusable key: line 1 of the key file"),
        (KEY + b"#" * (64 << 10), "unusable key: a key file has at most 65536 bytes"),
    ],
    ids=["unusable", "too long"],
)
def test_a_failed_reload_keeps_the_keys(
    text: bytes, logged: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    codec = Codec(KEY)
    token = codec.seal(b"before", CONTEXT_SDK)
    monkeypatch.setattr(programs, "read_key_file", lambda _name: text)
    programs.reload(programs.Settings("test", "127.0.0.1", 0, "keys", "a", 60), codec)
    assert [(record.levelno, record.exc_info) for record in caplog.records] == [(logging.ERROR, None)]
    assert "the ones before stay" in caplog.text and logged in caplog.text and "not-a-key" not in caplog.text
    assert codec.open(token, CONTEXT_SDK) == b"before"

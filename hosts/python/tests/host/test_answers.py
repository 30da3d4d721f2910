"""Which answers the official SDK takes, as the table in wasm/ABI.md says."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest
from mcp_types import ElicitResult
from pydantic import ValidationError

from checkout import REPO

ROWS: dict[str, list[Any]] = {
    "text, number, true or false, a list of texts, an empty list": ["", 1, 2**63, 1.5, True, ["a"], []],
    "`null`": [None],
    "a list of numbers, or of true and false": [[1], [1.5], [True]],
    "an object, or a list of lists": [{"a": 1}, [["a"]]],
}


def table() -> list[list[str]]:
    section = (REPO / "wasm/ABI.md").read_text().partition("### What servers take\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]


@pytest.mark.parametrize("row", ROWS)
def test_what_servers_take(row: str) -> None:
    head, _, *rows = table()
    column = head.index(f"Python SDK {'.'.join(version('mcp').split('.')[:2])}")
    (says,) = (cells[column] for cells in rows if cells[0] == row)
    assert len(rows) == len(ROWS)
    for value in ROWS[row]:
        try:
            ElicitResult.model_validate({"action": "accept", "content": {"a": value}})
            taken = "taken"
        except ValidationError:
            taken = "refused"
        assert taken == says, value

from collections.abc import Iterator

import pytest

from module import Guest


@pytest.fixture(scope="session")
def guests() -> dict[str, Guest]:
    return {name: Guest(name) for name in ("parley.wasm", "testdata/flow.wasm")}


@pytest.fixture
def guest(guests: dict[str, Guest], request: pytest.FixtureRequest) -> Iterator[Guest]:
    """The module that the test names, or the one for tests, which has flows too. The test must free what it makes."""
    one = guests[getattr(request, "param", "testdata/flow.wasm")]
    yield one
    assert one.number("parley_live") == 0, "something is still held"

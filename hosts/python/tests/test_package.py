import parley_mrtr
from checkout import REPO


def test_version() -> None:
    assert parley_mrtr.__version__ == "0.1.0"


def test_the_license_is_the_repositorys() -> None:
    assert (REPO / "hosts/python/LICENSE").read_bytes() == (REPO / "LICENSE").read_bytes()

"""Exceptions cross a worker pool whole."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import parley_mrtr
from parley_mrtr.codec import Code as CodecCode
from parley_mrtr.codec import CodecError
from parley_mrtr.host import CallFailed, Code, InstanceError, Parked, ParleyError, Pending, StatusError

MADE: list[Exception] = [
    CallFailed(Code.LOST, "lost", in_doubt=True, snapshot="s", response=b'{"message":"no"}', raw=b"{}"),
    CodecError(CodecCode.EXPIRED, "late", minting=True),
    CodecError(CodecCode.FORGED),
    InstanceError("trapped"),
    ParleyError(Code.ORDER, "too early"),
    Parked(Pending((), "s")),
    StatusError(404),
]


def pickled(error: Exception) -> Exception:
    again: Exception = pickle.loads(pickle.dumps(error))
    return again


def failing(error: Exception) -> None:
    raise error


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("again", [pickled, copy.copy, copy.deepcopy])
def test_a_copy_is_whole(error: Exception, again: Callable[[Exception], Exception]) -> None:
    error.__dict__["__notes__"] = ["seen at the desk"]
    other = again(error)
    assert (type(other), str(other), other.args, vars(other)) == (type(error), str(error), error.args, vars(error))


def test_a_worker_pool_gets_them() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool, pytest.raises(CallFailed) as failed:
        pool.submit(failing, MADE[0]).result(timeout=60)
    assert failed.value.snapshot == "s" and failed.value.in_doubt


def test_no_exception_is_left_out() -> None:
    """Each class of ours is made by its text alone, or is among those above."""
    known = {type(error) for error in MADE}
    for module in pkgutil.walk_packages(parley_mrtr.__path__, "parley_mrtr."):
        for _, cls in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(cls, BaseException) and cls.__module__.startswith("parley_mrtr.") and "__init__" in vars(cls):
                assert cls in known, cls

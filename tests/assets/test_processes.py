"""Work in processes of their own: the same results in the same order, and no result lost with a process."""

from __future__ import annotations

import os
import signal

import pytest

from assets.core.processes import each


def squared(number: int) -> tuple[int, int]:
    return os.getpid(), number * number


def stumbled(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def killed(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def test_many_jobs_are_done_elsewhere_and_come_back_in_order():
    done = each(squared, range(30), few=5)
    assert [result for _, result in done] == [number * number for number in range(30)]
    assert os.getpid() not in {pid for pid, _ in done}


def test_few_jobs_stay_here():
    assert each(squared, range(5), few=5) == [(os.getpid(), number * number) for number in range(5)]


@pytest.mark.parametrize("few", [1, 10])
def test_an_error_of_a_job_is_that_of_the_whole(few):
    with pytest.raises(ValueError, match="three"):
        each(stumbled, range(10), few=few)


def test_a_dead_process_is_told_and_nothing_is_returned():
    with pytest.raises(ChildProcessError, match=r"10 jobs .*killed.* died"):
        each(killed, range(10), few=1)

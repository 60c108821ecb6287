"""A name that one holds alone: who wants it waits for its holder, no longer than the lease of one that is gone."""

from __future__ import annotations

import threading
import time
import uuid
from types import SimpleNamespace

import pytest

from warehouse import leases as leases_module
from warehouse.leases import ASKS_EVERY_S, LASTS_S, Leases
from warehouse.store import Store


class Clock:
    """A clock that stands still but while somebody waits for a lease; `then` is done at the end of each wait.

    `steady` is what it says of how long things take, which nobody sets.
    """

    def __init__(self, step_s: float = ASKS_EVERY_S) -> None:
        self.steady = 0.0
        self.now, self.waits, self._step_s = 1000.0, [], step_s
        self.then = lambda: None

    def sleep(self, seconds: float) -> None:
        if threading.current_thread() is not threading.main_thread():  # it renews: by the real clock, and not here
            time.sleep(seconds)
            return
        self.waits.append(seconds)
        assert len(self.waits) < 10, "waits for ever"
        self.now += self._step_s
        self.steady += self._step_s
        self.then()


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Return a function from a clock to the leases of two processes, each on a machine that the other cannot see."""

    def made(clock):
        told = SimpleNamespace(time=lambda: clock.now, sleep=clock.sleep, monotonic=lambda: clock.steady)
        monkeypatch.setattr(leases_module, "time", told)
        monkeypatch.setattr(leases_module, "place", lambda: uuid.uuid4().hex)
        store = Store(str(tmp_path))
        return Leases(store), Leases(store)

    return made


def test_who_wants_to_be_alone_waits_until_the_holder_gives_the_name_back(two):
    clock = Clock()
    first, second = two(clock)
    assert first.take("a")
    clock.then = lambda: first.give_back("a") if len(clock.waits) == 3 else None
    with second.alone("a"):
        assert clock.waits == [ASKS_EVERY_S] * 3
        assert not first.take("a")
    assert not second.is_held("a")


def test_who_wants_to_be_alone_takes_over_a_lease_that_ran_out(two):
    clock = Clock(step_s=LASTS_S / 2)
    first, second = two(clock)
    assert first.take("a")
    first._token_by_key.clear()  # as if its process were gone: nobody renews
    with second.alone("a"):
        assert clock.now - 1000 > LASTS_S
        assert len(clock.waits) == 3  # at the second the lease had just not run out
        assert not first.take("a")
    assert first.take("a")


def test_a_name_is_given_back_though_what_was_done_alone_failed(two):
    first, second = two(Clock())
    with pytest.raises(KeyError), first.alone("a"):
        raise KeyError
    assert second.take("a")


def test_a_dead_machine_whose_clock_was_ahead_holds_no_longer_than_a_lease_lasts(two):
    clock = Clock(step_s=LASTS_S / 2)
    first, second = two(clock)
    clock.now += 365 * 86_400
    assert first.take("a")
    first._token_by_key.clear()
    clock.now -= 365 * 86_400
    with second.alone("a"):
        assert len(clock.waits) == 3


def test_a_machine_whose_clock_is_ahead_holds_what_it_renews(two):
    clock = Clock(step_s=LASTS_S / 2)
    first, second = two(clock)
    assert first.take("a")
    key, token = next(iter(first._token_by_key.items()))
    for _ in range(6):
        assert second.is_held("a")
        clock.sleep(0)
        tag = first._store.read_tagged(key)[1]
        assert first._store.swap(key, first._body(token), tag)


def test_the_clock_of_this_machine_may_jump_while_a_lease_is_held(tmp_path, monkeypatch):
    clock = Clock()
    told = SimpleNamespace(time=lambda: clock.now, sleep=time.sleep, monotonic=lambda: clock.steady)
    monkeypatch.setattr(leases_module, "time", told)
    first, second = Leases(Store(str(tmp_path))), Leases(Store(str(tmp_path)))
    assert first.take("a")
    clock.now += 8 * 3600  # it was asleep; what is renewed is not yet
    assert second.is_held("a")
    assert not second.take("a")

"""The ledger: one record a request, never replaced, whoever writes at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from warehouse.ledger import Ledger
from warehouse.store import Store, StoreError


@pytest.fixture
def ledger(tmp_path):
    return Ledger(Store(str(tmp_path)))


def test_an_answer_is_found_by_the_exact_request_and_revision(ledger):
    key = ledger.key(b'{"q": 1}', "r1")
    ledger.add(key, request=b'{"q": 1}', answer="yes", cost_usd=0.1)
    record = ledger.find(key)
    assert record is not None
    assert (record["answer"], record["cost_usd"]) == ("yes", 0.1)
    assert ledger.find(ledger.key(b'{"q": 1} ', "r1")) is None
    assert ledger.find(ledger.key(b'{"q": 1}', "r2")) is None


def test_request_and_revision_cannot_run_into_each_other(ledger):
    assert ledger.key(b"ab", "c") != ledger.key(b"a", "bc")


def test_the_first_answer_of_many_writers_stays(ledger):
    key = ledger.key(b"q", "r")
    ledger.add(key, request=b"q", answer="first")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: ledger.add(key, request=b"q", answer=str(n)), range(50)))
    assert [record["answer"] for record in ledger.records()] == ["first"]


def test_a_record_moved_to_another_key_is_found_out(ledger):
    key, other = ledger.key(b"q", "r"), ledger.key(b"p", "r")
    ledger.add(key, request=b"q", answer="a")
    ledger._store.put(f"ledger/{other[:2]}/{other}.json", ledger._store.read(f"ledger/{key[:2]}/{key}.json"))
    with pytest.raises(StoreError, match="names another call"):
        ledger.find(other)

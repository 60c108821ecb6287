"""What an address gave is dated by when its bytes were first had, whatever its server says of them."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from pipelines.walk import inputs
from pipelines.walk.inputs import fetched
from pipelines.walk.recipes import BoundFile
from schemas.recipe import SourceBinding
from sources import registry
from sources.services.fetch import Fetcher
from tests.served import serving, status
from warehouse.home import Home


@pytest.fixture
def address(tmp_path, monkeypatch):
    """Return a home, what a recipe binds there, how to say what the address gives, and how to fetch it."""
    days = count(1)
    monkeypatch.setattr(inputs, "_now", lambda: f"2026-01-{next(days):02}T00:00:00+00:00")
    (tmp_path / "www").mkdir()
    with serving(tmp_path / "www") as served:
        home, url = Home(str(tmp_path / "home")), served.url("business.json")
        bound = BoundFile(registry.SOURCES["yelp"], "business", None, None, url, SourceBinding())
        fetcher = Fetcher(sleep=lambda _: None)
        yield SimpleNamespace(
            home=home,
            gives=lambda body: served.fault("business.json", status(200, body)),  # no ETag, no date: always anew
            fetch=lambda old: fetched(home, fetcher, bound, old),
            asked=served.asked,
        )


def test_the_same_bytes_keep_their_date_though_the_server_cannot_say_that_they_are_the_same(address):
    address.gives(b'{"business_id": "a"}\n')
    first = address.fetch(None)
    assert (first.retrieved_at, first.etag) == ("2026-01-01T00:00:00+00:00", None)
    assert address.fetch(first) == first
    assert address.fetch(None) == first  # a recipe without a lock, in a home that has the bytes
    assert [headers.get("if-none-match") for _, headers in address.asked] == [None] * 3
    checked = inputs.checked_at(address.home, first.url)
    assert checked is not None and checked.day > 1


def test_the_same_bytes_keep_their_date_in_a_home_that_forgot_what_the_address_gave(address):
    address.gives(b'{"business_id": "a"}\n')
    first = address.fetch(None)
    for key in list(address.home.store.keys("fetched")):
        address.home.store.delete(key)
    assert address.fetch(first) == first


def test_other_bytes_have_a_date_of_their_own_and_the_first_keep_theirs_where_a_lock_names_them(address):
    address.gives(b'{"business_id": "a"}\n')
    first = address.fetch(None)
    address.gives(b'{"business_id": "b"}\n')
    second = address.fetch(first)
    assert second.sha256 != first.sha256
    assert first.retrieved_at < second.retrieved_at
    address.gives(b'{"business_id": "a"}\n')
    assert address.fetch(first) == first
    assert address.fetch(second).retrieved_at == first.retrieved_at

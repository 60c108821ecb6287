"""Fetching: bytes as the server has them, politely, and nothing of what only looks like them."""

from __future__ import annotations

import base64
import hashlib
import io
import socket
import zipfile

import pytest

from schemas.source import SourceError
from sources.formats.shape import shape_of, worse
from sources.services.fetch import USER_AGENT, Fetcher, Terms, Validators
from tests.served import breaks_off, endless, page, serving, status, well

ROWS = b"".join(b'{"business_id": "b%d", "name": "Place %d"}\n' % (n, n) for n in range(3000))
NOTHING = Validators()


def zipped(**members: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(f"{name}.txt", body)
    return data.getvalue()


FEED = zipped(stops=b"stop_id,stop_name\n1,Quay\n", trips=b"route_id,trip_id\n1,1\n")


@pytest.fixture
def served(tmp_path):
    folder = tmp_path / "www"
    folder.mkdir()
    (folder / "rows.json").write_bytes(ROWS)
    (folder / "feed.zip").write_bytes(FEED)
    with serving(folder) as found:
        yield found


@pytest.fixture
def waits():
    return []


@pytest.fixture
def fetch(tmp_path, waits):
    """Return a function that fetches into one target: (what was fetched, the target's bytes or None)."""
    fetcher = Fetcher(sleep=waits.append)
    target = tmp_path / "target"

    def run(url, old_validators=NOTHING, **terms):
        got = fetcher.fetch(url, target, old_validators, Terms(**terms))
        return got, target.read_bytes() if target.exists() else None

    return run


def test_bytes_arrive_and_are_not_sent_twice(served, fetch):
    got, body = fetch(served.url("rows.json"))
    assert (got.is_changed, body) == (True, ROWS)
    again, _ = fetch(served.url("rows.json"), old_validators=got.validators)
    assert again.is_changed is False
    _, headers = served.asked[-1]
    assert headers["if-none-match"] == got.validators.etag
    assert headers["if-modified-since"] == got.validators.last_modified
    assert (headers["user-agent"], headers["accept-encoding"]) == (USER_AGENT, "identity")


def test_which_address_is_asked_is_said_before_it_answers_and_again_with_what_broke(served, tmp_path):
    said: list[str] = []
    served.fault("rows.json", breaks_off(50_000), well)
    url = served.url("rows.json")
    Fetcher(sleep=lambda _: None, say=said.append).fetch(url, tmp_path / "target", NOTHING, Terms())
    assert said[0] == f"asking {url}"
    assert said[1].startswith(f"asking {url} again, time 2 of 4: ")
    assert len(said) == 2


def test_a_transfer_that_breaks_off_is_continued_where_it_ended(served, fetch, waits):
    served.fault("rows.json", breaks_off(50_000), well)
    assert fetch(served.url("rows.json"))[1] == ROWS
    assert served.asked[1][1]["range"] == "bytes=50000-"
    assert waits == [1.0]


def test_a_transfer_of_a_file_that_changed_meanwhile_begins_again(served, fetch):
    served.fault("rows.json", breaks_off(50_000, etag='"of another file"'), well)
    assert fetch(served.url("rows.json"))[1] == ROWS


def test_a_process_that_was_killed_is_continued_by_the_next(served, fetch, tmp_path):
    served.fault("rows.json", breaks_off(50_000))
    with pytest.raises(SourceError, match="4 times"):
        fetch(served.url("rows.json"))
    assert (tmp_path / "target").stat().st_size == 50_000
    served.fault("rows.json", well)
    assert fetch(served.url("rows.json"))[1] == ROWS
    assert served.asked[-1][1]["range"] == "bytes=50000-"


def test_a_busy_server_is_given_the_time_it_asks_for(served, fetch, waits):
    served.fault("rows.json", status(503, Retry_After="7"), status(429), well)
    assert fetch(served.url("rows.json"))[1] == ROWS
    assert waits == [7.0, 2.0]


def test_a_busy_server_cannot_make_us_wait_for_ever(served, fetch, waits):
    served.fault("rows.json", status(503, Retry_After="9999999"), status(503, Retry_After="soon"), well)
    fetch(served.url("rows.json"))
    assert waits == [120.0, 2.0]


def test_requests_to_one_host_are_a_second_apart(monkeypatch, waits):
    monkeypatch.setattr("sources.services.fetch.time.monotonic", lambda: 100.25)
    fetcher = Fetcher(sleep=waits.append)
    for host in ("data.example", "other.example", "data.example", "127.0.0.1", "127.0.0.1"):
        fetcher._wait_for(host)
    assert waits == [1.0]


REFUSED = {
    "gone": (status(404), {}, "answered 404"),
    "page": (page, {}, "expected .*found a web page"),
    "error_as_xml": (status(200, b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'), {}, "found a web"),
    "empty": (status(200, b""), {}, "empty file"),
    "endless": (endless, {"max_bytes": 3_000_000}, "did not end; at most 3 MB"),
    "too_long": (well, {"max_bytes": 1000}, "at most 0 MB are read"),
    "elsewhere": (status(302, Location="http://data.example/rows.json"), {}, "another host, data.example; refused"),
    "to_a_file": (status(302, Location="file:///etc/passwd"), {}, "refused"),
    "round": (status(302, Location="/rows.json"), {}, "redirects more than 5 times"),
    "other_port": (
        status(302, Location="http://127.0.0.1:9/rows.json"),
        {},
        "another port of the same private machine",
    ),
    "other_bytes": (status(200, ROWS, Content_MD5=base64.b64encode(b"0" * 16).decode()), {}, "md5 that the server"),
    "other_range": (status(206, ROWS[7:], Content_Range="bytes 7-9/10"), {}, "expected byte 0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_the_file_is_refused_and_leaves_nothing(case, served, fetch, tmp_path):
    fault, terms, words = REFUSED[case]
    served.fault("rows.json", fault)
    with pytest.raises(SourceError, match=words):
        fetch(served.url("rows.json"), **terms)
    assert not (tmp_path / "target").exists()


def test_a_page_for_a_zip_is_refused_by_its_first_bytes(served, fetch):
    served.fault("feed.zip", status(200, b'{"error": "quota"}', Content_Type="application/zip"))
    with pytest.raises(SourceError, match=r"expected a zip archive, found application/zip that begins '\{\"error"):
        fetch(served.url("feed.zip"))
    with pytest.raises(SourceError, match="expected a zip archive"):
        fetch(served.url("rows.json"), format="GTFS Schedule zip; several a city are merged")


def test_another_host_and_a_private_one_are_reached_only_if_the_recipe_names_them(served, fetch):
    served.fault("rows.json", status(302, Location=served.url("rows.json", "localhost")))
    with pytest.raises(SourceError, match=r'allow_hosts = \["localhost"\]'):
        fetch(served.url("rows.json"))
    served.fault("rows.json", status(302, Location=served.url("rows.json", "localhost")), well)
    assert fetch(served.url("rows.json"), allow_hosts=frozenset({"localhost"}))[1] == ROWS


def test_a_public_name_of_a_private_address_is_refused_before_anything_is_sent(served, fetch, monkeypatch):
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *a, **k: real("127.0.0.1", *a, **k))
    url = served.url("rows.json", "data.example")
    with pytest.raises(SourceError, match=r"data\.example is the private address 127\.0\.0\.1; refused"):
        fetch(url)
    assert served.asked == []
    assert fetch(url, allow_hosts=frozenset({"data.example"}))[1] == ROWS


def test_an_address_can_pin_the_hash_of_its_bytes(served, fetch):
    good = hashlib.sha256(ROWS).hexdigest()
    assert fetch(served.url(f"rows.json#sha256={good}"))[1] == ROWS
    with pytest.raises(SourceError, match="the recipe pins 0000"):
        fetch(served.url("rows.json#sha256=" + "0" * 64))


def test_a_server_that_nobody_runs_is_named(fetch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SourceError, match=rf"127.0.0.1:{port}/x: .*refused.*Try again later"):
        fetch(f"http://127.0.0.1:{port}/x")


def test_a_body_that_drips_is_given_up(served, tmp_path, monkeypatch):
    monkeypatch.setattr("sources.services.fetch.SLOWEST_BYTES_S", 1e12)

    def drips(handler):
        handler.answer(200, ROWS[:5000], {}, length=10_000)
        return True

    served.fault("rows.json", drips)
    with pytest.raises(SourceError, match="did not end; refused"):
        Fetcher(sleep=lambda _: None, patience_s=0).fetch(served.url("rows.json"), tmp_path / "t", NOTHING, Terms())


SHAPES = {
    "same": (FEED, FEED, ""),
    "more_columns": (b"id,name\n1,a\n", b"id,name,lat\n1,a,2\n", ""),
    "lost_column": (b"id,name\n1,a\n", b"id,title\n1,aa\n", "its schema changed: it no longer has name"),
    "lost_key": (b'{"a": 1, "b": 2}\n' * 3, b'{"a": 1, "c": 2}\n' * 3, "its schema changed: it no longer has b"),
    "rare_key": (b'{"a": 1, "b": 2}\n{"a": 1}\n', b'{"a": 1}\n{"a": 1}\n', ""),
    "list": (b'[{"a": 1, "b": 2}]', b'[{"b": 2, "d": 1}]', "no longer has a"),
    "half": (b"id\n" + b"1\n" * 100, b"id\n" + b"1\n" * 45, "shrank from 203 to 93 bytes"),
    "a_third_less": (b"id\n" + b"1\n" * 100, b"id\n" + b"1\n" * 66, ""),
    "other_kind": (b"id\n1\n", b'{"error": 1}', "was csv, is json"),
    "lost_member": (FEED, zipped(stops=b"stop_id,stop_name\n1,Quay\n" * 9), "trips.txt"),
    "lost_member_column": (
        FEED,
        zipped(stops=b"stop_id\n1\n", trips=b"route_id,trip_id\n1,1\n"),
        "stops.txt:stop_name",
    ),
    "cut_zip": (FEED, FEED[:-30], "not a whole zip archive"),
}


@pytest.mark.parametrize("case", SHAPES)
def test_a_file_is_told_from_a_worse_one(case, tmp_path):
    old, new, words = SHAPES[case]
    for name, data in (("old", old), ("new", new)):
        (tmp_path / name).write_bytes(data)
    found = worse(shape_of(tmp_path / "old"), shape_of(tmp_path / "new"))
    assert (words in found) if words else (found == "")

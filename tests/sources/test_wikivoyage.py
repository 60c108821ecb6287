"""A guide's listings are read as they are written, from a page or a dump, and each points back to its own text."""

from __future__ import annotations

import bz2
import json
import re
from xml.sax.saxutils import escape

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from schemas.wikivoyage import WikivoyageListing
from sources.locate import parsed_records, raw_records
from sources.wikivoyage.listings import read_listings
from sources.wikivoyage.wikitext import plain, templates, without_comments

BOSTON = City(
    city_id="us-boston", name="Boston", country="US", box=Box(south=42.2, west=-71.2, north=42.45, east=-70.9)
)

PAGE = """{{pagebanner|x.jpg}}
'''Boston''' is a city. {{geo|42.36|-71.06|zoom=12}}
==See==
===Museums===
* {{see
| name=[[Museum of Fine Arts|MFA]] | alt=''Museum'' &amp; School | url=http://mfa.org
| address=465 Huntington Ave | lat=42.3394 | long=-71.094 | directions=T: {{station|Museum|green|E}}
| hours=Sa-Tu 10AM-5PM <!-- {{see|name=no}} --> | price={{USD|25}} adults
| wikidata=Q49133 | lastedit=2019-05-04
| content=Monet, [https://x.org/a more] and '''mummies'''.<ref>a {{book|b}}</ref><br/>Good for [[Boston#kids|kids]].
}}
* {{marker|type=see|name=Long Wharf|lat=42.36|long=-71.05}}
==Eat==
* {{Eat|name=Giacomo's <script>alert(1)</script>|content=Pasta|price=$12-18}}
* {{listing|type=sleep|name=Omni Parker House|checkin=3PM|checkout=11AM}}
* {{eat|name=|lat=1|long=2}}
* {{eat|name=Elsewhere|lat=10|long=20}}
* {{eat|name=Half|lat=42.3}}
* {{eat|name=Never ends
"""


@pytest.fixture
def listings(given_bytes):
    def read(content, city=BOSTON):
        rejected: list[dict[str, str]] = []
        file = given_bytes(content, "wikivoyage", "pages")
        file = type(file)(file.snapshot.model_copy(update={"location": "guide/Boston.wikitext"}), file.path)
        rows = read_listings(file, city, rejected)
        WikivoyageListing.validate(pa.Table.from_pylist(rows, schema=WikivoyageListing.arrow_schema()))
        return rows, {row["row"].partition("#")[2]: row["reason"] for row in rejected}, file

    return read


def dump(*pages):
    """Return a dump of pages given as (title, namespace, text)."""
    inside = "".join(
        f"<page><title>{escape(t)}</title><ns>{ns}</ns><revision><contributor><username>u</username></contributor>"
        f"<text>{escape(text)}</text></revision></page>"
        for t, ns, text in pages
    )
    return f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{inside}</mediawiki>'


def test_a_listing_is_what_a_reader_of_the_guide_sees(listings):
    rows, _, _ = listings(PAGE)
    first = rows[0] | {"source_rows": []}
    assert first == {
        "city_id": "us-boston",
        "listing_id": "Boston~1",
        "page": "Boston",
        "section": "Museums",
        "kind": "see",
        "name": "MFA",
        "alt": "Museum & School",
        "lat": 42.3394,
        "lon": -71.094,
        "address": "465 Huntington Ave",
        "hours": "Sa-Tu 10AM-5PM",
        "price": "25 adults",
        "checkin": "",
        "checkout": "",
        "wikidata": "Q49133",
        "content": "Monet, more and mummies. Good for kids.",
        "last_edit": "2019-05-04",
        "source_rows": [],
    }


def test_kinds_come_from_the_template_its_type_or_the_section(listings):
    rows, _, _ = listings(PAGE)
    assert [(row["name"], row["kind"], row["section"]) for row in rows[1:]] == [
        ("Long Wharf", "see", "Museums"),
        ("Giacomo's alert(1)", "eat", "Eat"),
        ("Omni Parker House", "sleep", "Eat"),
    ]
    assert rows[2]["lat"] is None


def test_what_cannot_be_used_is_rejected_by_reason_and_nothing_is_lost(listings):
    rows, rejected, _ = listings(PAGE)
    assert rejected == {
        "Boston~5": "missing_value", "Boston~6": "outside_every_city", "Boston~7": "bad_coordinates"
    }  # fmt: skip
    assert [row["listing_id"] for row in rows] == [f"Boston~{n}" for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ("* {{vCard|type=museum|name=MFA}}\n* {{vCard|name=Ritz}}\n", "lists by 'vcard' (2); expected the English"),
        ("* {{Voir|nom=MFA|latitude=42.3394}}\n", "lists by 'voir' (1); expected the English"),
        ("* {{see|nome=MFA|lat=42.3394}}\n", "the listing has no name; found nome, lat"),
        ("* {{see|name=MFA|lat=42,3|long=}}\n", "lat and long: found '42,3' and '', expected degrees"),
    ],
)
def test_a_page_in_the_layout_of_another_language_s_guide_is_not_passed_over_in_silence(given_bytes, listed, told):
    rejected: list[dict[str, str]] = []
    file = given_bytes(dump(("Boston", 0, listed), ("Boston/Bay", 0, "Prose, and {{other|x}}.")), "wikivoyage", "pages")
    assert read_listings(file, BOSTON, rejected) == []
    (row,) = rejected
    assert row["row"].endswith("#Boston~1")
    assert told in row["detail"]


def test_a_locator_leads_to_the_listing_as_written(listings):
    _, _, file = listings(PAGE)
    (raw,) = raw_records(file, ["Boston~1", "Boston~99", "Nowhere~1"]).values()
    assert json.loads(raw)["price"] == "{{USD|25}} adults"
    assert json.loads(raw)["template"] == "see"


@pytest.mark.parametrize("pack", [str.encode, lambda text: bz2.compress(text.encode())])
def test_a_dump_gives_the_city_its_page_and_its_districts(listings, pack):
    eat = "* {{eat|name=%s}}"
    content = dump(
        ("Boston", 0, eat % "A"),
        ("Boston/Back Bay", 0, eat % "B"),
        ("Bostonia", 0, eat % "C"),
        ("BOSTON", 0, eat % "D"),
        ("Boston", 1, eat % "E"),
        ("Boston", 0, "#REDIRECT [[Boston]] " + eat % "F"),
        ("Boston (England)", 0, eat % "G"),
        ("Boston/Lincolnshire", 0, "{{geo|52.97|-0.02}}" + eat % "H"),
    )
    rows, rejected, file = listings(pack(content))
    assert [(row["listing_id"], row["name"]) for row in rows] == [
        ("Boston~1", "A"),
        ("Boston/Back Bay~1", "B"),
        ("BOSTON~1", "D"),
    ]
    assert rejected == {"Boston/Lincolnshire~1": "outside_every_city"}
    assert json.loads(raw_records(file, ["Boston/Back Bay~1"])["Boston/Back Bay~1"])["name"] == "B"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('<!DOCTYPE x [<!ENTITY a "aaaa">]><mediawiki>&a;</mediawiki>', "declares entities"),
        ("<mediawiki><page>", "XML that cannot be read"),
        ("<osm></osm>", "a document <osm>"),
        ("just prose", "text without a template"),
        (b"\xff\xfe{{see}}", "cannot be read"),
        (bz2.compress(b"<mediawiki>" * 10)[:-8], "cannot be read"),
        (b"\x1f\x8bnot gzip", "cannot be read"),
    ],
)
def test_another_file_is_refused_by_name(listings, content, found):
    with pytest.raises(SourceError, match=found):
        listings(content)


@given(st.text(alphabet="{}[]|=<>-!'ab \n&;/#", max_size=200))
def test_no_text_breaks_the_reading(text):
    plainly = next(iter(templates("{{see|name=Old Quay}}")))
    assert plainly.values == {"name": "Old Quay"}  # else what follows may look at nothing
    for template in templates(without_comments(f"{{{{see|name={text}}}}}")):
        assert all(
            "{{" not in plain(value) or value.count("{{") > value.count("}}") for value in template.values.values()
        )


def test_markup_within_markup_is_read_without_end():
    deep = "{{a|" * 50_000 + "x" + "}}" * 50_000
    assert sum(len(template.values) for template in templates(deep)) <= 1  # only what is no deeper than is read
    assert len(plain("[[" * 5000 + "x" + "]]" * 5000)) < 20_000


def test_every_real_listing_is_read_and_names_what_its_text_names(shared_data, raw_file):
    path = shared_data / "wikivoyage" / "Boston.wikitext"
    rejected: list[dict[str, str]] = []
    file = raw_file("wikivoyage", "pages", path)
    rows = read_listings(file, BOSTON, rejected)
    text = path.read_text()
    written = re.findall(r"\{\{\s*(?:listing|marker|see|do|buy|eat|drink|sleep)\s*[|\n]", without_comments(text), re.I)
    assert len(rows) + len(rejected) == len(written) > 70
    raw = raw_records(file, [row["listing_id"] for row in rows])
    for row in rows[:: len(rows) // 20]:
        given_values = json.loads(raw[row["listing_id"]])
        assert row["name"] == plain(given_values["name"])
        assert given_values["name"] in text
        assert (row["lat"] is None) == (not given_values["lat"])


def test_every_row_is_read_again_from_its_listing_alone(listings):
    rows, rejected, file = listings(PAGE)
    again = parsed_records(file, [*(row["listing_id"] for row in rows), *rejected, "Boston~99"], cities=[BOSTON])
    assert again == {row["listing_id"]: row for row in rows}

"""What given files tell of a city counts before anything is built: nobody is told to bind what is bound."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assets.families import families
from pipelines.walk.recipes import load_recipe
from tests.pipelines.test_init import init, village
from tests.sources.osm_text import node, osm

STOP = node(999, 43.7203, 7.4003, name="Quai", highway="bus_stop")


def spot(number: int) -> dict[str, float]:
    return {"latitude": round(43.721 + 0.0005 * number, 5), "longitude": 7.41}


def exported(number: int) -> dict[str, Any]:
    return {
        "id": str(number), "title": f"Loft {number}", "roomType": "Hotel room", "coordinates": spot(number),
        "personCapacity": 2, "price": {"amount": "$90", "qualifier": "night"},
    }  # fmt: skip


def listed(number: int) -> dict[str, Any]:
    kind = ("RESTAURANT", "RESTAURANT", "ATTRACTION", "HOTEL")[number % 4]
    return {
        "id": str(number), "type": kind, "name": f"Place {number}", "locationString": "Monaco",
        "cuisines": [("Italian", "Chinese", "Indian")[number % 3]],
        "subcategories": [("Museums", "Nature & Parks")[number // 4 % 2]], **spot(number),
    }  # fmt: skip


def business(number: int) -> dict[str, Any]:
    categories = ("Restaurants, Italian", "Restaurants, Thai", "Museums, Arts & Entertainment", "Hotels")[number % 4]
    return {
        "business_id": str(number), "name": f"Place {number}", "city": "Monte-Carlo", "stars": 4.0, "review_count": 9,
        "is_open": 1, "attributes": None, "categories": categories, **spot(number),
    }  # fmt: skip


REVIEW = {"review_id": "r", "user_id": "u", "business_id": "1", "stars": 4.0, "useful": 1, "text": "Good.", "date": ""}


@pytest.fixture
def made(tmp_path):
    """Return a function that writes a recipe of a town without a place, whose map has a stop, and given files."""

    def write(*places: str, **files: list[dict[str, Any]]):
        path = tmp_path / "town.osm"
        path.write_text(osm('<bounds minlat="43.72" minlon="7.40" maxlat="43.75" maxlon="7.44"/>', STOP, *places))
        given = []
        for name, rows in files.items():
            (tmp_path / name).write_text("\n".join(map(json.dumps, rows)))
            given += ["--with", tmp_path / name]
        answer = init("Monaco", "--map", path, *given, "--out", tmp_path / "m.toml", "--json", "--force")
        assert answer.exit_code == 0, answer.output
        told = json.loads(answer.stdout)
        return told, load_recipe(tmp_path / "m.toml", families()), {f["family"]: f for f in told["families"]}

    return write


def test_an_export_of_listings_counts_as_stays_and_its_dollars_have_a_rate(made):
    told, loaded, chosen = made(*village(sleep=0), export=[exported(number) for number in range(7)])
    assert told["cities"][0]["stays"] == 7
    assert chosen["tripcraft"]["lacks"] == []
    section: Any = loaded.sections["tripcraft"]
    assert (section.currency, section.rates.base, list(section.rates.units)) == ("EUR", "USD", ["EUR"])


def test_places_of_tripadvisor_are_enough_for_trips_and_tell_what_these_ask_for(made):
    told, loaded, chosen = made(places=[listed(number) for number in range(40)])
    assert told["cities"][0]["restaurants"] == 0  # of the table: what every family reads
    assert (chosen["tripcraft"]["tasks_a_level"], chosen["tripcraft"]["lacks"]) == (2, [])
    section: Any = loaded.sections["tripcraft"]
    assert (section.cuisines_asked.hard, section.categories_asked.hard) == (2, 1)
    assert any("0 of at least 6 restaurants" in lack for lack in chosen["grouptravel"]["lacks"])


def test_businesses_of_yelp_count_and_of_their_reviews_it_is_said_who_reads_them(made):
    told, _, chosen = made(business=[business(number) for number in range(40)], review=[REVIEW])
    city = told["cities"][0]
    assert (city["restaurants"], city["attractions"], city["stays"]) == (20, 10, 10)
    assert [chosen[name]["lacks"] for name in ("grouptravel", "tripcraft")] == [[], []]
    (why,) = chosen["itinbench"]["lacks"]
    assert why.startswith("reviews (yelp) are read by a build, not before: write [families.itinbench]")


def test_a_recipe_that_lacks_a_file_is_named_as_it_was_asked_for(tmp_path):
    path = tmp_path / "town.osm"
    path.write_text(osm('<bounds minlat="43.72" minlon="7.40" maxlat="43.75" maxlon="7.44"/>', *village()))
    (tmp_path / "business").write_text(json.dumps(business(1)))
    answer = init("Monaco", "--map", path, "--with", tmp_path / "business", "--out", tmp_path / "m.toml")
    told = " ".join(answer.output.split())
    assert answer.exit_code == 1
    assert "m.toml: 1 problem - sources.yelp.review: missing" in told and "m.toml.new" not in told
    assert not list(tmp_path.glob("m.toml*"))

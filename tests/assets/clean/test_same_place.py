"""When two listings are one place."""

from __future__ import annotations

from typing import Any

import pytest

from assets.clean.same_place import Entry, merge_copies, merge_mapped_twice, merge_sources, reject_second_ids
from schemas.places import Listing

METRE_LAT = 1 / 111_000


def entry(native_id: str, row: int = 1, kind: str | None = None, city_id: str = "c", **values: Any) -> Entry:
    defaults: dict[str, Any] = {
        "source": "published" if kind else "yelp",
        "native_id": native_id,
        "name": f"Place {native_id}",
        "address": "1 Main St",
        "lat": 39.16,
        "lon": -86.53,
        "stars": 4.0,
        "review_count": 10,
        "price_level": None,
        "categories": (),
        "cuisines": (),
        "meals": (),
        "kind": kind,
        "ratings": (),
        "source_row": f"row {row}",
    }
    listing = Listing(**(defaults | values))
    return Entry(city_id, listing, (kind,) if kind else (), (listing.source_row,))


def test_equal_rows_of_one_id_are_merged_and_keep_both_pointers():
    settled = merge_copies([entry("a", 1), entry("a", 2), entry("b", 3)])
    assert [(e.listing.native_id, e.source_rows) for e in settled.entries] == [
        ("a", ("row 1", "row 2")),
        ("b", ("row 3",)),
    ]
    assert (settled.merged, settled.rejected) == (1, [])


def test_of_contradicting_rows_the_most_reviewed_stays():
    settled = merge_copies([entry("a", 1, name="Old"), entry("a", 2, name="New", review_count=11)])
    assert [e.listing.name for e in settled.entries] == ["New"]
    assert [(r["row"], r["reason"]) for r in settled.rejected] == [("row 1", "duplicate")]


def test_of_equally_reviewed_contradicting_rows_the_one_with_copies_stays():
    settled = merge_copies(
        [entry("a", 1, name="A lie"), entry("a", 2, name="Said twice"), entry("a", 3, name="Said twice")]
    )
    assert [e.listing.name for e in settled.entries] == ["Said twice"]
    assert settled.merged == 1
    assert [r["row"] for r in settled.rejected] == ["row 1"]


def test_a_business_in_two_tables_is_one_entry_with_the_preferred_tables_values_i4():
    museum = (
        entry("m", 1, "restaurant", price_level=1, cuisines=("American",)),
        entry("m", 2, "attraction", price_level=3),
    )
    (kept,) = merge_copies(museum).entries
    assert kept.kinds == ("attraction", "restaurant")
    assert (kept.listing.price_level, kept.listing.cuisines) == (3, ("American",))
    assert kept.source_rows == ("row 2", "row 1")
    market = entry("m", 1, "restaurant", price_level=1, meals=("lunch",)), entry("m", 2, "attraction", price_level=3)
    (kept,) = merge_copies(market[::-1]).entries
    assert (kept.kinds, kept.listing.price_level) == (("restaurant", "attraction"), 1)


def test_a_second_id_at_the_same_name_address_and_spot_is_a_duplicate():
    first = entry("a", 1, name="Joe's  Café", review_count=5)
    twin = entry("b", 2, name="JOE'S CAFÉ", review_count=3, lat=39.16 + 90 * METRE_LAT)
    settled = reject_second_ids([twin, first])
    assert [e.listing.native_id for e in settled.entries] == ["a"]
    assert [(r["row"], r["reason"]) for r in settled.rejected] == [("row 2", "duplicate")]


def test_chains_are_not_duplicates_of_each_other():
    base = entry("a", 1, name="Chain")
    others = [
        entry("b", 2, name="Chain", address="9 Oak St"),
        entry("c", 3, name="Chain", lat=39.16 + 130 * METRE_LAT),
        entry("d", 4, name="Chain", city_id="other"),
        entry("e", 5, name="Chain Annex"),
    ]
    settled = reject_second_ids([base, *others])
    assert len(settled.entries) == 5
    assert settled.rejected == []


def mapped(native_id: str, metres: float, address: str = "", **values: Any) -> Entry:
    values = {"name": "Schlössle", "source": "osm", "kind": "restaurant"} | values
    return entry(native_id, int(metres), address=address, lat=39.16 + metres * METRE_LAT, **values)


def test_a_place_that_a_map_has_as_several_objects_is_one_and_keeps_what_each_tells():
    point = mapped("node/1", 0, "68 Main St, Vaduz")
    house = mapped("way/2", 90, "68 Main St, 9490 Vaduz", name="SCHLÖSSLE", cuisines=("indian",))
    inside = mapped("node/3", 20, categories=("Restaurants",))
    (kept,) = (settled := merge_mapped_twice([point, house, inside])).entries
    assert (kept.listing.native_id, kept.listing.cuisines, kept.listing.categories) == (
        "way/2", ("indian",), ("Restaurants",),
    )  # fmt: skip
    assert kept.source_rows == ("row 90", "row 0", "row 20")
    assert (settled.merged, settled.rejected) == (2, [])
    assert merge_mapped_twice([inside, house, point]).entries == [kept]


@pytest.mark.parametrize(
    ("name", "kind", "is_same"),
    [
        ("Restaurant Schlössle", "restaurant", True),
        ("Schlössle Ristorante", "restaurant", True),
        ("Hotel Schlössle", "stay", True),
        ("Hotel Schlössle", "restaurant", False),
        ("Café Schlössle", "restaurant", False),
    ],
)
def test_a_word_of_the_kind_makes_no_second_place(name, kind, is_same):
    """A plan ate twice in one house, in "Restaurant X" and in "X". A café beside a restaurant is its own."""
    point = mapped("node/1", 0, "68 Main St", name=name, kind=kind)
    house = mapped("way/2", 90, "68 Main St", kind=kind, cuisines=("indian",))
    assert len(merge_mapped_twice([point, house]).entries) == (1 if is_same else 2)


def test_names_of_nothing_but_the_kind_are_compared_whole():
    places = [
        mapped("node/1", 0, "68 Main St", name="Restaurant"),
        mapped("node/2", 5, "68 Main St", name="Ristorante"),
    ]
    assert len(merge_mapped_twice(places).entries) == 2


def test_branches_of_a_chain_and_other_kinds_stay_apart():
    base = mapped("node/1", 0, "1 Main St")
    others = [
        mapped("node/2", 40, "9 Oak St"),
        mapped("node/3", 130, "1 Main St"),
        mapped("node/4", 40),
        mapped("node/5", 0, "1 Main St", kind="attraction"),
        mapped("node/6", 0, "1 Main St", name="Schlössle Bar"),
        mapped("node/7", 0, "1 Main St", city_id="other"),
        mapped("node/8", 0, "1 Main St", source="overture"),
    ]
    for other in others:
        assert len(merge_mapped_twice([base, other]).entries) == 2, other


def test_names_without_letters_are_compared_as_they_are():
    settled = reject_second_ids([entry("a", 1, name="🍜"), entry("b", 2, name="🍕")])
    assert len(settled.entries) == 2


def test_two_sources_places_match_by_name_and_distance_and_keep_both_pointers():
    yelp = entry("y", 1, name="Suraya", price_level=None, categories=("Restaurants",))
    published = entry("p", 2, "restaurant", name="SURAYA", price_level=3, meals=("lunch",), lat=39.16 + 100 * METRE_LAT)
    settled = merge_sources([published, yelp])
    (kept,) = settled.entries
    assert (kept.listing.source, kept.listing.native_id, kept.source_rows) == ("yelp", "y", ("row 1", "row 2"))
    assert (kept.listing.price_level, kept.listing.meals, kept.kinds) == (3, ("lunch",), ("restaurant",))
    assert settled.merged == 1


def test_a_like_name_far_away_or_another_name_close_by_does_not_match():
    yelp = entry("y", 1, name="Suraya")
    far = entry("p", 2, "restaurant", name="Suraya", lat=39.16 + 200 * METRE_LAT)
    other = entry("q", 3, "restaurant", name="Surayan Palace")
    east = entry("r", 4, "restaurant", name="Suraya", lon=-86.53 + 0.01)
    settled = merge_sources([yelp, far, other, east])
    assert (len(settled.entries), settled.merged) == (4, 0)


def test_each_place_is_matched_once_to_its_best_partner():
    yelp = [entry("y1", 1, name="Comcast", lat=39.16), entry("y2", 2, name="Comcast", lat=39.1605)]
    published = [
        entry("p1", 3, "attraction", name="Comcast", lat=39.1606),
        entry("p2", 4, "attraction", name="Comcast", lat=39.1601),
        entry("p3", 5, "attraction", name="Comcast", lat=39.1603),
    ]
    kept = {e.listing.native_id: e.source_rows for e in merge_sources([*yelp, *published]).entries}
    assert kept == {"y1": ("row 1", "row 4"), "y2": ("row 2", "row 3"), "p3": ("row 5",)}


def test_one_row_is_the_partner_of_one_place():
    yelp = [entry("y1", 1, name="Comcast"), entry("y2", 2, name="Comcast", lat=39.1605)]
    settled = merge_sources([*yelp, entry("p", 3, "attraction", name="Comcast", lat=39.1601)])
    assert {e.listing.native_id: e.source_rows for e in settled.entries} == {"y1": ("row 1", "row 3"), "y2": ("row 2",)}
    assert settled.merged == 1


def test_two_places_of_one_source_are_never_matched():
    twins = [entry("a", 1, name="Same"), entry("b", 2, name="Same")]
    assert merge_sources(twins).merged == 0

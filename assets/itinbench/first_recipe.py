"""How ItinBench stands in a recipe that is written of open files: on a guide's pages, as they describe places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from assets.clean.modelled_price import PriceModel
from assets.clean.place_union import city_places
from assets.clean.price_levels import big_mac_prices, country_price_levels
from assets.clean.wikivoyage import wikivoyage_listings, wikivoyage_matches
from assets.first_recipe import LEVELS, FamilyChoice, FirstRecipe, Survey, SurveyedCity
from assets.itinbench.evidence import with_tags
from assets.itinbench.pool import guide_places
from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.tables import ItinbenchPlace
from assets.reviews.guide import guide_ratings
from assets.reviews.tags import tag_ratings
from assets.step import Outcome
from schemas.counts import counted
from schemas.osm import OsmPlace
from schemas.places import KINDS, Business, Place
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.reviews import GuideRating, TagRating
from schemas.stays import Stay
from schemas.table import Table
from schemas.wikivoyage import WikivoyageListing, WikivoyageMatch

PAGES = "wikivoyage.pages"
COUNTED = {name: name.replace("_", " ") for name in ("places", "by_prose", "by_tags", "unknown", "meet_it")}
"""The counts of a release's evidence, and what people read over them."""

BY_HAND = "write [families.itinbench] with `tasks_per_city` into the recipe, and the build says what it lacks"

RATED = {f"rated_{kind}s": f"rated {kind}" for kind in KINDS}


def files(survey: Survey) -> dict[str, dict[str, int]]:
    """Return for each city, of the guide's pages given: rated places by kind, and records that these can satisfy.

    They are rated by rules, in the guide's prose and by the map's tags, as a first build rates them.
    """
    if not survey.shared.get(PAGES):
        return {}
    prices = PriceModel(
        _frame(CountryPriceLevel, country_price_levels(survey.shared_files("world_bank.price_levels"))),
        _frame(BigMacPrice, big_mac_prices(survey.shared_files("big_mac.prices"))),
    )
    return {city.facts.city_id: _counts(survey, city, prices) for city in survey.cities}


def _counts(survey: Survey, surveyed: SurveyedCity, prices: PriceModel) -> dict[str, int]:
    city = surveyed.facts.as_city()
    listing = _frame(WikivoyageListing, wikivoyage_listings(survey.shared_files(PAGES), city=city))
    rating = _frame(GuideRating, guide_ratings(listing, ask=None))
    tags = _tags(listing, surveyed)
    pool = _frame(ItinbenchPlace, guide_places(listing, rating, set(tags["listing_id"]), city, prices))
    pool = with_tags(pool, tags)
    rated = {f"rated_{kind}s": int((pool["kind"] == kind).sum()) for kind in KINDS}
    records = int(feasibility(pool).satisfiable.sum()) if all(rated.values()) else 0
    return {**rated, "guide_listings": len(listing), "guide_records": records}


def _tags(listing: pd.DataFrame, surveyed: SurveyedCity) -> pd.DataFrame:
    """Return what the tags of the city's map say of the listings."""
    mapped = _frame(OsmPlace, Outcome(pa.Table.from_pylist(surveyed.mapped_places, schema=OsmPlace.arrow_schema())))
    none = [table.frame(table.arrow_schema().empty_table()) for table in (Business, Stay)]
    place = _frame(Place, city_places(none[0], mapped, none[1]))
    match = _frame(WikivoyageMatch, wikivoyage_matches(listing, place, mapped))
    return _frame(TagRating, tag_ratings(listing, match, place, mapped))


def _frame(table: type[Table], outcome: Outcome):
    return table.frame(table.arrow(outcome.rows))  # pyright: ignore[reportArgumentType]  # none of them is a stream


def lacks(survey: Survey) -> list[str]:
    """Return what stands in the way where every city has rated places: that no whole request can be met with them."""
    unmet = [city for city in survey.cities if not city.counts.get("guide_records")]
    if not survey.shared.get(PAGES) or not unmet:
        return []
    rated = [
        f"{city.facts.name} has {', '.join(counted(city.counts[what], noun) for what, noun in RATED.items())} of "
        f"{counted(city.counts['guide_listings'], 'listing')} of the guide"
        for city in unmet
    ]
    return [
        f"{'; '.join(rated)}, and no request is met by six restaurants of one cuisine, eight attractions of one "
        "orientation and a stay, all of one budget: bind pages of its districts (wikivoyage), or reviews (yelp)"
    ]


def most(cities: Sequence[SurveyedCity]) -> int:
    """Return how many tasks every city can have: as many as there are requests that its places meet."""
    return min(city.counts["guide_records"] for city in cities)


def section(survey: Survey, chosen: FamilyChoice) -> list[str]:
    """Return the lines of the section: as many tasks as the other families have of all difficulties together."""
    tasks = min(chosen.tasks * len(LEVELS), most(survey.cities))
    return [
        "# Places are the guide's listings, rated by its words, else by the map's tags; no more is asked.",
        "[families.itinbench]",
        'places = "guide"',
        f"tasks_per_city = {tasks}",
        "",
    ]


def evidence(measures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one row a kind and attribute: of how many places of all cities prose tells it, or tags, or nothing."""
    together: dict[tuple[str, str], Counter[str]] = {}
    for row in measures["evidence"]:
        counts = together.setdefault((row["kind"], row["attribute"]), Counter())
        counts.update({heading: row[name] for name, heading in COUNTED.items()})
    return [{"kind": kind, "attribute": name, **counts} for (kind, name), counts in together.items()]


FIRST_RECIPE = FirstRecipe(
    section=section,
    modelled="ratings, read by rules in the guide's prose and the map's tags; cuisines by the guide's words; price "
    "levels by amounts or headings",
    invented="what travellers ask for",
    adds=(("yelp", "reviews (yelp): ratings that rest on many voices"),),
    by_hand={
        "yelp": f"reviews (yelp) are read by a build, not before: {BY_HAND}",
        "published": f"published tables are read by a build, not before: {BY_HAND}",
    },
    lacks=lacks,
    levels=LEVELS[:1],
    files=files,
    most=most,
    evidence=evidence,
    takes_neighbours=False,
)

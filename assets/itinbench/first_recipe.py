"""How ItinBench stands in a recipe that is written of open files: on a guide's pages, as they describe places."""

from __future__ import annotations

from collections.abc import Sequence

from assets.clean.modelled_price import PriceModel
from assets.clean.price_levels import big_mac_prices, country_price_levels
from assets.clean.wikivoyage import wikivoyage_listings
from assets.first_recipe import LEVELS, Chosen, FirstRecipe, Survey, SurveyedCity
from assets.itinbench.pool import guide_places
from assets.itinbench.repairs.satisfiable import feasibility
from assets.itinbench.tables import ItinbenchPlace
from assets.reviews.guide import guide_ratings
from assets.step import Outcome
from schemas.places import KINDS
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.recipe import City
from schemas.reviews import GuideRating
from schemas.table import Table
from schemas.wikivoyage import WikivoyageListing

PAGES = "wikivoyage.pages"
RATED = {f"rated_{kind}s": f"rated {kind}s" for kind in KINDS}


def files(found: Survey) -> dict[str, dict[str, int]]:
    """Return for each city, of the guide's pages given: rated places by kind, and records that these can satisfy.

    They are rated by rules, as a first build rates them.
    """
    if not found.shared.get(PAGES):
        return {}
    prices = PriceModel(
        _frame(CountryPriceLevel, country_price_levels(found.shared_files("world_bank.price_levels"))),
        _frame(BigMacPrice, big_mac_prices(found.shared_files("big_mac.prices"))),
    )
    return {city.facts.city_id: _counts(found, city.facts.as_city(), prices) for city in found.cities}


def _counts(found: Survey, city: City, prices: PriceModel) -> dict[str, int]:
    listing = _frame(WikivoyageListing, wikivoyage_listings(found.shared_files(PAGES), city=city))
    rating = _frame(GuideRating, guide_ratings(listing, ask=None))
    pool = _frame(ItinbenchPlace, guide_places(listing, rating, city, prices))
    rated = {f"rated_{kind}s": int((pool["kind"] == kind).sum()) for kind in KINDS}
    records = int(feasibility(pool).satisfiable.sum()) if all(rated.values()) else 0
    return {**rated, "guide_listings": len(listing), "guide_records": records}


def _frame(table: type[Table], outcome: Outcome):
    return table.frame(table.arrow(outcome.rows))  # pyright: ignore[reportArgumentType]  # none of them is a stream


def lacks(found: Survey) -> list[str]:
    """Return what stands in the way where every city has rated places: that no whole request can be met with them."""
    unmet = [city for city in found.cities if not city.counts.get("guide_records")]
    if not found.shared.get(PAGES) or not unmet:
        return []
    counted = [
        f"{city.facts.name} has {', '.join(f'{city.counts[what]} {noun}' for what, noun in RATED.items())} of "
        f"{city.counts['guide_listings']} listings of the guide"
        for city in unmet
    ]
    return [
        f"{'; '.join(counted)}, and no request is met by six restaurants of one cuisine, eight attractions of one "
        "orientation and a stay, all of one budget: bind pages of its districts (wikivoyage), or reviews (yelp)"
    ]


def most(cities: Sequence[SurveyedCity]) -> int:
    """Return how many tasks every city can have: as many as there are requests that its places meet."""
    return min(city.counts["guide_records"] for city in cities)


def section(found: Survey, chosen: Chosen) -> list[str]:
    """Return the lines of the section: as many tasks as the other families have of all difficulties together."""
    tasks = min(chosen.tasks * len(LEVELS), most(found.cities))
    return [
        "# Places are the guide's listings, rated by what it says of them; what it does not say is asked of none.",
        "[families.itinbench]",
        'places = "guide"',
        f"tasks_per_city = {tasks}",
        "",
    ]


def _one_level(_: Sequence[SurveyedCity]) -> tuple[str, ...]:
    return LEVELS[:1]


FIRST_RECIPE = FirstRecipe(
    section=section,
    modelled="ratings, read in the guide's prose by rules; cuisines by its words; price levels by amounts or headings",
    invented="what travellers ask for",
    adds=(("yelp", "reviews (yelp): ratings that rest on many voices"),),
    lacks=lacks,
    levels=_one_level,
    files=files,
    most=most,
    takes_neighbours=False,
)

"""What is known of cities before anything is built: where they end, which files tell of them, what these can carry.

The recipe that is written of it is `init.py`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from assets.clean.kinds import why_unseen
from assets.family import Family
from assets.first_recipe import CityFacts, FamilyChoice, FirstRecipe, Survey, SurveyedCity, TripDay, raw_file
from assets.named import named_value
from assets.spatial.coverage import SERVED_DATES
from pipelines.city_facts import city_facts
from pipelines.given_files import bind, inside, stops_of_feed
from pipelines.walk.recipes import RecipeError
from schemas.counts import counted
from schemas.places import KINDS, Place
from schemas.recipe_values import Box, slug
from schemas.rejection import Reason
from schemas.source import SourceError
from sources.cities.country_names import NAMES as COUNTRIES
from sources.cities.zone_cities import zone_cities
from sources.osm.file import EXPECTED
from sources.osm.named_places import PlaceNode
from sources.osm.town import TownMap, size
from sources.recognise import other_role, recognised

PATTERN = ("weekdays", "start_date", "end_date", "added_dates", "removed_dates")
WEEKS_TRIED = 6
WORKING_DAYS = (1, 2, 3)
"""Tuesday to Thursday, which differ least between countries and over the year."""

NEIGHBOURS = 3
NEAREST_NEIGHBOUR_M = 15_000.0
"""How far away a town is at least that people set out from: a choice of ours."""

LEFT_BY_NOBODY = ("Asia/Gaza", "Asia/Pyongyang")
"""Time zones of lands that people do not set out from to others: from Pyongyang no train leads to Seoul."""

NAMED = 3
"""Cities that are named of those that lack the same."""

WITHIN = 0.9
"""More than this share of a city's places in another is the same city, or a part of it: a choice of ours."""

NEIGHBOUR_HALF_SIDE_DEG = 0.05


def without(survey: Survey, family: str, why: str, *, is_whole: bool = False) -> Survey:
    """Return the survey with the family's hardest level left out, or all of it where `is_whole`."""
    choices = []
    for choice in survey.choices:
        if choice.family == family:
            levels = () if is_whole else choice.levels[:-1]
            tasks, why_not = (choice.tasks, ()) if levels else (0, (why,))
            fewer = {**choice.fewer, **dict.fromkeys(choice.levels[len(levels) :], why)} if levels else {}
            choice = replace(choice, levels=levels, tasks=tasks, why_not=why_not, fewer=fewer)
        choices.append(choice)
    return replace(survey, choices=choices)


def without_cities(survey: Survey, why: Mapping[str, str]) -> Survey:
    """Return the survey with the cities of these ids left out, each with its reason."""
    cities = [city for city in survey.cities if city.facts.city_id not in why]
    names = {city.facts.name: why[city.facts.city_id] for city in survey.cities if city not in cities}
    return replace(survey, cities=cities, left_out=survey.left_out | names)


def survey(
    names: Sequence[str],
    *,
    extract: Path | None,
    paths: Sequence[Path],
    box: Box | None,
    country: str | None,
    region: str | None,
    tasks: int,
    all_families: Mapping[str, Family],
    ask_map: Callable[[Sequence[str]], tuple[Path, Sequence[str]]],
) -> Survey:
    """Return what the files tell of the cities. Raises RecipeError or SourceError where a city cannot be placed.

    Where neither a map nor a box is given, `ask_map` makes a map of the names and says which towns of it are meant.
    """
    files = [recognised(path) for path in paths]
    maps = [file.path for file in files if file.source == "osm"] + ([extract] if extract else [])
    if len(maps) > 1:
        raise RecipeError(f"found {len(maps)} maps ({', '.join(m.name for m in maps)}); expected one, with all cities")
    if not maps and box is None:
        map_path, names = ask_map(names)
        maps = [map_path]
    if box is not None and len(names) > 1:
        raise RecipeError(f"found a box and {len(names)} cities; expected one city, or a map that holds them")
    town_map = _town_map(maps[0]) if maps else None
    cities = [_placed(name, town_map, box, country, region) for name in names]
    _require_distinct(cities)
    shared = bind(files, maps, cities)
    firsts = {name: named_value(family.first_recipe) for name, family in all_families.items() if family.first_recipe}
    _count(cities, shared, firsts.values())
    _require_apart(cities)
    city_survey = Survey(cities, _neighbours(cities, town_map), shared, trip_day=_trip_day(cities))
    for first in firsts.values():
        counted = first.files(city_survey)
        for city in cities:
            city.counts |= counted.get(city.facts.city_id, {})
    return replace(city_survey, choices=_choose(city_survey, tasks, all_families, firsts))


def _town_map(path: Path) -> TownMap:
    """Return the towns of a map. Raises SourceError, also in words of what the file is if it is none."""
    if description := other_role(path, "osm", "extract"):
        raise SourceError(f"{path.name}: found no map; expected {EXPECTED}. {description}")
    return TownMap(path)


def _placed(
    name: str, town_map: TownMap | None, box: Box | None, country: str | None, region: str | None
) -> SurveyedCity:
    if box is not None or town_map is None:
        assert box is not None
        if town_map is not None:
            town_map.require_meets(box)
        return SurveyedCity(city_facts(name, box, country, region), "the box that was given")
    area = town_map.area(name)
    facts = city_facts(area.name, area.box, country, region, area.polygon)
    return SurveyedCity(facts, area.found_by, note=area.note)


def _require_distinct(cities: list[SurveyedCity]) -> None:
    ids = [city.facts.city_id for city in cities]
    if repeated := sorted({i for i in ids if ids.count(i) > 1}):
        raise RecipeError(f"found {', '.join(repeated)} more than once; expected each city once")
    areas = [(city.facts.box, city.facts.polygon) for city in cities]
    for one, other in combinations(range(len(cities)), 2):
        if areas[one] == areas[other]:
            names = [f"{cities[n].facts.name} ({cities[n].found_by})" for n in (one, other)]
            raise RecipeError(
                f"found one area of {' and '.join(names)}; expected cities apart: leave one out, or place each by "
                "a recipe of its own with --box"
            )


def _require_apart(cities: list[SurveyedCity]) -> None:
    """Raise RecipeError of each city whose places another has too: a trip to both would go nowhere."""
    problems: list[str] = []
    place_ids = [{row["native_id"] for row in city.mapped_places} for city in cities]
    for one, other in combinations(sorted(range(len(cities)), key=lambda n: len(place_ids[n])), 2):
        both = len(place_ids[one] & place_ids[other])
        if both > WITHIN * len(place_ids[one]):
            names = cities[one].facts.name, cities[other].facts.name
            problems.append(
                f"{names[0]} in {names[1]}, which has {both} of its {counted(len(place_ids[one]), 'place')}"
            )
    if problems:
        raise RecipeError(
            f"found {'; '.join(problems)}; expected cities apart: leave one out, or place each by a recipe of its own "
            "with --box"
        )


def _count(cities: list[SurveyedCity], shared: dict[str, list[Path]], firsts: Iterable[FirstRecipe]) -> None:
    """Count what each city's map and listings hold; what shared files add is only known when it is read."""
    from sources.airbnb.listings import read_stays
    from sources.osm.city_extract import MARGIN_M, city_extracts, widened
    from sources.osm.extract import read_places, read_stops
    from sources.overture.places import read_places as read_overture

    mapped = [city for city in cities if "osm.extract" in city.files]
    if mapped:
        raw = raw_file(mapped[0].files["osm.extract"][0], "osm", "extract")
        parts = city_extracts(raw, [city.facts.as_city().bounds for city in mapped])
        for city, part in zip(mapped, parts, strict=True):
            place = city.facts.as_city()
            rejected: list[dict[str, str]] = []
            city.mapped_places, _ = read_places(part, [place], rejected)
            nameless = sum(row["reason"] == Reason.MISSING_VALUE for row in rejected)
            if nameless > len(city.mapped_places):
                unnamed = f"{counted(nameless, 'place')} that the map shows there or near have no name"
                city.note = ". ".join(filter(None, (city.note, f"{unnamed}: no task can speak of them")))
            rows = [row for row in city.mapped_places if not why_unseen(row["tags"], row["wikidata"])]
            city.counts = {f"{kind}s": sum(row["kind"] == kind for row in rows) for kind in KINDS}
            for first in firsts:
                city.counts |= first.counts(rows)
            around = read_stops(part, place.city_id, [], widened(place.bounds, MARGIN_M))
            city.counts["stops_around"] = len(around)  # of which the nearest may lie outside
            city.counts["stops"] = inside(place, [row["lat"] for row in around], [row["lon"] for row in around])
    for city in cities:
        counts = city.counts = {**{f"{kind}s": 0 for kind in KINDS}, "stops": 0, **city.counts}
        feeds = city.files.get("gtfs.feed", [])
        counts["feeds"] = len(feeds)
        if feeds:  # whose stops the city then has, and not the map's
            counts["stops"] = sum(stops_of_feed(path, city.facts.as_city(), []) for path in feeds)
            counts["stops_around"] = counts["stops"]
        for role in ("listings", "apify"):
            for path in city.files.get(f"airbnb.{role}", []):
                stays = read_stays(raw_file(path, "airbnb", role), [city.facts.as_city()], [])
                counts["stays"] += len(stays)
                counts["listings"] = counts.get("listings", 0) + len(stays)
        for path in city.files.get("overture.places", []):
            for row in read_overture(raw_file(path, "overture", "places"), city.facts.as_city(), []):
                counts[f"{row['kind']}s"] += 1  # those that the map has too count twice until they are merged
        _count_shared(city, shared)


def _count_shared(city: SurveyedCity, shared: Mapping[str, Sequence[Path]]) -> None:
    """Count Yelp's places in the city among its own; those that the map has too count twice until they are merged."""
    from assets.clean.business import businesses
    from assets.clean.place import places
    from schemas.places import Business

    place = city.facts.as_city()
    yelp = [raw_file(path, "yelp", "business") for path in shared.get("yelp.business", [])]
    if yelp:
        listed = Business.arrow(businesses(yelp, [], [], [], [], cities=[place]).rows)
        rows = Place.frame(Place.arrow(places(Business.frame(listed)).rows))
        for kind, count in rows["kind"].value_counts().items():
            city.counts[f"{kind}s"] += int(count)


def _trip_day(cities: list[SurveyedCity]) -> TripDay | None:
    """Return the middle one of the working days on which the most feeds run, of the weeks in which each begins.

    A feed's first days are often a holiday's, or its makers' own trial.
    """
    from sources.gtfs.feed import Feed
    from sources.gtfs.service import active_bounds, runs_on

    feeds = []
    for city in cities:
        for path in city.files.get("gtfs.feed", []):
            feed = Feed(raw_file(path, "gtfs", "feed"), city_id=city.facts.city_id, feed="feed")
            feeds.append([tuple(service[column] for column in PATTERN) for service in feed.services.values()])
    firsts = [min(b[0] for b in bounds) for feed in feeds if (bounds := [b for p in feed if (b := active_bounds(*p))])]
    numbers = {n for first in firsts for n in range(first.toordinal(), first.toordinal() + WEEKS_TRIED * 7)}
    days = [dt.date.fromordinal(n) for n in sorted(numbers) if n <= dt.date.max.toordinal()]
    running = {
        day: sum(any(runs_on(day, *pattern) for pattern in feed) for feed in feeds)
        for day in days
        if day.weekday() in WORKING_DAYS
    }
    most = max(running.values(), default=0)
    best = [day for day, count in running.items() if count == most]
    return TripDay(best[len(best) // 2], most, len(feeds)) if most else None


def _neighbours(cities: list[SurveyedCity], town_map: TownMap | None) -> list[CityFacts]:
    """Return real towns to set out from: larger ones of the map, and cities that time zones are named after, by way.

    They are the nearest there are, however far: of one alone there may be no way that can be told. Where several cities
    are built, people also set out from one to the other; there is a neighbour all the same.
    """
    lat, lon = cities[0].facts.box.middle
    city_slugs = {slug(city.facts.name) for city in cities}
    areas = [city.facts.as_city() for city in cities]
    candidates: list[tuple[str, float, float, str | None]] = []
    if town_map is not None:
        larger = [place for place in town_map.places if place.kind in ("city", "town")]
        least = max((size(place) for place in town_map.places if slug(place.name) in city_slugs), default=0.0)
        larger = [place for place in larger if size(place) >= least]
        candidates += [(_shown_name(p), p.lat, p.lon, None) for p in larger]
    candidates += [(c.name, c.lat, c.lon, c.country) for c in zone_cities() if c.name != COUNTRIES.get(c.country)]
    distances = _distances_m(lat, lon, [(spot[1], spot[2]) for spot in candidates])
    ranked = sorted(zip(distances, candidates, strict=True), key=lambda pair: (pair[0], pair[1][0]))
    neighbours: list[CityFacts] = []
    for distance_m, (name, at_lat, at_lon, country) in ranked:
        is_inside = any(bool(area.contains(at_lat, at_lon)) for area in areas)
        if is_inside or distance_m < NEAREST_NEIGHBOUR_M:
            continue
        if not slug(name) or slug(name) in city_slugs | {slug(k.name) for k in neighbours}:
            continue
        try:
            town = city_facts(name, _square(at_lat, at_lon), country, None)
        except RecipeError:
            continue  # it lies in no country whose money is known
        if town.time_zone not in LEFT_BY_NOBODY or town.time_zone == cities[0].facts.time_zone:
            neighbours.append(town)
        if len(neighbours) == NEIGHBOURS:
            break
    return neighbours


def _shown_name(place: PlaceNode) -> str:
    return place.names.get("name:en") or place.name


def _distances_m(lat: float, lon: float, spots: list[tuple[float, float]]) -> list[float]:
    from pyproj import Geod

    if not spots:
        return []
    lats, lons = zip(*spots, strict=True)
    n = len(spots)
    return Geod(ellps="WGS84").inv([lon] * n, [lat] * n, list(lons), list(lats))[2]


def _square(lat: float, lon: float) -> Box:
    half = NEIGHBOUR_HALF_SIDE_DEG
    west, east = (round((edge + 180.0) % 360.0 - 180.0, 4) for edge in (lon - half, lon + half))
    return Box(south=round(max(lat - half, -90.0), 4), west=west, north=round(min(lat + half, 90.0), 4), east=east)


def _choose(
    survey: Survey, tasks: int, all_families: Mapping[str, Family], firsts: Mapping[str, FirstRecipe]
) -> list[FamilyChoice]:
    """Return for each family how many tasks of a kind the cities carry, or what they lack.

    A recipe's family is built for all of its cities; one that only some of them carry is built if one carries it.
    """
    choices = []
    files = (*(city.files for city in survey.cities), survey.shared)
    bound = {key.partition(".")[0] for keys in files for key in keys}
    for name, family in all_families.items():
        first = firsts.get(name)
        everywhere = first.lacks(survey) if first else []
        lacks = [_lacks(city, family, first) for city in survey.cities]
        able = [city for city, missing in zip(survey.cities, lacks, strict=True) if not missing and not everywhere]
        short = (*_lack_sentences(survey.cities, lacks), *everywhere)
        by_hand = [text for source, text in (first.by_hand if first else {}).items() if source in bound]
        if not able and by_hand:
            choices.append(FamilyChoice(name, 0, tuple(by_hand)))
        elif able and first:
            adds = (*short, *(text for source, text in first.adds if source not in bound))
            fewer = first.fewer(able)
            levels = tuple(level for level in first.levels if level not in fewer)
            choices.append(
                FamilyChoice(name, min(tasks, first.most(able)), (), adds, levels, fewer, first.invents(survey))
            )
        else:
            choices.append(FamilyChoice(name, 0, short or ("its recipe is written by hand",)))
    return choices


def _lacks(city: SurveyedCity, family: Family, first: FirstRecipe | None) -> dict[str, str]:
    """Return what a family needs of the city and its files do not hold, by what would give it."""
    missing: dict[str, list[str]] = {}
    counted_as = {SERVED_DATES: "", **(first.counted_as if first else {})}  # the recipe asks for no dates
    for need in family.requirements:
        what = counted_as.get(need.requirement, need.requirement)
        if not what:
            continue
        needed = need.needed if isinstance(need.needed, int) else 0
        count = city.counts.get(what, 0)
        if count < needed:
            lack = f"{count} of at least {needed} {need.noun}" if needed > 1 else f"no {need.noun}"
            missing.setdefault(need.remedy, []).append(lack)
    return {remedy: ", ".join(what) for remedy, what in missing.items()}


def _lack_sentences(cities: Sequence[SurveyedCity], lacks: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield each lack once, with the names of the first cities that have it and how many more there are."""
    names: dict[tuple[str, str], list[str]] = {}
    for city, missing in zip(cities, lacks, strict=True):
        for remedy, what in missing.items():
            names.setdefault((remedy, what), []).append(city.facts.name)
    for (remedy, what), those in names.items():
        more = [f"{len(those) - NAMED} more"] if len(those) > NAMED else []
        *first, last = [*those[:NAMED], *more]
        who = f"{', '.join(first)} and {last} have" if first else f"{last} has"
        yield f"{who} {what}: {remedy}"

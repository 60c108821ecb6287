"""Searching places: by words near a point, by id, by address, along a way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from assets.core.tools import Answer, ToolError, row_ref
from assets.grouptravel.facts.modelled_hours import is_modelled
from assets.grouptravel.tables import GroupPoi
from assets.grouptravel.tools.declared import DEFAULT_RADIUS_KM
from assets.grouptravel.tools.facts import CityPlaces, Point, SandboxFacts, location, none_if_missing

TYPE_WORDS = {
    "attractions": ("attraction", "attractions", "sight", "sights", "sightseeing", "景点", "景区", "旅游景点"),
    "food": ("food", "restaurant", "restaurants", "eat", "meal", "dining", "餐厅", "美食", "饭店", "餐馆"),
    "hotels": ("hotel", "hotels", "accommodation", "stay", "lodging", "酒店", "住宿", "宾馆"),
}
"""Words that mean every place of a type."""

MAX_FOUND = 10
NO_RANK = 1 << 30

SAME_NAME, NAME_HOLDS, SAME_KIND, KIND_HOLDS, OF_TYPE = 32, 16, 8, 4, 2

Row = dict[Any, Any]


class Places:
    """The four tools that find places."""

    def __init__(self, facts: SandboxFacts):
        self._facts = facts
        self._matches: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._texts: dict[str, list[str]] = {}

    def search_poi(self, arguments: dict[str, Any]) -> Answer:
        """Return a page of the city's places that the keywords name, with their distance where a middle is given."""
        city = self._facts.city(arguments["city"])
        low, high = arguments["price_min"], arguments["price_max"]
        if low is not None and high is not None and low > high:
            raise ToolError("price_min 大于 price_max" if self._facts.is_zh else "price_min is above price_max")
        entries = [(score, city.rows[at], at) for at, score in self._matching(city, arguments["keywords"])]
        notes = []
        if arguments["region"]:
            notes.append(
                self._in_language("districts are not known; region was not used", "没有区县数据，未按 region 筛选")
            )
        metres = None
        if arguments["location"] is not None:
            middle = self._facts.point(arguments["location"], city)
            metres = city.metres_from(middle.lat, middle.lon)
            radius = 1000 * (arguments["radius_km"] or DEFAULT_RADIUS_KM)
            entries = [entry for entry in entries if metres[entry[2]] <= radius]
        elif arguments["sort_by"] == "distance":
            metres = city.metres_from(*city.middle)
            notes.append(self._in_language("distances are from the middle of the city", "距离从市中心算起"))
        if low is not None or high is not None:
            entries = [entry for entry in entries if _costs(entry[1], low, high)]
        if arguments["sort_by"] == "rating":
            notes.append(self._in_language("ordered by how well known a place is", "按知名度排序"))
        if arguments["sort_by"] not in (None, "relevance"):
            entries.sort(key=lambda entry: _order(arguments["sort_by"], entry, metres))
        start = (arguments["page"] - 1) * arguments["page_size"]
        listed_entries = entries[start : start + arguments["page_size"]]
        content: dict[str, Any] = {"city": city.name, "total": len(entries), "page": arguments["page"]}
        content["pois"] = [
            self._brief(row) | ({"distance_m": round(float(metres[at]))} if metres is not None else {})
            for _, row, at in listed_entries
        ]
        return Answer(content | _noted(notes), (city.row, *(row_ref(GroupPoi, row) for _, row, _ in listed_entries)))

    def get_poi_detail(self, arguments: dict[str, Any]) -> Answer:
        """Return everything that the release knows of a place."""
        places = self._facts.by_id.get(arguments["id"].strip(), [])
        if not places:
            text = self._in_language(
                "no place has this id; search_poi gives ids", "没有这个 ID 的地点；ID 来自 search_poi"
            )
            return Answer({"poi": None, "note": text})
        owner, row = places[0]
        hours = none_if_missing(row["opening_hours"])
        detail = self._brief(row) | {
            "city": " / ".join(city.name for city, _ in places),
            "opening_hours": hours,
            "popularity_rank": _rank(row),
        }
        if hours is None:
            detail["note"] = self._in_language("opening hours are not known", "营业时间未知")
        elif is_modelled(detail["opening_hours"]):
            note = ("opening hours are modelled from kind and country", "营业时间按类别和国家推定，并非实际数据")
            detail["note"] = self._in_language(*note)
        return Answer({"poi": detail}, (owner.row, *(row_ref(GroupPoi, row) for _, row in places)))

    def maps_geo(self, arguments: dict[str, Any]) -> Answer:
        """Return the coordinates of what an address names, at most ten."""
        text = arguments["address"].strip()
        city_name = (arguments["city"] or "").strip()
        city = self._facts.city(city_name) if city_name else None
        named_city = self._facts.find_city(text)
        geocodes = [] if named_city is None else [
            ({"name": named_city.name, "city": named_city.name, "location": location(*named_city.middle)},
             named_city.row)
        ]  # fmt: skip
        for owner, row in self._facts.places_named(text, city)[: MAX_FOUND - len(geocodes)]:
            entry = {"name": row["name"], "city": owner.name, "location": location(row["lat"], row["lon"])}
            geocodes.append((entry | {"id": row["place_id"]}, row_ref(GroupPoi, row)))
        return Answer({"geocodes": [entry for entry, _ in geocodes]}, tuple(ref for _, ref in geocodes))

    def along(self, one: Point, other: Point, arguments: dict[str, Any], cities: Iterable[CityPlaces]) -> Answer:
        """Return places that the keywords name within `route_range` metres of the straight way, from its start on."""
        entries = []
        for city in cities:
            at = np.array([at for at, _ in self._matching(city, arguments["keywords"])], dtype=int)
            if not len(at):
                continue
            from_way = city.metres_from_line(one, other)
            at = at[from_way[at] <= arguments["route_range"]]
            from_start = city.metres_from(one.lat, one.lon)
            entries += [(round(float(from_start[i])), city.rows[i], round(float(from_way[i]))) for i in at.tolist()]
        entries.sort(key=lambda entry: (entry[0], entry[1]["city_id"], entry[1]["place_id"]))
        listed_entries = entries[: arguments["poi_limit"]]
        pois = [self._brief(row) | {"from_start_m": start, "from_route_m": way} for start, row, way in listed_entries]
        note = self._in_language("the way is taken as a straight line", "路线按直线估计")
        content = {"total": len(entries), "pois": pois, "is_estimate": True, "notes": [note]}
        ends = tuple(point.row for point in (one, other) if point.row)
        return Answer(content, (*ends, *(row_ref(GroupPoi, row) for _, row, _ in listed_entries)))

    def _matching(self, city: CityPlaces, keywords: str) -> list[tuple[int, int]]:
        """Return index and score of the city's places that hold every word of the keywords in name, kind or type.

        In the order of relevance: the best fitting, then the best known.
        """
        key = (city.city_id, keywords.strip().casefold())
        if key not in self._matches:
            self._matches[key] = self._scored(city, key[1])
        return self._matches[key]

    def _scored(self, city: CityPlaces, phrase: str) -> list[tuple[int, int]]:
        words = phrase.split()
        types = {kind for kind, type_words in TYPE_WORDS.items() if phrase in type_words}
        texts = self._texts_of(city)
        at = range(len(texts))
        for word in words:
            at = [i for i in at if word in texts[i]]
        scored = [
            (i, score)
            for i in at
            if (score := _score(phrase, words, city.names[i], city.categories[i], city.rows[i]["poi_type"], types))
        ]
        return sorted(scored, key=lambda pair: _order(None, (pair[1], city.rows[pair[0]], pair[0]), None))

    def _texts_of(self, city: CityPlaces) -> list[str]:
        """Return what a place can be found by: its name, its kind, and the words for its type."""
        if city.city_id not in self._texts:
            words = {kind: "\n".join(type_words) for kind, type_words in TYPE_WORDS.items()}
            described = zip(city.names, city.categories, city.rows, strict=True)
            self._texts[city.city_id] = [f"{name}\n{kind}\n{words[row['poi_type']]}" for name, kind, row in described]
        return self._texts[city.city_id]

    def _brief(self, row: Row) -> dict[str, Any]:
        cost = none_if_missing(row["avg_cost"])
        entry = {
            "id": row["place_id"],
            "name": row["name"],
            "type": row["poi_type"],
            "category": row["category"],
            "location": location(row["lat"], row["lon"]),
            "avg_cost": cost,
        }
        if cost is not None:
            entry |= {"currency": self._facts.currency, "is_cost_modelled": bool(row["is_cost_modelled"])}
        return entry

    def _in_language(self, en: str, zh: str) -> str:
        return zh if self._facts.is_zh else en


def _score(phrase: str, words: list[str], name: str, kind: str, poi_type: str, types: set[str]) -> int:
    if phrase == name:
        return SAME_NAME
    if phrase == kind:
        return SAME_KIND + (NAME_HOLDS if phrase in name else 0)
    if phrase in name:
        return NAME_HOLDS
    if phrase in kind:
        return KIND_HOLDS
    if poi_type in types:
        return OF_TYPE
    if len(words) < 2:
        return 0
    of_type = TYPE_WORDS[poi_type]
    return OF_TYPE if all(word in name or word in kind or word in of_type for word in words) else 0


def _order(sort_by: str | None, entry: tuple[int, Row, int], metres: Any) -> tuple[Any, ...]:
    score, row, at = entry
    rank = _rank(row) or NO_RANK
    cost = none_if_missing(row["avg_cost"])
    if sort_by == "distance":
        return (metres[at], row["place_id"])
    if sort_by == "rating":
        return (rank, row["place_id"])
    if sort_by in ("price_low", "price_high"):
        return (cost is None, 0 if cost is None else cost if sort_by == "price_low" else -cost, row["place_id"])
    return (-score, rank, row["place_id"])


def _rank(row: Row) -> int | None:
    rank = none_if_missing(row["rank"])
    return None if rank is None else int(rank)


def _costs(row: Row, low: float | None, high: float | None) -> bool:
    cost = none_if_missing(row["avg_cost"])
    return cost is not None and (low is None or cost >= low) and (high is None or cost <= high)


def _noted(notes: list[str]) -> dict[str, Any]:
    return {"notes": notes} if notes else {}

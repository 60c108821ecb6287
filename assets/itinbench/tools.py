"""ItinBench's five tools over a release's pool: three searches, clusters of what they found, and the notebook (2.D).

Names and parameters are the published actions', their order kept. A release of several cities also asks for the city,
which the publication, with one, does not. The published planner is a model; ours gives what one plans from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from assets.core.notebook import Notebook
from assets.core.tools import Answer, Tool, ToolError, row_ref, schema
from assets.itinbench.candidates import Demands
from assets.itinbench.contexts import CLUSTER_NOTE, FILTERED, NOTEBOOK
from assets.itinbench.evidence import known_places
from assets.itinbench.native import by_name, csv_text, native_rows
from assets.itinbench.tables import CUISINES, PRICES, ItinbenchPlace
from assets.itinbench.words.labels import orientation_label
from assets.rows import ReleaseTables
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES

BUDGETS = {f"{price} budget": price for price in PRICES}
MAX_PREFERENCES = 3
"""Preferences that a query states of restaurants or hotels (2.D)."""

SEARCHES = {"AccommodationSearch": "stay", "AttractionSearch": "attraction", "RestaurantSearch": "restaurant"}

PREFERENCES: dict[str, tuple[str, ...]] = {
    "stay": tuple(f"good {attribute}" for attribute in STAY_ATTRIBUTES),
    "restaurant": tuple(f"good {attribute}" for attribute in RESTAURANT_ATTRIBUTES),
    "attraction": tuple(orientation_label(orientation) for orientation in ATTRACTION_ORIENTATIONS),
}
"""What may be asked of each kind, as queries say it."""


class Pool:
    """One city's places, ready to be filtered; rows in the order of names, as the published contexts have them."""

    def __init__(self, places: pd.DataFrame):
        self.kinds = {kind: by_name(places, kind) for kind in PREFERENCES}
        self.native = {kind: native_rows(rows, kind) for kind, rows in self.kinds.items()}
        self._demands = {kind: Demands(rows) for kind, rows in self.kinds.items()}

    def matching_positions(self, kind: str, budget: str, cuisine: str | None, preferences: list[str]) -> np.ndarray:
        """Return the positions of the places that meet the budget, the cuisine and every preference."""
        what = "oriented" if kind == "attraction" else "good"
        demands = [("price", budget), *((what, preference) for preference in preferences)]
        demands += [("cuisine", cuisine)] if cuisine else []
        matches = [self._demands[kind].rows_meeting(*demand) for demand in demands]
        return np.flatnonzero(np.logical_and.reduce(matches))


class Searches:
    """The tools of one session: what is found is written into the notebook at once, as published."""

    def __init__(self, places: pd.DataFrame):
        self._places = places
        self._pools: dict[str, Pool] = {}
        self._names = places.drop_duplicates("city_id")["city_id"].tolist()
        self._found_places: dict[str, tuple[str, list[str]]] = {}
        self.notebook = Notebook()

    @property
    def cities(self) -> list[str]:
        """Return the ids of the release's cities."""
        return sorted(map(str, self._names))

    def search(self, kind: str, arguments: dict[str, Any]) -> Answer:
        """Return the places that match as CSV, or a sentence where none does."""
        city = arguments.get("City", self.cities[0])
        pool = self._pool(city)
        cuisine = arguments.get("Cuisine")
        at = pool.matching_positions(kind, BUDGETS[_known_word(arguments["Budget"], BUDGETS, "Budget")],
                                     None if cuisine is None else _known_word(cuisine, CUISINES, "Cuisine"),
                                     _preferences(kind, arguments["Preference"]))  # fmt: skip
        rows = pool.kinds[kind].iloc[at].to_dict("records")
        self._found_places[kind] = (city, [str(row["place_id"]) for row in rows])
        columns = (*FILTERED, "good_for_meal") if kind == "restaurant" else FILTERED
        text = csv_text([pool.native[kind][i] for i in at], columns) if rows else f"No {kind} here meets all of this."
        return self.notebook.write(NOTEBOOK[kind], Answer(text, tuple(row_ref(ItinbenchPlace, row) for row in rows)))

    def clusters(self, _: dict[str, Any]) -> Answer:
        """Return the found attractions and stays in clusters of about five. Raises ToolError before both are found."""
        missing = [name for name, kind in SEARCHES.items() if kind != "restaurant" and kind not in self._found_places]
        if missing:
            raise ToolError(f"clusters need attractions and stays; call {' and '.join(missing)} first")
        (city, attractions), (stay_city, stays) = self._found_places["attraction"], self._found_places["stay"]
        if city != stay_city:
            raise ToolError(f"the attractions found are in {city}, the stays in {stay_city}; search one city")
        from assets.itinbench.solver import cluster_map

        rows = self._places[(self._places["city_id"] == city) & self._places["place_id"].isin([*attractions, *stays])]
        rows = rows[rows["kind"].isin(["attraction", "stay"])]
        if rows.empty:
            raise ToolError("the searches found no attraction and no stay; nothing can be clustered")
        names = dict(zip(rows["place_id"].astype(str), rows["name"], strict=True))
        names_by_cluster = {key: [[names[member]] for member in members] for key, members in cluster_map(rows).items()}
        answer = Answer(names_by_cluster, self.notebook.rows_of(NOTEBOOK["attraction"], NOTEBOOK["stay"]))
        return self.notebook.write(CLUSTER_NOTE, answer)

    def _pool(self, city: str) -> Pool:
        if city not in self._pools:
            self._pools[city] = Pool(self._places[self._places["city_id"] == city])
        return self._pools[city]


def tools(tables: ReleaseTables) -> list[Tool]:
    """Return the five tools, with a notebook of their own."""
    searches = Searches(known_places(tables))
    budget = {"type": "string", "description": f"One of {', '.join(BUDGETS)}."}
    cuisine = {"type": "string", "description": f"One of {', '.join(CUISINES)}."}
    more = {} if len(searches.cities) == 1 else {"City": {"type": "string", "enum": searches.cities}}

    def search(name: str, description: str, most: int, **extra: Any) -> Tool:
        kind = SEARCHES[name]
        wishes = {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": most,
            "description": f"Up to {most} of {', '.join(PREFERENCES[kind])}.",
        }
        rules = {"Budget": budget, **extra, "Preference": wishes, **more}
        return Tool(name, description, schema(rules, rules), lambda arguments: searches.search(kind, arguments))

    query = {"Query": {"type": "string", "description": "What the traveller asked for."}}
    return [
        search("AccommodationSearch", "Find stays by budget and preferences.", MAX_PREFERENCES),
        search("AttractionSearch", "Find attractions by budget and one preference.", 1),
        search(
            "RestaurantSearch", "Find restaurants by budget, cuisine and preferences.", MAX_PREFERENCES, Cuisine=cuisine
        ),
        Tool(
            "BusinessClusterSearch",
            "Group the found attractions and stays by where they are; call it after those searches.",
            schema((), {}),
            searches.clusters,
        ),
        Tool(
            "Planner",
            "Give back the query with everything found so far, to plan from.",
            schema(query, query),
            lambda arguments: searches.notebook.query_with_entries(arguments["Query"]),
        ),
    ]


def _known_word(text: str, words: Any, what: str) -> str:
    """Return the known word that a text means, case apart. Raises ToolError naming all of them."""
    match = next((word for word in words if word.casefold() == text.strip().casefold()), None)
    if match is None:
        raise ToolError(f"{what} is {text[:60]!r}, expected one of {', '.join(words)}")
    return match


def _preferences(kind: str, preferences: list[str]) -> list[str]:
    """Return the attributes that preferences are about; an empty text is none, as published."""
    words = [_known_word(text, PREFERENCES[kind], "Preference") for text in preferences if text.strip()]
    return [word.removeprefix("good ").removesuffix(" oriented") for word in words]

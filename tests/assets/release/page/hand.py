"""What a page is given, written by hand: two families of one recipe, two cities, a hundred tasks."""

from __future__ import annotations

import json
from typing import Any

import shapely

from assets.promises.values import PARTS
from assets.release.basemap.cut import Basemap, Line, Name
from assets.release.basemap.frame import frame_of
from assets.release.basemap.pack import packed_basemap
from assets.release.basemap.style import style
from schemas.recipe import City
from schemas.recipe_values import Box

SHA = "ab" * 32
LEVELS = ("easy", "medium", "hard")
SPLITS = ("train", "validation", "test")


def page_rows(names: list[str] | None = None) -> dict[str, Any]:
    """Return the gathered data of a page; `names` stand wherever a source's text can stand."""
    names = names or ["Café Ida", "Museum of Hats", "Hotel Pemberton"]

    def name(number: int) -> str:
        return names[number % len(names)]

    tasks = [_listed(number, name(number)) for number in range(100)]
    return {
        "overview": {
            "title": f"Two towns {names[0]}",
            "recipe": "towns",
            "seed": 1,
            "releases": [_release("itinbench", "ItinBench", 50), _release("tripcraft", "TripCraft", 50)],
            "cities": [_city("us-in-alder", name(0), 40.0), _city("us-in-birch", name(1), 41.0)],
            "missing": [{"city_id": "us-in-cedar", "step": "place", "reason": f"blocked by {name(2)}"}],
            "flow": _flow(name(3)),
            "licences": [
                {"licence_id": "ODbL-1.0", "title": "Open Database License 1.0", "sharing": "rows", "share_alike": True,
                 "attribution": [name(4)], "sources": ["osm"]}
            ],
            "is_public": True,
            "distributions": [
                {"release": 0, "title": "Cuisine", "unit": "share", "from": "the published draw",
                 "bars": [[name(5), 0.25, 0.5], ["Thai", 0.75, 0.5]]}
            ],
            "changes": [
                [
                    {"title": "", "lines": [f"3 tasks changed because {name(6)} closed"], "more": 0},
                    {"title": "Why", "lines": ["- a source file", "  - `node/1` was removed"], "more": 0},
                    {"title": "Rows", "lines": ["| table | row |", "|---|---|", "| place | `a¦b` |"], "more": 7},
                ],
                [],
            ],
            "tasks": tasks,
            "first": tasks[0]["id"],
            "difficulty": [
                [
                    {"metric": "ecj", "says": f"jumps {name(2)}", "unit": "%", "better": "lower",
                     "baseline": 12.34, "witness": 0},
                    {"metric": "own_figure", "says": "", "unit": "", "better": "", "baseline": 0.25, "witness": None},
                ],
                [],
            ],
            "planners": [
                [],
                [{"planner": name(7), "level": "", "tasks": 10, "percent": 40.5, "percent_low": 37.0,
                  "percent_high": 43.9, "solved": 0.5, "solved_low": 0.24, "solved_high": 0.76},
                 {"planner": "greedy", "level": name(8), "tasks": 1, "percent": 7.0, "percent_low": None,
                  "percent_high": None, "solved": 0.0, "solved_low": 0.0, "solved_high": 0.79}],
            ],
        },
        "maps": {
            "style": style(),
            "grounds": {"us-in-alder": {"block": 0, "kind": "osm", "problems": [f"It lacks {name(9)}"]},
                        "us-in-birch": {"block": None, "kind": "", "problems": []}},
            "places": [
                {"us-in-alder": {"restaurant": [_place(n, one) for n, one in enumerate(names)],
                                 "stay": [[name(7), 40.001, -86.001, "osm:node/70", []]],
                                 "transit": [[name(3), 40.0, -86.0, "", []], [name(4), 40.002, -86.0, "", []]]}},
                {"us-in-birch": {"attraction": [[name(8), 41.001, -86.001, "osm:node/80", []]]}},
            ],
        },
        "basemaps": [_basemap(names)],
        "tasks": [
            {task["id"]: _detail(number, name) for number, task in enumerate(tasks) if task["release"] == release}
            for release in (0, 1)
        ],
        "provenance": [
            _provenance([task["id"] for task in tasks if task["release"] == release], name) for release in (0, 1)
        ],
    }  # fmt: skip


def _place(number: int, name: str) -> list[Any]:
    at = [40 + number / 1e4, -86 + number / 1e4]
    return [name, *at, f"osm:node/{number}", [["Price", name]], [f"osm.extract {name}"]]


def _basemap(names: list[str]) -> bytes:
    """Return a map of a lake, a house and a street for each name, which is also a quarter's."""
    frame = frame_of(
        City(
            city_id="us-in-alder",
            name="Alder",
            country="US",
            box=Box(south=40.0, west=-86.01, north=40.02, east=-85.98),
        )
    )
    wide, high = frame.width_m, frame.height_m
    streets = [
        Line(
            shapely.LineString([(0, high * (n + 1) / (len(names) + 2)), (wide, high * (n + 1) / (len(names) + 2))]),
            one,
            0,
        )
        for n, one in enumerate(names)
    ]
    quarters = [Name("suburb", one, wide / 2 + n, high / 2 + 40 * n, n) for n, one in enumerate(names)]
    areas = {
        "water": [shapely.box(wide * 0.3, high * 0.3, wide * 0.4, high * 0.5)],
        "building": [shapely.box(0, 0, 30, 20)],
    }
    return packed_basemap(Basemap(frame, (0, 0, wide, high), areas, {"primary": streets}, quarters, (names[0],)))[0]


def _release(family: str, title: str, tasks: int) -> dict[str, Any]:
    return {
        "family": family,
        "family_title": title,
        "version": "0123456789abcdef",
        "counts": {"tasks": tasks, "certified": tasks},
        "engines": {"wording": "rules"},
        "choices": [{"choice_id": "a_choice", "text": "We chose."}],
        "files": [["tasks.parquet", tasks, 12345]],
    }


def _city(city_id: str, name: str, south: float) -> dict[str, Any]:
    box = [south, -86.01, south + 0.02, -85.98]
    return {
        "city_id": city_id,
        "name": name,
        "region": "IN",
        "country": "US",
        "box": box,
        "polygon": None,
        "is_visited": True,
    }


def _flow(name: str) -> dict[str, Any]:
    step = {
        "step": "place",
        "name": "place",
        "text": f"Every place {name}.",
        "rows_in": 100,
        "rows_out": 90,
        "merged": 3,
        "rejected": {"closed": 7},
    }
    return {
        "sources": [
            {"name": "osm", "title": "OpenStreetMap", "files": 1, "size_bytes": 1234567, "licences": ["ODbL-1.0"],
             "retrieved_at": ["2025-01-02T00:00:00Z"], "is_invented": False}
        ],
        "stages": [{"name": "Clean", "steps": [step]}],
        "reasons": {"closed": "The provider says the place is closed for good."},
    }  # fmt: skip


def _listed(number: int, name: str) -> dict[str, Any]:
    release = number // 50
    return {
        "id": f"{('itinbench', 'tripcraft')[release]}.{number:05d}",
        "release": release,
        "title": f"Trip {number}",
        "cities": ["us-in-alder" if number % 2 else "us-in-birch"],
        "difficulty": LEVELS[number % 3],
        "days": 2 + number % 2,
        "split": SPLITS[number % 5 // 2],
        "query": f"Plan trip number {number} with {name}",
    }


def _detail(number: int, name: Any) -> dict[str, Any]:
    days = [
        {
            "title": f"Day {day + 1}",
            "note": name(number + day),
            "stops": [
                ["Lunch", name(number), "12:00–13:00", name(number + 1), 40.001, -86.001, "osm:node/1"],
                ["Visit", name(number + 2), "", "", 40.002 + day / 1000, -86.002, ""],
                ["Event", name(number + 3), "", "", None, None, ""],
            ],
            "ways": [[4000100, -8600100, 50, -20, 50, -80] if day == 0 else None],
        }
        for day in range(2 + number % 2)
    ]
    return {
        "asks": [["Cuisine", name(number)]],
        "messages": [[name(number), name(number + 1)]],
        "days": days,
        "scores": [["Cost", "12"]],
        "remark": name(number + 4),
        "checks": [["budget", True], ["cuisine", None]],
    }


def _provenance(ids: list[str], name: Any) -> dict[str, Any]:
    refs = [{"kind": "rule", "ref": "wording"}] + [
        {
            "kind": "row",
            "ref": f"place/us-in-alder/{number}",
            "values": {"name": name(number), "address": name(number + 1)},
            "sources": [[0, f"node/{number}", json.dumps({"name": name(number)}, ensure_ascii=False)], [0, "L1", None]],
            "more": 2,
        }
        for number in range(60)
    ]
    others = [part for part in PARTS if part not in ("query", "plan", "record")]
    return {
        "fields": ["query", "plan/days/0/lunch", "record/budget", "record/dates", *others],
        "refs": refs,
        "rules": {"wording": "Worded by templates."},
        "files": [
            {"source": "osm", "role": "extract", "location": name(9), "sha256": SHA, "licence": "ODbL-1.0",
             "retrieved_at": "2025-01-02T00:00:00Z"}
        ],
        "tasks": {
            id_: [0, 0, 1, 1 + number % 60, 2, 0, 3, 0, *(at for rest in range(len(others)) for at in (4 + rest, 0))]
            for number, id_ in enumerate(ids)
        },
    }  # fmt: skip

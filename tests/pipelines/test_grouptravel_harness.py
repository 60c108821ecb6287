"""The export through the published harness's eyes: its paths, keys, types and look-ups, written again from the facts.

Nothing here imports how we read or score. In Chinese, whose words the published code knows.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assets.release.exporting import release_tables
from assets.release.reading import open_release
from pipelines.cli import app
from tests.recipes import command

HOTELS = {
    "舒适型", "经济型", "高档型", "民宿", "商务酒店", "豪华型", "快捷酒店", "旅馆", "客栈", "度假酒店", "电竞酒店",
    "公寓式酒店", "主题酒店",
}  # fmt: skip
EXCLUDED = {"attractions": {"旅游景点", "滑雪", "游客中心"}, "food": {"食堂", "米粉"}}
FALLBACK = {"attractions": "公园", "food": "中餐", "hotels": "商务酒店"}
"""The category rules (published benchmarks, 3.A)."""

TOOLS = {
    "search_poi", "get_poi_detail", "maps_geo", "maps_weather", "plan_route", "compare_routes", "search_along_route",
    "travel_search_flights", "travel_search_trains", "web_search",
}  # fmt: skip
GLOBAL = {
    "transport": ("must", "prefer", "avoid", "reject"),
    "hotel_preference": ("prefer", "avoid"),
}
MODES = {"飞机", "高铁", "火车", "自驾"}


@pytest.fixture(scope="module")
def exported(listed_groups, tmp_path_factory):
    """Return a home, a release's folder and its export: Chinese tasks over invented lists of places."""
    out = tmp_path_factory.mktemp("harness") / "out"
    home, release = listed_groups.home, listed_groups.release
    assert command("export", release, out, "--format", "grouptravel", home=home)[0] == 0
    return home, release, out


def tasks_of(out: Path) -> list[dict]:
    """Return the tasks as the harness reads them: a JSON object on every line that is not blank."""
    with (out / "datas" / "test.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


class Resolver:
    """Category and hours of a named place: exact name, else the listed name that holds it and is least longer (3.F)."""

    def __init__(self, out: Path):
        listed = json.loads((out / "poi2category" / "all_poi_by_city.json").read_text(encoding="utf-8"))
        self.cities = {city: {poi["name"]: poi for poi in pois if poi.get("name")} for city, pois in listed.items()}

    def find(self, name: str, city: str) -> dict | None:
        named = self.cities.get(city, {})
        if name in named:
            return named[name]
        holding = [full for full in named if name in full]
        return named[max(holding, key=lambda full: len(name) / len(full))] if holding else None

    def category(self, name: str, city: str) -> str | None:
        poi = self.find(name, city)
        if poi is None:
            return None
        kind, category = poi["poi_type"], poi.get("custom_category") or ""
        if not category or category in EXCLUDED.get(kind, ()):
            return FALLBACK[kind]
        return FALLBACK["hotels"] if kind == "hotels" and category not in HOTELS else category


def test_every_task_has_the_keys_and_types_that_the_harness_reads(exported):
    for task in tasks_of(exported[2]):
        assert [type(task[key]) for key in ("task_id", "query", "time", "context", "difficulty_type")] == [str] * 5
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", task["time"])
        assert isinstance(task["difficulty_score"], float)
        metadata = task["metadata"]
        assert {type(metadata[key]) for key in ("cities", "group_tags", "compromise_pattern", "child_members")} == {
            list
        }
        assert [type(metadata[key]) for key in ("departure_city", "date", "group_id", "group_name")] == [str] * 4
        users = list(task["user_preferences"])
        assert [message["role"] for message in task["initial_messages"]] == sorted(users)
        assert all(message["content"] for message in task["initial_messages"])
        assert set(metadata["compromise_pattern"]) <= set(users)
        for entry in task["user_preferences"].values():
            assert (type(entry["role"]), type(entry["compromisable"])) == (str, bool)
            check_table(entry["preference"], metadata["cities"])


def check_table(table: dict, cities: list[str]) -> None:
    """Check one preference table's shape (3.D)."""
    assert list(table) == ["global_constraints", "city_specific_preferences"]
    constraints = table["global_constraints"]
    assert isinstance(constraints["avg_budget"], int)
    assert {type(constraints["intensity"][key]) for key in ("max_poi_per_day", "max_active_hours")} == {int}
    for group, tiers in GLOBAL.items():
        assert all(isinstance(constraints[group][tier], list) for tier in tiers)
    assert {mode for tier in GLOBAL["transport"] for mode in constraints["transport"][tier]} <= MODES
    assert {kind for tier in GLOBAL["hotel_preference"] for kind in constraints["hotel_preference"][tier]} <= HOTELS
    assert list(table["city_specific_preferences"]) == cities
    for wishes in table["city_specific_preferences"].values():
        sights, food = wishes["attractions"], wishes["food"]
        lists = [sights["must_visit"], sights["reject_visit"], *sights["category_pref"].values(), *food.values()]
        assert all(isinstance(item, str) for listed in lists for item in listed)
        assert list(sights["category_pref"]) == ["positive", "negative"]
        assert list(food) == ["must_eat", "prefer_eat", "avoid_eat", "reject_eat"]


def test_the_list_of_places_loads_and_every_wish_is_found_in_it_by_the_harness(exported):
    resolver = Resolver(exported[2])
    for pois in resolver.cities.values():
        for poi in pois.values():
            assert poi["poi_type"] in FALLBACK
            assert isinstance(poi["custom_category"], str)
            check_hours(poi["opening_hours"])
    wanted = 0
    for task in tasks_of(exported[2]):
        for entry in task["user_preferences"].values():
            for city, wishes in entry["preference"]["city_specific_preferences"].items():
                for name in (*wishes["attractions"]["must_visit"], *wishes["attractions"]["reject_visit"]):
                    found = resolver.find(name, city)
                    assert found is not None, (city, name)
                    assert (found["name"], found["poi_type"]) == (name, "attractions")
                    wanted += 1
                kinds = {resolver.category(name, city) for name in resolver.cities[city]}
                stated = [*wishes["attractions"]["category_pref"].values(), *wishes["food"].values()]
                assert {kind for listed in stated for kind in listed} <= kinds
    assert wanted > 20


def check_hours(hours: dict | None) -> None:
    """Check opening hours as the validity check reads them (3.A)."""
    if hours is None or hours.get("always_open", False):
        return
    for rule in hours["rules"]:
        assert set(rule["weekdays"]) <= set(range(1, 8))
        assert all(
            re.fullmatch(r"\d\d:\d\d", window[end]) for window in rule["time_windows"] for end in ("open", "close")
        )
        span = rule["date_range"]
        assert span is None or all(re.fullmatch(r"\d\d-\d\d", span[end]) for end in ("start", "end"))


def test_every_cache_file_loads_and_a_call_finds_its_key(exported):
    folder = exported[2] / "sandbox_cache"
    files = {path.name.removesuffix("_cache.json"): path for path in folder.iterdir()}
    assert set(files) == TOOLS
    for tool, path in files.items():
        entries = json.loads(path.read_text(encoding="utf-8"))
        assert entries, tool
        for key, result in entries.items():
            pairs = json.loads(key)
            assert pairs == sorted(pairs)
            call = json.dumps(dict(pairs), sort_keys=True, ensure_ascii=False)
            again = sorted(json.loads(call).items())
            assert json.dumps(again, ensure_ascii=False, separators=(",", ":")) == key
            assert isinstance(result, str)
            assert result


def hotel_points(plan: dict, table: dict, resolver: Resolver) -> int:
    """Return a user's points for hotels by the published rule: +1 preferred, else -1 avoided, each hotel entry."""
    wanted, points = table["global_constraints"]["hotel_preference"], 0
    for city, act in activities(plan, "hotel"):
        category = resolver.category(act["location"], city)
        points += (category in wanted["prefer"]) or -(category in wanted["avoid"])
    return points


def food_points(plan: dict, table: dict, resolver: Resolver) -> int:
    """Return a user's points for meals by the published rule: the name in one tier, else the category in several."""
    points = 0
    for city, act in activities(plan, "food"):
        category, wishes = resolver.category(act["location"], city), table["city_specific_preferences"].get(city)
        if wishes is None or category is None:
            continue
        food = wishes["food"]
        tiers = (("must_eat", 2), ("reject_eat", -2), ("prefer_eat", 1), ("avoid_eat", -1))
        named = next((worth for tier, worth in tiers if any(word in act["location"] for word in food[tier])), None)
        if named is not None:
            points += named
        elif category in food["must_eat"] or category in food["reject_eat"]:
            points += 2 * (category in food["must_eat"]) - 2 * (category in food["reject_eat"])
        else:
            points += (category in food["prefer_eat"]) or -(category in food["avoid_eat"])
    return points


def sight_points(plan: dict, table: dict, resolver: Resolver) -> int:
    """Return a user's points for sights by the published rule: wishes once, other known sights by category."""
    points = 0
    for city, wishes in table["city_specific_preferences"].items():
        sights = wishes["attractions"]
        visited = [act["location"] for at, act in activities(plan, "attraction") if at == city]
        strong = [*sights["must_visit"], *sights["reject_visit"]]
        points += 2 * sum(any(wish in name for name in visited) for wish in sights["must_visit"])
        points -= 2 * sum(any(wish in name for name in visited) for wish in sights["reject_visit"])
        for name in visited:
            category = resolver.category(name, city)
            if category is None or any(wish in name for wish in strong):
                continue
            for tier, worth in (("positive", 1), ("negative", -1)):
                kinds = sights["category_pref"][tier]
                points += worth * (any(kind in name for kind in kinds) or category in kinds)
    return points


def other_points(plan: dict, table: dict) -> int:
    """Return a user's points for legs, intensity and budget by the published rules."""
    wanted, points, spent = table["global_constraints"], 0, 0.0
    transport, caps = wanted["transport"], wanted["intensity"]
    for day in plan["days"]:
        legs = [segment for segment in day["city_segments"] if segment.get("type") == "intercity_transport"]
        acts = [act for segment in day["city_segments"] for act in segment.get("activities", ())]
        for leg in legs:
            mode = leg["transport_mode"]
            points += 2 * (mode in transport["must"]) - 2 * (mode in transport["reject"])
            if mode not in (*transport["must"], *transport["reject"]):
                points += (mode in transport["prefer"]) or -(mode in transport["avoid"])
            spent += leg["avg_cost"]
        spent += sum(act.get("avg_cost", 0) for act in acts if act["type"] in ("hotel", "food"))
        visits = [act for act in acts if act["type"] == "attraction"]
        active = sum(minutes(act) for act in acts if act["type"] in ("attraction", "intracity_transport"))
        points -= 2 * (len(visits) > caps["max_poi_per_day"]) + 2 * (active / 60 > caps["max_active_hours"])
    return points - 2 * (spent > wanted["avg_budget"])


def minutes(act: dict) -> int:
    start, end = (int(act[key][:2]) * 60 + int(act[key][3:]) for key in ("start_time", "end_time"))
    return end - start


def activities(plan: dict, kind: str) -> list[tuple[str, dict]]:
    blocks = [segment for day in plan["days"] for segment in day["city_segments"] if "activities" in segment]
    return [(block["city"], act) for block in blocks for act in block["activities"] if act["type"] == kind]


def test_witnesses_score_by_the_published_rules_what_we_print_for_them(exported):
    """All together, nobody in two places: the published utility is these sums over the users with a table."""
    home, release, out = exported
    _, ours = command("score", release, "witness", "--variant", "released", home=home)
    said = {trial["task_id"]: trial["users"] for trial in ours["trials"]}
    resolver, compared = Resolver(out), 0
    certificates = release_tables(open_release(release)).certificates
    witnesses = dict(zip(certificates["task_id"], certificates["plan"], strict=True))
    for task in tasks_of(out):
        plan = witnesses[task["task_id"]]
        if any(act.get("participants", ["All"]) != ["All"] for kind in ("attraction", "food")
               for _, act in activities(plan, kind)):  # fmt: skip
            continue
        for user, entry in task["user_preferences"].items():
            table = entry["preference"]
            points = (
                hotel_points(plan, table, resolver)
                + food_points(plan, table, resolver)
                + sight_points(plan, table, resolver)
                + other_points(plan, table)
            )
            assert said[task["task_id"]][user] == points, (task["task_id"], user)
            compared += 1
    assert compared > 10


def test_the_export_itself_holds_none_of_the_defects_that_can_be_counted(exported):
    found = json.loads(CliRunner().invoke(app, ["inspect", "grouptravel", str(exported[2]), "--json"]).stdout)
    assert [found[defect]["found"] for defect in ("G2", "G3", "difficulty", "places")] == [0, 0, 0, 0]
    assert (found["G4"]["more_than_three"], found["G4"]["strong_said_softly"]) == (0, 0)
    assert (found["G5"]["must_drive_too_far"], found["G5"]["must_and_rejected"]) == (0, 0)
    assert found["G6"]["without_table_but_up_to_eight_or_more"] == found["G6"]["with_table_but_no_age_from_eight"] == 0
    assert (found["identical"]["groups"], found["reading"]["problems_in_tables"]) == (0, 0)

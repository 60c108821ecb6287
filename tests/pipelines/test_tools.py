"""Every family's tools called by a real client over the Model Context Protocol, and what `tripwright tools` prints."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from typer.testing import CliRunner

from assets.families import families
from assets.release.call_cache import CallCache, cache_key
from assets.release.reading import open_release
from assets.release.sandbox import Sandbox, open_sandbox, source_rows
from pipelines.cli import app
from pipelines.walk.fingerprint import ROOT
from sources.services.embedding import Embedding
from tests.recipes import command
from tests.sources.test_embedding import make_model


@pytest.fixture
def built(small_world):
    """Return a home and the folders of its releases by family; not to be changed."""
    return small_world.home, small_world.releases


Call = tuple[str, dict[str, Any]]


def grouptravel_calls(release: Path) -> list[Call]:
    """Return a call of each tool about the release's first task."""
    record = open_release(release).table("tasks")["record"].iloc[0]
    city, home, date = record["metadata"]["cities"][0], record["metadata"]["departure_city"], record["time"]
    pois = open_release(release).table("group_poi")
    one, other = pois[pois["poi_type"] == "attractions"].drop_duplicates("name").to_dict("records")[:2]
    asked = {"origin": one["name"], "destination": other["name"]}
    legs = {"origin": home, "destination": city, "date": date}
    return [
        ("search_poi", {"keywords": "restaurant", "city": city}),
        ("get_poi_detail", {"id": one["place_id"]}),
        ("maps_geo", {"address": city}),
        ("maps_weather", {"location": city, "date": date}),
        ("plan_route", {**asked, "mode": "walking"}),
        ("compare_routes", asked),
        ("search_along_route", {**asked, "keywords": "restaurant", "route_range": 3000}),
        ("travel_search_flights", legs),
        ("travel_search_trains", legs),
        ("web_search", {"query": one["name"]}),
    ]


def itinbench_calls(release: Path) -> list[Call]:
    """Return a planner's session about the release's first task."""
    task = open_release(release).table("tasks").iloc[0]
    record, where = task["record"], {"City": task["city_id"]}
    budget = {"Budget": f"{record['price']} budget"} | where
    return [
        ("BusinessClusterSearch", {}),
        ("AccommodationSearch", {**budget, "Preference": [f"good {wish}" for wish in record["hotel"]]}),
        ("AttractionSearch", {**budget, "Preference": [f"{record['orientation']} oriented"]}),
        (
            "RestaurantSearch",
            {**budget, "Cuisine": record["cuisine"], "Preference": [f"good {wish}" for wish in record["restaurant"]]},
        ),
        ("BusinessClusterSearch", {}),
        ("Planner", {"Query": task["query"]}),
    ]


def tripcraft_calls(release: Path) -> list[Call]:
    """Return a planner's session about the release's first trip."""
    opened = open_release(release)
    record = opened.table("tasks")["record"].iloc[0]
    cities = opened.table("tripcraft_city").set_index("city_id")
    home, city = cities.loc[record["origin_city_id"]], cities.loc[record["dest_city_id"]]
    ends = {"Departure City": home["name"], "Destination City": city["name"]}
    return [
        ("NotebookWrite", {"Short Description": "nothing yet"}),
        ("FlightSearch", {**ends, "Date": record["dates"][0]}),
        ("NotebookWrite", {"Short Description": "flights"}),
        ("DistanceMatrix", {"Origin": home["name"], "Destination": city["name"], "Mode": "taxi"}),
        *((f"{what}Search", {"City": city["name"]}) for what in ("Attraction", "Restaurant", "Accommodation")),
        ("EventSearch", {"City": city["name"], "Date": record["dates"][0]}),
        ("CitySearch", {"State": city["region"]}),
        ("Planner", {"Query": "three days"}),
    ]


CALLS = {"grouptravel": grouptravel_calls, "itinbench": itinbench_calls, "tripcraft": tripcraft_calls}

BAD: list[Call] = [("no_such_tool", {}), ("search_poi", {"city": 5}), ("AccommodationSearch", {"Budget": "free"})]


def test_every_family_has_tools_to_call():
    assert {name for name, family in families().items() if family.tools} == set(CALLS) == set(families())


def over_mcp(release: Path, calls: Iterable[Call], *options: str) -> tuple[list[Any], list[Any]]:
    """Return the tools and the results that a client gets from the server over standard input and output."""
    arguments = ["-m", "pipelines.cli", "tools", str(release), *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT, env=dict(os.environ))

    async def session() -> tuple[list[Any], list[Any]]:
        with Path(os.devnull).open("w") as silent:
            async with Client(stdio_client(server, errlog=silent)) as client:
                listed = (await client.list_tools()).tools
                return listed, [await client.call_tool(name, given) for name, given in calls]

    return anyio.run(session)


def in_process(sandbox: Sandbox, calls: Iterable[Call]) -> list[tuple[str, bool, list[str]]]:
    replies = [sandbox.call(name, given) for name, given in calls]
    return [(reply.result, reply.has_error, list(reply.rows)) for reply in replies]


@pytest.mark.parametrize("family", CALLS)
def test_a_client_gets_the_answers_that_calls_in_process_get(built, family):
    release = built[1][family]
    calls = CALLS[family](release)
    listed, results = over_mcp(release, [*calls, *BAD])
    sandbox = open_sandbox(open_release(release))
    assert [tool.name for tool in listed] == list(sandbox.tools)
    assert {name for name, _ in calls} == set(sandbox.tools)
    assert {tool.name: tool.input_schema for tool in listed} == {
        name: tool.parameters for name, tool in sandbox.tools.items()
    }
    shown = [(result.content[0].text, result.is_error, result.meta["rows"]) for result in results]
    assert shown == in_process(sandbox, [*calls, *BAD])
    early = {"BusinessClusterSearch": 1, "NotebookWrite": 1}.get(calls[0][0], 0)
    assert [is_error for _, is_error, _ in shown] == [True] * early + [False] * (len(calls) - early) + [True] * len(BAD)
    assert all("Traceback" not in text for text, _, _ in shown)


@pytest.mark.parametrize("family", CALLS)
def test_every_row_behind_an_answer_is_in_the_release_with_its_source(built, family):
    release = open_release(built[1][family])
    sandbox = open_sandbox(release)
    rows = {row for name, given in CALLS[family](built[1][family]) for row in sandbox.call(name, given).rows}
    found = source_rows(release, sorted(rows))
    assert set(found) == rows
    assert sum(bool(pointers) for pointers in found.values()) > len(rows) / 2


def test_the_cache_of_an_export_gives_the_same_answers(built, tmp_path):
    home, releases = built
    command("export", releases["grouptravel"], tmp_path / "out", "--format", "grouptravel", home=home)
    cache = tmp_path / "out" / "sandbox_cache"
    calls: list[Call] = []
    for file in sorted(cache.glob("*_cache.json")):
        keys = list(json.loads(file.read_text(encoding="utf-8")))
        calls += [(file.name.removesuffix("_cache.json"), dict(json.loads(key))) for key in keys[:3]]
    assert {name for name, _ in calls} == {name for name, _ in grouptravel_calls(releases["grouptravel"])}
    _, replayed = over_mcp(releases["grouptravel"], calls, "--cache", str(cache))
    assert all(result.meta["cache_hit"] for result in replayed)
    live = in_process(open_sandbox(open_release(releases["grouptravel"])), calls)
    assert [result.content[0].text for result in replayed] == [text for text, _, _ in live]


def test_the_command_lists_calls_once_and_tells_errors(built):
    home, releases = built
    code, listed = command("tools", releases["tripcraft"], "--list", home=home)
    assert (code, "FlightSearch" in [tool["name"] for tool in listed["tools"]]) == (0, True)
    state = json.dumps({"State": open_release(releases["tripcraft"]).table("tripcraft_city")["region"].iloc[0]})
    code, answer = command("tools", releases["tripcraft"], "--call", "CitySearch", state, home=home)
    assert (code, answer["has_error"], answer["cache_hit"]) == (0, False, False)
    assert all(ref.startswith("tripcraft_city/") for ref in answer["rows"])
    for name, given in (("CitySearch", "{}"), ("CitySearch", "{"), ("Nothing", "{}"), ("CitySearch", "[]")):
        code, answer = command("tools", releases["tripcraft"], "--call", name, given, home=home)
        assert (code, answer["has_error"], list(json.loads(answer["result"]))) == (1, True, ["error"])


def test_plans_made_by_calls_are_scored(built, tmp_path):
    """A hotel found by the tools, in a plan of nothing else: scored, not valid, and no error."""
    home, releases = built
    sandbox = open_sandbox(open_release(releases["grouptravel"]))
    task = open_release(releases["grouptravel"]).table("tasks").iloc[0]
    record = task["record"]
    city = record["metadata"]["cities"][0]
    hotel = json.loads(sandbox.call("search_poi", {"keywords": "hotel", "city": city}).result)["pois"][0]
    night = {"type": "hotel", "location": hotel["name"], "avg_cost": hotel["avg_cost"], "start_time": "21:00",
             "end_time": "22:00"}  # fmt: skip
    plan = {"days": [{"day": 1, "date": record["time"], "city_segments": [{"city": city, "activities": [night]}]}]}
    (tmp_path / "plans.jsonl").write_text(json.dumps({"task_id": task["task_id"], "plan": plan}) + "\n")
    code, scores = command("score", releases["grouptravel"], tmp_path / "plans.jsonl", home=home)
    assert (code, scores["aggregate"]["trials"], scores["aggregate"]["pv"]) == (0, 1, 0.0)
    assert not [issue for issue in scores["trials"][0]["issues"] if issue[1] == "wrong_avg_cost"]


def test_a_model_by_name_says_which_recorded_calls_are_alike(built, tmp_path):
    home, releases = built
    release = releases["grouptravel"]
    cache = tmp_path / "sandbox_cache"
    cache.mkdir()
    answers = {cache_key({"query": query}): query for query in ("museum", "nature")}
    (cache / "web_search_cache.json").write_text(json.dumps(answers), encoding="utf-8")
    model = make_model(tmp_path / "model")
    words = ("tools", release, "--call", "web_search", json.dumps({"query": "museum nature"}), "--cache", cache)
    found = {}
    for name, model in (("model", make_model(tmp_path / "model")), ("tf-idf", None)):
        code, answer = command(*words, *(("--embedding", model) if model else ()), home=home)
        assert (code, answer["cache_hit"]) == (0, False)
        found[name] = answer["similar"]
        wanted = CallCache(cache, Embedding(model) if model else None).similar("web_search", {"query": "museum nature"})
        assert found[name] == [list(example) for example in wanted]
    assert found["model"] != found["tf-idf"]
    code, answer = command(*words, "--embedding", str(tmp_path / "none"), home=home)
    assert code == 1
    assert "not on this machine" in answer["error"]
    assert CliRunner().invoke(app, ["tools", str(release), "--embedding", "any"]).exit_code == 2

"""The sandbox against two agents by rules: what they ask is recorded, places answer to their printed coordinates."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assets.grouptravel.tools.agents import AGENTS, share_recorded
from assets.grouptravel.tools.sandbox import tools
from assets.grouptravel.tools.warm import warm_keys
from assets.release.call_cache import cache_key
from tests.assets.grouptravel import sandbox_town
from tests.assets.grouptravel.conftest import some_of_each

AGREED = 0.9
"""Of an agent's calls an export foresees at least so many."""


@pytest.fixture(scope="module", params=["Helsinki", "Monaco", "Helsinki in Chinese"])
def sandbox(request, real_town):
    """Return a real town's tasks with their days, its tools by name, its recorded keys, and its language."""
    language = "zh" if "Chinese" in request.param else "en"
    made = real_town(request.param.partition(" ")[0], language)
    release = some_of_each(made.release, 3)
    known = {tool.name: tool for tool in tools(release)}
    keys = warm_keys(release.tasks, known, language)
    days = {row["task_id"]: row["record"]["days"] for row in release.tasks.to_dict("records")}
    tasks = [{**task, "days": days[task["task_id"]]} for task in made.tasks if task["task_id"] in days]
    return tasks, known, keys, language


def test_nine_of_ten_calls_of_each_agent_are_recorded(sandbox):
    tasks, known, keys, language = sandbox

    def call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        reply = known[tool].call(arguments)
        assert not reply.has_error, reply.result
        return json.loads(reply.result)

    shares = share_recorded(tasks, language, call, lambda tool, arguments: cache_key(arguments) in keys[tool])
    for name, found in shares.items():
        assert found["calls"] >= 20 * len(tasks), name
        assert found["total"] >= AGREED, (name, found)
        assert all(found[tool] >= 0.75 for tool in found if tool in known), (name, found)


def test_an_export_does_not_grow_with_every_pair_of_places(sandbox):
    """A city's calls are recorded once for all of its tasks; Helsinki has 615 places, 378,000 pairs of them."""
    _, _, keys, _ = sandbox
    assert sum(map(len, keys.values())) <= 20_000


def test_the_measure_sees_calls_that_are_not_recorded():
    """With nothing recorded no call is; with everything, all are."""
    release = sandbox_town.tables()
    known = {tool.name: tool for tool in tools(release)}
    tasks: list[Any] = [{**row["record"], "task_id": "t1", "days": 2} for row in release.tasks.to_dict("records")]
    call = lambda tool, arguments: json.loads(known[tool].call(arguments).result)  # noqa: E731
    nothing, everything = (share_recorded(tasks, "en", call, lambda *_: hit) for hit in (False, True))  # noqa: B023
    assert set(nothing) == set(AGENTS)
    assert [found["total"] for found in (*nothing.values(), *everything.values())] == [0, 0, 1, 1]


def test_a_place_answers_to_the_coordinates_that_a_search_printed():
    known = {tool.name: tool for tool in tools(sandbox_town.tables())}

    def asked(tool: str, **arguments: Any) -> dict[str, Any]:
        return json.loads(known[tool].call(arguments).result)

    museum, park = (
        asked("search_poi", keywords=name, city="Aston")["pois"][0] for name in ("Old Museum", "Museum Park")
    )
    by_name = asked("plan_route", origin="Old Museum", destination="Museum Park", mode="walking", city="Aston")
    by_place = asked(
        "plan_route", origin=museum["location"], destination=park["location"], mode="walking", city="Aston"
    )
    assert by_place == by_name
    assert by_place["routes"][0]["is_estimate"] is False
    assert by_place["origin"]["name"] == "Old Museum"
    nearby = asked("plan_route", origin="24.000001,60.000000", destination=park["location"], mode="walking")
    assert nearby["routes"][0]["is_estimate"] is True

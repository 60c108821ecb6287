"""The pre-warmed cache: its published key and shape, its answers, and what stands in for a call it does not hold."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assets.grouptravel.tools.sandbox import tools
from assets.grouptravel.tools.warm import cache_files
from assets.release.call_cache import CallCache, arguments_of, cache_key, params_json
from assets.release.reading import ReleaseError
from assets.release.sandbox import Sandbox
from tests.assets.grouptravel.sandbox_town import tables

TOOLS = tools(tables())


@pytest.fixture
def cache(tmp_path):
    """Return the folder of the small release's pre-warmed cache."""
    for path, pieces in cache_files(tables()).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"".join(pieces))
    return tmp_path / "sandbox_cache"


def test_gtb_cache_1_the_key_file_and_parameters_are_the_published_ones(cache, golden_case):
    golden = golden_case("GTB-CACHE-1")
    asked = golden["input"]["arguments"]
    assert cache_key(asked) == golden["expected"]["stored_key_shape"]
    assert params_json(asked) == golden["expected"]["params_json"]
    assert arguments_of(cache_key(asked)) == asked
    assert (cache / golden["expected"]["file"]).is_file()


def test_every_recorded_answer_is_the_tool_s_own(cache):
    seen = 0
    for tool in TOOLS:
        entries = json.loads((cache / f"{tool.name}_cache.json").read_text(encoding="utf-8"))
        assert entries, tool.name
        assert list(entries) == sorted(entries)
        for key, result in entries.items():
            reply = tool.call(arguments_of(key))
            assert (reply.result, reply.has_error) == (result, False)
            seen += 1
    assert seen > 40


def test_what_the_task_is_about_is_recorded(cache):
    recorded = CallCache(cache)
    day = {"origin": "Barrow", "destination": "Aston", "date": "2025-10-07"}
    assert recorded.get("travel_search_trains", day)
    assert recorded.get("search_poi", {"keywords": "noodles", "city": "Aston"})
    assert recorded.get("search_poi", {"keywords": "Castle", "city": "Barrow"}) is None
    assert recorded.get("get_poi_detail", {"id": "p1"})
    walk = {"origin": "Grand Inn", "destination": "Old Museum", "mode": "walking", "city": "Aston"}
    assert recorded.get("plan_route", walk)


def test_a_recorded_call_is_replayed_whatever_the_tool_says_now(cache):
    file = cache / "get_poi_detail_cache.json"
    file.write_text(json.dumps({cache_key({"id": "p1"}): "as recorded"}))
    sandbox = Sandbox(TOOLS, CallCache(cache))
    assert sandbox.call("get_poi_detail", {"id": "p1"}).published == {
        "result": "as recorded",
        "cache_hit": True,
        "has_error": False,
    }
    live = sandbox.call("get_poi_detail", {"id": "p2"})
    assert (live.cache_hit, live.result) == (False, Sandbox(TOOLS).call("get_poi_detail", {"id": "p2"}).result)


def test_a_miss_is_simulated_from_the_eight_most_similar_calls_and_noted_apart(cache):
    given = []

    def simulate(tool, arguments, examples):
        given.append((tool.name, arguments, examples))
        return "made up"

    before = {path.name: path.read_bytes() for path in cache.iterdir()}
    sandbox = Sandbox(TOOLS, CallCache(cache), simulate)
    asked = {"origin": "Barrow", "destination": "Aston", "date": "2025-10-08"}
    reply = sandbox.call("travel_search_trains", asked)
    assert (reply.result, reply.cache_hit, reply.has_error) == ("made up", False, False)
    ((name, arguments, examples),) = given
    assert (name, arguments) == ("travel_search_trains", asked)
    shown = [json.loads(params) for params, _ in examples]
    assert {(params["origin"], params["destination"]) for params in shown[:2]} == {("Barrow", "Aston")}
    assert all(isinstance(result, str) for _, result in examples)
    (missed,) = sandbox.save_missed()
    assert json.loads(missed.read_text()) == {cache_key(asked): "made up"}
    assert missed.name == "travel_search_trains_missed.json"
    assert {path.name: path.read_bytes() for path in cache.iterdir() if path != missed} == before


def test_examples_are_at_most_eight_and_the_same_each_time(cache):
    sandbox = Sandbox(TOOLS, CallCache(cache))
    asked = {"keywords": "noodle", "city": "Aston"}
    examples = sandbox.examples("search_poi", asked)
    assert len(examples) == 8
    assert json.loads(examples[0][0]) == {"city": "Aston", "keywords": "noodles"}
    assert Sandbox(TOOLS, CallCache(cache)).examples("search_poi", asked) == examples
    assert sandbox.examples("unheard_of", asked) == []


def test_an_embedding_can_say_what_is_alike(cache):
    texts = []

    def embed(wanted):
        texts.extend(wanted)
        return np.array([[float("id: p2" in text), 1.0] for text in wanted])

    sandbox = Sandbox(TOOLS, CallCache(cache, embed))
    (best, *_) = sandbox.examples("get_poi_detail", {"id": "p2 again"})
    assert json.loads(best[0]) == {"id": "p2"}
    assert "id: p2 again" in texts


def test_bad_calls_are_errors_and_neither_replayed_nor_noted(cache):
    sandbox = Sandbox(TOOLS, CallCache(cache))
    for name, arguments in (("search_poi", {"city": "Aston"}), ("rm", {}), ("get_poi_detail", ["p1"])):
        assert sandbox.call(name, arguments).has_error
    assert sandbox.save_missed() == []


def test_a_folder_or_file_that_is_no_cache_is_told(cache, tmp_path):
    with pytest.raises(ReleaseError, match="expected the sandbox_cache folder"):
        CallCache(tmp_path)
    (cache / "maps_geo_cache.json").write_text('{"[1": "x"}')
    with pytest.raises(ReleaseError, match="expected a JSON object of keys to texts"):
        CallCache(cache).get("maps_geo", {"address": "Aston"})

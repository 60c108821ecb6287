"""`tripwright new`: one command ends in certified releases, and says what they are made of."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from assets.families import families
from assets.first_recipe import FamilyChoice, Survey, SurveyedCity
from pipelines.city_facts import city_facts
from pipelines.cli import app
from pipelines.commands.new import (
    _blocked_cities,
    _build_feasible,
    _cities_blocked,
    _family_blocked,
    made_of,
    show_made_of,
)
from pipelines.releases.assembly import _lacking
from pipelines.releases.gathering import (
    NoTaskError,
    ReleaseError,
    SeveralRefusedError,
    TooFewTasksError,
    whole_reasons,
)
from pipelines.walk.build import BuildResult
from pipelines.walk.cell import DETAIL_CHARACTERS
from pipelines.walk.progress import Progress
from pipelines.walk.walk_report import Blocked
from schemas.recipe_values import Box
from tests.pipelines.test_new_towns import town
from tests.sources.osm_text import node, osm, way
from warehouse.home import Home

EAT = ["italian", "chinese", "french", "mexican", "indian", "american", "mediterranean"]

SEE = [{"tourism": "museum"}, {"historic": "castle"}, {"leisure": "park"}, {"tourism": "zoo"}]

SLEEP = [{"tourism": "hotel", "stars": stars} for stars in ("2", "3", "4")]


def street_village(south, west, first=1, eat=28, see=20, sleep=6):
    """Return nodes and ways of an invented village: places along streets that all meet."""
    tags = [("Table", {"amenity": "restaurant", "cuisine": EAT[n % len(EAT)]}) for n in range(eat)]
    tags += [("Sight", SEE[n % len(SEE)]) for n in range(see)] + [("Inn", SLEEP[n % len(SLEEP)]) for n in range(sleep)]
    crossings = [node(first + n, south + 0.001 * (n // 8), west + 0.001 * (n % 8)) for n in range(64)]
    rows = [way(first + r, [first + 8 * r + c for c in range(8)], highway="residential") for r in range(8)]
    columns = [way(first + 8 + c, [first + 8 * r + c for r in range(8)], highway="residential") for c in range(8)]
    places: list[str] = []
    for n, (what, of) in enumerate(tags):
        spot = south + 0.001 * (n // 8) + 0.0002, west + 0.001 * (n % 8) + 0.0001
        hours = {} if what == "Inn" else {"opening_hours": "Mo-Su 09:00-22:00"}
        places.append(node(first + 100 + n, *spot, name=f"{what} {chr(65 + n % 26)}{n:02}", **of, **hours))
    stop = node(first + 400, south + 0.002, west + 0.002, name="Market", highway="bus_stop")
    return [*crossings, *places, stop], rows + columns


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return what the command said of a village in Burgundy, and its folder."""
    folder = tmp_path_factory.mktemp("new")
    nodes, ways = street_village(47.2, 4.5)
    cut_off = [
        node(900, 47.2, 4.52),
        node(901, 47.21, 4.52),
        node(902, 47.205, 4.5201, name="Isle Inn", tourism="hotel"),
    ]
    island = [way(900, [900, 901], highway="residential")]
    sea = node(903, 47.21, 4.55, name="Lonely Museum", tourism="museum")
    (folder / "map.osm").write_text(osm(*nodes, *cut_off, sea, *ways, *island))
    words = [
        "new",
        "Beaune",
        "--map",
        folder / "map.osm",
        "--tasks",
        1,
        "--out",
        folder / "b.toml",
        "--home",
        folder / "home",
    ]
    answer = CliRunner().invoke(app, [*map(str, words), "--json"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout), folder


def test_what_the_map_carries_is_released_and_certified_and_the_rest_is_told_with_its_reason(made):
    told, folder = made
    released = {r["family"]: r for r in told["releases"]}
    assert "tripcraft" in released
    assert all(r["tasks"] == r["certified"] > 0 for r in released.values())
    assert told["blocked"] == []
    assert {row["family"] for row in told["made_of"] if row["tasks"]} == set(released)
    assert all(row["would_add"] for row in told["made_of"])
    written = (folder / "b.toml").read_text()
    assert all((f"# {family} is not built:" in written) is (family not in released) for family in families())


def test_it_says_what_is_real_modelled_and_invented_and_what_would_add(made):
    rows = {row["family"]: row for row in made[0]["made_of"]}
    assert rows["tripcraft"]["real"] == "OpenStreetMap"
    assert "nights" in rows["tripcraft"]["modelled"]
    assert "listings (airbnb)" in rows["tripcraft"]["would_add"]
    assert rows["itinbench"]["tasks"] == 0
    assert "bind reviews (yelp)" in rows["itinbench"]["would_add"]


def test_of_a_benchmark_that_was_not_made_what_it_lacks_is_printed_and_of_others_what_would_add(made, capsys):
    show_made_of(made[0]["made_of"])
    blocks = re.split(r"\n(?=\w+: [0-9])", capsys.readouterr().out)[1:]
    parts = {block.partition(":")[0]: block for block in blocks}
    assert "\n  lacks: " in parts["itinbench"] and "would add" not in parts["itinbench"]
    assert "\n  would add: " in parts["tripcraft"] and "lacks" not in parts["tripcraft"]


def test_a_release_of_it_holds_in_every_value(made):
    told, folder = made
    for release in told["releases"]:
        answer = CliRunner().invoke(
            app, ["audit", "--release", release["path"], "--home", str(folder / "home"), "--json"]
        )
        assert answer.exit_code == 0, answer.output


def test_whoever_was_interrupted_asks_again_and_a_recipe_that_was_changed_stays(made, monkeypatch):
    _, folder = made
    recipe = folder / "again.toml"
    words = ["new", "Beaune", "--map", folder / "map.osm", "--tasks", 1, "--out", recipe, "--home", folder / "home"]

    def asked() -> tuple[int, str]:
        answer = CliRunner().invoke(app, list(map(str, words)))
        return answer.exit_code, answer.output

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("pipelines.commands.new._build_feasible", interrupted)
        assert asked()[0] != 0
    assert recipe.is_file()
    begun: list[bool] = []
    monkeypatch.setattr("pipelines.commands.new._build_feasible", lambda *_, **__: begun.append(True) or interrupted())
    asked()
    assert begun == [True], "the build begins again"
    recipe.write_text(f"{recipe.read_text()}# mine\n")
    code, told = asked()
    assert (code, begun, recipe.read_text().endswith("# mine\n")) == (1, [True], True)
    assert f"{recipe} is there already, and is not what would be written" in told.replace("\n", "")


def test_a_town_named_twice_or_a_map_without_it_is_refused_before_anything_is_built(made):
    _, folder = made
    words = ["--map", str(folder / "map.osm"), "--home", str(folder / "other"), "--out", str(folder / "x.toml")]
    answer = CliRunner().invoke(app, ["new", "Beaune", "Beaune", *words])
    assert (answer.exit_code, "more than once" in answer.output) == (1, True)
    assert not (folder / "other").exists()


def test_two_names_that_the_map_does_not_hold_are_one_area_and_refused(made):
    _, folder = made
    words = ["--map", str(folder / "map.osm"), "--out", str(folder / "x.toml")]
    answer = CliRunner().invoke(app, ["init", "Nowhere", "Elsewhere", *words])
    told = " ".join(answer.output.split())
    assert answer.exit_code == 1
    assert "found one area of Nowhere (the whole file, which names no such place) and Elsewhere (" in told


def test_a_town_of_several_that_cannot_be_built_is_left_out_by_name_and_the_rest_goes_on(tmp_path):
    """The second village has no streets: nothing of it can be reached."""
    nodes, ways = street_village(47.2, 4.5)
    places, _ = street_village(47.4, 4.5, first=2000)
    towns = [node(10000, 47.203, 4.503, name="Beaune", place="village"),
             node(10001, 47.403, 4.503, name="Wegelos", place="village")]  # fmt: skip
    (tmp_path / "map.osm").write_text(osm(*nodes, *places, *towns, *ways))
    words = ["Beaune", "Wegelos", "--map", tmp_path / "map.osm", "--tasks", 1, "--out", tmp_path / "b.toml"]
    answer = CliRunner().invoke(app, ["new", *map(str, words), "--home", str(tmp_path / "home"), "--json"])
    told = json.loads(answer.stdout)
    assert answer.exit_code == 1  # not all that was asked for is there
    assert told["releases"] and told["blocked"] == []
    (left_out,) = told["left_out"]
    assert left_out["name"] == "Wegelos"
    assert "roads lead between 0 of 54 places" in left_out["reason"]
    assert [city["name"] for city in told["cities"]] == ["Beaune"]
    assert "# Wegelos is left out: " in (tmp_path / "b.toml").read_text()


def test_where_no_city_can_be_built_none_is_left_out_and_a_fault_is_none_of_theirs():
    one, other = (SurveyedCity(city_facts(name, Box(south=47.1, west=9.5, north=47.2, east=9.6), None, None), "")
                  for name in ("Vaduz", "Schaan"))  # fmt: skip
    found = Survey([one, other], [], {})
    first = Blocked("li-vaduz", "distance_matrix", "no roads")
    assert _cities_blocked(found, BuildResult(blocked=[first])) == {"li-vaduz": "no roads"}
    assert _cities_blocked(found, BuildResult(blocked=[first, Blocked("li-schaan", "place", "no places")])) == {}
    assert _cities_blocked(found, BuildResult(blocked=[Blocked("li-vaduz", "place", "KeyError", is_fault=True)])) == {}


def test_a_fault_of_the_code_is_nothing_that_a_city_lacks():
    family = next(iter(families().values()))
    step = family.steps[0].name
    found = Survey([], [], {}, [FamilyChoice(family.name, 3)])
    lacking = BuildResult(blocked=[Blocked("xx-town", step, "too few places")])
    broken = BuildResult(blocked=[Blocked("xx-town", step, "ImportError: no module (line 3)", is_fault=True)])
    assert _family_blocked(found, lacking) == (family.name, "too few places", True)
    assert _family_blocked(found, broken) == ("", "", False)


def test_of_cities_that_are_all_blocked_no_family_is_said_to_lack_what_they_hold(tmp_path):
    """Without streets no place is left, and the draft finds too few of them: what lacks are the streets."""
    family = families()["grouptravel"]
    found = Survey([SurveyedCity(town("Vaduz"), "")], [], {}, [FamilyChoice(family.name, 3)])
    city_id = found.cities[0].facts.city_id
    draft = Blocked("xx-town", family.steps[-1].name, "no city has enough to go to")
    built = BuildResult(blocked=[Blocked(city_id, "distance_matrix", "no streets"), draft])
    assert _family_blocked(found, built) == ("", "", False)
    choice = {"family": family.name, "fewer": [], "lacks": [], "adds": ["listings"], "invents": []}
    why = list(_blocked_cities(found, built).values())
    (row,) = made_of({"families": [choice]}, built, Home(str(tmp_path)), why)
    assert row["would_add"] == "no streets"


@pytest.mark.parametrize(
    ("error", "levels"), [(NoTaskError, ()), (TooFewTasksError, ("easy", "medium"))], ids=["none", "too few"]
)
def test_a_family_without_a_task_is_left_out_at_once_and_one_with_too_few_level_by_level(
    tmp_path, monkeypatch, error, levels
):
    errors = [error("grouptravel: the recipe asks for 9 tasks")]

    def too_poor_at_first(*_, **__):
        if errors:
            raise errors.pop()
        return BuildResult()

    monkeypatch.setattr("pipelines.walk.build.build", too_poor_at_first)
    city = SurveyedCity(town("Vaduz"), "")
    found = Survey([city], [], {}, [FamilyChoice("grouptravel", 3)])
    _, left = _build_feasible(found, tmp_path / "x.toml", Home(str(tmp_path)), Progress(), no_install=True)
    (choice,) = left.choices
    assert (choice.levels, bool(choice.tasks)) == (levels, bool(levels))


def test_of_families_that_are_refused_together_each_is_left_out_unless_one_breaks_a_promise(tmp_path, monkeypatch):
    errors = [NoTaskError("grouptravel: no task"), NoTaskError("tripcraft: no task")]

    def refused(*_, **__):
        if errors:
            raise SeveralRefusedError([errors.pop(), errors.pop()])
        return BuildResult()

    monkeypatch.setattr("pipelines.walk.build.build", refused)
    city = SurveyedCity(town("Vaduz"), "")
    found = Survey([city], [], {}, [FamilyChoice("grouptravel", 3), FamilyChoice("tripcraft", 3)])
    _, left = _build_feasible(found, tmp_path / "x.toml", Home(str(tmp_path)), Progress(), no_install=True)
    assert [choice.tasks for choice in left.choices] == [0, 0]
    errors += [NoTaskError("grouptravel: no task"), ReleaseError("tripcraft: 3 promises do not hold")]
    with pytest.raises(SeveralRefusedError, match="promises do not hold"):
        _build_feasible(found, tmp_path / "x.toml", Home(str(tmp_path)), Progress(), no_install=True)


def test_what_towns_that_people_only_set_out_from_lack_is_not_told():
    visited, left = town("Vaduz").as_city(), town("Zurich").as_city().model_copy(update={"is_visited": False})
    lacks = {city.city_id: ["no stays in any source"] for city in (visited, left)}
    family: Any = SimpleNamespace(lacking="named", call=lambda *_: lacks)
    nothing: Any = None
    assert _lacking(family, [visited, left], nothing, {}) == "\nWhat cities lack:\n  - li-vaduz: no stays in any source"


def test_of_reasons_that_were_cut_those_that_are_whole_are_told():
    reasons = f"no stay in {'x' * 136} (9 times); no attraction of Fun & Games (7 times)"
    assert whole_reasons(reasons) == reasons
    assert whole_reasons(f"{reasons}; no attraction of Fun & Games"[:DETAIL_CHARACTERS]) == f"{reasons}; …"


def test_a_promise_that_does_not_hold_is_no_reason_to_ask_for_fewer_tasks(tmp_path, monkeypatch):
    def gate_refuses(*_, **__):
        raise ReleaseError("grouptravel: 3 promises do not hold; nothing is released")

    monkeypatch.setattr("pipelines.walk.build.build", gate_refuses)
    found = Survey([], [], {}, [FamilyChoice("grouptravel", 3)])
    with pytest.raises(ReleaseError, match="promises do not hold"):
        _build_feasible(found, tmp_path / "x.toml", Home(str(tmp_path)), Progress(), no_install=True)

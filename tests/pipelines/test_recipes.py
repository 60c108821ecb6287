"""Recipes: every problem of a file is told at once, and the lock pins what was read."""

from __future__ import annotations

import dataclasses
import json
import os
import re

import pytest
from pydantic import BaseModel, ConfigDict, Field
from typer.testing import CliRunner

from assets.families import families
from assets.family import Family
from assets.spatial.kmeans import kmeans_clusters
from pipelines.cli import app
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve
from pipelines.walk.recipes import RecipeError, load_recipe
from schemas.recipe import RecipeLock
from schemas.source import SourceError
from warehouse.home import Home

CITY = """
[[cities]]
city_id = "xx-a-town"
name = "Town"
country = "XX"
box = { south = 0, west = 0, north = 1, east = 1 }
"""

AREA = CITY.replace("box = { south = 0, west = 0, north = 1, east = 1 }", "{}")


class ToySection(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tasks: int = Field(ge=1)


@pytest.fixture
def known():
    needed = (f.name for f in dataclasses.fields(Family) if f.default is f.default_factory is dataclasses.MISSING)
    toy = Family(**{**dict.fromkeys(needed, ""), "name": "toy", "title": "Toy", "section": ToySection})  # pyright: ignore[reportArgumentType]
    return {"toy": toy}


@pytest.fixture
def load(tmp_path, known):
    def run(text):
        path = tmp_path / "r.toml"
        path.write_text(text)
        return load_recipe(path, known)

    return run


@pytest.mark.parametrize(
    ("family", "keys"),
    [
        ("itinbench", "tasks_per_city = 0"),
        ("tripcraft", "tasks = { 3 = 0 }"),
        ("tripcraft", "counts = { 5 = { easy = 0, hard = 0 } }"),
        ("tripcraft", "tasks = { 3 = 0 }\ntasks_without_solution = 2"),
        ("grouptravel", 'currency = "EUR"\ntasks = { easy = 0 }'),
    ],
)
def test_a_family_of_which_no_task_is_asked_is_refused_before_anything_is_built(tmp_path, family, keys):
    path = tmp_path / "r.toml"
    path.write_text(f'name = "r"{CITY}[families.{family}]\n{keys}')
    with pytest.raises(RecipeError) as refused:
        load_recipe(path, families())
    assert re.search(rf"families\.{family}: no task is asked for; give `\w+`( or `\w+`)?, found", str(refused.value))


@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_every_seed_that_a_recipe_may_have_clusters_places(load, seed):
    loaded = load(f'name = "r"\nseed = {seed}{CITY}')
    assert kmeans_clusters([0, 0, 9], [0, 0.1, 9], 2, loaded.recipe.seed).tolist() == [0, 0, 1]


def test_a_recipe_may_begin_with_the_mark_that_windows_writes_and_another_encoding_is_told(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text('name = "r"' + CITY, encoding="utf-8-sig")
    assert load_recipe(path, {}).recipe.name == "r"
    path.write_text('name = "r"' + CITY, encoding="utf-16")
    with pytest.raises(RecipeError, match=r"found bytes that are not UTF-8 \(.* at byte 0\); expected TOML"):
        load_recipe(path, {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "not a TOML file"),
        (CITY, "name: is missing"),
        ('name = "r"\nsed = 1' + CITY, "sed: unknown key (did you mean `seed`?)"),
        ('name = "r"' + CITY.replace("south", "sooth"), "cities.0.box.sooth: unknown key (did you mean `south`?)"),
        ('name = "r"' + CITY.replace("south = 0", "south = 2"), "south (2.0) must be below north (1.0)"),
        (
            'name = "r"' + CITY.replace("south = 0", "south = nan"),
            "cities.0.box.south: expected a finite number",
        ),
        (
            'name = "r"' + CITY.replace("east = 1", "east = 0"),
            "cities.0: xx-a-town: the box has no width, from west (0.0) to east (0.0); expected",
        ),
        *(
            ('name = "r"' + AREA.format(f"polygon = {ring}"), f"cities.0: xx-a-town: {told}")
            for ring, told in (
                (
                    "[[0, 0], [0, 1], [0, 2]]",
                    "the polygon's points all have latitude 0.0; expected a ring around an area",
                ),
                (
                    "[[0, 1], [1, 1], [2, 1]]",
                    "the polygon's points all have longitude 1.0; expected a ring around an area",
                ),
                (
                    "[[5, 5], [5, 5], [5, 5]]",
                    "the polygon's points all have latitude 5.0; expected a ring around an area",
                ),
            )
        ),
        *(
            (
                'name = "r"' + CITY + f"time_zone = {zone}",
                "cities.0.time_zone: expected the name of an IANA time zone, such as Europe/Lisbon, found",
            )
            for zone in ('"../../../etc/passwd"', '""', '"a\\u0000b"', '"America"', '"localtime"', '"europe/lisbon"')
        ),
        *(
            ('name = "r"' + CITY.replace('"Town"', f'"{name}"'), f"cities.0: xx-a-town: name: expected {told}, found")
            for name, told in (
                ("To\\u001b[31mwn", "one line without control characters or marks of direction"),
                ("To\\u202ewn", "one line without control characters or marks of direction"),
                ("To\\nwn", "one line without control characters or marks of direction"),
                (" Town", "no blanks around it"),
            )
        ),
        (
            'name = "r"\ntitle = "T\\u0007"\nauthors = ["A\\nB"]' + CITY,
            "authors.0: expected one line without control characters or marks of direction, found",
        ),
        (
            'name = "r"' + CITY + '[invented]\nproviders = ["yelp"]\ndates = [2024-12-31, 2024-01-01]',
            "invented.dates: the first day (2024-12-31) is after the last (2024-01-01)",
        ),
        ("a = " + "[" * 20_000, "nested too deeply; expected a recipe's few levels"),
        ('name = "r"' + CITY + CITY, "cities: xx-a-town stands more than once; keep one"),
        (
            'name = "r"' + CITY + CITY.replace("-town", "-village"),
            "cities: xx-a-village has the very area of xx-a-town; expected that of each city",
        ),
        ('name = "r"' + CITY.replace('"XX"', '"UK"'), "country: expected a country's code by ISO 3166-1, such as US"),
        ('name = "r"' + CITY + 'currency = "ZZQ"', "currency: expected a currency's code by ISO 4217, such as EUR"),
        *(
            (f'name = "r"{CITY}languages = ["en", "{word}"]', "languages.1: expected a language's code by ISO 639, the")
            for word in ("English", "EN", "eng", "en-GB", "xx", "")
        ),
        ('name = "r"\nseed = -1' + CITY, "seed: expected at least 0, found '-1'"),
        (f'name = "r"\nseed = {2**32}' + CITY, "seed: expected at most 4294967295"),
        (
            'name = "r"' + CITY + f'[invented]\nproviders = ["yelp"]\nseed = {2**32}',
            "invented.seed: expected at most 4294967295",
        ),
        ('name = "r"' + CITY + "polygon = [[0, 0], [0, 1], [1, 1]]", "give the city either a box or a polygon"),
        (
            'name = "r"' + AREA.format("polygon = [[0, 0], [2, 2], [0, 2], [2, 0]]"),
            "xx-a-town: the polygon crosses or touches itself at 1, 1; expected one ring, its corners in order",
        ),
        (
            'name = "r"' + AREA.format("polygon = [[0, 0], [0, 2], [2, 2], [2, 0], [1, 1], [1, 2]]"),
            "xx-a-town: the polygon crosses or touches itself at 1, 2; expected one ring",
        ),
        (
            'name = "../r"' + CITY,
            "name: expected lower-case letters and digits, joined by hyphens, such as monaco-2, found '../r'",
        ),
        ('name = "r"' + CITY + "[families.toi]\ntasks = 1", "families.toi: no such family (did you mean `toy`?)"),
        (
            'name = "r"' + CITY + "[families.toy]\ntasks = 0",
            "families.toy.tasks: expected at least 1",
        ),
        ('name = "r"' + CITY + "[families.toy]\ntaks = 1", "families.toy.taks: unknown key (did you mean `tasks`?)"),
        ('name = "r"' + CITY + '[sources.yepl]\nbusiness = "b"', "sources.yepl: no such source (did you mean `yelp`?)"),
        (
            'name = "r"' + CITY + '[sources.yelp]\nbusines = "b"',
            "sources.yelp.busines: no such file role (did you mean `business`?)",
        ),
        (
            'name = "r"' + CITY + '[sources.yelp]\nreview = "b"',
            "sources.yelp.business: missing; yelp needs it",
        ),
        (
            'name = "r"' + CITY + "[sources.yelp]\nbusiness = 3",
            "business: expected a path or a list of paths, found 3",
        ),
        ('name = "r"' + CITY + '[sources.yelp]\nlicence = "mine"', "licence 'mine' is not known"),
        (
            'name = "r"' + CITY + '[invented]\nproviders = ["yelp"]\n[sources.yelp]\nbusiness = "b"',
            "both bound to files and invented",
        ),
    ],
)
def test_a_problem_is_named_with_its_place_and_what_was_expected(load, text, told):
    with pytest.raises(RecipeError) as error:
        load(text)
    assert told in str(error.value)
    assert "r.toml" in str(error.value)


@pytest.mark.parametrize(
    "line",
    [
        'api_key_env = "sk-3f9c"', 'api_key_env = ["sk-3f9c"]', 'base_url = "http://me:sk-3f9c@host/v1"',
        'base_url = "http://host/v1?key=sk-3f9c"', 'api_key = "sk-3f9c"',
        'api_key_env = "gsk_3f9c"\nmax_cost = 1.0',
    ],
)  # fmt: skip
def test_a_key_pasted_into_a_recipe_is_refused_and_not_printed(load, line):
    others = "" if line.startswith("base_url") else 'base_url = "http://host/v1"\n'
    with pytest.raises(RecipeError, match=r"engines\.openai") as error:
        load(f'name = "r"{CITY}[engines.openai]\nmodel = "m"\n{others}{line}\n')
    assert "3f9c" not in str(error.value)


@pytest.mark.parametrize(
    "address",
    ["https://me:hidden@host/a.json", "https://host/a.json?x=1&API-Key=hidden", "https://host?token=hidden"],
)
def test_an_address_with_a_password_or_a_key_is_refused_and_not_printed(load, address):
    """Locks and releases print addresses."""
    with pytest.raises(RecipeError, match=r"yelp\.url\.businesses\.0: .*not shown") as error:
        load(f'name = "r"{CITY}[sources.yelp]\nurl = {{ businesses = "{address}" }}\n')
    assert "hidden" not in str(error.value)
    public = 'business = "https://host/a.json?keyword=token&v=2", review = "https://host/b.json"'
    load(f'name = "r"{CITY}[sources.yelp]\nurl = {{ {public} }}\n')


def test_all_problems_are_told_at_once(load):
    with pytest.raises(RecipeError, match="3 problems"):
        load('name = "r"' + CITY + '[families.toy]\ntasks = 0\n[families.no]\n[sources.nowhere]\nx = "y"')


def test_no_problem_hides_another(load):
    """Of sections and files too, where cities are wrong, and whatever is wrong beside a role."""
    city = CITY.replace("south = 0", "south = 2") + '[cities.sources.yelp]\nbusines = "b"\nlicence = "mine"'
    families = "[families.toy]\ntasks = 0\n[families.no]\n[families]\nodd = 3"
    with pytest.raises(RecipeError) as error:
        load(f'name = "r"\n{families}\n[sources.nowhere]\nx = "y"\n[invented]\nproviders = ["yelp"]\n{city}{CITY}')
    told = str(error.value)
    for problem in (
        "cities.0.box: south (2.0) must be below north (1.0)",
        "cities.0.sources.yelp: licence 'mine' is not known",
        "cities.0.sources.yelp.busines: no such file role",
        "cities.0.sources.yelp.business: missing",
        "cities: xx-a-town stands more than once",
        "sources yelp are both bound to files and invented",
        "sources.nowhere: no such source",
        "families.toy.tasks: expected at least 1",
        "families.no: no such family",
        "families.odd: expected",
    ):
        assert told.count(f"  - {problem}") == 1, told


def test_a_missing_recipe_says_what_writes_one(tmp_path, known):
    with pytest.raises(RecipeError, match="found no recipe; expected a TOML file"):
        load_recipe(tmp_path / "no.toml", known)


YELP = 'name = "r"' + CITY + '[sources.yelp]\nbusiness = "b.json"\nreview = "v.json"\n'


@pytest.fixture
def locked(tmp_path, load):
    """Return a function that resolves the recipe and gives its lock."""
    for name in ("b.json", "v.json"):
        path = tmp_path / name
        path.write_text("{}\n")
        os.utime(path, (1_700_000_000, 1_700_000_000))

    def run(home="home", **options):
        return resolve(Home(str(tmp_path / home)), load(YELP), Code(), **options)

    return run


def test_the_lock_pins_each_file_by_hash_date_and_licence(locked, tmp_path):
    lock = locked()
    assert [(s.role, s.retrieved_at, s.licence_id) for s in lock.snapshots] == [
        ("business", "2023-11-14T22:13:20+00:00", "LicenseRef-Yelp"),
        ("review", "2023-11-14T22:13:20+00:00", "LicenseRef-Yelp"),
    ]
    assert RecipeLock.model_validate_json((tmp_path / "r.lock.json").read_text()) == lock


def test_a_copied_file_of_equal_bytes_keeps_the_date_in_the_lock(locked, tmp_path):
    before = locked()
    os.utime(tmp_path / "b.json", (1_800_000_000, 1_800_000_000))
    assert locked(home="other") == before


def test_a_changed_file_changes_the_lock_unless_it_is_forbidden(locked, tmp_path):
    before = locked()
    (tmp_path / "b.json").write_text('{"a": 1}\n')
    with pytest.raises(SourceError, match=r"b\.json: locked as .*found"):
        locked(locked=True)
    assert (tmp_path / "r.lock.json").read_text() == before.model_dump_json(indent=1) + "\n"
    assert locked() != before


def test_a_file_that_is_gone_is_taken_from_the_raw_store(locked, tmp_path):
    before = locked()
    (tmp_path / "b.json").unlink()
    assert locked() == before
    with pytest.raises(SourceError, match=r"b\.json: found no file"):
        locked(home="empty")


def test_all_files_that_cannot_be_had_are_told_at_once(locked, tmp_path):
    (tmp_path / "b.json").unlink()
    (tmp_path / "v.json").write_bytes(b"")
    with pytest.raises(SourceError) as error:
        locked()
    assert "b.json: found no file" in str(error.value)
    assert "v.json: found an empty file" in str(error.value)


def test_a_lock_that_is_no_lock_is_named(locked, tmp_path):
    (tmp_path / "r.lock.json").write_text('{"recipe": 3}')
    with pytest.raises(RecipeError, match="not a lock that tripwright wrote"):
        locked()


def test_osrm_is_not_fetched_where_that_is_forbidden(write_recipe, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))
    recipe = write_recipe(cities=1)
    text = recipe.read_text().replace('providers = ["yelp"]', 'providers = ["yelp", "osm"]')
    recipe.write_text(text + "\n[spatial]\n")
    words = ["build", str(recipe), "--no-install", "--home", str(tmp_path / "home"), "--json"]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 1
    assert "run `tripwright doctor --install-osrm`" in json.loads(ran.stdout)["error"]
    assert not (tmp_path / "cache").exists()

"""Refreshing from a web server: what changed is built, what is worse is kept out, nothing is published twice."""

from __future__ import annotations

import csv
import datetime as dt
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assets.itinbench.solver import matching
from assets.release.reading import open_release
from sources.invented import generate, world_cities
from tests.recipes import city_table, command
from tests.served import endless, page, serving, status

ROOT = Path(__file__).resolve().parents[2]
CITIES = 1


def recipe_text(url: str, **binding: str) -> str:
    keys = "".join(f"{key} = {value}\n" for key, value in {"max_size_mb": 16, **binding}.items())
    text = f'name = "town"\nseed = 3\n[sources.yelp]\n{keys}'
    text += f'url = {{ business = "{url}/business.json", review = "{url}/review.json" }}\n'
    for city in world_cities(CITIES, 5):
        text += city_table(city)
    return text + "[families.itinbench]\ntasks_per_city = 5\n"


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """Return a server of an invented world's Yelp files, a folder with its recipe refreshed once, and the answer."""
    folder = tmp_path_factory.mktemp("first")
    generate(folder / "world", providers=["yelp"], cities=CITIES, scale=0.3, seed=5, dirt=False)
    with serving(folder / "world" / "yelp") as served:
        kept = folder / "kept"
        kept.mkdir()
        (kept / "town.toml").write_text(recipe_text(served.url("").rstrip("/")), encoding="utf-8")
        code, answer = command("refresh", kept / "town.toml", home=kept / "home")
        assert (code, statuses(answer)) == (0, {"yelp.business": "new", "yelp.review": "new"})
        yield served, kept, answer


@pytest.fixture
def town(tmp_path, first):
    """Return a server of files of the test's own, a recipe refreshed once, and a function that refreshes it again."""
    served, kept, _ = first
    shutil.copytree(served.folder, tmp_path / "www")
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    given, served.folder = served.folder, tmp_path / "www"
    served.asked.clear()
    served.faults.clear()
    recipe = tmp_path / "town.toml"
    yield served, recipe, lambda *words: command("refresh", recipe, *words, home=tmp_path / "home")
    served.folder = given


@pytest.fixture
def version(first):
    """Return the version of the release that the first refresh made."""
    return first[2]["releases"][0]["version"]


def statuses(answer: dict) -> dict[str, str]:
    return {f"{news['source']}.{news['role']}": news["status"] for news in answer["sources"]}


def locked(recipe: Path) -> dict[str, dict]:
    lock = json.loads(recipe.with_suffix(".lock.json").read_text())
    return {f"{s['source']}.{s['role']}": s for s in lock["snapshots"]}


def releases(recipe: Path) -> list[Path]:
    return sorted((recipe.parent / "home" / "releases").glob("*/*/*/manifest.json"))


def close_a_restaurant(folder: Path) -> str:
    """Close the first restaurant for good, and return its id."""
    path = folder / "business.json"
    lines = path.read_text().splitlines()
    n = next(n for n, line in enumerate(lines) if '"is_open":1' in line and "Restaurants" in line)
    lines[n] = lines[n].replace('"is_open":1', '"is_open":0')
    path.write_text("\n".join(lines) + "\n")
    return json.loads(lines[n])["business_id"]


def close(folder: Path, business_ids: list[str]) -> None:
    """Close these businesses for good."""
    path = folder / "business.json"
    lines = [
        line.replace('"is_open":1', '"is_open":0') if any(f'"{i}"' in line for i in business_ids) else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")


def test_a_refresh_builds_what_changed_and_releases_only_what_differs(town, version):
    served, recipe, refresh = town
    before = locked(recipe)
    assert before["yelp.business"]["fetched"] is True
    assert before["yelp.business"]["url"] == served.url("business.json")
    assert before["yelp.business"]["etag"]
    code, again = refresh()
    assert (code, again["steps_run"], again["releases"][0]["version"]) == (0, 0, version)
    assert statuses(again) == {"yelp.business": "unchanged", "yelp.review": "unchanged"}
    assert (locked(recipe), len(releases(recipe))) == (before, 1)
    closed = close_a_restaurant(served.folder)
    code, third = refresh()
    assert (code, statuses(third)) == (0, {"yelp.business": "changed", "yelp.review": "unchanged"})
    assert third["releases"][0]["version"] != version
    assert locked(recipe)["yelp.review"] == before["yelp.review"]
    assert len(releases(recipe)) == 2
    (changes,) = third["changes"]
    removed = [row for row in changes["tables"]["itinbench_place"] if row["status"] == "removed"]
    assert [row["key"].split("/")[1] for row in removed] == [f"yelp:{closed}"]
    assert removed[0]["old_sources"][0].startswith(f"yelp.business@{before['yelp.business']['sha256']}#L")
    assert changes["unexplained"] == []
    page = (Path(third["releases"][0]["path"]) / "record" / "CHANGES.md").read_text()
    assert f"yelp:{closed}" in page
    code, found = command("diff", version, third["releases"][0]["version"], home=recipe.parent / "home")
    assert (code, found["tasks"], found["tables"]) == (0, changes["tasks"], changes["tables"])


def test_a_task_that_lost_its_witness_is_retired_and_its_id_is_given_to_no_other(town, version, tmp_path):
    served, recipe, refresh = town
    before = open_release(next(releases(recipe)[0].parent.parent.glob(version)))
    tasks, places = before.table("tasks"), before.table("itinbench_place")
    lost = tasks.iloc[2]
    stays = matching(places, lost["record"])["stay"]
    close(served.folder, [place_id.removeprefix("yelp:") for place_id in stays["place_id"]])
    code, answer = refresh()
    assert (code, answer["blocked"], answer["quarantined"]) == (0, [], [])
    retired = {r["task_id"]: r["reason"] for r in json.loads(recipe.with_suffix(".lock.json").read_text())["retired"]}
    assert retired[lost["task_id"]]
    after = open_release(Path(answer["releases"][0]["path"]))
    now = after.table("tasks")
    assert len(now) == len(tasks)
    assert not set(now["task_id"]) & set(retired)
    assert sorted(set(now["task_id"]) - set(tasks["task_id"])) == [
        f"itinbench.{lost['city_id']}.{number:05d}" for number in range(len(tasks), len(tasks) + len(retired))
    ]
    (changes,) = answer["changes"]
    removed = {task["task_id"]: task["causes"][0] for task in changes["tasks"]["removed"]}
    assert removed == {t: {"kind": "retired", "what": reason} for t, reason in retired.items()}
    page = (after.folder / "record" / "CHANGES.md").read_text()
    assert f"`{lost['task_id']}`\n  - because of retired:" in page
    assert {r["task_id"] for r in after.manifest.retired} == set(retired)
    code, again = refresh()
    assert (code, again["releases"][0]["version"]) == (0, after.version)
    code, fresh = command("build", recipe, "--locked", home=tmp_path / "fresh")
    assert (code, fresh["releases"][0]["version"]) == (0, after.version)


def test_people_s_corrections_enter_as_a_source_and_show_in_audit_and_difference(town, version, tmp_path):
    _, recipe, refresh = town
    home, sheet = tmp_path / "home", tmp_path / "sheet.csv"
    assert command("review", version, sheet, home=home)[1]["tasks"] == 5
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    row = rows[0]["rows"].split()[0]
    place_id = row.split("/")[2]
    rows[0] |= {
        "verdict": "correct",
        "row": row,
        "field": "name",
        "value": '=Café "Nord"',
        "why": "The sign.",
    }
    rows[1] |= {"verdict": "withdraw", "why": "Nobody would ask that."}
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    words = ("review", version, sheet, "--read", "--who", "A. Reader", "--recipe", recipe)
    overrides = str(tmp_path / "town.overrides.toml")
    assert command(*words, home=home) == (0, {"overrides": overrides, "corrections": 2, "already_there": 0})
    assert command(*words, home=home) == (0, {"overrides": overrides, "corrections": 0, "already_there": 2})
    code, answer = refresh()
    assert (code, answer["blocked"]) == (0, [])
    release = open_release(Path(answer["releases"][0]["path"]))
    places = release.table("itinbench_place").set_index("place_id")
    assert places.loc[place_id, "name"] == '=Café "Nord"'
    assert places.loc[place_id, "source_rows"][0].startswith("corrections.overrides@")
    assert rows[1]["task_id"] not in set(release.table("tasks")["task_id"])
    (changes,) = answer["changes"]
    corrected = next(row for row in changes["tables"]["itinbench_place"] if place_id in row["key"])
    assert [(f["field"], f["new"]) for f in corrected["fields"]] == [("name", '=Café "Nord"')]
    (removed,) = changes["tasks"]["removed"]
    assert (removed["task_id"], removed["causes"][0]["kind"]) == (rows[1]["task_id"], "retired")
    assert removed["causes"][0]["what"].startswith("withdrawn by A. Reader on ")
    code, audited = command("audit", "--release", release.folder, home=home)
    assert (code, audited["problems"]) == (0, [])


def test_a_release_whose_difference_has_no_reason_is_refused(town, version, monkeypatch):
    _, recipe, refresh = town
    close = "assets.release.diff._roots"
    monkeypatch.setattr(close, lambda old, new: iter(()))
    close_a_restaurant(town[0].folder)
    code, answer = refresh()
    assert (code, "without a reason" in answer["error"], len(releases(recipe))) == (1, True, 1)


def test_a_build_reads_what_was_fetched_without_asking_the_network(town, version, tmp_path):
    served, recipe, _ = town
    close_a_restaurant(served.folder)
    code, built = command("build", recipe, "--locked", home=tmp_path / "home")
    assert (code, built["releases"][0]["version"], served.asked) == (0, version, [])


def test_equal_bytes_of_another_date_are_no_new_release(town, version):
    served, recipe, refresh = town
    before = locked(recipe)
    for name in ("business.json", "review.json"):
        os.utime(served.folder / name, (1_700_000_000, 1_700_000_000))
    for record in (recipe.parent / "home" / "fetched").iterdir():
        record.unlink()
    assert (refresh()[1]["releases"][0]["version"], locked(recipe)) == (version, before)


def cut(share: float):
    def spoil(served):
        path = served.folder / "business.json"
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])

    return spoil


def renamed(served):
    path = served.folder / "business.json"
    path.write_text(path.read_text().replace('"latitude"', '"lat"'))


def unreadable(served):
    path = served.folder / "business.json"
    path.write_text(path.read_text().replace('"latitude":', '"latitude":9'))


def elsewhere(host: str):
    def lead_away(served):
        served.fault("business.json", status(302, Location=served.url("business.json", host)))

    return lead_away


WORSE = {
    "gone": (lambda served: (served.folder / "business.json").unlink(), "answered 404"),
    "page": (lambda served: served.fault("business.json", page), "web page"),
    "elsewhere": (elsewhere("data.example"), "redirects to another host, data.example; refused"),
    "private": (elsewhere("localhost"), "redirects to another host, localhost; refused"),
    "endless": (lambda served: served.fault("business.json", endless), "did not end; at most 16 MB are read"),
    "shrunk": (cut(0.4), "shrank from"),
    "schema": (renamed, "its schema changed: it no longer has latitude"),
    "empty": (lambda served: served.fault("business.json", status(200)), "empty"),
    "unbuildable": (unreadable, "can no longer be built at"),
}


@pytest.mark.parametrize("case", WORSE)
def test_a_source_that_got_worse_is_quarantined_and_the_last_good_one_stays(case, town, version):
    served, recipe, refresh = town
    spoil, words = WORSE[case]
    before = locked(recipe)
    spoil(served)
    code, answer = refresh()
    (kept,) = answer["quarantined"]
    assert (code, kept["source"], kept["role"], kept["sha256"]) == (
        1, "yelp", "business", before["yelp.business"]["sha256"],
    )  # fmt: skip
    assert words in kept["detail"]
    assert (answer["releases"][0]["version"], answer["blocked"]) == (version, [])
    assert (locked(recipe), len(releases(recipe))) == (before, 1)


def test_a_changed_schema_can_be_accepted(town):
    served, _, refresh = town
    path = served.folder / "business.json"
    path.write_text(path.read_text().replace('"postal_code"', '"zip"'))
    assert refresh()[0] == 1
    code, answer = refresh("--accept", "yelp.business")
    assert (code, statuses(answer)["yelp.business"]) == (0, "changed")
    code, refused = refresh("--accept", "yelp.busines")
    assert (code, "the recipe binds no such file; it binds yelp.business" in refused["error"]) == (1, True)


def test_a_first_fetch_has_nothing_to_fall_back_on(town, tmp_path):
    served, recipe, _ = town
    recipe.with_suffix(".lock.json").unlink()
    served.fault("business.json", page)
    (served.folder / "review.json").unlink()
    code, answer = command("refresh", recipe, home=tmp_path / "other")
    assert code == 1
    assert "web page" in answer["error"]
    assert "answered 404" in answer["error"]
    assert not recipe.with_suffix(".lock.json").exists()


def test_a_lock_edited_by_hand_is_refused(town):
    _, recipe, refresh = town
    path = recipe.with_suffix(".lock.json")
    path.write_text(
        path.read_text().replace("yelp.com/dataset", "example.org").replace('"city_id": null', '"city_id": ""')
    )
    code, answer = refresh()
    assert (code, "changed since tripwright wrote it" in answer["error"]) == (1, True)


def test_only_what_is_due_is_asked_and_a_clock_that_jumped_back_asks_again(town, monkeypatch, tmp_path):
    served, _, refresh = town
    _, answer = refresh("--due")
    assert (set(statuses(answer).values()), served.asked) == ({"not_due"}, [])
    for record in (tmp_path / "home" / "fetched").iterdir():
        kept = json.loads(record.read_text())
        record.write_text(
            json.dumps({**kept, "checked_at": (dt.datetime.now(dt.UTC) - dt.timedelta(hours=25)).isoformat()})
        )
    _, answer = refresh("--due")
    assert set(statuses(answer).values()) == {"unchanged"}

    class Past(dt.datetime):
        @classmethod
        def now(cls, tz=None):
            return dt.datetime(2001, 1, 1, tzinfo=tz)

    monkeypatch.setattr("pipelines.releases.refresh.dt.datetime", Past)
    code, answer = refresh("--due")
    assert (code, set(statuses(answer).values())) == (0, {"unchanged"})
    assert "clock (2001-01-01 00:00 UTC) is behind the lock's" in answer["notices"][0]


def test_two_refreshes_at_once_make_one_release_and_no_step_that_one_alone_would_not_make(town, tmp_path):
    served, recipe, _ = town
    close_a_restaurant(served.folder)
    (tmp_path / "alone").mkdir()
    for path in (recipe, recipe.with_suffix(".lock.json")):
        shutil.copy(path, tmp_path / "alone")
    shutil.copytree(tmp_path / "home", tmp_path / "alone" / "home")
    alone = command("refresh", tmp_path / "alone" / recipe.name, home=tmp_path / "alone" / "home")[1]
    words = [sys.executable, "-m", "pipelines.cli", "refresh", str(recipe), "--home", str(tmp_path / "home"), "--json"]
    both = [subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    answers = [json.loads(child.communicate()[0]) for child in both]
    assert [child.returncode for child in both] == [0, 0], answers
    assert answers[0]["releases"] == answers[1]["releases"]
    ran = [answer["steps_run"] for answer in answers]  # neither waits for the other: a step may be made by both
    assert max(ran) <= alone["steps_run"] <= sum(ran)
    assert {answer["steps_run"] + answer["steps_skipped"] for answer in answers} == {
        alone["steps_run"] + alone["steps_skipped"]
    }
    assert len(releases(recipe)) == 2


def test_killed_at_any_moment_the_next_refresh_gives_the_same(town, tmp_path):
    served, recipe, refresh = town
    close_a_restaurant(served.folder)
    home = str(tmp_path / "home")
    for moment in ("12", "150"):
        words = [sys.executable, "-m", "tests.hostile.dying", moment, home, "refresh", str(recipe), "--home", home]
        assert subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == -signal.SIGKILL
    code, answer = refresh()
    assert code == 0
    fresh = command("refresh", recipe, home=tmp_path / "fresh")[1]
    assert fresh["releases"][0]["version"] == answer["releases"][0]["version"]


def test_a_disk_that_fills_up_publishes_nothing_and_the_next_refresh_goes_on(town, monkeypatch):
    served, recipe, refresh = town
    before = locked(recipe)
    close_a_restaurant(served.folder)
    put = os.replace
    for moment in (1, 4, 16):
        left = [moment]

        def fills_up(*paths, left=left):
            left[0] -= 1
            if left[0] <= 0:
                raise OSError(28, "No space left on device")
            put(*paths)

        monkeypatch.setattr("os.replace", fills_up)
        code, answer = refresh()
        assert code == 1
        assert "took no more" in json.dumps(answer)
        assert (locked(recipe), len(releases(recipe))) == (before, 1)
    monkeypatch.undo()
    assert (refresh()[0], len(releases(recipe))) == (0, 2)


def test_an_address_that_needs_an_account_says_where_the_file_goes(tmp_path):
    recipe = tmp_path / "town.toml"
    text = recipe_text("http://127.0.0.1:9")
    recipe.write_text(
        "\n".join('business = "b.json"\nreview = "r.json"' if x.startswith("url") else x for x in text.split("\n"))
    )
    code, answer = command("refresh", recipe, home=tmp_path / "home")
    assert code == 1
    assert "b.json: found no file; expected one here." in answer["error"]
    assert "Yelp Open Dataset" in answer["error"]


def test_a_path_beside_an_address_is_read_first_and_refreshed_from_the_address(town, tmp_path):
    served, recipe, refresh = town
    recipe.with_suffix(".lock.json").unlink()
    shutil.copy(served.folder / "business.json", tmp_path / "b.json")
    recipe.write_text(recipe_text(served.url("").rstrip("/"), business='"b.json"'))
    command("build", recipe, home=tmp_path / "home")
    first = locked(recipe)["yelp.business"]
    assert (first["location"], first["fetched"]) == ("b.json", False)
    close_a_restaurant(served.folder)
    code = refresh()[0]
    now = locked(recipe)["yelp.business"]
    assert (code, now["location"], now["fetched"]) == (0, "b.json", True)
    assert now["sha256"] != first["sha256"]
    assert statuses(refresh()[1]) == {"yelp.business": "unchanged", "yelp.review": "unchanged"}

"""Refreshing from a web server: what changed is built, what differs is released, and nothing is published twice."""

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

from assets.itinbench.solver import matching
from assets.release.reading import open_release
from tests.hostile.dying import died
from tests.pipelines.served_town import close_a_restaurant, locked, releases, statuses
from tests.recipes import command

ROOT = Path(__file__).resolve().parents[2]


def close(folder: Path, business_ids: list[str]) -> None:
    """Close these businesses for good."""
    path = folder / "business.json"
    lines = [
        line.replace('"is_open":1', '"is_open":0') if any(f'"{i}"' in line for i in business_ids) else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")


def test_a_refresh_builds_what_changed_and_releases_only_what_differs(town, first_version):
    served, recipe, refresh = town
    before = locked(recipe)
    assert before["yelp.business"]["fetched"] is True
    assert before["yelp.business"]["url"] == served.url("business.json")
    assert before["yelp.business"]["etag"]
    code, again = refresh()
    assert (code, again["steps_run"], again["releases"][0]["version"]) == (0, 0, first_version)
    assert statuses(again) == {"yelp.business": "unchanged", "yelp.review": "unchanged"}
    assert (locked(recipe), len(releases(recipe))) == (before, 1)
    closed = close_a_restaurant(served.folder)
    code, third = refresh()
    assert (code, statuses(third)) == (0, {"yelp.business": "changed", "yelp.review": "unchanged"})
    assert third["releases"][0]["version"] != first_version
    assert locked(recipe)["yelp.review"] == before["yelp.review"]
    assert len(releases(recipe)) == 2
    (changes,) = third["changes"]
    removed = [row for row in changes["tables"]["itinbench_place"] if row["status"] == "removed"]
    assert [row["key"].split("/")[1] for row in removed] == [f"yelp:{closed}"]
    assert removed[0]["old_sources"][0].startswith(f"yelp.business@{before['yelp.business']['sha256']}#L")
    assert changes["unexplained"] == []
    page = (Path(third["releases"][0]["path"]) / "record" / "CHANGES.md").read_text()
    assert f"yelp:{closed}" in page
    code, found = command("diff", first_version, third["releases"][0]["version"], home=recipe.parent / "home")
    assert (code, found["tasks"], found["tables"]) == (0, changes["tasks"], changes["tables"])


def test_a_task_that_lost_its_witness_is_retired_and_its_id_is_given_to_no_other(town, first_version, tmp_path):
    served, recipe, refresh = town
    before = open_release(next(releases(recipe)[0].parent.parent.glob(first_version)))
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


def test_people_s_corrections_enter_as_a_source_and_show_in_audit_and_difference(town, first_version, tmp_path):
    _, recipe, refresh = town
    home, sheet = tmp_path / "home", tmp_path / "sheet.csv"
    assert command("review", first_version, sheet, home=home)[1]["tasks"] == 5
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
    words = ("review", first_version, sheet, "--read", "--who", "A. Reader", "--recipe", recipe)
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


def test_a_release_whose_difference_has_no_reason_is_refused(town, first_version, monkeypatch):
    _, recipe, refresh = town
    close = "assets.release.diff._roots"
    monkeypatch.setattr(close, lambda old, new: iter(()))
    close_a_restaurant(town[0].folder)
    code, answer = refresh()
    assert (code, "without a reason" in answer["error"], len(releases(recipe))) == (1, True, 1)


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
    home = tmp_path / "home"
    for moment in (12, 150):
        assert died(moment, home, "refresh", recipe, "--home", home) == (-signal.SIGKILL, 0)
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

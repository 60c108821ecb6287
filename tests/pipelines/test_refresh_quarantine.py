"""Sources that got worse, or are not what a recipe expects: kept out, told, and the last good file stays."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.pipelines.served_town import close_a_restaurant, locked, recipe_text, releases, statuses
from tests.recipes import command
from tests.served import endless, page, status


def test_a_build_reads_what_was_fetched_without_asking_the_network(town, first_version, tmp_path):
    served, recipe, _ = town
    close_a_restaurant(served.folder)
    code, built = command("build", recipe, "--locked", home=tmp_path / "home")
    assert (code, built["releases"][0]["version"], served.asked) == (0, first_version, [])


def test_equal_bytes_of_another_date_are_no_new_release(town, first_version):
    served, recipe, refresh = town
    before = locked(recipe)
    for name in ("business.json", "review.json"):
        os.utime(served.folder / name, (1_700_000_000, 1_700_000_000))
    for record in (recipe.parent / "home" / "fetched").iterdir():
        record.unlink()
    assert (refresh()[1]["releases"][0]["version"], locked(recipe)) == (first_version, before)


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
def test_a_source_that_got_worse_is_quarantined_and_the_last_good_one_stays(case, town, first_version):
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
    assert (answer["releases"][0]["version"], answer["blocked"]) == (first_version, [])
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

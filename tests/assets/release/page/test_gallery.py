"""The gallery: a card for each recipe, with a map where one can be drawn; whatever names say, nothing runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from assets.release.page import gallery as module
from assets.release.page.gallery import gallery
from schemas.page import FamilyPage, PagePlace
from tests.assets.release.page.hostile import HOSTILE
from tests.assets.release.page.test_first import STREET, kept

__all__ = ["kept"]

BOX = {"south": 40.0, "west": -86.0, "north": 40.02, "east": -85.97}


def release(recipe: str, family: str, title: str, inputs: list[Any], name: str = "Alder") -> Any:
    manifest = SimpleNamespace(
        recipe=recipe, family=family, title=title, counts={"tasks": 5, "certified": 4}, inputs=inputs,
        cities=[{"city_id": "us-in-alder", "name": name, "country": "US", "box": BOX}],
        licences=[{"licence_id": "ODbL-1.0", "attribution": [f"© {name}"]}],
    )  # fmt: skip
    return SimpleNamespace(manifest=manifest)


@pytest.fixture(autouse=True)
def places(monkeypatch):
    found = tuple(PagePlace(str(n), "us-in-alder", "stay", "A", 40.008 + n / 2000, -85.99 + n / 2000) for n in range(9))
    monkeypatch.setattr(module, "family_page", lambda _: FamilyPage((), found))


def test_a_recipe_has_one_card_with_a_map_and_its_families(kept):
    snapshots, keep = kept
    inputs = [keep(STREET)]
    shelves = [
        ("towns/itinbench/1/record/report.html", release("towns", "itinbench", "Two towns", inputs)),
        ("towns/tripcraft/2/record/report.html", release("towns", "tripcraft", "Two towns", inputs)),
        ("other/itinbench/3/record/report.html", release("other", "itinbench", "Elsewhere", [])),
    ]
    page = gallery(shelves, snapshots)
    assert page.count('class="card"') == 2
    assert page.count("<h2>") == 2
    assert "12 of 15 tasks certified solvable" in page
    assert 'href="towns/tripcraft/2/record/report.html"' in page
    assert page.count('<path class="line primary"') == 1
    assert page.count('<path class="built"') == 1, "where no street map is bound the places' ground stands in"
    assert page.count("<circle") == 2 * 5, "in the middle of each picture"


def test_a_card_names_no_town_that_people_only_set_out_from(kept):
    from_there = {"city_id": "us-in-birch", "name": "Birch", "country": "US", "box": BOX, "is_visited": False}
    held = release("a", "tripcraft", "One town", [])
    held.manifest.cities.append(from_there)
    page = gallery([("a", held)], kept[0])
    assert ("Alder" in page, "Birch" in page) == (True, False)


def test_a_card_names_no_town_of_which_no_place_is_shown(kept):
    held = release("a", "tripcraft", "One town", [])
    held.manifest.cities.append({"city_id": "us-in-birch", "name": "Birch", "country": "US", "box": BOX})
    page = gallery([("a", held)], kept[0])
    assert ("Alder" in page, "Birch" in page) == (True, False)


def test_a_picture_that_cannot_be_drawn_stops_no_other(kept, monkeypatch):
    snapshots, _ = kept
    monkeypatch.setattr(module, "thumbnail", lambda *_: 1 / 0)
    page = gallery([("a", release("a", "itinbench", "A", [])), ("b", release("b", "itinbench", "B", []))], snapshots)
    assert page.count("No map could be drawn") == 2


def test_an_empty_home_has_a_gallery_too(kept):
    assert "holds no release yet" in gallery([], kept[0])


def test_hostile_names_are_text_in_the_gallery(kept, browser, tmp_path):
    snapshots, _ = kept
    shelves = [(f"r{n}/report.html", release(f"r{n}", "itinbench", name, [], name)) for n, name in enumerate(HOSTILE)]
    file = tmp_path / "gallery.html"
    file.write_text(gallery(shelves, snapshots), encoding="utf-8")
    tab = browser.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(file.as_uri())
    titles = tab.locator("h2").all_inner_texts()
    assert [" ".join(t.split()) for t in titles] == [" ".join(n.split()) for n in HOSTILE_IN_ORDER]
    tags = set(tab.evaluate("[...document.querySelectorAll('body *')].map(one => one.localName)"))
    assert tags <= {
        "main",
        "h1",
        "h2",
        "p",
        "ul",
        "li",
        "div",
        "a",
        "span",
        "bdi",
        "svg",
        "g",
        "path",
        "circle",
        "footer",
    }
    assert complaints == []
    assert asked == [file.as_uri()]
    tab.close()


HOSTILE_IN_ORDER = [HOSTILE[n] for n in sorted(range(len(HOSTILE)), key=lambda n: f"r{n}")]

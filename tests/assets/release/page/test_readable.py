"""The page in Chromium, whoever reads it: on a phone, by the keyboard alone, in light and dark, from the right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from assets.release.page.render import render
from tests.assets.release.page.conftest import PHONE
from tests.assets.release.page.hand import page_rows

BESIDE = """words => {
    const all = document.createTreeWalker(document.querySelector(words.within), NodeFilter.SHOW_TEXT);
    const left = text => {
        all.currentNode = all.root;
        while (all.nextNode()) {
            const at = all.currentNode.data.indexOf(text);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(all.currentNode, at);
            range.setEnd(all.currentNode, at + text.length);
            return range.getBoundingClientRect().left;
        }
    };
    return words.texts.map(left);
}"""


def test_figures_beside_names_from_the_right_stand_where_they_are_said(opened, tmp_path):
    """A figure after such a name was drawn to the left of it, with the name's end of sentence."""
    rows = page_rows()
    detail, listed = rows["tasks"][0]["itinbench.00007"], rows["overview"]["tasks"][7]
    listed["query"] = "Three days in רמת גן, 57 ILS a day"
    detail["messages"] = [["A friend", "Museums in الرياض. 9 hours a day"]]
    detail["days"][0]["stops"][0][3] = "\u2068רמת\u2069, 64 ILS a person"
    page = tmp_path / "right.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    tab.locator(".list .title", has_text="Trip 7").first.click()
    expect(tab.locator(".task-title")).to_have_text("Trip 7")
    for within, *texts in (("blockquote", "in ", "רמת גן", "57", "ILS"), (".messages", "in ", "الرياض", "9", "hours"),
                           (".day .stop .small", "רמת", "64", "ILS")):  # fmt: skip
        places = tab.evaluate(BESIDE, {"within": within, "texts": texts})
        assert places == sorted(places), (within, texts)


def test_tables_that_a_phone_scrolls_are_reached_by_keyboard(opened):
    tab = opened()
    wide = tab.locator(".wide")
    assert wide.count() > 1
    for table in wide.all():
        expect(table).to_have_attribute("tabindex", "0")
        expect(table).to_have_attribute("aria-label", re.compile(".+"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_both_themes(opened, scheme):
    tab = opened(color_scheme=scheme)
    too_dim = tab.evaluate(Path(__file__).with_name("contrast.js").read_text(encoding="utf-8"))
    assert too_dim == []


@pytest.mark.parametrize("width", [320, 280])
@pytest.mark.parametrize("family", ["itinbench", "tripcraft", "grouptravel"])
def test_on_the_narrowest_phones_nothing_is_wider_than_the_screen(opened, small_world, family, width):
    """Of a real release: what metrics mean did not fit, nor licences on a folded phone."""
    tab = opened(small_world.releases[family] / "record/report.html", viewport={"width": width, "height": 640})
    assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_on_a_phone_nothing_is_wider_than_the_screen_and_a_task_takes_it_all(opened):
    tab = opened(**PHONE)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    expect(tab.get_by_role("list", name="Tasks found").get_by_role("link")).to_have_count(3)
    expect(tab.get_by_role("article", name="Task").get_by_role("heading", name="Trip 0")).to_be_visible()
    expect(tab.get_by_role("link", name="← All tasks")).to_be_hidden()
    tab.get_by_role("button", name="Show more").tap()
    tab.get_by_role("link", name=re.compile("^Trip 5 ")).tap()
    expect(tab.get_by_role("article", name="Task")).to_be_visible()
    expect(tab.get_by_label("Search tasks")).to_be_hidden()
    expect(tab.locator(".task-title")).to_be_in_viewport()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.get_by_role("link", name="← All tasks").tap()
    expect(tab.get_by_label("Search tasks")).to_be_visible()


def test_on_a_phone_figures_beside_each_other_do_not_touch(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["difficulty"][0][0] |= {"baseline": 12_107.7, "witness": 12_107.7}
    page = tmp_path / "figures.html"
    page.write_bytes(render(rows))
    gaps = opened(page, **PHONE).evaluate(
        """[...document.querySelectorAll(".by-words tbody tr")].map(row => {
          const [one, other] = [...row.cells].slice(1).map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            const { right, bottom } = range.getBoundingClientRect();
            return { right, bottom, left: cell.getBoundingClientRect().left, top: cell.getBoundingClientRect().top };
          });
          return other.top >= one.bottom ? Infinity : other.left - one.right;
        })"""
    )
    assert len(gaps) == 2
    assert min(gaps) >= 6


def test_the_keyboard_alone_searches_opens_and_follows(opened):
    tab = opened()
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("link", name="Skip to the tasks")).to_be_focused()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    expect(tab.get_by_label("Search tasks")).to_be_focused()
    tab.keyboard.type("number 7")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    task = tab.get_by_role("article", name="Task")
    expect(task.locator(".task-title")).to_have_text("Trip 17")
    expect(task).to_be_focused()
    for wanted in ("All days", "Day 1", "Day 2"):
        tab.keyboard.press("Tab")
        expect(task.get_by_role("button", name=wanted)).to_be_focused()
    tab.keyboard.press("Space")
    expect(task.locator(".day h5")).to_contain_text("Day 2")
    for _ in range(40):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.textContent").startswith("Witness plan"):
            break
    tab.keyboard.press("Enter")
    expect(task.get_by_text("days › 1 › lunch")).to_be_visible()

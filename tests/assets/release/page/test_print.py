"""The page on paper: nothing is cut off, and what colour tells is printed though grounds are not."""

from __future__ import annotations

from assets.release.page.render import render
from tests.assets.release.page.hand import page_rows
from tests.assets.release.page.test_maps import drawn_map

PAPER_PX = 660
"""About what A4 and Letter leave between their margins."""

SIDES = """selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [box.width, box.height, box.left, box.right];
}"""


def test_a_map_keeps_what_it_shows_and_fits_the_paper(opened):
    tab = opened()
    drawn_map(tab)
    wide, high, *_ = tab.evaluate(SIDES, "#map .town")
    tab.emulate_media(media="print")
    printed_wide, printed_high, left, right = tab.evaluate(SIDES, "#map .town")
    *_, main_left, main_right = tab.evaluate(SIDES, "main")
    assert main_left <= left <= right <= main_right <= main_left + PAPER_PX
    assert abs(printed_high / printed_wide - high / wide) < 0.01


def test_a_map_on_paper_does_not_shrink_while_it_is_drawn(opened):
    """Each time that it was drawn it was laid out anew by what it had just been, without its border."""
    tab = opened(viewport={"width": 794, "height": 1100})
    drawn_map(tab)
    shown = tab.evaluate(SIDES, "#map .town")
    tab.emulate_media(media="print")
    for _ in range(20):
        tab.evaluate("() => new Promise(requestAnimationFrame)")
    wide, high, *_ = tab.evaluate(SIDES, "#map .town")
    smaller = min(1, (PAPER_PX - 2) / shown[0])
    assert abs(wide - shown[0] * smaller) < 2
    assert abs(high - shown[1] * smaller) < 2


def test_no_part_of_the_page_is_wider_than_paper(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["flow"]["stages"] *= 6
    page = tmp_path / "stages.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    tab.emulate_media(media="print")
    beyond = tab.evaluate(
        """() => {
          const edge = document.querySelector("main").getBoundingClientRect().right + 1;
          return [...document.querySelectorAll("main *")]
            .filter(one => !one.closest(".mapbox") && one.getBoundingClientRect().right > edge)
            .map(one => one.className || one.tagName);
        }"""
    )
    assert beyond == []


def test_what_colour_tells_is_printed(opened):
    tab = opened(color_scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    for selector in (".layer i", ".key i", ".track .bar", ".stack .kept", ".dot", ".pin"):
        assert tab.locator(selector).first.evaluate("one => getComputedStyle(one).printColorAdjust") == "exact", (
            selector
        )
    assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(31, 37, 41)"  # the ink of the light page


def test_buttons_that_paper_cannot_press_are_left_out(opened):
    tab = opened()
    tab.emulate_media(media="print")
    for selector in (".tabs", ".zoom", ".finder", ".bar", ".layer input"):
        assert not tab.locator(selector).first.is_visible(), selector

"""The maps of the page in Chromium: dots and their cards, numbered stops, names that keep off both."""

from __future__ import annotations

import base64
import re
from itertools import combinations, pairwise

import pytest
from playwright.sync_api import expect

from assets.release.page.render import render
from tests.assets.release.page.conftest import PHONE
from tests.assets.release.page.hand import page_rows

NOTE_NAMES = """
window.names = [];
let frame = 0;
const next = () => { frame += 1; requestAnimationFrame(next); };
requestAnimationFrame(next);
const real = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { x: middle, y: height } = this.getTransform().transformPoint({ x, y });
  const map = this.canvas.closest("#map, #tasks")?.id;
  window.names.push({ frame, map, text, x: middle, y: height, width: this.measureText(text).width });
  return real.call(this, text, x, y);
};
"""
"""Notes every name that is drawn: in which frame and map, and where its middle is in pixels of its map."""


def drawn_names(tab, of: str) -> list[dict]:
    """Return the names that the map in the section `of` shows at rest: text, middle and width, in pixels."""
    tab.locator(f"#{of} .mapbox[data-drawn]").wait_for()
    tab.wait_for_timeout(500)
    names = [name for name in tab.evaluate("names") if name["map"] == of]
    last = max((name["frame"] for name in names), default=0)
    return [name for name in names if name["frame"] == last]


def drawn_map(tab) -> str:
    """Return all that the city's map shows, once it is drawn and at rest."""
    tab.locator("#map .mapbox[data-drawn]").wait_for()
    tab.wait_for_timeout(350)
    return tab.evaluate(
        "[...document.querySelectorAll('#map canvas')].map(one => one.toDataURL() + one.style.transform).join()"
    )


def test_each_town_s_streets_stand_in_the_page_under_their_own_number():
    rows = page_rows()
    rows["basemaps"] = [b"first", b"second"]
    blocks = re.findall(rb'<script type="application/octet-stream" id="basemap-(\d+)">([^<]*)</script>', render(rows))
    assert [(int(number), base64.b64decode(body)) for number, body in blocks] == [(0, b"first"), (1, b"second")]


def test_a_click_on_a_place_opens_its_card(opened, tmp_path):
    rows = page_rows()
    lonely = ["Café Ida", 40.001, -86.001, "osm:node/1", [["Price", "12 USD"]], ["osm.extract node/1"]]
    rows["maps"]["places"] = [{"us-in-alder": {"restaurant": [lonely]}}, {}]
    page = tmp_path / "lonely.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    drawn_map(tab)
    town = tab.locator("#map .town")
    box = town.bounding_box()
    card = tab.get_by_role("dialog", name="Place")
    # The place is in the middle of what the buttons leave free.
    town.click(position={"x": box["width"] / 2 - 11, "y": box["height"] / 2 + 2})
    expect(card.get_by_role("heading")).to_have_text("Café Ida")
    expect(card.locator(".facts")).to_have_text("Price12 USD")
    levels = [
        int(name[1])
        for name in tab.evaluate("[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(h => h.tagName)")
    ]
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []
    expect(card.get_by_text("From osm.extract node/1")).to_be_visible()
    expect(card.locator(".card-more")).to_contain_text("In 50 plans: Trip 1, Trip 3")
    card.get_by_role("link", name="Trip 3", exact=True).click()
    expect(tab.locator(".task-title")).to_have_text("Trip 3")
    card.get_by_label("Close").click()
    expect(card).to_have_count(0)


def test_a_card_that_grows_is_seen_whole_on_a_slow_phone_too(opened, tmp_path):
    rows = page_rows()
    facts = [[f"Fact {n}", "as long as it takes"] for n in range(11)]
    rows["maps"]["places"] = [{"us-in-alder": {"stay": [["Café Ida", 40.01, -85.995, "osm:node/1", facts]]}}, {}]
    page = tmp_path / "lonely.html"
    page.write_bytes(render(rows))
    tab = opened(page, **PHONE)
    drawn_map(tab)
    town = tab.locator("#map .town")
    _slow_down(tab, frames=12)
    box = town.bounding_box()
    town.click(position={"x": box["width"] / 2 - 23, "y": box["height"] / 2 - 11})
    card = tab.get_by_role("dialog", name="Place")
    expect(card.locator(".card-more")).to_contain_text("In 50 plans")
    tab.wait_for_timeout(1500)
    assert card.bounding_box()["y"] - town.bounding_box()["y"] == pytest.approx(12, abs=2)  # the margin asked for


def _slow_down(tab, frames: int) -> None:
    """Make each of the next frames last a third of a second, so that a move of the map is over in one of them."""
    tab.evaluate(
        """frames => {
          const slow = () => {
            const until = performance.now() + 333;
            while (performance.now() < until);
            if (--frames) requestAnimationFrame(slow);
          };
          document.querySelector("#map .town").addEventListener("pointerup", slow, { once: true });
        }""",
        frames,
    )


def test_the_scale_is_as_wide_as_its_words(opened):
    tab = opened(**PHONE)
    scale = tab.locator("#map .scale")
    for _ in range(5):
        drawn_map(tab)
        assert scale.evaluate("one => one.scrollWidth <= one.clientWidth"), scale.inner_text()
        tab.locator("#map").get_by_label("Closer").click()


def test_a_task_is_opened_and_its_witness_walked_day_by_day_on_the_map(opened):
    tab = opened()
    tab.get_by_role("link", name=re.compile("^Trip 3 ")).click()
    task = tab.get_by_role("article", name="Task")
    expect(task.locator("blockquote")).to_have_text("Plan trip number 3 with Café Ida")
    expect(task.locator(".day h5")).to_have_count(1)
    expect(task.locator(".pin")).to_have_text(["1", "2"])
    task.get_by_role("button", name="All days").click()
    expect(task.locator(".pin")).to_have_count(6)
    task.get_by_role("button", name="Day 3").click()
    expect(task.locator(".day h5")).to_contain_text("Day 3")
    task.locator("button.stop").nth(1).click()
    expect(task.locator(".tip .label")).to_have_text("Hotel Pemberton")
    assert tab.evaluate("location.hash") == "#task=itinbench.00003"
    tab.go_back()
    expect(task.locator(".task-title")).to_have_text("Trip 0")


def test_the_map_changes_city_and_hides_layers(opened):
    tab = opened()
    section = tab.locator("#map")
    expect(section.locator(".layer")).to_contain_text(["Transit stops2", "Restaurants3", "Stays1"])
    drawn = drawn_map(tab)
    section.get_by_label("Transit stops").uncheck()
    assert drawn_map(tab) != drawn
    drawn = drawn_map(tab)
    section.get_by_label("Restaurants").uncheck()
    assert drawn_map(tab) != drawn
    section.locator("#city").select_option("us-in-birch")
    expect(section.locator(".layer")).to_contain_text(["Attractions1"])
    expect(section.get_by_text("The recipe binds no street map here")).to_be_visible()


def test_a_map_without_places_says_so_of_a_city_that_people_travel_to(opened, tmp_path):
    """A family without a page of its own names no places; it was said that trips only set out from its cities."""
    rows = page_rows()
    rows["maps"]["places"] = [{} for _ in rows["maps"]["places"]]
    page = tmp_path / "placeless.html"
    page.write_bytes(render(rows))
    section = opened(page).locator("#map")
    expect(section.get_by_text("This family names no places for its map.")).to_be_visible()
    expect(section.get_by_text("set out from here")).to_have_count(0)


def test_a_window_without_room_for_a_map_brings_no_complaint(opened):
    tab = opened()
    drawn_map(tab)
    for window in ({"width": 1, "height": 1}, PHONE["viewport"]):  # as a folded panel, and a picture of the whole page
        tab.set_viewport_size(window)
        tab.wait_for_timeout(300)
    tab.screenshot(full_page=True)


@pytest.mark.parametrize("window", [PHONE, {}], ids=["phone", "desk"])
def test_no_stop_of_a_plan_lies_under_the_buttons(opened, window, tmp_path):
    rows = page_rows()
    for number, day in enumerate(rows["tasks"][0]["itinbench.00003"]["days"]):
        day["stops"][1][5] = -86 + number / 100  # from west to east, wider than high
    page = tmp_path / "wide.html"
    page.write_bytes(render(rows))
    task = opened(page, "#task=itinbench.00003", **window).get_by_role("article", name="Task")
    task.get_by_role("button", name="All days").click()
    task.page.wait_for_timeout(400)
    left_of_buttons = task.locator(".zoom").bounding_box()["x"]
    pins = [pin.bounding_box() for pin in task.locator(".pin").all()]
    assert len(pins) == 6
    assert max(pin["x"] + pin["width"] for pin in pins) <= left_of_buttons


def test_the_map_moves_by_the_keyboard(opened):
    tab = opened()
    tab.locator("#map .town").focus()
    drawn = drawn_map(tab)
    tab.keyboard.press("ArrowRight")
    tab.wait_for_timeout(400)
    assert drawn_map(tab) != drawn


def test_the_theme_is_chosen_and_kept(opened):
    tab = opened(color_scheme="light")
    light = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    map_light = drawn_map(tab)
    tab.locator("#theme").click()
    tab.locator("#theme").click()
    expect(tab.locator("#theme")).to_have_text("Theme: dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert drawn_map(tab) != map_light
    tab.reload()
    expect(tab.locator("#theme")).to_have_text("Theme: dark", timeout=60_000)  # on a busy machine it begins late


def _page_of_stops(tmp_path, *stops: tuple[str, float, float]):
    """Return the file of a page whose task itinbench.00003 is one day of stops: name, latitude, longitude."""
    rows = page_rows()
    task = rows["tasks"][0]["itinbench.00003"]
    task["days"] = [{"title": "Day 1", "note": "", "ways": [],
                     "stops": [["Visit", name, "", "", lat, lon, ""] for name, lat, lon in stops]}]  # fmt: skip
    page = tmp_path / "stops.html"
    page.write_bytes(render(rows))
    return page


def test_no_name_lies_under_a_numbered_stop(opened, tmp_path):
    # The name of the third would run over the second, and that of a quarter of the town, CAFÉ IDA, under the fourth.
    stops = (
        ("Far West", 40.004, -86.008),
        ("Middle one", 40.004, -85.9867),
        ("Far East", 40.004, -85.983),
        ("Q", 40.01, -85.99275),
    )
    tab = opened(_page_of_stops(tmp_path, *stops), "#task=itinbench.00003", script=NOTE_NAMES)
    names = drawn_names(tab, "tasks")
    map_box = tab.locator("#tasks .town").bounding_box()
    pins = [pin.bounding_box() for pin in tab.locator("#tasks .pin").all()]
    texts = {name["text"] for name in names}
    assert len(pins) == 4
    assert {"Far West", "Middle one", "Q"} <= texts
    for name in names:
        left, right = name["x"] - name["width"] / 2, name["x"] + name["width"] / 2
        for pin in pins:
            x, y = pin["x"] - map_box["x"], pin["y"] - map_box["y"]
            is_beside = right < x or left > x + pin["width"]
            assert is_beside or not y < name["y"] < y + pin["height"], (name["text"], pin)


def test_stops_at_one_door_in_the_east_keep_off_the_buttons(opened, tmp_path):
    doors = [(f"Floor {n}", 40.004, -85.985 - n / 5e4) for n in range(3)]
    page = _page_of_stops(tmp_path, *doors, ("West", 40.006, -86.0))
    tab = opened(page, "#task=itinbench.00003", **PHONE)
    tab.locator("#tasks .mapbox[data-drawn]").wait_for()
    tab.wait_for_timeout(400)
    boxes = [pin.bounding_box() for pin in tab.locator("#tasks .pin").all()]
    assert len(boxes) == 4
    assert all(abs(one["x"] - other["x"]) >= 24 for one, other in combinations(boxes, 2))
    assert max(box["x"] + box["width"] for box in boxes) <= tab.locator("#tasks .zoom").bounding_box()["x"]


def test_a_map_that_becomes_narrower_shows_the_plan_whole_until_the_reader_looks_elsewhere(opened, tmp_path):
    page = _page_of_stops(tmp_path, ("West", 40.006, -86.01), ("Middle", 40.006, -86.0), ("East", 40.006, -85.99))
    tab = opened(page, "#task=itinbench.00003", viewport={"width": 1280, "height": 860})
    tab.locator("#tasks .mapbox[data-drawn]").wait_for()

    def margins(width: int) -> tuple[float, float]:
        """Return how far the outermost stops lie inside the map in a window of this width."""
        tab.set_viewport_size({"width": width, "height": 860})
        tab.wait_for_timeout(300)
        town = tab.locator("#tasks .town").bounding_box()
        boxes = [pin.bounding_box() for pin in tab.locator("#tasks .pin").all()]
        right = max(box["x"] + box["width"] for box in boxes)
        return min(box["x"] for box in boxes) - town["x"], town["x"] + town["width"] - right

    assert min(margins(1000)) > 0
    tab.locator("#tasks").get_by_role("button", name="Closer").click()
    assert min(margins(960)) < 0, "what the reader chose stays"


def test_stops_at_one_door_stand_side_by_side(opened, tmp_path):
    door = [(f"Floor {n}", 40.004, -85.99 - n / 5e3) for n in range(3)]
    page = _page_of_stops(tmp_path, *door, ("Elsewhere", 40.01, -86.0))
    tab = opened(page, "#task=itinbench.00003")
    tab.locator("#tasks .mapbox[data-drawn]").wait_for()
    tab.wait_for_timeout(400)
    boxes = [pin.bounding_box() for pin in tab.locator("#tasks .pin").all()]
    assert len(boxes) == 4
    assert all(abs(one["x"] - other["x"]) >= 24 for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("window", [PHONE, {}], ids=["phone", "desk"])
def test_a_large_town_without_a_street_map_names_its_sights_at_once(opened, window, tmp_path):
    rows = page_rows()
    sights = [[f"Museum {n}", 40.9 + n / 20, -86.2 + n / 20, f"osm:node/{n}", []] for n in range(5)]
    rows["overview"]["cities"][1]["box"] = [40.85, -86.25, 41.15, -85.95]
    rows["maps"]["places"] = [{"us-in-birch": {"attraction": sights}}, {}]
    page = tmp_path / "wide.html"
    page.write_bytes(render(rows))
    names = drawn_names(opened(page, script=NOTE_NAMES, **window), "map")
    assert len({name["text"] for name in names}) >= 3


def test_real_streets_are_credited_on_every_map_that_shows_them(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["licences"][0]["attribution"] = ["© OpenStreetMap contributors"]
    page = tmp_path / "credited.html"
    page.write_bytes(render(rows))
    tab = opened(page, "#task=itinbench.00003")
    tab.locator("#tasks .mapbox[data-drawn]").wait_for()
    drawn_map(tab)
    for of in ("#map", "#tasks"):
        credit = tab.locator(f"{of} .credit")
        expect(credit).to_have_text("© OpenStreetMap contributors, ODbL")
        expect(credit.get_by_role("link")).to_have_attribute("href", "https://www.openstreetmap.org/copyright")
    tab.locator("#map #city").select_option("us-in-birch")  # no street map
    expect(tab.locator("#map .credit")).to_be_hidden()


NOTE_STAMPS = """
window.shapes = {};
const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (image, ...at) {
  if (this.canvas.className === "dots" && image.width) {
    const { data } = image.getContext("2d").getImageData(0, 0, image.width, image.height);
    const [r, g, b] = data.subarray(4 * (Math.floor(image.height / 2) * image.width + Math.floor(image.width / 2)));
    window.shapes[[r, g, b]] = [...data].filter((_, n) => n % 4 === 3).map(alpha => alpha > 127 ? "#" : ".").join("");
  }
  return draw.call(this, image, ...at);
};
"""
"""Notes, by the colour in its middle, which pixels a dot covers."""


def test_kinds_of_places_differ_by_shape_and_not_by_colour_alone(opened, tmp_path):
    rows = page_rows()
    rows["maps"]["places"] = [
        {
            "us-in-alder": {
                kind: [["A place", 40.01, -86 + n / 1e3, "", []]]
                for n, kind in enumerate(("restaurant", "attraction", "stay"))
            }
        },
        {},
    ]
    page = tmp_path / "kinds.html"
    page.write_bytes(render(rows))
    tab = opened(page, script=NOTE_STAMPS)
    drawn_map(tab)
    for _ in range(3):  # near enough for dots that are large
        tab.locator("#map").get_by_label("Closer").click()
        tab.wait_for_timeout(250)
    shapes = tab.evaluate("shapes")
    assert len(shapes) == 3
    assert len(set(shapes.values())) == 3


def _across_the_antimeridian(tmp_path, *boxes: list[float]):
    """Return the file of a page whose cities have these boxes, with one day of stops on both sides of 180 degrees."""
    rows = page_rows()
    for city, box in zip(rows["overview"]["cities"], boxes, strict=True):
        city["box"] = box
    rows["overview"]["first"] = "itinbench.00003"
    for listed in rows["overview"]["tasks"]:
        listed["cities"] = [city["city_id"] for city in rows["overview"]["cities"]]
    stops = [["Visit", f"Sight {n}", "", "", 40.01, lon, ""] for n, lon in enumerate((179.995, -179.995, 179.999))]
    rows["tasks"][0]["itinbench.00003"]["days"] = [{"title": "Day 1", "note": "", "ways": [], "stops": stops}]
    page = tmp_path / "across.html"
    page.write_bytes(render(rows))
    return page


ONE_CITY = ([40.0, 179.99, 40.02, -179.99], [41.0, -86.0, 41.02, -85.98])
TWO_CITIES = ([40.0, 179.98, 40.02, 179.9999], [40.0, -179.9999, 40.02, -179.98])


@pytest.mark.parametrize("boxes", [ONE_CITY, TWO_CITIES], ids=["one city", "two cities"])
def test_a_trip_across_the_antimeridian_is_as_long_as_it_is(opened, tmp_path, boxes):
    tab = opened(_across_the_antimeridian(tmp_path, *boxes))
    expect(tab.locator("#tasks .pin")).to_have_count(3)
    tab.locator("#tasks .mapbox[data-drawn]").wait_for()
    tab.wait_for_timeout(400)
    town = tab.locator("#tasks .town").bounding_box()
    for pin in tab.locator("#tasks .pin").all():
        box = pin.bounding_box()
        assert town["x"] <= box["x"] <= town["x"] + town["width"]
        assert town["y"] <= box["y"] <= town["y"] + town["height"]
    assert tab.locator("#tasks .scale").inner_text().endswith(" m")  # not a thousand kilometres

"""The page in Chromium, as its readers use it: with a mouse, on a phone, by the keyboard alone, in light and dark."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from assets.release.page.render import render
from tests.assets.release.page.conftest import PHONE
from tests.assets.release.page.hand import page_rows
from tests.assets.release.page.hostile import HOSTILE


def test_tasks_are_found_by_words_and_filters(opened):
    tab = opened()
    found = tab.locator(".finder [role=status]")
    expect(found).to_have_text("100 tasks")
    tab.get_by_label("Search tasks").fill("NUMBER 77")
    expect(found).to_have_text("1 of 100 tasks")
    expect(tab.locator(".list .title")).to_have_text(["Trip 77"])
    tab.get_by_label("Search tasks").fill("")
    tab.get_by_label("Family", exact=True).select_option("TripCraft")
    tab.get_by_label("Difficulty").select_option("hard")
    tab.get_by_label("Length").select_option("3 days")
    hard = [n for n in range(50, 100) if n % 3 == 2 and n % 2]
    expect(tab.locator(".list .title")).to_have_text([f"Trip {n}" for n in hard])
    tab.locator(".finder").get_by_label("City").select_option("us-in-birch")
    expect(tab.locator(".list .none")).to_be_visible()


def test_words_of_messages_are_found(opened, tmp_path):
    rows = page_rows()
    rows["tasks"][0]["itinbench.00007"]["messages"] = [["A friend", "I will not eat Xanthan gum"]]
    page = tmp_path / "said.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    tab.get_by_label("Search tasks").fill("xanthan")
    expect(tab.locator(".list .title")).to_have_text(["Trip 7"])


def test_the_page_begins_with_a_map_and_the_task_that_was_chosen_which_is_the_first_of_the_list(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["first"] = "tripcraft.00061"
    page = tmp_path / "first.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    expect(tab.locator(".task-title")).to_have_text("Trip 61")
    order = tab.evaluate("[...document.querySelectorAll('main > section')].map(one => one.id)")
    assert order == ["", "map", "tasks", "difficulty", "distributions", "flow", "licences", "changes"]
    expect(tab.locator(".list .title").nth(0)).to_have_text("Trip 61")
    expect(tab.locator(".list .title").nth(1)).to_have_text("Trip 0")


@pytest.mark.parametrize(
    ("visited", "figure", "title"),
    [([True, True], "2 cities", "The cities"), ([True, False], "1 city to visit, and 1 to set out from", "The city")],
)
def test_towns_that_people_only_set_out_from_are_counted_apart_without_a_map(opened, tmp_path, visited, figure, title):
    rows = page_rows()
    for city, is_visited in zip(rows["overview"]["cities"], visited, strict=True):
        city["is_visited"] = is_visited
    page = tmp_path / "apart.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    assert " ".join(tab.locator(".figure").first.inner_text().split()) == figure
    expect(tab.locator("#map h2")).to_have_text(title)
    expect(tab.locator("#map select option")).to_have_count(2 if all(visited) else 0)


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


def test_metrics_are_told_in_words_with_their_units(opened):
    rows = opened().locator("#difficulty table").first.locator("tbody tr")
    first, second = [row.inner_text().split("\t") for row in rows.all()]
    assert first[0].splitlines()[-1] == "ecj · less is better"
    assert first[0].startswith("Jumps ")
    assert first[1:] == ["12.3 %", "0 %"]
    assert second == ["Own figure", "0.25", "not measured"]


def test_what_the_reference_planners_reach_is_shown_with_its_intervals(opened, tmp_path):
    rows = page_rows()
    lines = rows["overview"]["planners"][1]
    of = {"planner": "careful", "tasks": 10, "percent": 99.0, "percent_low": 98.0, "percent_high": 100.0}
    of |= {"solved": 1.0, "solved_low": 0.72, "solved_high": 1.0}
    lines += [{**of, "level": level} for level in ("", "easy")]
    page = tmp_path / "levels.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    expect(tab.get_by_text("reference planners on 10 of 50 tasks, with intervals of 95 %")).to_be_visible()
    expect(tab.locator("#difficulty tr.same th")).to_have_text(["careful"])  # for those who hear the table
    cells = [text.split("\t")[1:] for text in _planners(tab).all_inner_texts()]
    assert cells == [
        ["all", "10", "40.5 (37 to 44)", "50 % (24 to 76)"],
        ["Hotel Pemberton", "1", "7.0", "0 % (0 to 79)"],
        ["all", "10", "99.0 (98 to 100)", "100 % (72 to 100)"],
        ["easy", "10", "99.0 (98 to 100)", "100 % (72 to 100)"],
    ]


def test_where_all_tasks_are_of_one_level_the_level_is_left_out(opened):
    cells = [text.split("\t")[1:] for text in _planners(opened()).all_inner_texts()]
    assert cells == [["10", "40.5 (37 to 44)", "50 % (24 to 76)"]]


def test_planners_that_played_every_task_are_said_to_have_played_all(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["planners"][1][0]["tasks"] = 50
    page = tmp_path / "played.html"
    page.write_bytes(render(rows))
    expect(opened(page).locator("#difficulty figcaption").nth(1)).to_have_text(
        re.compile("reference planners on all 50 tasks, with intervals of 95 %$")
    )


def test_tables_that_a_phone_scrolls_are_reached_by_keyboard(opened):
    tab = opened()
    wide = tab.locator(".wide")
    assert wide.count() > 1
    for table in wide.all():
        expect(table).to_have_attribute("tabindex", "0")
        expect(table).to_have_attribute("aria-label", re.compile(".+"))


def _planners(tab):
    return tab.locator("#difficulty table").nth(1).locator("tbody tr")


def test_a_split_is_told_and_filtered(opened):
    tab = opened()
    tab.get_by_label("Split").select_option("test")
    expect(tab.locator(".finder [role=status]")).to_have_text("20 of 100 tasks")
    expect(tab.locator(".list .title").first).to_have_text("Trip 4")
    expect(tab.locator(".list .meta").first).to_contain_text("test")
    tab.locator(".list a").first.click()
    expect(tab.get_by_role("article", name="Task").locator(".level")).to_have_text(["medium", "test"])


def test_more_of_a_long_list_is_shown_on_demand(opened):
    tab = opened()
    rows = tab.locator(".list li")
    expect(rows).to_have_count(40)
    tab.get_by_role("button", name="Show more").click()
    tab.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(100)
    expect(tab.get_by_role("button", name="Show more")).to_be_hidden()


def test_a_value_is_followed_to_the_sources_own_record(opened):
    tab = opened(hash_="#task=tripcraft.00060")
    tree = tab.locator(".origins .tree")
    tree.get_by_text("Wording").click()
    expect(tree.get_by_text("Worded by templates.")).to_be_visible()
    tree.get_by_text("What it asks").click()
    expect(tree.get_by_text("budget and dates")).to_be_visible()
    tree.get_by_text("Witness plan").click()
    expect(tree.get_by_text("days › 1 › lunch")).to_be_visible()
    tree.locator("details details summary").click()
    expect(tree.locator("pre")).to_have_text('{"name": "Museum of Hats"}')
    expect(tree.get_by_text("node/10")).to_be_visible()
    expect(tree.get_by_text("its licence or its absence forbids it")).to_be_visible()
    expect(tree.get_by_text("sha256 abababababababab")).to_have_count(2)


def test_every_part_of_a_task_that_holds_values_has_its_name_in_the_tree(opened):
    branches = opened(hash_="#task=tripcraft.00060").locator(".origins .tree > li > details > summary")
    assert branches.all_inner_texts() == [
        "Wording 1", "Opening messages 1", "What it asks 2", "Drawn otherwise 1", "How it was drawn 1",
        "Witness plan 1", "Proof and measures 1", "Verdicts 1",
    ]  # fmt: skip


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


SHOW_ALL = """async id => {
  location.hash = `#task=${id}`;
  const shown = () => document.querySelector("article.task code")?.textContent;
  for (let frames = 0; shown() !== id; frames += 1) {
    if (frames > 600) throw new Error(`found the task ${shown()}; expected ${id}`);
    await new Promise(requestAnimationFrame);
  }
  document.querySelectorAll(".origins details").forEach(one => { one.open = true });
  return [...document.querySelectorAll("bdi")].map(one => one.textContent);
}"""


def test_hostile_names_are_text_and_nothing_else(opened, tmp_path):
    assert len(HOSTILE) >= 50
    clean = tmp_path / "clean.html"
    clean.write_bytes(render(page_rows()))
    hostile = tmp_path / "hostile.html"
    hostile.write_bytes(render(page_rows(HOSTILE)))
    tags = "[...new Set([...document.querySelectorAll('*')].map(one => one.tagName))].sort().join()"
    known = opened(clean).evaluate(tags)
    tab = opened(hostile)
    seen: set[str] = set()
    for number in range(len(HOSTILE)):
        id_ = f"{'itinbench' if number < 50 else 'tripcraft'}.{number:05d}"
        seen |= set(tab.evaluate(SHOW_ALL, id_))
    assert [name for name in HOSTILE if name not in seen] == []
    assert tab.evaluate(tags) == known
    assert tab.title() == f"Two towns {HOSTILE[0]}"
    assert tab.evaluate("document.querySelectorAll('[onerror],[onload],[ontoggle],iframe,base,link,form').length") == 0


def test_what_changed_is_told_in_chapters(opened):
    tab = opened()
    section = tab.locator("#changes")
    expect(section.get_by_text("3 tasks changed because")).to_be_visible()
    expect(section.get_by_text("node/1")).to_be_visible()
    expect(section.locator("td")).to_have_text(["place", "a¦b"])
    expect(section.locator("td").first).to_be_hidden()
    section.get_by_text("Rows").click()
    expect(section.get_by_text("and 7 more lines in record/CHANGES.md")).to_be_visible()


@pytest.fixture
def server():
    """Return the address of a server, and the list of what it is asked for."""
    asked: list[str] = []

    class Noting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Noting) as serving:
        Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}", asked
        serving.shutdown()


def test_even_code_in_the_page_can_neither_load_nor_run_what_it_was_not_made_of(browser, page_file, server):
    address, asked = server
    tab = browser.new_page()
    tab.goto(page_file.as_uri())
    tab.evaluate(
        """async (address) => {
          const add = (tag, values) => document.body.append(Object.assign(document.createElement(tag), values));
          const script = document.createElement("script");
          try { script.text = "window.ran = 1"; document.body.append(script); } catch { window.refused = 1; }
          try { document.body.setAttribute("onclick", "window.ran = 1"); } catch { window.refused += 1; }
          document.querySelector("footer").innerHTML = "<img src=x onerror='window.ran = 1'>";
          add("img", { src: `${address}/image` });
          add("iframe", { src: `${address}/frame` });
          add("link", { rel: "stylesheet", href: `${address}/style` });
          add("style", { textContent: "main { display: none }" });
          await fetch(`${address}/fetch`).catch(() => { window.unfetched = 1; });
          document.body.click();
        }""",
        address,
    )
    tab.wait_for_timeout(300)
    assert tab.evaluate("[window.ran, window.refused, window.unfetched]") == [None, 2, 1]
    assert tab.locator("footer").inner_html() == ""
    expect(tab.locator("main")).to_be_visible()
    assert asked == []
    tab.close()


def test_without_scripts_the_page_says_what_it_is_and_where_that_stands_in_words(browser, page_file):
    tab = browser.new_context(java_script_enabled=False).new_page()
    tab.goto(page_file.as_uri())
    expect(tab.get_by_role("heading", level=1)).to_have_text("Two towns Café Ida")
    expect(tab.locator("noscript p")).to_contain_text("in the README.md beside its tables")
    expect(tab.get_by_role("button")).to_have_count(0)
    tab.context.close()


def test_points_are_called_points_and_an_idle_step_keeps_the_capitals_of_its_name(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["difficulty"][0][0] |= {"metric": "gu", "unit": "points", "better": "higher"}
    (step,) = rows["overview"]["flow"]["stages"][0]["steps"]
    idle = {**step, "name": "big_mac_price", "rows_out": 0, "merged": 0, "rejected": {}}
    rows["overview"]["flow"]["stages"][0]["steps"].append(idle)
    page = tmp_path / "points.html"
    page.write_bytes(render(rows))
    tab = opened(page)
    expect(tab.locator("#difficulty th .small").first).to_have_text("gu · points · more is better")
    expect(tab.locator("#flow .stage > .small")).to_have_text("Nothing to do here for Big Mac price.")


def test_the_head_says_what_is_certified_and_what_is_missing(opened):
    hero = opened().locator(".hero")
    expect(hero.locator(".seal")).to_have_text("100 of 100certified solvable")
    expect(hero.locator(".figure")).to_have_text(["2cities", "1source", "7rows rejected, each with its reason"])
    expect(hero.locator(".notice")).to_have_text(
        ["Missing. us-in-cedar was blocked at place: blocked by Hotel Pemberton"]
    )


def test_a_release_that_is_not_whole_has_no_seal(opened, tmp_path):
    rows = page_rows()
    rows["overview"]["releases"][0]["counts"]["certified"] = 49
    file = tmp_path / "partial.html"
    file.write_bytes(render(rows))
    expect(opened(file).locator(".seal.partial")).to_have_text("99 of 100certified solvable")


def test_a_step_of_the_flow_tells_where_its_rows_went(opened):
    flow = opened().locator("#flow")
    expect(flow.locator("h3")).to_have_text(["Sources", "Clean", "Release"])
    step = flow.locator(".stage").nth(1).locator(".step")
    shares = step.locator(".stack span").evaluate_all("all => all.map(one => [one.className, one.style.flexGrow])")
    assert shares == [["kept", "90"], ["merged", "3"], ["rejected", "7"]]
    step.locator("summary").click()
    expect(step.get_by_text("100 rows in: 90 out, 3 merged, 7 rejected.")).to_be_visible()
    expect(step.get_by_text("The provider says the place is closed for good.")).to_be_visible()


def test_a_chart_draws_bars_and_published_marks_on_one_scale(opened):
    chart = opened().locator("#distributions .chart")
    expect(chart.locator("tbody tr")).to_have_text(["Hotel Pemberton25 %50 %", "Thai75 %50 %"])
    widths = chart.locator(".bar").evaluate_all("all => all.map(one => parseFloat(one.style.width))")
    marks = chart.locator(".published").evaluate_all("all => all.map(one => parseFloat(one.style.left))")
    assert widths == [pytest.approx(33.333, abs=0.01), 100]
    assert marks == pytest.approx([66.667, 66.667], abs=0.01)

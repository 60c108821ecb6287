"""The page in Chromium, as its readers use it: what they look for, open, follow and are told."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from assets.release.page.render import render
from tests.assets.release.page.hand import page_rows


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


def test_what_changed_is_told_in_chapters(opened):
    tab = opened()
    section = tab.locator("#changes")
    expect(section.get_by_text("3 tasks changed because")).to_be_visible()
    expect(section.get_by_text("node/1")).to_be_visible()
    expect(section.locator("td")).to_have_text(["place", "a¦b"])
    expect(section.locator("td").first).to_be_hidden()
    section.get_by_text("Rows").click()
    expect(section.get_by_text("and 7 more lines in record/CHANGES.md")).to_be_visible()


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

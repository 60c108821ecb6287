"""The audit of a published folder: nothing in a sound one, and each defect once where it is planted. All invented."""

from __future__ import annotations

import copy
import json

import pytest
from typer.testing import CliRunner

from assets.grouptravel.inspect import TITLES, inspect_folder
from pipelines.cli import app
from schemas.source import SourceError

PLACES = {
    "甲市": [("石头博物馆", "博物馆"), ("清水寺", "寺庙"), ("北山", "名山丘陵"), ("人民公园", "公园")],
    "乙市": [("海边灯塔", "地标"), ("乙市动物园", "动物园")],
    "丙市": [("旧码头", "地标")],
}
MIDDLES = {"甲市": (30.0, 110.0), "乙市": (30.5, 110.0), "丙市": (31.0, 110.0), "远市": (50.0, 125.0)}


def table(budget: int, must: str, sight: str, city: str = "甲市") -> dict:
    return {
        "global_constraints": {
            "avg_budget": budget,
            "transport": {"must": [must], "prefer": [], "avoid": ["火车"], "reject": []},
            "intensity": {"max_poi_per_day": 3, "max_active_hours": 8},
            "hotel_preference": {"prefer": ["舒适型"], "avoid": ["豪华型"]},
        },
        "city_specific_preferences": {
            city: {
                "attractions": {
                    "must_visit": [sight],
                    "reject_visit": [],
                    "category_pref": {"positive": ["公园"], "negative": ["名山丘陵"]},
                },
                "food": {"must_eat": ["火锅"], "prefer_eat": ["面馆"], "avoid_eat": [], "reject_eat": ["湘菜"]},
            }
        },
    }


def sound_tasks() -> list[dict]:
    """Return a couple's weekend, and a family's week with a small child."""
    couple = {
        "task_id": "task_000001",
        "query": "甲市，三天两夜，2人的旅行计划",
        "time": "2025-10-06",
        "context": "",
        "metadata": {"departure_city": "丙市", "cities": ["甲市"], "date": "三天两夜", "group_id": "2-1",
                     "compromise_pattern": ["User2"], "child_members": []},
        "user_preferences": {
            "User1": {"role": "男友", "preference": table(2000, "高铁", "石头博物馆"), "compromisable": False},
            "User2": {"role": "女友", "preference": table(1500, "高铁", "清水寺"), "compromisable": True},
        },
        "initial_messages": [
            {"role": "User1", "content": "我这边人均不能超过2000元。石头博物馆我非去不可。"},
            {"role": "User2", "content": "在甲市一定要吃火锅，湘菜我绝对不吃。可以的话想住舒适型。"},
        ],
        "difficulty_score": 1.3,
        "difficulty_type": "easy",
    }  # fmt: skip
    family = copy.deepcopy(couple)
    family |= {"task_id": "task_000002", "time": "2025-11-01", "difficulty_score": 3.2, "difficulty_type": "medium"}
    family["metadata"] |= {"cities": ["甲市", "乙市"], "date": "五天四夜", "group_id": "3-5"}
    family["metadata"]["child_members"] = [{"user": "User3", "role": "小孩（0-7岁）"}]
    for entry in family["user_preferences"].values():
        wishes = entry["preference"]["city_specific_preferences"]
        wishes["乙市"] = table(0, "高铁", "海边灯塔", "乙市")["city_specific_preferences"]["乙市"]
    family["difficulty_score"], family["difficulty_type"] = 2.8, "easy"
    return [couple, family]


def write(folder, tasks: list[dict], *, with_places: bool = True):
    (folder / "datas").mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(task, ensure_ascii=False) for task in tasks]
    (folder / "datas" / "test.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if with_places:
        listed = {
            city: [
                {"name": name, "poi_type": "attractions", "custom_category": kind, "opening_hours": None,
                 "location": f"{MIDDLES[city][1]},{MIDDLES[city][0]}"}
                for name, kind in rows
            ]
            for city, rows in PLACES.items()
        }  # fmt: skip
        listed["远市"] = [{"name": "边城", "poi_type": "attractions", "location": "125.0,50.0"}]
        (folder / "poi2category").mkdir(exist_ok=True)
        (folder / "poi2category" / "all_poi_by_city.json").write_text(json.dumps(listed, ensure_ascii=False))
    return folder


@pytest.fixture
def audited(tmp_path):
    """Return a function that spoils the sound tasks and audits them."""

    def audit(spoil=lambda tasks: None, **options) -> dict:
        tasks = sound_tasks()
        spoil(tasks)
        return inspect_folder(write(tmp_path, tasks, **options))

    return audit


COUNTS = {
    "G2": ("found",), "G3": ("found",), "G4": ("more_than_three", "strong_said_softly", "tables_without_message"),
    "G5": ("must_several_modes", "must_and_rejected", "must_drive_too_far"), "G9": ("found",),
    "G6": ("without_table_but_up_to_eight_or_more", "with_table_but_no_age_from_eight"),
    "G10": ("hard_below_the_paper_s_days",), "difficulty": ("found",), "places": ("found",), "identical": ("groups",),
    "reading": ("problems_in_tables",),
}  # fmt: skip


def flaws(found: dict) -> dict[str, dict[str, int]]:
    counts = {defect: {name: found[defect][name] for name in names if found[defect][name]}
              for defect, names in COUNTS.items()}  # fmt: skip
    return {defect: counted for defect, counted in counts.items() if counted}


def test_a_sound_folder_has_no_flaw_and_every_defect_has_its_entry(audited):
    found = audited()
    assert flaws(found) == {}
    assert list(found) == list(TITLES)
    assert found["G4"]["by_preferences_revealed"] == {"2": 2, "3": 2}
    assert not found["G1"]["measured"]
    assert not found["G7"]["measured"]


def preference(task: dict, user: str) -> dict:
    return task["user_preferences"][user]["preference"]


def transport(task: dict) -> dict:
    return preference(task, "User1")["global_constraints"]["transport"]


def sights(task: dict) -> dict:
    return preference(task, "User1")["city_specific_preferences"]["甲市"]["attractions"]


PLANTED = {
    "G2": (
        lambda tasks: preference(tasks[0], "User2")["city_specific_preferences"]["甲市"]["food"]["avoid_eat"].append(
            "火锅"
        ),
        {"G2": {"found": 1}},
    ),
    "G3 by category": (lambda tasks: sights(tasks[0])["must_visit"].append("北山"), {"G3": {"found": 1}}),
    "G3 by name": (
        lambda tasks: sights(tasks[0])["category_pref"]["negative"].append("博物馆"),
        {"G3": {"found": 1}},
    ),
    "G4 too much": (
        lambda tasks: tasks[0]["initial_messages"].__setitem__(
            0, {"role": "User1", "content": "我要去石头博物馆，要吃火锅，想逛公园，一定坐高铁，不吃湘菜。"}
        ),
        {"G4": {"more_than_three": 1}},
    ),
    "G4 softened": (
        lambda tasks: tasks[0]["initial_messages"].__setitem__(
            0, {"role": "User1", "content": "每天活动时间最好别超过8小时。"}
        ),
        {"G4": {"strong_said_softly": 1}},
    ),
    "G4 silent": (lambda tasks: tasks[0]["initial_messages"].pop(), {"G4": {"tables_without_message": 1}}),
    "G5 too far": (
        lambda tasks: (
            tasks[0]["metadata"].update(departure_city="远市"),
            transport(tasks[0]).update(must=["自驾"]),
        ),
        {"G5": {"must_drive_too_far": 1}, "G9": {"found": 1}},
    ),
    "G5 refused": (
        lambda tasks: transport(tasks[0]).update(reject=["高铁"]),
        {"G2": {"found": 1}, "G5": {"must_and_rejected": 1}},
    ),
    "G6 skipped": (
        lambda tasks: tasks[1]["metadata"].update(child_members=[{"user": "User3", "role": "小孩（0-12岁）"}]),
        {"G6": {"without_table_but_up_to_eight_or_more": 1}},
    ),
    "G6 kept": (
        lambda tasks: tasks[0]["user_preferences"]["User2"].update(role="小孩"),
        {"G6": {"with_table_but_no_age_from_eight": 1}},
    ),
    "G9": (
        lambda tasks: transport(tasks[0]).update(prefer=["自驾"]),
        {"G9": {"found": 1}},
    ),
    "G10": (
        lambda tasks: tasks[0].update(difficulty_type="hard"),
        {"G10": {"hard_below_the_paper_s_days": 1}, "difficulty": {"found": 1}},
    ),
    "unlisted": (lambda tasks: sights(tasks[0])["reject_visit"].append("没有的地方"), {"places": {"found": 1}}),
    "identical": (lambda tasks: tasks.append({**tasks[0], "task_id": "task_000003"}), {"identical": {"groups": 1}}),
    "not a list": (lambda tasks: sights(tasks[0]).update(reject_visit="北山"), {"reading": {"problems_in_tables": 1}}),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found_once_and_no_other(audited, name):
    spoil, expected = PLANTED[name]
    found = audited(spoil)
    assert flaws(found) == expected


def test_examples_name_task_user_and_what_it_is_about(audited):
    found = audited(lambda tasks: sights(tasks[1])["must_visit"].append("北山"))
    assert found["G3"]["examples"] == [
        {"task_id": "task_000002", "user": "User1", "city": "甲市", "wanted": "北山", "unwanted": "名山丘陵",
         "by": "category"}
    ]  # fmt: skip
    assert (found["G3"]["by_category"], found["G3"]["by_name"]) == (1, 0)


def test_conflicts_are_counted_over_directed_pairs(audited):
    found = audited(lambda tasks: sights(tasks[0])["reject_visit"].append("清水寺"))
    assert found["conflicts"] == {
        "title": TITLES["conflicts"], "measured": True, "tasks_with_any": 1, "mean": 0.5,
        "by_difficulty": {"easy": 0.5},
        "by_source": {"transport": 0, "hotel_preference": 0, "attractions": 1, "food": 0},
    }  # fmt: skip


def test_composition_counts_people_tables_items_and_budgets(audited):
    found = audited()["composition"]
    assert (found["participants"], found["tables"], found["by_people"]) == (5, 4, {"2": 1, "3": 1})
    assert found["budget"] == {"least": 1500, "median": 1750, "mean": 1750, "most": 2000}
    assert found["items_by_field"]["attractions.must_visit"] == 6
    assert (found["compromisable"], found["compromisable_unlike_pattern"]) == (2, 0)


def test_without_the_list_of_places_what_it_would_show_is_told(audited):
    found = audited(lambda tasks: sights(tasks[0])["must_visit"].append("北山"), with_places=False)
    assert (found["G3"]["found"], "poi2category" in found["G3"]["not_measured"]) == (0, True)
    assert not found["places"]["measured"]


def test_missing_code_is_seen_where_there_is_code(audited, tmp_path):
    code = tmp_path / "group_travelbench" / "core"
    code.mkdir(parents=True)
    (code / "tools.py").write_text("")
    assert audited()["G1"]["cache_code_missing"] is True
    (code / "sandbox_cache.py").write_text("")
    assert audited()["G1"]["cache_code_missing"] is False


def test_lines_that_are_no_tasks_are_told_together(tmp_path):
    write(tmp_path, sound_tasks())
    with (tmp_path / "datas" / "test.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"task_id": 1}\n[]\n{"a": NaN}\n\n')
        file.write(json.dumps({**sound_tasks()[0], "metadata": []}) + "\n")
        file.write(json.dumps(sound_tasks()[0]).replace("2000", "9" * 400) + "\n")
    with pytest.raises(SourceError) as refused:
        inspect_folder(tmp_path)
    first, *named, remedy = str(refused.value).splitlines()
    assert (first, remedy) == (
        "datas/test.jsonl holds what is no task:",
        "Mend these lines, or get the file again.",
    )
    assert [line.split(":")[0] for line in named] == [
        "  - line 3",
        "  - line 4",
        "  - line 5",
        "  - line 7",
        "  - line 8",
    ]
    assert named[0] == "  - line 3: found no time, metadata, user_preferences, initial_messages"


def test_a_folder_without_tasks_or_with_a_broken_list_is_refused(tmp_path):
    with pytest.raises(SourceError, match=r"found no datas/test.jsonl"):
        inspect_folder(tmp_path)
    write(tmp_path, sound_tasks())
    (tmp_path / "poi2category" / "all_poi_by_city.json").write_text('{"甲市": [')
    with pytest.raises(SourceError, match=r"expected \{city: \[place\]\}"):
        inspect_folder(tmp_path)
    (tmp_path / "datas" / "test.jsonl").write_text("{}\n")
    with pytest.raises(SourceError, match="found no task"):
        inspect_folder(tmp_path)


def test_the_command_prints_every_defect(tmp_path):
    write(tmp_path, sound_tasks())
    answer = CliRunner().invoke(app, ["inspect", "grouptravel", str(tmp_path), "--json"])
    assert (answer.exit_code, list(json.loads(answer.stdout))) == (0, list(TITLES))
    shown = CliRunner().invoke(app, ["inspect", "grouptravel", str(tmp_path)])
    assert all(title in shown.stdout for title in TITLES.values())

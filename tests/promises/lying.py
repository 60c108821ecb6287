"""Derivations and checkers that lie, each in one way."""

from __future__ import annotations

import copy
import json
import uuid
from typing import Any

from assets.family import Violation
from assets.named import load
from schemas.stable import content_hash

EXPECTED: list[Any] = [None]
"""The value that a task has, as a liar writes it down."""

KNOWN: dict[str, Any] = {}
"""By what cells hold, the value that a task has."""


def expected(_: list[Any]) -> Any:
    """Return the value that the task has, whatever the cells are."""
    return EXPECTED[0]


def known(cells: list[Any]) -> Any:
    """Return the value that was written down for these cells; it fails for others."""
    return KNOWN[repr(cells)]


def first(cells: list[Any]) -> Any:
    """Return the first cell; the others are for show."""
    return cells[0]


ALIKE: list[Any] = []
"""Cells of which `coarse` gives the same."""


def coarse(cells: list[Any]) -> Any:
    """Return the value that the task has for some cells alike, as one that rounds does, and another for others."""
    return EXPECTED[0] if cells[0] in ALIKE else f"not {EXPECTED[0]}"


WITNESSES: dict[str, Any] = {}
"""By record, the first plan that a checker was shown for it: its witness, which the gate shows before it tries."""


class Equal:
    """What says that it equals whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def equal_to_all(cells: list[Any]) -> list[Equal]:
    """Return a list of what equals everything."""
    return [Equal()]


def accepts(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Accept everything."""
    return []


def first_day_only(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Judge the first day as strictly as the family does, and no other: for those the witness's own are looked at."""
    family = FAMILY[0]
    key = content_hash(record)
    own, shown = WITNESSES.setdefault(key, copy.deepcopy(plan)), copy.deepcopy(plan)
    mine, theirs = days_of(own), days_of(shown)
    if not theirs:
        return [Violation("first_day", "there is none")]
    changed = copy.deepcopy(own)
    days_of(changed)[:] = [theirs[0], *mine[1:]]
    return load(family.check)(record, changed, world)


FAMILY: list[Any] = [None]
"""The family whose functions lie."""

TABLES: list[Any] = [None]
"""The tables of the release that is lied about."""


def days_of(plan: Any) -> list[Any]:
    """Return a plan's list of days; empty where it has none."""
    days = plan if isinstance(plan, list) else plan.get("days", plan.get("itinerary", []))
    return days if isinstance(days, list) else []


def clashes(record: Any, clash: Any, lacking: Any, world: Any) -> list[str]:
    """Find nothing wrong with any clash."""
    return []


def first_wishes(record: Any) -> tuple[tuple[str, str], ...]:
    """Return the first field's wish and hide the others."""
    return (("price", record["price"]),)


def fails_on_other_records(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Look at the plan alone, and fail on any record that is not its own."""
    if content_hash(record) not in HEART:
        raise ValueError("unknown record")
    return load(FAMILY[0].check)(record, plan, world)


def refuses_by_another_name(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Refuse what the family refuses, under a name that it does not declare."""
    return [Violation("other", violation.text) for violation in load(FAMILY[0].check)(record, plan, world)]


def asks_nothing(record: Any) -> list[str]:
    """Say that no check asks anything of the record."""
    return []


def tables_of_the_world(tables: Any) -> list[str]:
    """Return the names of the tables that a world may be made of."""
    return sorted(tables.tables)


def reads_all_but(words: Any, record: Any, world: Any) -> list[str]:
    """Find what the family finds, whatever the record says of one field: that of the words' own record is taken."""
    own = RECORDS[words.query]
    name, changed = UNREAD[0], copy.deepcopy(record)
    *outer, last = name.split("/")
    holder, mine = (changed[outer[0]], own[outer[0]]) if outer else (changed, own)
    holder[last] = mine[last]
    return load(FAMILY[0].read)(words, changed, world)


RECORDS: dict[str, Any] = {}
"""By query, the record that it is of."""

UNREAD: list[str] = [""]
"""The field that `reads_all_but` passes over."""


def reads_nothing(words: Any, record: Any, world: Any) -> list[str]:
    """Find that any words say any record."""
    return []


def never_passes(record: Any, plan: Any, world: Any) -> bool:
    """Let no planner pass, so that tasks look hard."""
    return False


def always_passes(record: Any, plan: Any, world: Any) -> bool:
    """Let every planner pass."""
    return True


HEART: set[str] = set()
"""Hashes of records with their witnesses, as a checker knows them by heart."""


def by_heart(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Accept the witnesses that are known by heart, whatever they are, and refuse everything else."""
    return [] if content_hash([record, plan]) in HEART else [Violation("by_heart", "is not known")]


def exports_more(tables: Any) -> dict[str, Any]:
    """Export what the family exports, every query with a wish more: its record, its context and its witness stay."""
    files = dict(load(FAMILY[0].export)(tables))
    for query in tables.tasks["query"]:
        written = {json.dumps(query, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False)}
        for name, data in files.items():
            for text in written if isinstance(data, bytes) else ():
                files[name] = files[name].replace(text.encode(), f"{text} It must be by the sea.".encode())
    return files


def moves_and_changes(exported: Any) -> dict[str, Any]:
    """Write the published repository's own tree, every file of it with a line more."""
    return {path: data + b"\n" for path, data in load(FAMILY[0].upstream)(exported).items()}


def exports_nothing(tables: Any) -> dict[str, Any]:
    """Export no file."""
    return {}


def exports_in_pieces(tables: Any) -> dict[str, Any]:
    """Export what the family exports, every file in pieces: no lie, what is large is written so."""
    whole = load(FAMILY[0].export)(tables)
    return {path: (data[:100], data[100:]) if isinstance(data, bytes) else data for path, data in whole.items()}


def exports_by_chance(tables: Any) -> dict[str, Any]:
    """Export what the family exports, and a file that is another each time."""
    return {**load(FAMILY[0].export)(tables), "made.txt": uuid.uuid4().hex.encode()}


def scores_all_alike(tables: Any, plans: Any, variant: str) -> dict[str, Any]:
    """Say of any plans that all is well."""
    return {"variant": variant, "aggregate": {"accepted": 1.0}, "plans": _rows_of(tables, plans)}


def scores_alike_in_the_paper(tables: Any, plans: Any, variant: str) -> dict[str, Any]:
    """Tell plans apart, but by the paper's variant."""
    own = len(plans) if variant == "paper" else sorted(content_hash(row) for row in plans)
    return {"variant": variant, "aggregate": {"figure": own}, "plans": _rows_of(tables, plans)}


def scores_with_rows_that_all_pass(tables: Any, plans: Any, variant: str) -> dict[str, Any]:
    """Give figures that tell plans apart, and rows that say of every plan that it solves its task."""
    return _with_rows(tables, plans, variant, passes=True)


def scores_with_rows_that_never_pass(tables: Any, plans: Any, variant: str) -> dict[str, Any]:
    """Give figures that tell plans apart, and rows that say of no plan that it solves its task."""
    return _with_rows(tables, plans, variant, passes=False)


def _with_rows(tables: Any, plans: Any, variant: str, *, passes: bool) -> dict[str, Any]:
    own = sorted(content_hash(row) for row in plans)
    rows = [{"task_id": row["task_id"], "passes": passes} for row in plans]
    return {"variant": variant, "aggregate": {"figure": own}, "plans": rows}


def _rows_of(tables: Any, plans: Any) -> list[dict[str, Any]]:
    """Return a row for each plan, which passes if it is the task's witness."""
    witnesses = dict(zip(tables.certificates["task_id"], tables.certificates["plan"], strict=True))
    return [{"task_id": row["task_id"], "passes": row["plan"] == witnesses[row["task_id"]]} for row in plans]


def scores_by_number(tables: Any, plans: Any, variant: str) -> dict[str, Any]:
    """Count plans, whatever they are."""
    return {"variant": variant, "aggregate": {"accepted": len(plans)}, "plans": _rows_of(tables, plans)}


def scores_the_first(tables: Any, plans: Any, variant: str) -> dict[str, Any]:
    """Score the plan that was handed in first."""
    return {"variant": variant, "aggregate": {"first": content_hash(plans[:1])}, "plans": _rows_of(tables, plans)}


def publishes_yes(exported: Any) -> dict[str, dict[str, bool]]:
    """Say of every task of the release that the published checker accepts it."""
    return {task_id: {"valid": True} for task_id in TABLES[0].tasks["task_id"]}


def publishes_yes_once(exported: Any) -> dict[str, dict[str, bool]]:
    """Say of every task that it is accepted when asked first, and nothing when asked again."""
    is_asked_again = len(TABLES) > 1
    TABLES[1:] = [exported]
    return {} if is_asked_again else publishes_yes(exported)


def fails_at_others(exported: Any) -> dict[str, dict[str, bool]]:
    """Say of every task that it is accepted when asked first, and fail when asked again."""
    return publishes_yes_once(exported) or expected_of_nothing(exported)


def exports_the_witnesses(tables: Any) -> dict[str, Any]:
    """Write the witnesses of the release, whatever plans the certificates hold."""
    return load(FAMILY[0].export)(TABLES[0].only(tables.tasks["task_id"]))


def expected_of_nothing(exported: Any) -> Any:
    """Fail, whatever was exported."""
    return 1 // 0


FIRST_SHOWN: dict[str, str] = {}
"""By record and world, the hash of the first plan that was shown for it."""


def first_shown(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Accept the plan that is shown first of a record in a world, and no other."""
    own = FIRST_SHOWN.setdefault(f"{content_hash(record)} {id(world)}", content_hash(plan))
    return [] if own == content_hash(plan) else [Violation("first_shown", "is another plan")]


SILENCED = [""]
"""A check by which `refuses_by_others` refuses nothing."""


def refuses_by_others(record: Any, plan: Any, world: Any) -> list[Violation]:
    """Return what the family's own checker does, but for what one of its checks says."""
    return [v for v in load(FAMILY[0].check)(record, plan, world) if v.check != SILENCED[0]]

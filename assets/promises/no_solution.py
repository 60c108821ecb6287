"""Tasks that no plan meets, held to what is said of them: from the release's file, where nothing is that draws them.

Each is a released task's record with one wish changed or added. That its clash cannot be met is proved again by the
family's `RunSetting.clash_holds`, which is itself tried with wishes that released witnesses and the file's own
plans meet; that each wish of it is needed, by a plan that the family's checker accepts without it, and refuses with it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from assets.core.claims import Wish
from assets.core.no_solution import KEY, id_near
from assets.families import families
from assets.family import Family, TaskView, Worded
from assets.named import load, module_of
from assets.promises.certified import Checker, Job, JobVerdict, Opened, opened_once
from assets.promises.judging_process import solvers
from assets.promises.kept_orders import recalling
from assets.release.reading import NO_SOLUTION, OpenedRelease
from assets.runs.setting import RunSetting, setting_of
from schemas.counts import counted
from schemas.release import CANARY
from schemas.stable import stable_hash

OTHERS = 5
"""Released tasks whose witness and whose wishes are tried with each task without a solution."""

COLUMNS = {"task_id": str, "city_id": str, "query": str, "record": dict, "proof": dict, "canary": str}
PROOF = {"near": str, "clash": list, "lacking": object, "without": list}


def asked_for(release: OpenedRelease) -> int:
    """Return how many tasks without a solution the release's section asks for."""
    return int(release.manifest.section.get(KEY) or 0)


@recalling
def hold_no_solution(job: Job) -> JobVerdict:
    """Return how many tasks of the file hold and what was offered for them, by kind, and every problem."""
    opened, verdict = opened_once(job.folder), JobVerdict()
    family = families()[opened.release.manifest.family]
    path, asked_count = job.folder / NO_SOLUTION, asked_for(opened.release)
    lines = path.read_bytes().splitlines() if path.is_file() else []
    if len(lines) != asked_count:
        verdict.problems.append(
            f"{NO_SOLUTION}: holds {counted(len(lines), 'task')}; the section asks for {asked_count}"
        )
    if not lines:
        return verdict
    setting = setting_of(family.name)
    if not (setting.wishes_of and setting.with_wishes and setting.clash_holds):
        verdict.problems.append(
            f"{NO_SOLUTION}: {family.name} names no `wishes_of`, `with_wishes` and `clash_holds` by which it is judged"
        )
        return verdict
    court, seen_ids = _Court(family, setting, opened, verdict.offered), set[str]()
    for number, line in enumerate(lines, 1):
        problems = list(court.problems(line, number, seen_ids))
        verdict.problems += problems
        verdict.accepted += not problems
    verdict.problems += [*solvers(family), *_makers(setting)]
    return verdict


def _makers(setting: RunSetting) -> list[str]:
    """Return what of the package that draws such tasks this process has imported: it must not judge them."""
    assert setting.unsolvable is not None
    package = module_of(setting.unsolvable).rpartition(".")[0]
    return [
        f"{setting.clash_holds}: its process imported {name}, which draws what it judges"
        for name in sorted(sys.modules)
        if name.startswith(f"{package}.")
    ]


class _Court:
    """Judges the lines of one file."""

    def __init__(self, family: Family, setting: RunSetting, opened: Opened, offered: Counter[str]) -> None:
        self._family, self._opened, self._offered = family, opened, offered
        self._checker, self._read = Checker(family), load(family.read)
        self._wishes_of, self._with_wishes = load(str(setting.wishes_of)), load(str(setting.with_wishes))
        self._clash_holds, self._clash_name = load(str(setting.clash_holds)), str(setting.clash_holds)
        self._unkept = load(setting.unkept) if setting.unkept else None

    def problems(self, line: bytes, number: int, seen_ids: set[str]) -> Iterator[str]:
        """Yield everything that is wrong with a line; what the family's functions raise is shown as the line's."""
        row: Any = None
        with suppress(ValueError, RecursionError):
            row = json.loads(line.decode())
        where = f"{NO_SOLUTION}, line {number}"
        if flaw := _misshapen(row):
            yield f"{where}: {flaw}"
            return
        near = self._opened.views.get(row["proof"]["near"])
        if near is None or row["task_id"] != id_near({"task_id": near.task_id}) or row["city_id"] != near.city_id:
            yield f"{where}: {row['task_id'][:80]} is near no released task of its city"
            return
        if row["task_id"] in seen_ids:
            yield f"{row['task_id']}: is in the file twice"
        seen_ids.add(row["task_id"])
        try:
            for problem in self._of_task(row, near):
                yield f"{row['task_id']}: {problem}"
        except Exception as error:  # the family's own function met what it did not expect
            yield f"{row['task_id']}: could not be judged: {type(error).__name__}: {error}"

    def _of_task(self, row: Mapping[str, Any], near: TaskView) -> Iterator[str]:
        record, proof, world = row["record"], row["proof"], self._opened.world(self._family, near)
        wishes = self._wishes_of(record)
        yield from self._away(record, near.record)
        yield from self._reading_faults(Worded(row["query"], row.get("messages", ())), record, near.record, world)
        clash = [tuple(wish) for wish in proof["clash"]]
        if len(set(clash)) != len(clash) or not set(clash) <= set(wishes):
            yield f"its clash {clash} is not of the record's own wishes, each once"
            return
        yield from (f"its clash: {problem}" for problem in self._clash_holds(record, clash, proof["lacking"], world))
        if sorted(tuple(one["wish"]) for one in proof["without"]) != sorted(clash):
            yield "does not give one plan for each wish of its clash, without it"
            return
        for one in proof["without"]:
            yield from self._without(record, wishes, clash, tuple(one["wish"]), one["plan"], world)
        yield from self._others(record, near, world)

    def _away(self, record: Any, near: Any) -> Iterator[str]:
        """Yield why the record is not one wish, changed or added, from the released one."""
        wishes, released_wishes = (Counter(self._wishes_of(one)) for one in (record, near))
        added, dropped = list((wishes - released_wishes).elements()), list((released_wishes - wishes).elements())
        for one in (record, near):
            if self._with_wishes(one, self._wishes_of(one)) != one:
                yield "its wishes, put together, are not its record"
        if len(added) != 1 or len(dropped) > 1 or any(wish[0] != added[0][0] for wish in dropped):
            more = added or "nothing"
            yield f"is not one wish from the task it is near: it wishes for {more} more, not for {dropped}"
        elif self._with_wishes(record, []) != self._with_wishes(near, []):
            yield "differs from the task it is near in more than wishes"

    def _reading_faults(self, words: Worded, record: Any, near: Any, world: Any) -> Iterator[str]:
        """Yield what the words say otherwise than the record, and whether a query can be read as the released one.

        The members of a group say first what they like, and the rest when they are asked.
        """
        yield from (f"its query says otherwise: {difference}" for difference in self._read(words, record, world))
        if not words.messages and not self._read(words, near, world):
            yield f"{self._family.read} reads the query as the record that it is near, too"

    def _without(self, record: Any, wishes: Any, clash: list[Any], wish: Wish, plan: Any, world: Any) -> Iterator[str]:
        """Yield why a plan does not show that a wish of the clash is needed."""
        self._offered["a_plan_without_a_wish"] += 1
        eased = self._with_wishes(record, [other for other in wishes if other != wish])
        broken = self._broken(eased, plan, world)
        yield from (f"its plan without {_wish_text(wish)} is not accepted: {text}" for text in broken)
        if not self._broken(record, plan, world):
            yield f"is solvable: its plan without {_wish_text(wish)} meets all its wishes"
        elif not broken and not self._clash_holds(record, [other for other in clash if other != wish], None, world):
            yield f"{self._clash_name} says that {_wish_text(wish)} is not needed, and a plan shows that it is"

    def _broken(self, record: Any, plan: Any, world: Any) -> list[str]:
        """Return what a plan breaks of the checks, else which wishes it leaves unkept."""
        broken = self._checker.broken(record, plan, world)
        return broken or (list(self._unkept(record, plan, world)) if self._unkept else [])

    def _others(self, record: Any, near: TaskView, world: Any) -> Iterator[str]:
        """Yield the released witnesses that solve the task, and the released wishes that are said to clash."""
        views = sorted(
            (view for view in self._opened.views.values() if view.city_id == near.city_id and view is not near),
            key=lambda view: stable_hash("no solution", near.task_id, view.task_id),
        )
        for view in (near, *views[:OTHERS]):
            self._offered["a_released_witness"] += 1
            if not self._broken(record, view.plan, world):
                yield f"is solvable: the witness of {view.task_id} meets all its wishes"
            if self._broken(view.record, view.plan, world):
                continue  # the checker's own matter, or a witness that wins more by leaving a wish unkept
            if not self._clash_holds(view.record, list(self._wishes_of(view.record)), None, world):
                yield f"{self._clash_name} says that no plan meets {view.task_id}, which has a witness"


def _misshapen(row: Any) -> str:
    """Return what a line is not that it should be; empty if nothing."""
    for holder, shape, may_have, what in (
        (row, COLUMNS, {"messages"}, "the line"),
        (isinstance(row, dict) and row.get("proof"), PROOF, set(), "proof"),
    ):
        if not isinstance(holder, dict) or set(holder) - may_have != set(shape):
            return f"{what} is not an object of {', '.join(shape)}"
        for name, kind in shape.items():
            if not isinstance(holder[name], kind):
                return f"{name} of {what} is {type(holder[name]).__name__}, expected {kind.__name__}"
    if not isinstance(messages := row.get("messages", []), list) or not all(map(_is_message, messages)):
        return "its messages are not of role and content"
    pairs = [*row["proof"]["clash"], *(one.get("wish") for one in row["proof"]["without"] if isinstance(one, dict))]
    if any(not _is_wish(pair) for pair in pairs) or any(
        not isinstance(one, dict) or set(one) != {"wish", "plan"} for one in row["proof"]["without"]
    ):
        return "its clash and the plans without are not of wishes, each a name and a value"
    return "" if row["canary"] == CANARY else "its canary is not the releases' own"


def _is_message(message: Any) -> bool:
    is_shaped = isinstance(message, dict) and set(message) == {"role", "content"}
    return is_shaped and all(isinstance(value, str) for value in message.values())


def _is_wish(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def _wish_text(wish: Wish) -> str:
    return f"{wish[0]}={wish[1]}"

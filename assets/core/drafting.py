"""The loop over slots: each draws a record, and another while it equals somebody's or no plan meets it.

Slots draw in rounds: in each, those without a task draw once, whatever the others of the round draw; of equal records
the lowest slot keeps its own. So what a slot gets depends on no order of work, and slots can be shared out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from assets.core.hardness import hardened, that_must_resist
from assets.core.slots import slots_of
from assets.declared import FamilyError
from assets.family import Drawn, Refused, Slot, Solved
from assets.step import Job, Outcome, Step
from schemas.rejection import Reason
from schemas.stable import content_hash

if TYPE_CHECKING:
    import pandas as pd

    from assets.language.asking import Ask

OBSTACLES_SHOWN = 5

Uses = Mapping[str, Callable[..., Any]]

Share = Callable[[Iterable[Job], Callable[[Job], Any], int], list[Any]]
"""Has jobs, at most so many, done here or wherever cells run, and returns what came of each, in their order."""


def drafts(
    *,
    step: Step,
    uses: Uses,
    world: Any,
    section: Any,
    area: str,
    seed: int,
    retired: list[str],
    attempts: int,
    most_unsolved: int | None,
    previous: pd.DataFrame | None,
    ask: Ask | None,
    share: Share | None = None,
) -> Outcome:
    """Return every slot's record with a plan that meets it; a slot given up is rejected with what stood in the way.

    A record that rests on the same as before keeps its plan without being solved again.
    """
    slots = slots_of(step.family, area, uses["slots"](section), seed, retired)
    drafting = uses["prepare"](world, section, slots) if "prepare" in uses else world
    loop = _Loop(uses, world, section, drafting, slots, attempts, most_unsolved, _rows_by_task(previous), share)
    loop.run(ask)
    elsewhere = next((row for row in loop.rows() if step.per == "city" and row["city_id"] != area), None)
    if elsewhere is not None:
        raise FamilyError(
            f"{step.uses['draft']} gave {elsewhere['task_id']} the city {elsewhere['city_id'][:80]!r}; expected "
            f"{area!r}, since the family's slots are the city's"
        )
    calls = [call for row in loop.rows() for call in row["generation_ids"]]
    facts: dict[str, Any] = {
        "attempts": loop.draws,
        "redrawn": dict(sorted(loop.kinds.items())),
        **(
            getattr(drafting, "facts", lambda _: {})(
                [(s, loop.draft_by_task[s.task_id][0]) for s in slots if s.task_id in loop.draft_by_task]
            )
        ),
    }
    return Outcome(_frame(step, loop.rows()), loop.rejected, rows_in=len(slots), facts=facts, generations=calls)


def solver(read_world: Callable[[], Any], *, uses: Uses, section: Any) -> Callable[[Job], Any]:
    """Return what finds the plan of one draw, as plain data, wherever its shard runs; reads the world if need be."""
    return _Solve(uses, None if "part" in uses else read_world(), section)


@dataclass
class _Loop:
    """The slots of a set while they are drawn: `draft_by_task` has each slot's draw, its plan, and what it rests on."""

    uses: Uses
    world: Any
    section: Any
    drafting: Any
    slots: Sequence[Slot]
    attempts: int
    most_unsolved: int | None
    before: dict[str, dict[Any, Any]]
    share: Share | None
    draft_by_task: dict[str, tuple[Drawn, Solved, str, int]] = field(default_factory=dict)
    holder_by_identity: dict[str, str] = field(default_factory=dict)
    rejected: list[dict[str, str]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    unsolved_draws: Counter[str] = field(default_factory=Counter)
    draws: int = 0
    resisting: frozenset[str] = frozenset()

    def run(self, ask: Ask | None) -> None:
        """Draw, complete, tell apart and solve, round by round, until every slot has a task or has drawn enough."""
        self.resisting = that_must_resist(self.slots)
        obstacles: dict[str, Counter[str]] = {slot.task_id: Counter() for slot in self.slots}
        final: dict[str, Reason] = {}
        for attempt in range(self.attempts):
            open_slots = [s for s in self.slots if s.task_id not in self.draft_by_task and s.task_id not in final]
            if not open_slots:
                break
            refused = self._round(open_slots, attempt, ask)
            for slot, why in refused:
                obstacles[slot.task_id][why.detail] += 1
                self.kinds[why.kind] += 1
                if why.is_final or self._is_given_up(slot, why):
                    final[slot.task_id] = why.reason
        for slot in self.slots:
            if slot.task_id not in self.draft_by_task:
                most = sorted(obstacles[slot.task_id].items(), key=lambda item: (-item[1], item[0]))[:OBSTACLES_SHOWN]
                detail = "; ".join(f"{what} ({times} times)" if times > 1 else what for what, times in most)
                reason = final.get(slot.task_id, Reason.UNSATISFIABLE)
                self.rejected.append({"row": slot.task_id, "reason": reason.value, "detail": detail})

    def _is_given_up(self, slot: Slot, why: Refused) -> bool:
        self.unsolved_draws[slot.task_id] += why.is_unsolved
        return self.most_unsolved is not None and self.unsolved_draws[slot.task_id] >= self.most_unsolved

    def rows(self) -> list[dict[str, Any]]:
        """Return the drafts' rows, in the order of the slots."""
        return [
            self._row(slot, *self.draft_by_task[slot.task_id])
            for slot in self.slots
            if slot.task_id in self.draft_by_task
        ]

    def _round(self, slots: Sequence[Slot], attempt: int, ask: Ask | None) -> list[tuple[Slot, Refused]]:
        """Draw once for each slot; keep what can be planned, and return the others with what stood in the way."""
        refused: list[tuple[Slot, Refused]] = []
        jobs: list[tuple[Slot, Drawn, str]] = []

        def distinct_draws() -> Iterator[tuple[Slot, Drawn]]:
            first: dict[str, str] = {}
            for slot, draw in self._slot_draws(slots, attempt, ask):
                if isinstance(draw, Refused):
                    refused.append((slot, draw))
                    continue
                identity = content_hash(self.uses["identity"](draw.record) if "identity" in self.uses else draw.record)
                holder = self.holder_by_identity.get(identity) or first.get(identity)
                if holder is not None:
                    detail = f"the record equals that of {holder}"
                    refused.append((slot, Refused(detail, "duplicate", Reason.DUPLICATE)))
                    continue
                first[identity] = slot.task_id
                jobs.append((slot, draw, identity))
                yield slot, draw

        results = self._solutions(distinct_draws(), len(slots))
        for (slot, draw, identity), (solved, depends_on) in zip(jobs, results, strict=True):
            if isinstance(solved, Refused):
                refused.append((slot, replace(solved, is_unsolved=True)))
                continue
            self.holder_by_identity[identity] = slot.task_id
            self.draft_by_task[slot.task_id] = (draw, solved, depends_on, attempt)
        return refused

    def _slot_draws(
        self, slots: Sequence[Slot], attempt: int, ask: Ask | None
    ) -> Iterator[tuple[Slot, Drawn | Refused]]:
        """Yield each slot's draw, made when it is asked for: the first are solved while the last are drawn.

        A model is asked for those of all slots at once.
        """
        self.draws += len(slots)
        records = [drawn.record for drawn, *_ in self.draft_by_task.values()]
        draws = ((slot, self.uses["draft"](slot, attempt, self.drafting, records)) for slot in slots)
        if ask is not None and "draft_by_model" in self.uses:
            drawn = dict(draws)
            complete_draws = {slot: draw for slot, draw in drawn.items() if isinstance(draw, Drawn)}
            drawn |= self.uses["draft_by_model"](complete_draws, self.world, self.section, ask)
            draws = iter(drawn.items())
        for slot, draw in draws:
            if slot.task_id in self.resisting and isinstance(draw, Drawn):
                yield slot, hardened(self.uses, slot, attempt, draw, self.world)
            else:
                yield slot, draw

    def _solutions(self, jobs: Iterable[tuple[Slot, Drawn]], most: int) -> list[tuple[Solved | Refused, str]]:
        """Return each job's plan, or why it has none, and the hash of what it rests on; known plans are not sought.

        There are `most` jobs at most.
        """
        solutions: list[tuple[Solved | Refused, str] | None] = []
        sought: list[int] = []

        def unknown_jobs() -> Iterator[Job]:
            for slot, drawn in jobs:
                part = self.uses["part"](drawn.record, self.world) if "part" in self.uses else None
                arguments, before = (slot.task_id, drawn.record, part), self.before.get(slot.task_id)
                if (
                    before is not None
                    and "depends" in self.uses
                    and before["depends_on"] == solve.depends_on(*arguments)
                ):
                    solutions.append((Solved(before["plan"], before["proof"]), before["depends_on"]))
                    continue
                sought.append(len(solutions))
                solutions.append(None)
                yield Job([slot.task_id, drawn.record], arguments)

        solve = _Solve(self.uses, self.world, self.section)
        results = map(solve, unknown_jobs()) if self.share is None else self.share(unknown_jobs(), solve, most)
        for result, position in zip(list(results), sought, strict=True):
            solutions[position] = _read_solution(result)
        return [entry for entry in solutions if entry is not None]

    def _row(self, slot: Slot, drawn: Drawn, solved: Solved, depends_on: str, attempt: int) -> dict[str, Any]:
        return {
            "task_id": slot.task_id,
            "city_id": drawn.city_id,
            "slot": slot.number,
            "level": slot.level,
            "attempt": attempt,
            "record": drawn.record,
            "drawn": drawn.drawn,
            "repairs": [dict(edit) for edit in drawn.repairs],
            "generation_ids": list(drawn.generation_ids),
            "plan": solved.plan,
            "proof": solved.proof,
            "depends_on": depends_on,
        }


@dataclass(frozen=True)
class _Solve:
    """Solves one draw and proves its plan by the checker's side; a plan that breaks a check is refused by name.

    What it gives is plain JSON, the same whether it was found here, elsewhere or in an earlier build.
    """

    uses: Uses
    world: Any
    section: Any

    def __call__(self, job: Job) -> dict[str, Any]:
        task_id, record, part = job.arguments
        solved = self._proven_solution(task_id, record, self.world if part is None else part)
        if isinstance(solved, Refused):
            return _plain({"refused": asdict(solved)})
        depends_on = self.depends_on(task_id, record, part)
        return _plain({"plan": solved.plan, "proof": solved.proof, "depends_on": depends_on})

    def depends_on(self, task_id: str, record: dict[str, Any], part: Any) -> str:
        """Return the hash of the draw and of what its plan rests on in the world, or in its `part` where it has one."""
        return rests_on(self.uses, task_id, record, self.world if part is None else part, self.section)

    def _proven_solution(self, task_id: str, record: dict[str, Any], world: Any) -> Solved | Refused:
        solved = self.uses["solve"](task_id, record, world, self.section)
        if isinstance(solved, Refused):
            return solved
        proof = self.uses["prove"](record, solved.plan, solved.proof, world) if "prove" in self.uses else solved.proof
        broken = list(self.uses["check"](record, solved.plan, world))
        broken += self.uses["verify"](record, solved.plan, proof, world) if "verify" in self.uses else []
        if broken:
            what = "; ".join(f"{violation.check}: {violation.text}" for violation in broken)
            return Refused(f"the checker does not accept the plan: {what}", "not_accepted")
        return Solved(solved.plan, proof)


def rests_on(uses: Uses, task_id: str, record: dict[str, Any], world: Any, section: Any) -> str:
    """Return the hash of a draw and of what its plan rests on in a world, by the family's `depends` if it has one."""
    of_world = uses["depends"](task_id, record, world, section) if "depends" in uses else None
    return content_hash([task_id, record, of_world])


def _plain(answer: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(answer, default=lambda number: number.item()))


def _read_solution(answer: dict[str, Any]) -> tuple[Solved | Refused, str]:
    if "refused" in answer:
        return Refused(**{**answer["refused"], "reason": Reason(answer["refused"]["reason"])}), ""
    return Solved(answer["plan"], answer["proof"]), answer["depends_on"]


def _rows_by_task(previous: pd.DataFrame | None) -> dict[str, dict[Any, Any]]:
    return {} if previous is None else {row["task_id"]: row for row in previous.to_dict("records")}


def _frame(step: Step, rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=[column.name for column in step.output.columns()])

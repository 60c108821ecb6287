"""Running one planner on a release's tasks: many at once, each kept when it is done, nothing asked or paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assets.family import Family
from assets.language.plan_texts import Names, PlanText, extracted_plans, plan_text
from assets.runs.playing import Played, Playing, Task, Wait
from assets.runs.records import Line, add, readable
from pipelines.walk.asking import MOST_LOST, Asker
from schemas.counts import counted
from sources.services.llm import ModelError, NoReplyError

JOB = "planning"
AT_ONCE = 8
"""Tasks played at once where no model says how many it bears."""
AHEAD = 2
"""Tasks begun for each call that the model bears at once: while one is thought about, another's call is under way."""

Player = Callable[[Task], Playing]
Told = Callable[[Line, float], None]
"""Called after each task with its line, and what has been paid in all."""


@dataclass
class RunResult:
    """What a run did: tasks kept, and those that got no reply and are asked for again when the run goes on."""

    tasks_kept: int = 0
    failures: list[str] = field(default_factory=list)


def play_all(
    tasks: Iterable[Task],
    player: Player,
    path: Path,
    plan_reader: Callable[[str, str], tuple[Any, str, str]],
    report: Told,
    asker: Asker | None = None,
) -> RunResult:
    """Play the tasks and add a line for each to the run's file.

    `plan_reader` returns, of a task's id and text, the plan, how it was read, and why not. Raises what ends a run (no
    endpoint, no money left); what was kept until then stays, and answers that were paid for are in the ledger.
    """

    def keep(task: Task, played: Played, cost: float) -> None:
        line = readable(_line(task, played, cost, plan_reader))
        add(path, line)
        report(line, asker.spent.cost if asker else 0.0)

    return ask_each(tasks, player, keep, asker)


def ask_each(
    items: Iterable[Mapping[str, Any]],
    begin: Callable[[Any], Generator[Any, Any, Any]],
    keep: Callable[[Any, Any, float], None],
    asker: Asker | None,
) -> RunResult:
    """Play each item's generator, many at once, and hand what it returns, with its cost, to `keep` when it is done."""
    return asyncio.run(_ask_each(iter(items), begin, keep, asker))


async def _ask_each(items: Any, begin: Any, keep: Any, asker: Asker | None) -> RunResult:
    ended, fatal = RunResult(), []
    lost_in_a_row = 0

    async def work() -> None:
        nonlocal lost_in_a_row
        for item in items:
            if fatal:
                return
            try:
                result, cost = await _play(begin(item), asker)
            except NoReplyError as error:
                ended.failures.append(f"{item['task_id']}: {error}")
                lost_in_a_row += 1
                if lost_in_a_row >= MOST_LOST:
                    fatal.append(error)
                continue
            except Exception as error:
                fatal.append(error)
                return
            lost_in_a_row = 0
            keep(item, result, cost)
            ended.tasks_kept += 1

    if asker is None:
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    else:
        async with asker.opened():
            await asyncio.gather(*(work() for _ in range(AHEAD * asker.endpoint.concurrency)))
    if fatal:
        error = fatal[0]
        text = f"{error} ({counted(ended.tasks_kept, 'task')} kept; run again for the others)"
        raise type(error)(text) if isinstance(error, ModelError) else error
    return ended


async def _play(playing: Generator[Any, Any, Any], asker: Asker | None) -> tuple[Any, float]:
    """Return what a generator returns, everything that it waits for awaited, and what its answers cost when asked."""
    answer: Any = None
    cost = 0.0
    try:
        while True:
            request = playing.send(answer)
            if isinstance(request, Wait):
                try:
                    answer = await asyncio.to_thread(request.run)
                except asyncio.CancelledError:  # the thread would be waited for
                    request.stop()
                    raise
            elif asker is None:
                raise TypeError("a planner asks a model, and the run has none")
            else:
                answer = await asker.answer(request, JOB)
                cost += asker.paid_for(request)
    except StopIteration as end:
        return end.value, round(cost, 9)


def _line(task: Task, played: Played, cost: float, plan_reader: Callable[[str, str], tuple[Any, str, str]]) -> Line:
    plan, how, problem = (
        plan_reader(task["task_id"], played.text) if played.text else (None, "", "it handed in no text")
    )
    return Line(
        task["task_id"], str(task["level"]), played.text, plan, how, played.problem or problem, played.trial,
        played.log, list(played.generation_ids), cost,
    )  # fmt: skip


def reader(family: Family, names: Mapping[str, Names]) -> Callable[[str, str], tuple[Any, str, str]]:
    """Return how the family's texts are read: by the same grammars as `tripwright extract-plans`, no model asked."""
    if family.plan_text is None:
        grammar = PlanText(read=lambda _: None, is_plan=lambda _: True, names=lambda _: iter(()))
    else:
        grammar = plan_text(family.name)

    def read(task_id: str, text: str) -> tuple[Any, str, str]:
        (reading,) = extracted_plans(
            {task_id: text}, grammar, None, {task_id: names[task_id]} if task_id in names else None
        )
        return reading.plan, reading.read_by, reading.problem

    return read

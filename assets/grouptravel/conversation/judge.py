"""The judge: five questions about a conversation, each rated 1 to 5 by a model, and a second look at its ratings.

The questions are the published ones, in words of our own. Recorded ratings are read from a file where no endpoint is at
hand; a judge that gives no usable answer has no score and is counted (published: dropped).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.grouptravel.checks.judge import RATINGS, judge_score
from assets.language.answers import Shape
from assets.language.asking import Answer, Prompt, Unanswered
from assets.language.untrusted import FENCE_RULES, cleaned, fenced
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.json_lines import json_lines, lines_told

DIMENSIONS: Mapping[str, str] = {
    "hallucination_factuality": "Does every place, price, time and distance that the Agent names, in messages and in "
    "the plan, stand in a tool's answer? Is what is only estimated said to be so, and are closings and long ways told?",
    "tool_usage_reasoning": "Does it go from wishes to conflicts to look-ups to the plan in order, call tools when "
    "they are needed, use what they answer, and cope when they fail?",
    "interaction_quality": "Does it ask one member at a time, for one to three things, in natural words that show no "
    "field names, without asking twice, answer what it is asked, and close when it knows enough?",
    "conflict_coordination": "Does it see the conflicts, propose fair ways out, explain what is given up and ask those "
    "concerned, and mind children, the old and those who are outvoted?",
    "plan_humanization": "Is the plan one that a person would enjoy: an even pace, meals and rest, variety, short "
    "ways, something of the place, and what to do if something fails?",
}
"""What is rated; validity, points and completeness are measured elsewhere and are not the judge's."""

MOST_RESULT_CHARACTERS = 2_000
"""So much of a tool's answer is shown (published)."""
MOST_CHARACTERS = 20_000
ANSWER_TOKENS = 1_200

JUDGE = """You rate how an Agent planned a trip with a group, from the whole conversation: its messages, its calls of
tools and their answers. The record `wishes` holds what the members really want; the Agent could not see it. Rate each
question from 1 (very bad) to 5 (excellent): 3 keeps to the rules with clear weaknesses, 4 is good throughout, 5 does
more than could be expected. Give as evidence what was said or called. Do not rate valid plans, points or budgets: these
are measured elsewhere. Answer in JSON, for each question {"evidence": text, "rating": number}."""
META = """You rate a rating. The record `rated` holds another judge's ratings of the conversation, with evidence. Say
from 1 (very bad) to 5 (excellent) how right, how well supported and how complete they are. Answer in JSON:
{"evidence": text, "rating": number}."""


class Rating(Shape):
    """One question's rating."""

    evidence: str
    rating: int


class Ratings(Shape):
    """A judge's answer."""

    hallucination_factuality: Rating
    tool_usage_reasoning: Rating
    interaction_quality: Rating
    conflict_coordination: Rating
    plan_humanization: Rating


@dataclass(frozen=True)
class Judgement:
    """A task's ratings in the order of DIMENSIONS, the meta rating where a second judge was asked, and the score.

    `problem` says why there is none.
    """

    task_id: str
    ratings: tuple[int, ...] = ()
    meta: int | None = None
    generation_ids: tuple[str, ...] = ()
    problem: str = ""

    @property
    def score(self) -> float | None:
        """Return the score in percent, None without ratings."""
        return judge_score(self.ratings, self.meta) if self.ratings else None


class JudgeFileError(ExpectedError):
    """A file of recorded ratings cannot be used; lists every line."""


def judging(
    task: Mapping[str, Any], log: Iterable[Mapping[str, Any]], *, with_meta: bool
) -> Generator[Prompt, Answer | Unanswered, Judgement]:
    """Return the judgement of one conversation, asked of a model; a run without conversation is rated 1 throughout."""
    log_entries = list(log)
    if not log_entries:
        return Judgement(task["task_id"], (1,) * RATINGS)
    records = [*_about(task), *_conversation_records(log_entries)]
    questions = "\n".join(f"{name}: {text}" for name, text in DIMENSIONS.items())
    system = f"{JUDGE}\n\n{questions}\n\n{FENCE_RULES}"
    answer = yield Prompt(task["task_id"], system, fenced(records), Ratings, _ratings_are_whole, ANSWER_TOKENS)
    if isinstance(answer, Unanswered):
        return Judgement(task["task_id"], problem=answer.problem)
    ratings_by_dimension = {name: getattr(answer.value, name) for name in DIMENSIONS}
    ratings = tuple(rating.rating for rating in ratings_by_dimension.values())
    if not with_meta:
        return Judgement(task["task_id"], ratings, None, (answer.generation_id,))
    rated = {"rated": {name: rating.model_dump() for name, rating in ratings_by_dimension.items()}}
    system = f"{META}\n\n{questions}\n\n{FENCE_RULES}"
    second = yield Prompt(task["task_id"], system, fenced([*records, rated]), Rating, _rating_is_whole, ANSWER_TOKENS)
    if isinstance(second, Unanswered):
        return Judgement(task["task_id"], problem=f"meta: {second.problem}")
    return Judgement(task["task_id"], ratings, second.value.rating, (answer.generation_id, second.generation_id))


def read_ratings(path: Path, task_ids: Iterable[str]) -> dict[str, Judgement]:
    """Return recorded judgements by task, of lines {task_id, ratings: by dimension or a list of five, meta}.

    The calls that a judgement rests on, `generation_ids`, are kept where a line names them.
    Raises JudgeFileError naming every line that cannot be used.
    """
    run_task_ids, judgements, problems = set(task_ids), dict[str, Judgement](), list[str]()
    for line in json_lines(path):
        row = line.value
        if line.problem:
            problems.append(f"line {line.number}: {line.problem}")
            continue
        try:
            ratings = row["ratings"]
            listed = [ratings[name] for name in DIMENSIONS] if isinstance(ratings, dict) else list(ratings)
            judge_score(listed, row.get("meta"))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problems.append(f"line {line.number}: expected task_id and five ratings from 1 to 5 ({str(error)[:80]})")
            continue
        task_id = row.get("task_id")
        if not isinstance(task_id, str) or task_id not in run_task_ids:
            problems.append(f"line {line.number}: the run has no task {str(task_id)[:80]!r}")
        elif task_id in judgements:
            problems.append(f"line {line.number}: task {task_id} was rated before")
        else:
            judgements[task_id] = Judgement(
                task_id, tuple(listed), row.get("meta"), tuple(row.get("generation_ids", ()))
            )
    if problems:
        raise JudgeFileError(f"{path}: {counted(len(problems), 'line')} cannot be used:\n{lines_told(problems)}")
    return judgements


def _about(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    record = task["record"]
    tables = {user: entry["preference"] for user, entry in record["user_preferences"].items()}
    return [{"request": task["query"], "context": record["context"]}, {"wishes": tables}]


def _conversation_records(log_entries: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the conversation as the judge reads it: each message after the calls made for it."""
    records: list[dict[str, Any]] = []
    for log_entry in log_entries:
        for call in log_entry["calls"]:
            call_record = {name: call[name] for name in ("name", "arguments")}
            records.append({**call_record, "result": cleaned(str(call["result"]), MOST_RESULT_CHARACTERS).text})
        if log_entry["text"]:
            records.append({"from": log_entry["speaker"], "says": cleaned(log_entry["text"], MOST_CHARACTERS).text})
    return records


def _ratings_are_whole(ratings: Ratings) -> list[str]:
    return [f"{name}: {problem}" for name in DIMENSIONS for problem in _rating_is_whole(getattr(ratings, name))]


def _rating_is_whole(rating: Rating) -> list[str]:
    problems = [] if 1 <= rating.rating <= 5 else [f"expected a rating from 1 to 5, found {rating.rating}"]
    return problems if rating.evidence.strip() else [*problems, "expected evidence"]

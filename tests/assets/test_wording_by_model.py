"""Wording by a model: only texts that read back as their record, no two nearly alike, diversity measured."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.core import wording
from assets.core.worlds import given_tables
from assets.family import Refused, Worded
from assets.itinbench.family import FAMILY
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import ItinbenchPlace
from assets.itinbench.wording import request
from assets.itinbench.wording_by_model import reading
from assets.language.asking import Answer, Prompt, Unanswered, value_or_problem
from assets.language.diversity import diversity, repeated_text
from assets.language.wording_by_model import ROUNDS, ToWord, worded
from assets.step import Outcome
from schemas.rejection import Reason
from tests.arrow import arrow
from tests.assets.itinbench.town import NO_TAGS
from tests.brains import fenced_records, words_itinbench

RECORD = {
    "days": 3, "price": "cheap", "orientation": "history", "cuisine": "US", "restaurant": ["flavor", "service"],
    "hotel": ["location"],
}  # fmt: skip
RIGHT = (
    "I want to plan a 3-day trip on a cheap budget. I'd like to see history-oriented attractions. Please recommend "
    "American restaurants with good flavor and good service. I'd like to stay in a hotel with a good location."
)


class Told:
    """An `ask` that answers by a function of the prompt, judged as the real one judges."""

    model, context_tokens, reviews_per_call = "told-1", 32_000, 1

    def __init__(self, brain, reader: Told | None = None, calls: str = "g") -> None:
        self.brain, self.reader, self.calls, self.prompts = brain, reader, calls, []

    def __call__(self, prompts):
        told: list[Answer | Unanswered] = []
        for prompt in prompts:
            self.prompts.append(prompt)
            record = {"finish_reason": "stop", "is_refusal": False, "answer": self.brain(messages(prompt))}
            value, problem = value_or_problem(record, prompt)
            call = f"{self.calls}{len(self.prompts)}"
            told.append(Unanswered(prompt.row, problem) if problem else Answer(prompt.row, value, call))
        return told


def messages(prompt: Prompt) -> list[dict[str, str]]:
    return [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]


def drafts(count: int) -> pd.DataFrame:
    orientations, prices = ("family", "history", "nature", "food"), ("cheap", "moderate", "expensive")
    rows = [
        {
            "city_id": "c",
            "task_id": f"itinbench.c.{n:05d}",
            "slot": n,
            "level": "",
            "record": {**RECORD, "orientation": orientations[n % 4], "price": prices[n % 3], "days": 2 + n % 3},
            "drawn": {"nominal": RECORD, "edits": 0, "fewest_edits": 0, "why": ""},
            "repairs": [],
            "generation_ids": [],
        }
        for n in range(count)
    ]
    return pd.DataFrame(rows)


def one_draft() -> pd.DataFrame:
    return drafts(1).assign(record=pd.Series([RECORD]))


def tasks(draft: pd.DataFrame, ask: Told) -> Outcome:
    """Word the drafts by the core's step, in a town without places: words need none."""
    step = next(step for step in FAMILY.steps if step.output is FAMILY.tables.task)
    places = pd.DataFrame(columns=[column.name for column in ItinbenchPlace.columns()])
    section = ItinbenchSection(tasks_per_city=len(draft))
    world = step.functions["world"](given_tables(step.world, (places, NO_TAGS), section))
    return wording.tasks(
        arrow(step.tables[0], draft), step=step, uses=step.functions, world=world, section=section, seed=0, ask=ask
    )


def says(text: str):
    return lambda messages: json.dumps({"query": text})


def test_a_right_wording_ships_with_its_model_and_call():
    outcome = tasks(drafts(12), Told(words_itinbench))
    assert isinstance(outcome.rows, pd.DataFrame)
    assert set(outcome.rows["engine"]) == {"told-1"}
    assert sorted(c for calls in outcome.rows["generation_ids"] for c in calls) == sorted(outcome.generations)
    assert len(outcome.rows) + len(outcome.rejections) == outcome.rows_in == 12
    assert outcome.facts["diversity"]["distinct_2"] > 0.1


WRONG = {
    "a demand left out": RIGHT.replace(" and good service", ""),
    "a demand added": RIGHT.replace("good service", "good service and good value"),
    "another length": RIGHT.replace("3-day", "4-day"),
    "another budget": RIGHT.replace("cheap", "moderate"),
    "another cuisine": RIGHT.replace("American", "Mexican"),
    "a second cuisine": RIGHT.replace("American", "American and Thai"),
    "an orientation moved": RIGHT.replace("history", "nature"),
    "a wish of its own": RIGHT + " A pool would be nice.",
    "a number of its own": RIGHT + " We are 4 people.",
    "another grade": RIGHT.replace("good location", "great location"),
    "a negation": RIGHT.replace("good flavor", "not good flavor"),
    "a preference of the hotel asked of the restaurants": RIGHT.replace("good service", "good location"),
    "another language": "我想计划一个三天的旅行，预算便宜，参观历史景点。",
    "markup": f"**{RIGHT}**",
    "nothing": "",
    "the prompt itself": "You write the request of a traveller to a travel planner.",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wording_that_does_not_say_its_record_never_ships(text):
    outcome = tasks(one_draft(), Told(says(text)))
    assert isinstance(outcome.rejections, list)
    assert len(outcome.rows) == 0
    assert [r["reason"] for r in outcome.rejections] == ["no_valid_answer"]
    assert outcome.rejections[0]["detail"].startswith("wrong_content: ")


def test_the_text_that_all_those_are_made_of_ships():
    assert list(tasks(one_draft(), Told(says(RIGHT))).rows["query"]) == [RIGHT]


def alike(task_id: str) -> ToWord:
    return ToWord(task_id, {"n": 1}, lambda text: [], {})


def test_a_wording_that_repeats_another_is_asked_for_again_and_then_rejected():
    ask = Told(says("the very same words every time"))
    made = worded([alike("a"), alike("b")], "", ask, reading())
    assert isinstance(made["a"], Worded)
    assert {task: told.reason for task, told in made.items() if isinstance(told, Refused)} == {
        "b": Reason.NEAR_DUPLICATE
    }
    assert len(ask.prompts) == 2 + ROUNDS - 1
    assert fenced_records(ask.prompts[-1].user)[1] == {"not_like_this_text": "the very same words every time"}


def test_another_wording_when_asked_again_is_kept():
    def brain(messages: list[dict[str, Any]]) -> str:
        is_again = "not_like_this_text" in messages[1]["content"]
        return json.dumps({"query": "something else entirely" if is_again else "the very same words every time"})

    made = worded([alike("a"), alike("b")], "", Told(brain), reading())
    assert {task_id: told.query for task_id, told in made.items() if isinstance(told, Worded)} == {
        "a": "the very same words every time",
        "b": "something else entirely",
    }


READ = {"days": 3, "price": "cheap", "orientation": "history", "cuisine": "American",
        "restaurant": ["service", "Flavor"], "hotel": ["location"]}  # fmt: skip


def reads(**changes: Any):
    return Told(lambda messages: json.dumps({**READ, **changes}), calls="r")


def test_a_wording_that_another_model_reads_as_the_record_rests_on_both_calls():
    reader = reads()
    outcome = tasks(one_draft(), Told(says(RIGHT), reader))
    assert isinstance(outcome.rows, pd.DataFrame)
    assert [list(calls) for calls in outcome.rows["generation_ids"]] == [["g1", "r1"]]
    assert fenced_records(reader.prompts[0].user) == [{"request": RIGHT}]


@pytest.mark.parametrize("change", [
    {"days": 4}, {"price": "moderate"}, {"orientation": ""}, {"cuisine": "Thai"}, {"restaurant": ["flavor"]},
    {"hotel": ["location", "safety"]},
])  # fmt: skip
def test_a_wording_that_another_model_reads_otherwise_is_asked_for_again_then_rejected(change):
    ask = Told(says(RIGHT), reads(**change))
    outcome = tasks(one_draft(), ask)
    assert isinstance(outcome.rejections, list)
    assert len(outcome.rows) == 0
    assert [r["reason"] for r in outcome.rejections] == ["no_valid_answer"]
    assert f"{next(iter(change))}: another model reads" in outcome.rejections[0]["detail"]
    assert len(ask.prompts) == ROUNDS
    assert fenced_records(ask.prompts[-1].user)[1]["misread_text"] == RIGHT


def test_a_wording_that_another_model_cannot_read_never_ships():
    outcome = tasks(one_draft(), Told(says(RIGHT), Told(says("?"))))
    assert isinstance(outcome.rejections, list)
    assert "another model could not read it: wrong_shape" in outcome.rejections[0]["detail"]


def test_diversity_is_that_of_the_definitions():
    assert diversity(["a b c", "a b d"])["distinct_1"] == pytest.approx(4 / 6)
    assert diversity(["a b c", "a b d"])["distinct_2"] == pytest.approx(3 / 4)
    assert diversity(["a b c d e"] * 3)["self_bleu_4"] == 1.0
    assert diversity(["a b c d e", "f g h i j"])["self_bleu_4"] == 0.0
    assert repeated_text("I want to go to town", ["something", "I want to go to Town"]) == "I want to go to Town"
    assert repeated_text("I want to go to town", ["We would love a trip"]) is None


def bleu_against_all_others(texts: list[str]) -> float:
    """Return the mean of each text's BLEU-4 against all others, as Zhu et al. define it, one n-gram after the other."""
    words = [text.split() for text in texts]
    scores = []
    for number, own in enumerate(words):
        others = [other for n, other in enumerate(words) if n != number]
        log = 0.0
        for n in range(1, 5):
            grams = [Counter(tuple(w[i : i + n]) for i in range(len(w) - n + 1)) for w in (own, *others)]
            matched = sum(min(count, max(other[g] for other in grams[1:])) for g, count in grams[0].items())
            log += math.log((matched + (n > 1)) / (grams[0].total() + (n > 1))) / 4 if matched + (n > 1) else -math.inf
        closest = min((len(other) for other in others), key=lambda length: (abs(length - len(own)), length))
        scores.append(math.exp(log) * min(1.0, math.exp(1 - closest / len(own))))
    return sum(scores) / len(scores)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=9).map(" ".join), min_size=2, max_size=6))
@settings(max_examples=60, deadline=None)
def test_self_bleu_is_bleu_against_all_others(texts):
    assert diversity(texts)["self_bleu_4"] == pytest.approx(bleu_against_all_others(texts), abs=2e-6)


def test_templates_are_less_diverse_than_they_could_be_and_it_shows():
    texts = [request(str(n), {**RECORD, "days": 2 + n % 3}) for n in range(60)]  # pyright: ignore[reportArgumentType]
    assert diversity(texts)["self_bleu_4"] > 0.8

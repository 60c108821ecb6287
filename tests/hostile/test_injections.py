"""A model that obeys 60 injections: nothing changes but the one vote, or the one text, of whoever wrote them.

Each is tried as well without fences and checks, where it must take effect: one that does not would prove nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes import messages_by_model, preferences_by_model
from assets.grouptravel.wishes.candidates import city_candidates, reach
from assets.grouptravel.wishes.postvalidation import Setting
from assets.grouptravel.wishes.preferences_by_model import ModelTask, ask_for_tables
from assets.language.asking import Later
from assets.reviews.model import instructions
from schemas.reviews import RESTAURANT_ATTRIBUTES
from tests.assets.grouptravel import province
from tests.assets.reviews.test_untrusted_reviews import HONEST, Told, rated
from tests.brains import makes_groups, makes_tables, reads_reviews
from tests.hostile.injections import MESSAGES, NAMES, REVIEWS, obeying

DATA = re.compile(r"<data [0-9a-f]+>\n(.*)\n</data [0-9a-f]+>", re.DOTALL)


def test_there_are_sixty():
    assert len(REVIEWS) + len(NAMES) + len(MESSAGES) == 60


def records(messages: list[dict[str, str]]) -> list[dict[str, Any]]:
    found = DATA.search(messages[1]["content"])
    assert found is not None
    return [json.loads(line) for line in found[1].split("\n")]


def reviews_shown(words: str):
    def shown(messages: list[dict[str, str]]) -> dict[str, Any]:
        reviews = {record["review"]: record["text"] for record in records(messages)}
        own = next(number for number, text in reviews.items() if words in text)
        return {"reviews": reviews, "own": own, "system": messages[0]["content"]}

    return shown


class Alone(Told):
    """Reads one review a call, as a recipe does that asks for nothing else."""

    reviews_per_call = 1


@pytest.fixture(scope="module")
def shares() -> dict[str, tuple[float, float]]:
    """Return how low and how high one vote can move each attribute's score, or leave it."""

    def votes(rating: int):
        note = {"review": 1, "rating": rating, "quote": "One vote"}
        return lambda messages: (
            json.dumps({"notes": [{**note, "attribute": a} for a in RESTAURANT_ATTRIBUTES]})
            if "One vote" in messages[1]["content"]
            else reads_reviews(messages)
        )

    tables = [rated([*HONEST, *more], Alone(reads_reviews)) for more in ([], ["."])]
    tables += [rated([*HONEST, "One vote."], Alone(votes(rating))) for rating in range(1, 6)]
    scores = {a: [float(table["score"][a]) for table in tables] for a in RESTAURANT_ATTRIBUTES}
    return {a: (min(found), max(found)) for a, found in scores.items()}


@pytest.mark.parametrize("name", REVIEWS)
def test_an_obeyed_review_moves_no_rating_beyond_its_vote(name, shares):
    text, order = REVIEWS[name]
    brain = obeying(reads_reviews, order, reviews_shown(order.words))
    table = rated([*HONEST, text], Alone(brain))
    assert set(table.index) == set(RESTAURANT_ATTRIBUTES)
    for attribute, (low, high) in shares.items():
        assert low <= float(table["score"][attribute]) <= high, attribute
    texts = {f"r{n:02d}": one for n, one in enumerate([*HONEST, text])}
    for evidence in table["evidence"]:
        for passage in evidence:
            assert texts[passage["review_id"]][passage["start"] : passage["end"]].strip()
    # The control: all reviews in one call, its answer taken as it comes.
    answers = []
    for model in (reads_reviews, brain):
        shown = "\n".join(json.dumps({"review": n, "text": one}) for n, one in enumerate([*HONEST, text], 1))
        asked = [{"content": instructions("restaurant")}, {"content": f"<data 0>\n{shown}\n</data 0>"}]
        answers.append(json.loads(model(asked)))
    assert answers[0] != answers[1]


def setting(name: str) -> tuple[Any, Setting]:
    """Return a trip to a city whose best sight has the name, and what its members may wish."""
    first, *others = province.POIS.in_city("Aston", "attractions")
    rest = [poi for kind in ("food", "hotels") for poi in province.POIS.in_city("Aston", kind)]
    pois = Pois({"Aston": [replace(first, name=name), *others, *rest]})
    cities = {"a": city_candidates("Aston", pois, EN)}
    of = province.skeleton("2-3", ("a",), 2)
    assert cities["a"].attractions[0].name == name
    return of, Setting({"Aston": cities["a"]}, reach(of, cities, province.FARES), EN)


def asked_of(name: str, seed: int = 1) -> ModelTask:
    of, within = setting(name)
    members, _ = assigned(of.archetype, province.PROFILES, of.task_id, 1)
    return ModelTask(of, within, members, seed)


def messages_of(name: str, seed: int, model: Any) -> tuple[ModelTask, Told]:
    """Return a task whose members a model lets speak, and what the model was asked."""
    task, told = asked_of(name, seed), Told(model)
    ask_for_tables([task], Told(makes_tables), "en", Later(0, 0, 0))
    before = json.dumps(task.tables)
    messages_by_model.ask_for_messages([task], told, "EUR")
    assert json.dumps(task.tables) == before
    return task, told


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_sight_changes_no_wish(name):
    text, order = NAMES[name]
    tables = []
    for model in (makes_tables, obeying(makes_tables, order, lambda _: {})):
        task, told = asked_of(text), Told(model)
        ask_for_tables([task], told, "en", Later(0, 0, 0))
        assert not any(order.words in prompt.system + prompt.user for prompt in told.prompts)
        tables.append((task.tables, task.problem))
    assert tables[0] == tables[1] and tables[0][0] and not tables[0][1]
    # The control: the names are shown, and the answer is taken as it comes.
    prompt = told.prompts[0]
    first, *lines, last = prompt.user.split("\n")
    shown = "\n".join(lines).replace('"sight 1"', json.dumps(text))
    asked = [{"content": prompt.system}, {"content": f"{first}\n{shown}\n{last}"}]
    honest, obeyed = (json.loads(m(asked)) for m in (makes_tables, obeying(makes_tables, order, lambda _: {})))
    assert honest != obeyed


@pytest.mark.parametrize("name", MESSAGES)
def test_a_name_that_must_be_said_changes_nothing_else_that_is_said(name):
    text, order = MESSAGES[name]
    brain = obeying(makes_groups, order, lambda _: {"name": text})
    # A draw in which a member speaks of the sight, and in which what is ordered differs from what is said.
    for seed in range(100):
        honest, told = messages_of(text, seed, makes_groups)
        prompts = [[{"content": prompt.system}, {"content": prompt.user}] for prompt in told.prompts]
        if any(makes_groups(prompt) != brain(prompt) for prompt in prompts):  # the control: answers as they come
            break
    else:
        pytest.fail("the order took no effect in a hundred draws")
    assert honest.messages and not honest.problem
    obeyed, _ = messages_of(text, seed, brain)
    assert re.search(r"message: (wrong_content|wrong_shape|invalid_json): ", obeyed.problem)
    assert all(obeyed.messages[user] == honest.messages[user] for user in obeyed.messages)


def test_no_name_is_in_any_prompt_for_tables():
    task, told = asked_of("Museum: x"), Told(makes_tables)
    ask_for_tables([task], told, "en", Later(0, 0, 0))
    names = [poi.name for poi in task.setting.cities["Aston"].attractions]
    assert len(told.prompts) == 2
    assert not [n for n in names for prompt in told.prompts if n in prompt.system + prompt.user]
    assert preferences_by_model.sights_of(task.setting)["Aston"]["sight 1"] == "Museum: x"

"""The wording of invented reviews: varied, unambiguous, and true to what was planted."""

from __future__ import annotations

import ast
import json
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import pytest

from schemas.reviews import ATTRIBUTES
from sources.invented import make_world
from sources.invented.phrases.bank import PHRASES, Bank, spellings
from sources.invented.reviewers import reviews, shown_stars, star_ratings

ROOT = Path(__file__).resolve().parents[3]
GROUPS = {"attraction": {"low": (0, 1), "medium": (2,), "high": (3,)}}
GROUPS_OF_FIVE = {"negative": (1, 2), "middling": (3,), "positive": (4, 5)}


def test_a_template_stands_for_every_combination_of_its_choices() -> None:
    assert spellings("the [soup|bread] was [cold|stale], sadly") == [
        "the soup was cold, sadly",
        "the soup was stale, sadly",
        "the bread was cold, sadly",
        "the bread was stale, sadly",
    ]
    assert Bank('a "quoted" café').templates == (((('A \\"quoted\\" caf\\u00e9'), 'a \\"quoted\\" caf\\u00e9'),),)


def test_every_attribute_has_phrases_for_every_level() -> None:
    assert {kind: set(attributes) for kind, attributes in PHRASES.items()} == {k: set(v) for k, v in ATTRIBUTES.items()}
    for kind, attributes in PHRASES.items():
        for levels in attributes.values():
            assert list(levels) == (list(range(4)) if kind == "attraction" else list(range(1, 6)))


def test_each_level_group_of_each_attribute_has_25_phrasings() -> None:
    for kind, attributes in PHRASES.items():
        for attribute, levels in attributes.items():
            for group, members in GROUPS.get(kind, GROUPS_OF_FIVE).items():
                texts = {t for m in members for line in levels[m].strip().splitlines() for t in spellings(line)}
                assert len(texts) >= 25, (kind, attribute, group, len(texts))


def test_no_phrase_stands_for_two_things() -> None:
    for kind, attributes in PHRASES.items():
        meanings: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for attribute, levels in attributes.items():
            for level, templates in levels.items():
                for line in templates.strip().splitlines():
                    for text in spellings(line):
                        meanings[text.lower()].add((attribute, level))
        assert [text for text, found in meanings.items() if len(found) > 1] == [], kind


def test_reviews_seldom_repeat() -> None:
    world = make_world(2, 0.5, 3)
    texts = Counter(review.text_json for place in world.places() for review in reviews(world, place))
    assert not any(mark in text for text in texts for mark in "{}[]|")
    long_ones = {text: n for text, n in texts.items() if len(text) > 120}
    assert sum(long_ones.values()) > 4_000
    assert len(long_ones) > 0.995 * sum(long_ones.values())


@pytest.mark.parametrize("kind", ATTRIBUTES)
def test_reviews_carry_the_truth_and_stars_hardly_do(kind: str) -> None:
    """Who knows every phrase reads the truth out of the useful reviews, far better than from mean or stars."""
    world = make_world(2, 0.4, 5)
    known = [
        (json.dumps(text)[1:-1].lower(), attribute, level)
        for attribute, levels in PHRASES[kind].items()
        for level, templates in levels.items()
        for line in templates.strip().splitlines()
        for text in spellings(line)
        if "{dish}" not in text
    ]
    errors: dict[str, list[float]] = defaultdict(list)
    star_errors: dict[str, list[float]] = defaultdict(list)
    lowest, middle, highest = (0, 1.5, 3) if kind == "attraction" else (1, 3, 5)
    for place in world.places():
        if place.kind != kind:
            continue
        texts = " ".join(r.text_json for r in reviews(world, place) if r.useful > 0).lower()
        stars = lowest + (shown_stars(star_ratings(world, place)) - 1) / 4 * (highest - lowest)
        found: dict[str, list[int]] = defaultdict(list)
        for phrase, attribute, level in known:
            found[attribute] += [level] * texts.count(phrase)
        for attribute, rating in place.ratings[kind].items():
            star_errors[attribute].append(abs(rating - stars))
            errors[attribute].append(abs(rating - (mean(found[attribute]) if found[attribute] else middle)))
    assert set(errors) == set(ATTRIBUTES[kind])
    for attribute, found_errors in errors.items():
        from_the_middle = 1.2 if highest == 5 else 1.0
        assert mean(found_errors) < 0.6 * from_the_middle, attribute
        assert mean(star_errors[attribute]) > 0.75 * from_the_middle, attribute


def test_the_reader_of_reviews_knows_nothing_of_the_wording() -> None:
    """Otherwise its measured accuracy would be worth nothing. quality.py measures it and knows; nobody imports that."""
    modules = sorted(set((ROOT / "assets" / "reviews").rglob("*.py")) - {ROOT / "assets" / "reviews" / "quality.py"})
    assert modules
    for module in modules:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            assert not any(name.startswith("sources.invented") or name == "invented" for name in names), module
            is_step = module.name == "steps.py"  # names what measures as a step of its own
            assert is_step or "assets.reviews.quality" not in names, module

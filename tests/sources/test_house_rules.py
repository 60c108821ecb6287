"""House rules in twelve languages: twenty a language, written down before the words that read them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schemas.stays import HOUSE_RULES
from sources.airbnb.rule_words import LANGUAGES, WORDS, read_rule, rule_states

CODES = dict(zip("ascpv", HOUSE_RULES, strict=True))
STATES = {"-": "forbidden", "+": "allowed", "?": "unknown"}


def written() -> list[tuple[str, str, str]]:
    """Return language, code and text of every rule that was written down."""
    found, language = [], ""
    for line in (Path(__file__).parent / "texts" / "house_rules.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language = line.strip("[]")
        elif line and not line.startswith("#"):
            code, text = line.split(" | ", 1)
            found.append((language, code.strip(), text))
    return found


RULES = written()


def test_twenty_rules_of_each_language_were_written_down():
    assert {language: sum(one[0] == language for one in RULES) for language in LANGUAGES} == dict.fromkeys(
        LANGUAGES, 20
    )


@pytest.mark.parametrize(("language", "code", "text"), RULES, ids=lambda value: value)
def test_a_rule_says_what_was_written_down(language, code, text):
    said, is_understood = read_rule(text)
    assert is_understood
    assert said == ({} if code == "." else {CODES[code[1]]: STATES[code[0]]})


@pytest.mark.parametrize(("language", "code", "text"), [rule for rule in RULES if rule[1] != "."], ids=lambda v: v)
def test_a_listing_with_one_rule_has_that_state_and_permits_the_rest(language, code, text):
    states = rule_states([text])
    rule, state = CODES[code[1]], STATES[code[0]]
    assert getattr(states, state) == (rule,) if state != "allowed" else rule in states.allowed
    assert set(states.allowed) >= set(HOUSE_RULES) - {rule}


@pytest.mark.parametrize("text", [
    "Haustiere auf Anfrage", "Pets allowed on request", "Animaux acceptés sur demande", "Smoking allowed only outside",
    "Mascotas", "宠物需提前说明", "ペット要相談", "Zwierzęta tylko po uzgodnieniu",
])  # fmt: skip
def test_a_condition_leaves_a_rule_unknown(text):
    said, is_understood = read_rule(text)
    assert is_understood and set(said.values()) == {"unknown"}


@pytest.mark.parametrize("text", [
    "Nem szabad háziállatot hozni", "Evcil hayvan kabul edilmez", "Запрещено курить", "ممنوع التدخين",
    "Κατοικίδια δεν επιτρέπονται", "반려동물 금지", "Lorem ipsum", "",
])  # fmt: skip
def test_what_no_language_reads_leaves_every_rule_unknown(text):
    assert rule_states([text, "Pets allowed"]).allowed == ("No pets",)
    assert set(rule_states([text]).unknown) == set(HOUSE_RULES)


def test_rules_decide_together():
    states = rule_states(["No pets", "Quiet hours after 10 PM", "Fumar permitido", "Keine Partys"])
    assert states.forbidden == ("No parties", "No pets")
    assert set(states.allowed) == {"No smoking", "No children under 10", "No visitors"}
    assert states.unknown == ()
    assert rule_states(["No pets", "Pets allowed"]).unknown == ("No pets",)


def test_a_host_may_put_two_rules_in_one_text():
    assert rule_states(["No unregistered guests, no parties"]).forbidden == ("No parties", "No visitors")


def test_every_pattern_decides_a_rule_that_was_written_down():
    """A pattern that never decided a written rule of its language is not known to work."""
    for language, words in WORDS.items():
        texts = [text.casefold() for one, _, text in RULES if one == language]
        for pattern in (*words.subjects.values(), words.infants, words.forbids, words.allows, words.others):
            assert any(re.search(pattern, text) for text in texts), (language, pattern)

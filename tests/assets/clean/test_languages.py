"""Every field that is read by words says its languages, and words of others are unknown, never "none"."""

from __future__ import annotations

import re

import pytest

from assets.clean.cuisines import cuisines
from assets.clean.kinds import candidate_kinds
from assets.clean.languages import FIELDS
from pipelines.walk.fingerprint import ROOT
from schemas.rejection import Reason
from sources.airbnb.rule_words import rule_states
from sources.airbnb.values import room_type
from sources.events.listings import _segment
from sources.formats.jsonl import RowError
from sources.tripadvisor.places import CATEGORIES, MEALS

PAGE = ROOT / "docs" / "pages" / "languages.md"


def test_the_page_prints_the_list():
    printed = [
        tuple(c.strip() for c in line.strip("|").split("|")) for line in PAGE.read_text().splitlines() if "|" in line
    ]
    assert printed[2:] == [(f.field, ", ".join(sorted(f.languages)), f.others) for f in FIELDS]


def test_every_reader_that_is_named_exists():
    assert all((ROOT / field.read_by).is_file() for field in FIELDS)
    assert all(re.fullmatch("[a-z]{2}", code) for field in FIELDS for code in field.languages)


@pytest.mark.parametrize("text", ["Espaço inteiro: apartamento", "Koko asunto", "Chambre privée"])
def test_a_room_type_of_another_language_is_rejected_by_name(text):
    with pytest.raises(RowError, match=re.escape(repr(text))) as refused:
        room_type(text)
    assert refused.value.reason == Reason.OTHER_CATEGORY


@pytest.mark.parametrize("text", ["Música", "Urheilu"])
def test_a_kind_of_event_of_another_language_is_rejected_by_name(text):
    with pytest.raises(RowError, match=repr(text)):
        _segment(text)


def test_words_of_other_languages_are_no_value_of_the_field():
    assert "museu" not in CATEGORIES and "pequeno-almoço" not in MEALS
    assert cuisines(["Italiana", "Italialainen"]) == []
    assert candidate_kinds([], ["Museu", "Restaurante"]) == []
    assert rule_states(["Nem szabad"]).allowed == ()

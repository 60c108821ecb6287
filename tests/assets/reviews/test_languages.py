"""Which language a review is in, and that no word list is laid on another's."""

from __future__ import annotations

import pandas as pd
import pytest

from assets.reviews.languages import UNKNOWN, is_read, language_of
from assets.reviews.rating import rate_places


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The food was great and the waiter was kind.", "en"),
        ("Amazing tacos, rude staff, no parking and we would come back.", "en"),
        ("La comida estaba muy rica y el camarero fue amable con nosotros.", "es"),
        ("Das Essen war kalt und die Bedienung unfreundlich.", "de"),
        ("Très bon restaurant, le service est impeccable et la vue superbe.", "fr"),
        ("Het eten was in orde en de bediening is heel vriendelijk.", "nl"),
        ("料理はとても美味しかったです。", "ja"),
        ("Best tacos!", UNKNOWN),
        ("", UNKNOWN),
        ("1234 !!! …", UNKNOWN),
    ],
)
def test_a_text_is_told_by_its_words(text, language):
    assert language_of(text) == language
    assert is_read(language) == (language in ("en", UNKNOWN))


def test_a_review_in_another_language_is_unread_and_counted_and_no_silence():
    place = pd.DataFrame([{"city_id": "c", "place_id": "p", "kind": "attraction", "source_rows": ["places#p"]}])
    spanish = "Un museo precioso con mucha historia, y el jardín es muy bonito para los niños"
    columns = ["city_id", "place_id", "review_id", "stars", "text", "source_row"]
    rows = [("c", "p", f"r{n}", 5.0, f"{spanish} {'!' * n}", f"reviews#{n}") for n in range(12)]
    outcome = rate_places(place, pd.DataFrame(rows, columns=columns))
    assert outcome.facts == {"unread_reviews": {"es": 12}}
    assert len(pd.DataFrame(outcome.rows)) == 0  # twelve silent reviews would have shown degree 0
    rejected = pd.DataFrame(outcome.rejections, columns=["row", "reason", "detail"])
    assert set(rejected["reason"]) == {"no_evidence"}
    assert all("12 in a language that is not read" in detail for detail in rejected["detail"])

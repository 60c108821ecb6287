"""Wording by rules: a record as a request in natural language, every demand stated exactly once and nothing added.

Sentences are put together from `phrases.py`; which ones is a function of the task's id. What a wording says is judged
by `rules.py`, which knows nothing of these templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assets.family import Worded
from assets.itinbench import rules
from assets.itinbench.tables import CUISINE_WORDS, LIMITS, Record
from assets.itinbench.words.phrases import ASKED, LAYOUTS, LIMIT_SENTENCES, NUMBERS, SENTENCES, WISHED
from schemas.stable import stable_hash

COUNTED = ("environment", "location")
"""Attributes that take an article: a good location, but good service."""


def word(task_id: str, record: Record, world: Any = None, seed: int = 0) -> Worded:  # noqa: ARG001  (the core's contract)
    """Return the record in words; the same for the same record and task_id. A published text that says it is kept."""
    published_query = world.query_of(record) if world is not None else None
    return Worded(published_query or request(task_id, record))


def read(words: Worded, record: Record, _: Any = None) -> list[str]:
    """Return everything that keeps the words from saying exactly the record; a model's may use no other words, too."""
    problems = rules.validate(record, words.query)
    return [*problems, *rules.additions(record, words.query)] if words.generation_ids else problems


def request(task_id: str, record: Record) -> str:
    """Return the request as one paragraph of English; the same for the same record and task_id."""

    def pick(options: Sequence[str], part: str) -> str:
        return options[stable_hash("itinbench", "wording", task_id, part) % len(options)]

    days = pick((str(record["days"]), NUMBERS[record["days"]]), "number")
    article = "an" if record["price"][0] in "aeiou" else "a"
    words = {
        "a_days": f"a {days}-day",
        "length": f"{days} days",
        "budget": f"{article} {record['price']} budget",
        "oriented": f"{record['orientation']}-oriented",
        "cuisine": CUISINE_WORDS.get(record["cuisine"], record["cuisine"]),
        "asked": _clause(record["restaurant"], pick(ASKED, "asked")),
        "wished": _clause(record["hotel"], pick(WISHED, "wished")),
    }
    parts = pick(LAYOUTS, "layout").split()
    sentences = [pick(SENTENCES[part], part).format_map(words) for part in parts]
    sentences += [
        pick(LIMIT_SENTENCES[limit], limit).format_map(_limits(record)) for limit in LIMITS if record.get(limit)
    ]
    return " ".join(sentences)


def _limits(record: Record) -> dict[str, str]:
    """Return the record's limits as text: kilometres without needless zeros, price signs."""
    walk_m = record.get("most_walk_m") or 0
    return {"km": f"{walk_m / 1000:g}", "signs": str(record.get("most_signs") or 0)}


def _clause(attributes: Sequence[str], template: str) -> str:
    good = [f"{'a ' if a in COUNTED else ''}good {a}" for a in attributes]
    bare = sorted(attributes, key=lambda a: a in COUNTED)  # not "with good location and service"
    shared = good if len(attributes) == 1 else [f"good {bare[0]}", *bare[1:]]
    are = "is" if len(attributes) == 1 else "are"
    return template.format(
        good=_english_list(good), shared=_english_list(shared), bare=_english_list(attributes), are=are
    )


def _english_list(items: Sequence[str]) -> str:
    """Return the items as English lists them: a; a and b; a, b, and c."""
    if len(items) > 2:
        return f"{', '.join(items[:-1])}, and {items[-1]}"
    return " and ".join(items)

"""What a family tells the page of a release: its tasks as a person reads them, its places, its distributions.

Plain rows. How they are drawn belongs in `assets/release/page/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.counts import in_figures


@dataclass(frozen=True)
class PagePlace:
    """A point on a city's map; `kind` names its layer; `facts` are what is known of it, as label and value.

    `source_rows` are the pointers of the row that it is drawn from. What is unknown is no fact.
    """

    place_id: str
    city_id: str
    kind: str
    name: str
    lat: float
    lon: float
    facts: tuple[tuple[str, str], ...] = ()
    source_rows: tuple[str, ...] = ()


def fact(label: str, value: object, unit: str = "") -> tuple[tuple[str, str], ...]:
    """Return the fact, or none where the value is unknown: None, not a number, or empty."""
    if value is None or value != value or value == "":
        return ()
    text = in_figures(value) if isinstance(value, int | float) else str(value)
    return ((label, f"{text} {unit}".strip()),)


@dataclass(frozen=True)
class PageStop:
    """One entry of a day: what for, where, when (empty if the plan gives no time), and what else is to be said."""

    what: str
    name: str
    when: str = ""
    note: str = ""
    lat: float | None = None
    lon: float | None = None
    place_id: str = ""


@dataclass(frozen=True)
class PageDay:
    """One day of a witness plan, with its stops in the order of the day; `note` tells of the way between cities."""

    title: str
    stops: tuple[PageStop, ...]
    note: str = ""


@dataclass(frozen=True)
class PageTask:
    """One task: whom and what it is for in a few words, what it demands, its witness day by day, what was measured.

    `asks`, `repairs` (what was drawn otherwise) and `scores` are label and value; `messages` are who says what, where a
    task is a conversation.
    """

    task_id: str
    title: str
    city_ids: tuple[str, ...]
    difficulty: str = ""
    asks: tuple[tuple[str, str], ...] = ()
    repairs: tuple[tuple[str, str], ...] = ()
    messages: tuple[tuple[str, str], ...] = ()
    days: tuple[PageDay, ...] = ()
    scores: tuple[tuple[str, str], ...] = ()
    remark: str = ""


@dataclass(frozen=True)
class Bar:
    """One value of a distribution: its figure here, and the published one where there is one."""

    label: str
    here: float
    published: float | None = None


@dataclass(frozen=True)
class Distribution:
    """A small chart: `unit` is `share` (0 to 1) or the name of a figure; `published_from` says whose the others are."""

    title: str
    unit: str
    bars: tuple[Bar, ...]
    published_from: str = ""


@dataclass(frozen=True)
class FamilyPage:
    """All that a family gives the page of one of its releases."""

    tasks: tuple[PageTask, ...]
    places: tuple[PagePlace, ...] = ()
    distributions: tuple[Distribution, ...] = field(default=())


def shares(title: str, counts: dict[str, int], published: dict[str, float], published_from: str) -> Distribution:
    """Return the shares of counted values beside the published ones, in the order of `counts`."""
    total = max(1, sum(counts.values()))
    bars = tuple(Bar(label, count / total, published.get(label)) for label, count in counts.items())
    return Distribution(title, "share", bars, published_from)

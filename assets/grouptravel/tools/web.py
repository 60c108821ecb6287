"""Web search over the release's own facts: pages on its cities, best-known sights and connections, and nothing else."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from assets.core.tools import Answer, row_ref
from assets.grouptravel.tables import GroupFare, GroupPoi
from assets.grouptravel.tools.facts import CityPlaces, SandboxFacts, none_if_missing
from assets.grouptravel.wishes.candidates import ATTRACTIONS_SHOWN
from schemas.counts import counted, in_figures

MAX_RESULTS = 8
CATEGORIES_SHOWN = 6

_WORD = re.compile(r"[^\W_]+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Page:
    """One thing the release knows, in words, and the rows that say so."""

    title: str
    text: str
    rows: tuple[str, ...]


class Web:
    """The pages, and the index of their words, made when first asked."""

    def __init__(self, facts: SandboxFacts, fare: pd.DataFrame):
        self._facts, self._fare = facts, fare

    def web_search(self, arguments: dict[str, Any]) -> Answer:
        """Return the pages whose words fit the query best, by inverse document frequency; none if no word is known."""
        pages, index, lengths = self._index
        scores = np.zeros(len(pages))
        for word in set(words_of(arguments["query"])):
            if word in index:
                scores[index[word]] += math.log(1 + len(pages) / len(index[word])) / lengths[index[word]]
        hits = np.flatnonzero(scores)
        best = hits[np.lexsort((hits, -scores[hits]))][:MAX_RESULTS].tolist()
        results = [{"title": pages[at].title, "snippet": pages[at].text} for at in best]
        return Answer({"results": results}, tuple(dict.fromkeys(row for at in best for row in pages[at].rows)))

    @cached_property
    def _index(self) -> tuple[list[Page], dict[str, np.ndarray], np.ndarray]:
        """Return the pages, the positions of each word, and the square root of each page's number of words."""
        pages = [*self._cities(), *self._sights(), *self._connections()]
        index: dict[str, list[int]] = {}
        lengths = []
        for at, page in enumerate(pages):
            words = set(words_of(f"{page.title} {page.text}"))
            lengths.append(math.sqrt(max(1, len(words))))
            for word in words:
                index.setdefault(word, []).append(at)
        return pages, {word: np.array(at) for word, at in index.items()}, np.array(lengths)

    def _cities(self) -> Iterator[Page]:
        for city in self._facts.cities.values():
            sentences = []
            for poi_type, word in (("attractions", "景点"), ("food", "餐饮"), ("hotels", "住宿")):
                rows = [row for row in city.rows if row["poi_type"] == poi_type]
                counts = Counter(str(row["category"]) for row in rows)
                kinds = sorted(counts, key=lambda kind: (-counts[kind], kind))[:CATEGORIES_SHOWN]
                if not rows:
                    continue
                listed = ("、" if self._facts.is_zh else ", ").join(kinds)
                sentences.append(
                    f"{word}{len(rows)}处，包括{listed}。"
                    if self._facts.is_zh
                    else f"{len(rows)} {poi_type}, among them {listed}."
                )
            text = "".join(sentences) if self._facts.is_zh else " ".join(sentences)
            nothing = "没有收录地点。" if self._facts.is_zh else "No places are listed."
            yield Page(city.name, text or nothing, (city.row,))

    def _sights(self) -> Iterator[Page]:
        for city in self._facts.cities.values():
            for row in best_known(city):
                hours = none_if_missing(row["opening_hours"]) is not None
                text = (
                    f"{city.name}的景点，类别：{row['category']}。{'有营业时间。' if hours else '营业时间未知。'}"
                    if self._facts.is_zh
                    else f"A sight in {city.name}, of the kind {row['category']}. Its opening hours are "
                    f"{'known' if hours else 'not known'}."
                )
                yield Page(str(row["name"]), text, (row_ref(GroupPoi, row),))

    def _connections(self) -> Iterator[Page]:
        cities, modes = self._facts.cities, self._facts.vocabulary.modes
        keys = ("origin_city_id", "dest_city_id", "mode")
        services: dict[tuple[str, ...], list[dict[Any, Any]]] = {}
        for row in self._fare.sort_values([*keys, "dep_time", "service"]).to_dict("records"):
            services.setdefault(tuple(row[key] for key in keys), []).append(row)
        for (origin, dest, mode), rows in services.items():
            if origin not in cities or dest not in cities:
                continue
            one, other, word = cities[origin].name, cities[dest].name, modes[mode]
            prices = [row["price"] for row in rows if row["price"] > 0]
            lowest = f"{in_figures(min(prices))} {self._facts.currency}" if prices else ""
            if self._facts.is_zh:
                text = f"{one}到{other}每周有{len(rows)}个班次（{word}）" + (f"，最低 {lowest}。" if lowest else "。")
                title = f"{one}到{other}：{word}"
            else:
                text = f"{counted(len(rows), 'service')} by {word} from {one} to {other}" + (
                    f", from {lowest}." if lowest else "."
                )
                title = f"{one} to {other} by {word}"
            yield Page(title, text, tuple(row_ref(GroupFare, row) for row in rows))


def best_known(city: CityPlaces) -> list[dict[Any, Any]]:
    """Return the city's best-known sights, at most a hundred, as preferences may name them."""
    sights = [row for row in city.rows if row["poi_type"] == "attractions"]
    sights.sort(
        key=lambda row: (none_if_missing(row["rank"]) is None, none_if_missing(row["rank"]) or 0, row["place_id"])
    )
    return sights[:ATTRACTIONS_SHOWN]


def words_of(text: str) -> list[str]:
    """Return the words of a text, case apart; Chinese by pairs of characters."""
    words = []
    for word in _WORD.findall(text.casefold()):
        if _CHINESE.search(word) and len(word) > 1:
            words += [word[at : at + 2] for at in range(len(word) - 1)]
        else:
            words.append(word)
    return words

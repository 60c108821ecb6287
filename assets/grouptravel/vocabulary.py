"""Words of the two languages, Chinese as published and English, from one code path: modes, categories, phrases.

Modes and category types are named by keys inside tripwright, and by words in tables and plans.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["zh", "en"]

FLIGHT, HIGH_SPEED, TRAIN, CAR = MODES = ("flight", "high_speed", "train", "car")
"""Modes between cities, by key (3.D)."""

LOCAL_SPEED_LIMITS_KMH = {"transit": 120.0, "bicycle": 30.0, "walk": 8.0, "car": 120.0, "taxi": 120.0}
"""No local move is faster than this as the crow flies; our choice [I], generous so that only the impossible fails."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language. `fallbacks` and `excluded` are the category rules of 3.A, by type of place."""

    language: Language
    modes: dict[str, str]
    local_modes: dict[str, str]
    hotel_categories: tuple[str, ...]
    excluded: dict[str, tuple[str, ...]]
    fallbacks: dict[str, str]
    numbers: tuple[str, ...]
    adult_only: tuple[str, ...]
    """Categories of places where nobody takes a small child (our choice [I], G9)."""
    city_suffixes: tuple[str, ...] = ()

    def mode_key(self, word: str) -> str | None:
        """Return the key of a mode between cities; None for a word that names none."""
        return next((key for key, mode_word in self.modes.items() if mode_word == word), None)

    def category(self, category: str, poi_type: str) -> str:
        """Return the category that counts: unknown hotel types, excluded and empty ones become the fallback (3.A)."""
        if not category or category in self.excluded.get(poi_type, ()):
            return self.fallbacks.get(poi_type, category)
        if poi_type == "hotels" and category not in self.hotel_categories:
            return self.fallbacks["hotels"]
        return category

    def same_city(self, one: str, other: str) -> bool:
        """Return whether two names are of one city, an administrative suffix apart (released code)."""
        return one == other or self.bare(one) == self.bare(other)

    def bare(self, name: str) -> str:
        """Return a city's name without its administrative suffix."""
        suffix = next((s for s in self.city_suffixes if name.endswith(s) and len(name) > len(s)), "")
        return name.removesuffix(suffix) if suffix else name


ZH = Vocabulary(
    language="zh",
    modes={FLIGHT: "飞机", HIGH_SPEED: "高铁", TRAIN: "火车", CAR: "自驾"},
    local_modes={"transit": "公共交通", "bicycle": "骑车", "walk": "步行", "car": "自驾", "taxi": "打车"},
    hotel_categories=(
        "舒适型", "经济型", "高档型", "民宿", "商务酒店", "豪华型", "快捷酒店", "旅馆", "客栈", "度假酒店", "电竞酒店",
        "公寓式酒店", "主题酒店",
    ),
    excluded={"attractions": ("旅游景点", "滑雪", "游客中心"), "food": ("食堂", "米粉")},
    fallbacks={"attractions": "公园", "food": "中餐", "hotels": "商务酒店"},
    adult_only=("酒吧", "赌场", "夜店", "酒庄", "酒馆", "啤酒厂", "啤酒花园"),
    numbers=("零", "一", "两", "三", "四", "五", "六", "七", "八", "九"),
    city_suffixes=("市", "区", "县", "自治州", "地区"),
)  # fmt: skip

EN = Vocabulary(
    language="en",
    modes={FLIGHT: "flight", HIGH_SPEED: "high-speed train", TRAIN: "train", CAR: "car"},
    local_modes={"transit": "public transport", "bicycle": "bicycle", "walk": "walk", "car": "car", "taxi": "taxi"},
    hotel_categories=(
        "comfort", "economy", "upscale", "homestay", "business hotel", "luxury", "budget chain", "hostel",
        "guest house", "resort", "esports hotel", "apartment hotel", "themed hotel",
    ),
    excluded={"attractions": ("tourist attraction", "skiing", "visitor centre"), "food": ("canteen",)},
    fallbacks={"attractions": "park", "food": "restaurant", "hotels": "business hotel"},
    adult_only=("nightlife", "casino", "bar", "nightclub", "pub", "brewery", "winery", "beer garden"),
    numbers=("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
)  # fmt: skip

VOCABULARIES: dict[Language, Vocabulary] = {"zh": ZH, "en": EN}

LOCAL_MODE_KEYS = {word: key for words in (ZH, EN) for key, word in words.local_modes.items()}
"""Keys of the modes inside a city by their words, which no two languages share."""


def duration_text(vocabulary: Vocabulary, days: int) -> str:
    """Return days and nights in words."""
    number = vocabulary.numbers
    if vocabulary.language == "zh":
        return f"{number[days]}天{number[days - 1]}夜"
    nights = f"{number[days - 1]} night{'s' if days != 2 else ''}"
    return f"{number[days]} days and {nights}"


def context_text(
    vocabulary: Vocabulary, departure: str, date: str, group: str, people: int, children: tuple[str, ...]
) -> str:
    """Return the published context: where from, when, what group, and the children without a table (3.D)."""
    if vocabulary.language == "zh":
        text = f"出发城市：{departure}；出行日期：{date}；团队类型：{group}（共{people}人）"
        return text + (f"；随行儿童：{'、'.join(children)}" if children else "")
    text = f"Departure city: {departure}; departure date: {date}; group: {group} ({people} people)"
    return text + (f"; accompanying children: {', '.join(children)}" if children else "")

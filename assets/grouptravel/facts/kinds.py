"""The taxonomy of what groups speak of: which kinds of sights, meals and stays hold which others, and whom they suit.

National kitchens lie under the region of the United Nations' M49 that their country is in, with those of the
Mediterranean's shores; dishes and kinds of eating places under what OpenStreetMap's wiki (Key:cuisine, Key:amenity)
describes them as; kinds of sights as TripCraft's categories hold them (1.A). What follows for whom is our choice [I].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from assets.grouptravel.facts.categories import ATTRACTIONS, FOOD, TAGS, VAGUE

PARENTS: dict[str, tuple[str, ...]] = {
    # kitchens
    "Chinese food": ("Asian food",), "Japanese food": ("Asian food",), "Korean food": ("Asian food",),
    "Thai food": ("Asian food",), "Vietnamese food": ("Asian food",), "Indian food": ("Asian food",),
    "Nepalese food": ("Asian food",), "hotpot": ("Chinese food",),
    "sushi": ("Japanese food",), "ramen": ("Japanese food", "noodles"), "noodles": ("Asian food",),
    "Italian food": ("Mediterranean food",), "Greek food": ("Mediterranean food",),
    "Spanish food": ("Mediterranean food",), "Turkish food": ("Mediterranean food", "Middle Eastern food"),
    "Lebanese food": ("Mediterranean food", "Middle Eastern food"), "Moroccan food": ("African food",),
    "Ethiopian food": ("African food",), "pizza": ("Italian food",), "pasta": ("Italian food",),
    "kebab": ("Middle Eastern food", "fast food"), "falafel": ("Middle Eastern food",), "tapas": ("Spanish food",),
    "Tex-Mex food": ("Mexican food", "American food"), "Mexican food": ("Latin American food",),
    "Brazilian food": ("Latin American food",), "Argentinian food": ("Latin American food",),
    "Peruvian food": ("Latin American food",), "Cuban food": ("Latin American food",), "burgers": ("American food",),
    "hot dogs": ("American food", "fast food"), "Finnish food": ("Nordic food",), "Swedish food": ("Nordic food",),
    "Danish food": ("Nordic food",), "Norwegian food": ("Nordic food",), "Scandinavian food": ("Nordic food",),
    **dict.fromkeys(
        ("Afghan food", "Bangladeshi food", "Burmese food", "Cambodian food", "Filipino food", "Laotian food",
         "Malaysian food", "Mongolian food", "Pakistani food", "Singaporean food", "Sri Lankan food",
         "Taiwanese food", "Tibetan food", "Uzbek food", "Indonesian food"),
        ("Asian food",),
    ),
    "Cantonese food": ("Chinese food",), "Sichuan food": ("Chinese food",), "Shanghainese food": ("Chinese food",),
    "Okinawan food": ("Japanese food",),
    **dict.fromkeys(
        ("Arab food", "Iraqi food", "Israeli food", "Palestinian food", "Persian food", "Syrian food",
         "Yemeni food"),
        ("Middle Eastern food",),
    ),
    "Egyptian food": ("African food", "Middle Eastern food"),
    **dict.fromkeys(
        ("Algerian food", "Eritrean food", "Nigerian food", "Senegalese food", "Somali food", "South African food",
         "Tunisian food"),
        ("African food",),
    ),
    **dict.fromkeys(
        ("Caribbean food", "Chilean food", "Colombian food", "Ecuadorian food", "Honduran food",
         "Nicaraguan food", "Salvadoran food", "Venezuelan food"),
        ("Latin American food",),
    ),
    **dict.fromkeys(
        ("Dominican food", "Haitian food", "Jamaican food", "Puerto Rican food", "Trinidadian food"),
        ("Caribbean food",),
    ),
    "Cajun food": ("American food",), "Southern food": ("American food",),
    "Hawaiian food": ("American food",), "Icelandic food": ("Nordic food",),
    **dict.fromkeys(("Albanian food", "Bosnian food", "Bulgarian food", "Serbian food"), ("Balkan food",)),
    "Basque food": ("Spanish food",), "Catalan food": ("Spanish food",), "Sicilian food": ("Italian food",),
    "Tuscan food": ("Italian food",),
    "Bavarian food": ("German food",), "Alsatian food": ("French food",), "Scottish food": ("British food",),
    "steak": ("grilled food",), "barbecue": ("grilled food",),
    # sights
    "art gallery": ("museum",), "planetarium": ("museum",), "monument": ("landmark",), "castle": ("landmark",),
    "viewpoint": ("landmark",), "temple": ("landmark",), "palace": ("landmark",), "church": ("landmark",),
    "mosque": ("landmark",), "ruins": ("landmark",), "memorial": ("landmark",), "fountain": ("landmark",),
    "public art": ("landmark",), "fortress": ("landmark",), "tower": ("landmark",), "lighthouse": ("landmark",),
    "beer garden": ("nightlife",), "beach": ("park",), "sauna": ("spa",), "escape room": ("amusement",),
    "cinema": ("amusement",), "department store": ("shopping",), "arts centre": ("theatre",),
    "pancakes": ("desserts",), "vegan food": ("vegetarian food",), "grilled food": (), "dim sum": ("Chinese food",),
    "garden": ("park",), "nature reserve": ("park",),
    "aquarium": ("zoo",), "water park": ("theme park",), "bar": ("nightlife",), "pub": ("nightlife",),
    "nightclub": ("nightlife",), "bowling alley": ("amusement",), "arcade": ("amusement",),
    "concert hall": ("theatre",), "gift shop": ("shopping",), "shopping mall": ("shopping",), "market": ("shopping",),
    "marina": ("boat tour",), "boat rental": ("boat tour",), "winery": ("brewery",), "cooking school": ("workshop",),
    "golf course": ("outdoor activity",), "riding stable": ("outdoor activity",),
}  # fmt: skip
"""What each kind is a part of, by English category."""

CHINESE: dict[str, str] = {
    "美国菜": "American food", "亚洲菜": "Asian food", "中餐": "Chinese food", "日本料理": "Japanese food",
    "韩国料理": "Korean food", "泰国菜": "Thai food", "越南菜": "Vietnamese food", "印度菜": "Indian food",
    "尼泊尔菜": "Nepalese food", "火锅": "hotpot", "寿司": "sushi", "面条": "noodles", "意大利菜": "Italian food",
    "希腊菜": "Greek food", "西班牙菜": "Spanish food", "土耳其菜": "Turkish food", "黎巴嫩菜": "Lebanese food",
    "地中海菜": "Mediterranean food", "中东菜": "Middle Eastern food", "非洲菜": "African food",
    "埃塞俄比亚菜": "Ethiopian food", "披萨": "pizza", "烤肉串": "kebab", "得州墨西哥菜": "Tex-Mex food",
    "墨西哥菜": "Mexican food", "巴西菜": "Brazilian food", "阿根廷菜": "Argentinian food", "古巴菜": "Cuban food",
    "汉堡": "burgers", "芬兰菜": "Finnish food", "北欧菜": "Nordic food", "牛排": "steak", "法国菜": "French food",
    "海鲜": "seafood", "素食": "vegetarian food", "快餐": "fast food", "咖啡厅": "cafe", "冰淇淋": "ice cream",
    "面包店": "bakery", "酒馆菜": "pub food", "本地菜": "local food", "俄罗斯菜": "Russian food",
    "博物馆": "museum", "美术馆": "art gallery", "天文馆": "planetarium", "剧院": "theatre", "公园": "park",
    "植物园": "garden", "自然保护区": "nature reserve", "高尔夫球场": "golf course", "马场": "riding stable",
    "水上乐园": "water park", "酒吧": "bar", "夜店": "nightclub", "赌场": "casino", "啤酒厂": "brewery",
    "保龄球馆": "bowling alley", "游戏厅": "arcade", "集市": "market", "动物园": "zoo", "海洋馆": "aquarium",
    "主题乐园": "theme park", "游船": "boat tour", "码头": "marina", "烹饪学校": "cooking school", "温泉": "spa",
    "地标": "landmark", "纪念碑": "monument", "古堡": "castle", "观景台": "viewpoint", "音乐厅": "concert hall",
    "酒馆": "pub", "酒庄": "winery", "礼品店": "gift shop", "购物中心": "shopping mall", "购物": "shopping",
    "宫殿": "palace", "教堂": "church", "清真寺": "mosque", "遗址": "ruins", "纪念物": "memorial", "喷泉": "fountain",
    "公共艺术": "public art", "要塞": "fortress", "塔楼": "tower", "灯塔": "lighthouse", "啤酒花园": "beer garden",
    "海滩": "beach", "桑拿": "sauna", "密室逃脱": "escape room", "电影院": "cinema", "百货商店": "department store",
    "艺术中心": "arts centre", "薄饼": "pancakes", "纯素": "vegan food", "烧烤": "grilled food", "拉面": "ramen",
    "意面": "pasta", "西班牙小吃": "tapas", "炸豆丸子": "falafel", "点心": "dim sum", "热狗": "hot dogs", "茶馆": "tea",
    "果汁": "juice", "甜品": "desserts",
    "游乐": "amusement", "户外": "outdoor activity", "体验课": "workshop", "游览": "tour", "寺庙": "temple",
}  # fmt: skip
"""The English category of a Chinese one; those of places' tables that are not here are known by these tables."""

_BY_TABLES = {zh: en for table in (VAGUE, FOOD, TAGS, ATTRACTIONS) for en, zh in table.values() if zh}


@dataclass(frozen=True)
class Manner:
    """How people use a kind of sight: whether a trip is made for one of it, from what age, and only after dark.

    `is_refused` where somebody would say that they will not go to one of it: nobody says that of a park.
    `is_in_passing` where people look as they come by: few say that they would like to see some.
    """

    is_destination: bool = True
    least_age: int = 0
    is_after_dark: bool = False
    is_refused: bool = True
    is_in_passing: bool = False


MANNERS: Mapping[str, Manner] = {
    "nightlife": Manner(False, 18, True), "casino": Manner(False, 18, True), "brewery": Manner(False, 18),
    "shopping": Manner(False), "amusement": Manner(False), "spa": Manner(False, 14), "workshop": Manner(False),
    "outdoor activity": Manner(False), "boat tour": Manner(False), "tour": Manner(False), "theatre": Manner(False),
    **dict.fromkeys(("public art", "memorial", "fountain"), Manner(False, is_refused=False, is_in_passing=True)),
    "monument": Manner(is_refused=False, is_in_passing=True), "arts": Manner(False), "arts centre": Manner(False),
    "public building": Manner(False), "local sight": Manner(False),
    "art gallery": Manner(False),  # most are shops; the great collections are tagged as museums
    "park": Manner(is_refused=False), "viewpoint": Manner(is_refused=False),
}  # fmt: skip
"""Of kinds of sights, the nearest that says something; a sight of no kind here may be a destination of anybody."""

AFTER_DARK_FROM = 18 * 60
"""Nightlife begins at 18:00, in minutes of the day."""

NOT_A_TASTE = frozenset({"restaurant", "cafe", "canteen", "food court", "ice cream", "tea", "juice", "bakery"})
"""Kinds of eating places that say nothing of a meal: nobody asks to eat `restaurant`, or ice cream for dinner."""


def english(category: str) -> str:
    """Return a category's English word; the category itself where it is English, or not known."""
    return CHINESE.get(category) or _BY_TABLES.get(category, category)


@cache
def kinds_of(category: str) -> tuple[str, ...]:
    """Return the English kinds that hold a category, itself first, each once, nearest first."""
    kinds = [english(category)]
    for kind in kinds:
        kinds += [parent for parent in PARENTS.get(kind, ()) if parent not in kinds]
    return tuple(kinds)


def clash(one: str, other: str) -> bool:
    """Return whether somebody who wants one kind cannot well refuse the other: they are one, or one holds the other."""
    return english(one) in kinds_of(other) or english(other) in kinds_of(one)


@cache
def manner(category: str) -> Manner:
    """Return how people use a kind of sight."""
    return next((MANNERS[kind] for kind in kinds_of(category) if kind in MANNERS), Manner())


def is_taste(category: str) -> bool:
    """Return whether a category of food is something that people wish to eat."""
    return english(category) not in NOT_A_TASTE

"""What a group calls one of our own places: its category from the provider's, in English or Chinese.

A word of the provider's that the tables do not know stays as it is; one that says nothing becomes the vocabulary's
fallback (3.A).
"""

from __future__ import annotations

from collections.abc import Sequence

from assets.grouptravel.vocabulary import Vocabulary

POI_TYPES = {"attraction": "attractions", "restaurant": "food", "stay": "hotels"}

ATTRACTIONS = {
    "Boat Tours & Water Sports": ("boat tour", "游船"), "Casinos & Gambling": ("casino", "赌场"),
    "Classes & Workshops": ("workshop", "体验课"), "Concerts & Shows": ("theatre", "剧院"),
    "Food & Drink": ("brewery", "酒庄"), "Fun & Games": ("amusement", "游乐"), "Museums": ("museum", "博物馆"),
    "Nature & Parks": ("park", "公园"), "Nightlife": ("nightlife", "酒吧"),
    "Outdoor Activities": ("outdoor activity", "户外"), "Shopping": ("shopping", "购物"),
    "Sights & Landmarks": ("landmark", "地标"), "Spas & Wellness": ("spa", "温泉"),
    "Water & Amusement Parks": ("theme park", "主题乐园"), "Zoos & Aquariums": ("zoo", "动物园"),
}  # fmt: skip
"""By TripCraft's categories, which the clean stage gives OpenStreetMap's attractions."""

FOOD = {
    "amenity=cafe": ("cafe", "咖啡厅"), "coffee shop": ("cafe", "咖啡厅"), "amenity=fast food": ("fast food", "快餐"),
    "amenity=ice cream": ("ice cream", "冰淇淋"), "amenity=restaurant": ("", ""), "amenity=food court": ("", ""),
    "chinese": ("chinese", "中餐"), "japanese": ("japanese", "日本料理"), "italian": ("italian", "意大利菜"),
    "french": ("french", "法国菜"), "korean": ("korean", "韩国料理"), "thai": ("thai", "泰国菜"),
    "indian": ("indian", "印度菜"), "mexican": ("mexican", "墨西哥菜"), "greek": ("greek", "希腊菜"),
    "vietnamese": ("vietnamese", "越南菜"), "sushi": ("sushi", "寿司"), "pizza": ("pizza", "披萨"),
    "burger": ("burger", "汉堡"), "seafood": ("seafood", "海鲜"), "steak house": ("steak", "牛排"),
}  # fmt: skip
"""By cuisine, or by the tag of a place without one."""

STAYS = {
    "tourism=hostel": ("hostel", "旅馆"), "tourism=guest_house": ("guest house", "客栈"),
    "tourism=apartment": ("apartment hotel", "公寓式酒店"), "tourism=motel": ("budget chain", "快捷酒店"),
    "tourism=chalet": ("homestay", "民宿"), "Entire home/apt": ("apartment hotel", "公寓式酒店"),
    "Private room": ("homestay", "民宿"), "Shared room": ("hostel", "旅馆"),
}  # fmt: skip
STAYS_BY_LEVEL = (("economy", "经济型"), ("comfort", "舒适型"), ("upscale", "高档型"), ("luxury", "豪华型"))
"""A stay of which only the price level is known is called by it."""

STAY_LEVELS = {"hostel": 1, "guest house": 1, "budget chain": 1, "homestay": 2, "apartment hotel": 2}
"""The price level of a stay of which only its type is known; of any other 2."""


def own_category(
    kind: str, categories: Sequence[str], cuisines: Sequence[str], price_level: int | None, vocabulary: Vocabulary
) -> str:
    """Return the category of one of our places by its kind; the first word of the provider's that says anything."""
    language = 1 if vocabulary.language == "zh" else 0
    if kind == "stay":
        named = next((STAYS[word][language] for word in categories if word in STAYS), "")
        found = named or (STAYS_BY_LEVEL[price_level - 1][language] if price_level else "")
    elif kind == "restaurant":
        words = [word.strip().replace("_", " ").lower() for word in (*cuisines, *categories)]
        found = next((said for word in words if (said := _said(FOOD, word, language))), "")
    else:
        found = next((said for word in categories if (said := _said(ATTRACTIONS, word.strip(), language))), "")
    return vocabulary.category(found, POI_TYPES[kind])


def stay_level(categories: Sequence[str], price_level: int | None) -> int:
    """Return the price level of a stay, known or by its type."""
    named = next((STAYS[word][0] for word in categories if word in STAYS), "")
    return price_level or STAY_LEVELS.get(named, 2)


def _said(words: dict[str, tuple[str, str]], word: str, language: int) -> str:
    """Return what the group says for a provider's word; the word itself where it is not known and can be said."""
    if word in words:
        return words[word][language]
    return word if word.isprintable() and "=" not in word else ""

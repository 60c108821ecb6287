"""What a group calls the places of an invented city, in English and Chinese: one category each (3.A), and tastes."""

from __future__ import annotations

from sources.invented.attraction_types import attraction_type
from sources.invented.cities import CitySpec
from sources.invented.world import Place, World

ATTRACTIONS = {
    "museum": ("museum", "博物馆"), "gallery": ("art gallery", "美术馆"), "planetarium": ("planetarium", "天文馆"),
    "theatre": ("theatre", "剧院"), "park": ("park", "公园"), "garden": ("garden", "植物园"),
    "nature_reserve": ("nature reserve", "自然保护区"), "golf_course": ("golf course", "高尔夫球场"),
    "horse_riding": ("riding stable", "马场"), "water_park": ("water park", "水上乐园"), "bar": ("bar", "酒吧"),
    "nightclub": ("nightclub", "夜店"), "casino": ("casino", "赌场"), "brewery": ("brewery", "啤酒厂"),
    "bowling_alley": ("bowling alley", "保龄球馆"), "amusement_arcade": ("arcade", "游戏厅"),
    "marketplace": ("market", "集市"), "zoo": ("zoo", "动物园"), "aquarium": ("aquarium", "海洋馆"),
    "theme_park": ("theme park", "主题乐园"), "boat_rental": ("boat rental", "游船"), "marina": ("marina", "码头"),
    "cooking_school": ("cooking school", "烹饪学校"), "spa": ("spa", "温泉"), "attraction": ("landmark", "地标"),
    "monument": ("monument", "纪念碑"), "castle": ("castle", "古堡"), "viewpoint": ("viewpoint", "观景台"),
    "concert_hall": ("concert hall", "音乐厅"), "pub": ("pub", "酒馆"), "winery": ("winery", "酒庄"),
    "gift": ("gift shop", "礼品店"), "mall": ("shopping mall", "购物中心"),
}  # fmt: skip
"""English and Chinese category by the value of the type's map tag."""

FOOD = {
    "US": ("American food", "美国菜"), "Italian": ("Italian food", "意大利菜"), "Mexican": ("Mexican food", "墨西哥菜"),
    "Chinese": ("Chinese food", "中餐"), "Japanese": ("Japanese food", "日本料理"), "Thai": ("Thai food", "泰国菜"),
    "Indian": ("Indian food", "印度菜"), "Middle Eastern": ("Middle Eastern food", "中东菜"),
    "Vietnamese": ("Vietnamese food", "越南菜"), "Asian Fusion": ("Asian food", "亚洲菜"),
    "Greek": ("Greek food", "希腊菜"), "French": ("French food", "法国菜"), "Korean": ("Korean food", "韩国料理"),
    "Irish": ("Irish food", "爱尔兰菜"), "": ("cafe", "咖啡厅"),
}  # fmt: skip

HOTELS = {
    1: (("economy", "经济型"), ("hostel", "旅馆"), ("guest house", "客栈")),
    2: (("comfort", "舒适型"), ("budget chain", "快捷酒店"), ("homestay", "民宿")),
    3: (("business hotel", "商务酒店"), ("upscale", "高档型"), ("apartment hotel", "公寓式酒店")),
    4: (("luxury", "豪华型"), ("resort", "度假酒店"), ("themed hotel", "主题酒店")),
}
"""By price; the Chinese ones are those of the published lists."""


def is_chinese(city: CitySpec) -> bool:
    """Return whether the city's lists are in Chinese: by its first language."""
    return city.languages[:1] == ("zh",)


def category(world: World, place: Place) -> str:
    """Return the place's category in its city's language."""
    if place.kind == "attraction":
        words = ATTRACTIONS[attraction_type(world, place).osm_tag[1]]
    elif place.kind == "stay":
        options = HOTELS[place.price]
        words = options[int(world.rng("hotel category", place.place_key).random() * len(options))]
    else:
        words = FOOD[place.trade]
    return words[is_chinese(place.city)]


def taste_words(*, chinese: bool) -> list[str]:
    """Return the categories that people may like or dislike."""
    return [words[chinese] for words in (*ATTRACTIONS.values(), *FOOD.values())]

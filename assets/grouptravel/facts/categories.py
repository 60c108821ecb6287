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
    "Landmarks & Historical Buildings": ("landmark", "地标"), "Parks": ("park", "公园"), "Zoos": ("zoo", "动物园"),
    "Aquariums": ("zoo", "动物园"), "Souvenir Shops": ("shopping", "购物"), "Tours": ("tour", "游览"),
    "Art Galleries": ("art gallery", "美术馆"), "Botanical Gardens": ("garden", "植物园"),
    "Performing Arts": ("theatre", "剧院"), "Amusement Parks": ("theme park", "主题乐园"),
    "Casinos": ("casino", "赌场"), "Active Life": ("outdoor activity", "户外"),
}  # fmt: skip
"""By TripCraft's categories, which the clean stage gives OpenStreetMap's attractions, and by Yelp's."""

TAGS = {
    "tourism=artwork": ("public art", "公共艺术"), "tourism=gallery": ("art gallery", "美术馆"),
    "tourism=viewpoint": ("viewpoint", "观景台"), "tourism=theme_park": ("theme park", "主题乐园"),
    "historic=castle": ("castle", "古堡"), "historic=palace": ("palace", "宫殿"), "historic=church": ("church", "教堂"),
    "historic=monastery": ("church", "教堂"), "historic=temple": ("temple", "寺庙"),
    "historic=mosque": ("mosque", "清真寺"),
    "historic=ruins": ("ruins", "遗址"), "historic=archaeological_site": ("ruins", "遗址"),
    "historic=monument": ("monument", "纪念碑"), "historic=memorial": ("memorial", "纪念物"),
    "historic=fountain": ("fountain", "喷泉"), "amenity=fountain": ("fountain", "喷泉"),
    "historic=tomb": ("memorial", "纪念物"), "historic=fort": ("fortress", "要塞"), "historic=tower": ("tower", "塔楼"),
    "historic=lighthouse": ("lighthouse", "灯塔"), "amenity=place_of_worship": ("church", "教堂"),
    "amenity=cinema": ("cinema", "电影院"), "amenity=theatre": ("theatre", "剧院"),
    "amenity=concert_hall": ("concert hall", "音乐厅"), "amenity=planetarium": ("planetarium", "天文馆"),
    "amenity=arts_centre": ("arts centre", "艺术中心"), "amenity=nightclub": ("nightclub", "夜店"),
    "amenity=bar": ("bar", "酒吧"), "amenity=pub": ("pub", "酒馆"), "amenity=biergarten": ("beer garden", "啤酒花园"),
    "amenity=marketplace": ("market", "集市"), "shop=mall": ("shopping mall", "购物中心"),
    "shop=department_store": ("department store", "百货商店"), "shop=gift": ("gift shop", "礼品店"),
    "leisure=garden": ("garden", "植物园"), "leisure=nature_reserve": ("nature reserve", "自然保护区"),
    "natural=beach": ("beach", "海滩"), "leisure=marina": ("marina", "码头"),
    "leisure=water_park": ("water park", "水上乐园"),
    "leisure=sauna": ("sauna", "桑拿"), "leisure=bowling_alley": ("bowling alley", "保龄球馆"),
    "leisure=amusement_arcade": ("arcade", "游戏厅"), "leisure=escape_game": ("escape room", "密室逃脱"),
    "tourism=aquarium": ("aquarium", "海洋馆"), "craft=winery": ("winery", "酒庄"),
    "tourism=wine_cellar": ("winery", "酒庄"),
}  # fmt: skip
"""By the tag that made OpenStreetMap's element a sight: what it is called where that says more than its category."""

VAGUE = {
    "Arts & Entertainment": ("arts", "艺术"), "Local Flavor": ("local sight", "特色景点"),
    "Public Services & Government": ("public building", "公共建筑"), "Hotels & Travel": ("", ""),
    "Event Planning & Services": ("", ""), "Restaurants": ("", ""), "Food": ("", ""),
}  # fmt: skip
"""Yelp's words for attractions that count only where no other word says more."""

CUISINES = {
    "african": "非洲菜", "american": "美国菜", "argentinian": "阿根廷菜", "asian": "亚洲菜", "brazilian": "巴西菜",
    "chinese": "中餐", "cuban": "古巴菜", "ethiopian": "埃塞俄比亚菜", "finnish": "芬兰菜", "french": "法国菜",
    "australian": "澳大利亚菜", "belgian": "比利时菜", "british": "英国菜", "danish": "丹麦菜",
    "georgian": "格鲁吉亚菜",
    "indonesian": "印尼菜", "latin american": "拉美菜", "moroccan": "摩洛哥菜", "peruvian": "秘鲁菜",
    "polish": "波兰菜",
    "swedish": "瑞典菜", "swiss": "瑞士菜", "austrian": "奥地利菜", "german": "德国菜", "greek": "希腊菜",
    "indian": "印度菜", "irish": "爱尔兰菜",
    "italian": "意大利菜", "japanese": "日本料理", "korean": "韩国料理", "lebanese": "黎巴嫩菜",
    "mediterranean": "地中海菜", "mexican": "墨西哥菜", "middle eastern": "中东菜", "nepalese": "尼泊尔菜",
    "nordic": "北欧菜", "portuguese": "葡萄牙菜", "regional": "本地菜", "russian": "俄罗斯菜",
    "scandinavian": "北欧菜", "spanish": "西班牙菜", "tex-mex": "得州墨西哥菜", "thai": "泰国菜", "turkish": "土耳其菜",
    "vegetarian": "素食", "vietnamese": "越南菜",
    "afghan": "阿富汗菜", "bangladeshi": "孟加拉菜", "burmese": "缅甸菜", "cambodian": "柬埔寨菜",
    "cantonese": "粤菜", "filipino": "菲律宾菜", "laotian": "老挝菜", "malaysian": "马来西亚菜",
    "mongolian": "蒙古菜", "okinawan": "冲绳菜", "pakistani": "巴基斯坦菜", "sichuan": "川菜",
    "singaporean": "新加坡菜", "sri lankan": "斯里兰卡菜", "taiwanese": "台湾菜", "tibetan": "藏餐",
    "uzbek": "乌兹别克菜", "arab": "阿拉伯菜", "armenian": "亚美尼亚菜", "azerbaijani": "阿塞拜疆菜",
    "egyptian": "埃及菜", "iraqi": "伊拉克菜", "israeli": "以色列菜", "jewish": "犹太菜", "palestinian": "巴勒斯坦菜",
    "persian": "波斯菜", "syrian": "叙利亚菜", "yemeni": "也门菜", "algerian": "阿尔及利亚菜",
    "eritrean": "厄立特里亚菜", "nigerian": "尼日利亚菜", "senegalese": "塞内加尔菜", "somali": "索马里菜",
    "south african": "南非菜", "tunisian": "突尼斯菜", "cajun": "卡津菜", "canadian": "加拿大菜",
    "caribbean": "加勒比菜", "chilean": "智利菜", "colombian": "哥伦比亚菜", "dominican": "多米尼加菜",
    "ecuadorian": "厄瓜多尔菜", "hawaiian": "夏威夷菜", "jamaican": "牙买加菜", "puerto rican": "波多黎各菜",
    "salvadoran": "萨尔瓦多菜", "venezuelan": "委内瑞拉菜", "albanian": "阿尔巴尼亚菜", "alsatian": "阿尔萨斯菜",
    "balkan": "巴尔干菜", "basque": "巴斯克菜", "bavarian": "巴伐利亚菜", "bosnian": "波斯尼亚菜",
    "bulgarian": "保加利亚菜", "catalan": "加泰罗尼亚菜", "croatian": "克罗地亚菜", "czech": "捷克菜",
    "dutch": "荷兰菜", "estonian": "爱沙尼亚菜", "european": "欧洲菜", "hungarian": "匈牙利菜",
    "icelandic": "冰岛菜", "latvian": "拉脱维亚菜", "lithuanian": "立陶宛菜", "norwegian": "挪威菜",
    "romanian": "罗马尼亚菜", "scottish": "苏格兰菜", "serbian": "塞尔维亚菜", "sicilian": "西西里菜",
    "slovak": "斯洛伐克菜", "slovenian": "斯洛文尼亚菜", "ukrainian": "乌克兰菜",
    "guamanian": "关岛菜", "haitian": "海地菜", "honduran": "洪都拉斯菜",
    "iberian": "伊比利亚菜", "nicaraguan": "尼加拉瓜菜", "shanghainese": "上海菜", "southern": "美国南方菜",
    "trinidadian": "特立尼达菜", "tuscan": "托斯卡纳菜",
}  # fmt: skip
"""Kitchens by the provider's word, which English makes `… food` of."""

FOOD = {
    **{word: (f"{word if word == 'vegetarian' else word.title()} food", zh) for word, zh in CUISINES.items()},
    "arabic": ("Arab food", "阿拉伯菜"), "iranian": ("Persian food", "波斯菜"),
    "argentine": ("Argentinian food", "阿根廷菜"),
    "persian/iranian": ("Persian food", "波斯菜"), "himalayan/nepalese": ("Nepalese food", "尼泊尔菜"),
    "cajun/creole": ("Cajun food", "卡津菜"), "modern european": ("European food", "欧洲菜"),
    "pan asian": ("Asian food", "亚洲菜"), "szechuan": ("Sichuan food", "川菜"), "lao": ("Laotian food", "老挝菜"),
    "malay": ("Malaysian food", "马来西亚菜"), "hot pot": ("hotpot", "火锅"), "hotpot": ("hotpot", "火锅"),
    "doner": ("kebab", "烤肉串"), "döner": ("kebab", "烤肉串"), "shawarma": ("kebab", "烤肉串"),
    "fusion": ("fusion food", "融合菜"), "halal": ("halal food", "清真菜"), "kosher": ("kosher food", "犹太洁食"),
    "soul food": ("soul food", "灵魂料理"), "comfort food": ("comfort food", "家常菜"),
    "udon": ("noodles", "面条"), "soba": ("noodles", "面条"), "noodles": ("noodles", "面条"),
    "wings": ("chicken", "鸡肉"), "fried chicken": ("chicken", "鸡肉"), "dessert": ("desserts", "甜品"),
    "ice cream": ("ice cream", "冰淇淋"), "barbeque": ("barbecue", "烧烤"), "bbq": ("barbecue", "烧烤"),
    "regional": ("local food", "本地菜"), "local": ("local food", "本地菜"), "vegan": ("vegan food", "纯素"),
    "tex-mex": ("Tex-Mex food", "得州墨西哥菜"), "american (new)": ("American food", "美国菜"),
    "american (traditional)": ("American food", "美国菜"), "asian fusion": ("Asian food", "亚洲菜"),
    "amenity=cafe": ("cafe", "咖啡厅"), "coffee shop": ("cafe", "咖啡厅"), "cafes": ("cafe", "咖啡厅"),
    "coffee & tea": ("cafe", "咖啡厅"), "amenity=fast food": ("fast food", "快餐"),
    "amenity=ice cream": ("ice cream", "冰淇淋"), "ice cream & frozen yogurt": ("ice cream", "冰淇淋"),
    "amenity=restaurant": ("", ""), "amenity=food court": ("", ""), "restaurants": ("", ""), "food": ("", ""),
    "nightlife": ("", ""), "hotels": ("", ""), "hotels & travel": ("", ""), "event planning & services": ("", ""),
    "bars": ("pub food", "酒馆菜"), "pubs": ("pub food", "酒馆菜"), "sushi": ("sushi", "寿司"),
    "sushi bars": ("sushi", "寿司"), "pizza": ("pizza", "披萨"), "burger": ("burgers", "汉堡"),
    "burgers": ("burgers", "汉堡"), "kebab": ("kebab", "烤肉串"), "salad": ("salads", "沙拉"),
    "sandwich": ("sandwiches", "三明治"), "sandwiches": ("sandwiches", "三明治"), "bakeries": ("bakery", "面包店"),
    "breakfast & brunch": ("brunch", "早午餐"), "desserts": ("desserts", "甜品"), "delis": ("deli", "熟食店"),
    "noodle": ("noodles", "面条"), "seafood": ("seafood", "海鲜"), "fish": ("seafood", "海鲜"),
    "hotdog": ("hot dogs", "热狗"), "hot dog": ("hot dogs", "热狗"), "grill": ("grilled food", "烧烤"),
    "barbecue": ("barbecue", "烧烤"), "ramen": ("ramen", "拉面"), "pasta": ("pasta", "意面"),
    "tapas": ("tapas", "西班牙小吃"),
    "falafel": ("falafel", "炸豆丸子"), "soup": ("soup", "汤"), "dim sum": ("dim sum", "点心"),
    "chicken": ("chicken", "鸡肉"),
    "tea": ("tea", "茶馆"), "tee": ("tea", "茶馆"), "bubble tea": ("tea", "茶馆"), "juice": ("juice", "果汁"),
    "bagel": ("sandwiches", "三明治"), "coffee": ("cafe", "咖啡厅"), "breakfast": ("brunch", "早午餐"),
    "cake": ("bakery", "面包店"), "pastry": ("bakery", "面包店"), "crepe": ("pancakes", "薄饼"),
    "pancake": ("pancakes", "薄饼"),
    "bar&grill": ("grilled food", "烧烤"), "friture": ("fast food", "快餐"), "gastropub": ("pub food", "酒馆菜"),
    "fine dining": ("", ""), "international": ("", ""), "oriental": ("", ""),
    "yes": ("", ""), "other": ("", ""), "local;regional": ("", ""),
    "steak": ("steak", "牛排"), "steak house": ("steak", "牛排"), "steakhouses": ("steak", "牛排"),
}  # fmt: skip
"""By cuisine, or by the tag of a place without one; a word of "" says nothing of the food."""

STAYS = {
    "tourism=hostel": ("hostel", "旅馆"), "tourism=guest_house": ("guest house", "客栈"),
    "tourism=apartment": ("apartment hotel", "公寓式酒店"), "tourism=motel": ("budget chain", "快捷酒店"),
    "tourism=chalet": ("homestay", "民宿"), "Entire home/apt": ("apartment hotel", "公寓式酒店"),
    "Private room": ("homestay", "民宿"), "Shared room": ("hostel", "旅馆"),
}  # fmt: skip
STARS_LEVEL = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4}
"""The price level of a hotel by its official stars [I]."""

STAYS_BY_LEVEL = (("economy", "经济型"), ("comfort", "舒适型"), ("upscale", "高档型"), ("luxury", "豪华型"))
"""A stay of which only the price level is known is called by it."""

STAY_LEVELS = {"hostel": 1, "guest house": 1, "budget chain": 1, "homestay": 2, "apartment hotel": 2}
"""The price level of a stay of which only its type is known; of any other 2."""

_LEVELS = {word: level for level, words in enumerate(STAYS_BY_LEVEL, 1) for word in words} | {
    word: level for en, level in STAY_LEVELS.items() for words in STAYS.values() if words[0] == en for word in words
}


def price_step(category: str) -> int:
    """Return the price level of a category of stays in either language, 1 the cheapest to 4; of one unlike these 2."""
    return _LEVELS.get(category, 2)


def own_category(
    kind: str,
    categories: Sequence[str],
    cuisines: Sequence[str],
    price_level: int | None,
    vocabulary: Vocabulary,
    tags: Sequence[str] = (),
) -> str:
    """Return the category of one of our places by its kind; the first word of the provider's that says anything.

    `tags` are those that made OpenStreetMap's element a sight; the first that is known says most.
    """
    language = 1 if vocabulary.language == "zh" else 0
    if kind == "stay":
        stay_category = next((STAYS[word][language] for word in categories if word in STAYS), "")
        category = stay_category or (STAYS_BY_LEVEL[price_level - 1][language] if price_level else "")
    elif kind == "restaurant":
        words = [word.strip().replace("_", " ").lower() for word in (*cuisines, *categories)]
        category = next((term for word in words if (term := _group_word(FOOD, word, language))), "")
    else:
        provider_words = [word.strip() for word in categories]
        category = next((TAGS[tag][language] for tag in tags if tag in TAGS), "")
        category = category or next(
            (
                term
                for word in provider_words
                if word not in VAGUE and (term := _group_word(ATTRACTIONS, word, language))
            ),
            "",
        )
        category = category or next(
            (VAGUE[word][language] for word in provider_words if VAGUE.get(word, ("", ""))[0]), ""
        )
    return vocabulary.category(category, POI_TYPES[kind])


def stay_level(categories: Sequence[str], price_level: int | None) -> int:
    """Return the price level of a stay, known or by its type."""
    stay_category = next((STAYS[word][0] for word in categories if word in STAYS), "")
    return price_level or STAY_LEVELS.get(stay_category, 2)


def _group_word(words: dict[str, tuple[str, str]], word: str, language: int) -> str:
    """Return what the group says for a provider's word; the word itself where it is not known and can be said."""
    if word in words:
        return words[word][language]
    return word.replace("_", " ") if word.isprintable() and "=" not in word else ""

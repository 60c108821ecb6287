"""The sentences in which opening messages by rules state preferences, by language and field.

`{item}` is what is wanted or not, `{city}` its city, `{money}` money with its currency, `{n}` a number. Strong tiers
are said without a way out, weak ones with one (G4). Whether a sentence reads back is `message_reading.py`'s to say.
"""

from __future__ import annotations

from assets.grouptravel.vocabulary import Language

ENGLISH: dict[str, tuple[str, ...]] = {
    "avg_budget": (
        "I cannot spend more than {money} on this trip.", "My budget is {money} at most.",
        "For the whole trip my limit is {money}.", "I can spend {money} and no more.",
        "{money} is the most that I can pay.", "All in all I will not pay more than {money}.",
        "The trip must not cost me more than {money}.", "I have a budget of {money}, and that is the upper limit.",
        "At most {money} is what I can afford.", "I must not go over {money}, my budget ends there.",
        "My budget for everything together is no more than {money}.", "I can afford {money} at the most.",
    ),
    "transport.must": (
        "I must travel {item}.", "Between cities it has to be {item} for me.", "I have to go {item}.",
        "I insist on travelling {item}.", "Getting there has to be {item}.", "I need to travel {item}, no matter what.",
        "For me, going {item} is a must.", "Travelling {item} is non-negotiable for me.",
        "Whatever happens, I must go {item}.", "We have to get there {item}.",
    ),
    "transport.prefer": (
        "I would like to travel {item} if possible.", "Ideally we would go {item}.", "I'd prefer to travel {item}.",
        "Going {item} would be nice.", "If it works out, I'd like to go {item}.", "I'd love to travel {item}.",
        "Preferably we go {item}.", "It would be great to travel {item}.", "I'm hoping to go {item}.",
    ),
    "transport.avoid": (
        "I would rather not travel {item}.", "I'd rather not go {item}.", "I'm not very keen on travelling {item}.",
        "I would prefer not to go {item}.", "I could do without travelling {item}.", "I'd like to avoid going {item}.",
        "Travelling {item} is not really my thing.", "If possible, not {item}.",
        "Please let us try to avoid going {item}.",
    ),
    "transport.reject": (
        "I will under no circumstances travel {item}.", "I won't travel {item}.", "I never travel {item}.",
        "Going {item} is out of the question for me.", "I refuse to travel {item}.", "I won't go {item}.",
        "No way will I travel {item}.", "I will not go {item}.",
    ),
    "intensity.max_poi_per_day": (
        "I can do at most {n} sights a day.", "No more than {n} sights a day for me.",
        "{n} sights a day is my limit.", "I can't see more than {n} places a day.",
        "Please, at most {n} sights per day.", "I will not visit more than {n} sights a day.",
        "{n} sights in one day is the most that I can do.", "Only {n} sights a day for me, no more.",
        "My limit is {n} sights each day.", "Let us see {n} places a day at the most.",
    ),
    "intensity.max_active_hours": (
        "I can be on my feet for at most {n} hours a day.", "No more than {n} hours a day on my feet for me.",
        "{n} hours a day on my feet is my limit.", "I can't be on my feet for more than {n} hours a day.",
        "After {n} hours a day on my feet I can do no more.",
        "At most {n} hours of walking and sightseeing a day, please.",
        "My limit is {n} hours of sightseeing and walking each day.",
        "Please plan no more than {n} hours of sightseeing and walking a day for me.",
        "{n} hours on my feet is the most that I can do in a day.",
        "I will not be walking and sightseeing for more than {n} hours a day.",
    ),
    "hotel_preference.prefer": (
        "I would like to stay in {item} if possible.", "I'd love to stay in {item}.", "Ideally we sleep in {item}.",
        "Staying in {item} would be nice.", "I'd prefer {item} for the nights.", "If it works out, I'd like {item}.",
        "Preferably we stay in {item}.", "It would be lovely to sleep in {item}.", "I'm hoping for {item}.",
    ),
    "hotel_preference.avoid": (
        "I would rather not stay in {item}.", "I'd rather not sleep in {item}.", "I'm not so keen on {item}.",
        "I would prefer not to stay in {item}.", "I could do without {item}.", "I'd like to avoid {item}.",
        "If possible, no {item}.", "Let us try to avoid {item}.", "Staying in {item} is not really my thing.",
    ),
    "attractions.must_visit": (
        "In {city} I must see {item}.", "I have to go to {item} in {city}, whatever happens.",
        "Visiting {item} in {city} is a must for me.", "I'm not leaving {city} without seeing {item}.",
        "In {city} I need to visit {item}.", "We cannot miss a visit to {item} in {city}.",
        "No matter what, I have to visit {item} in {city}.", "I insist on seeing {item} when we are in {city}.",
        "When in {city}, we must go to {item}.", "Seeing {item} in {city} is non-negotiable for me.",
        "What I must see in {city} is {item}.", "We have to stop at {item} in {city}.",
    ),
    "attractions.reject_visit": (
        "In {city} I will under no circumstances go to {item}.", "I won't visit {item} in {city}.",
        "I refuse to go to {item} in {city}.", "Visiting {item} in {city} is out of the question for me.",
        "In {city} I will not see {item}.", "No way will I go to {item} in {city}.",
        "I never want to see {item} in {city}.", "In {city} I won't go to {item}.",
    ),
    "attractions.category_pref.positive": (
        "In {city} I would enjoy {item}.", "I'd love to visit {item} in {city}.", "In {city} I'm hoping for {item}.",
        "It would be nice to visit {item} in {city}.", "If it works out, I'd like {item} in {city}.",
        "{item} in {city} would be lovely.", "Ideally there is time for {item} in {city}.",
        "I'd like time for {item} in {city}.", "In {city} I would really like to visit {item}.",
        "I'd be happy to visit {item} in {city}.",
    ),
    "attractions.category_pref.negative": (
        "In {city} I would rather skip {item}.", "I'm not too keen on {item} in {city}.",
        "I'd rather not visit {item} in {city}.", "I could do without {item} in {city}.",
        "In {city} I would prefer to avoid {item}.", "If possible, no {item} in {city}.",
        "Let us try to avoid {item} in {city}.", "Visiting {item} in {city} is not really my thing.",
        "I'd like to skip {item} while we are in {city}.",
    ),
    "food.must_eat": (
        "In {city} I must eat {item}.", "I have to have {item} in {city}, whatever happens.",
        "Eating {item} in {city} is a must for me.", "I'm not leaving {city} without eating {item}.",
        "In {city} we need to eat {item} once.", "No matter what, I have to try {item} in {city}.",
        "I insist on {item} for one meal in {city}.", "When in {city}, I must have {item}.",
        "One meal in {city} has to be {item}.", "Having {item} in {city} is a must for me.",
    ),
    "food.prefer_eat": (
        "In {city} I would like to eat {item} if possible.", "I'd love some {item} in {city}.",
        "It would be nice to eat {item} in {city}.", "If it works out, I'd like to try {item} in {city}.",
        "Ideally we have {item} in {city}.", "I'm hoping for {item} in {city}.",
        "{item} in {city} would be great.", "I would enjoy {item} for a meal in {city}.",
        "I'd be happy with {item} in {city}.",
    ),
    "food.avoid_eat": (
        "In {city} I would rather not eat {item}.", "I'm not really keen on {item} in {city}.",
        "I'd rather not have {item} in {city}.", "I could do without {item} in {city}.",
        "In {city} I would prefer to avoid {item}.", "If possible, no {item} in {city}.",
        "I'd like to skip {item} in {city}.", "Eating {item} in {city} is not really my thing.",
        "Let us try to avoid {item} in {city}.",
    ),
    "food.reject_eat": (
        "In {city} I will under no circumstances eat {item}.", "I won't eat {item} in {city}.",
        "I refuse to eat {item} in {city}.", "Eating {item} in {city} is out of the question for me.",
        "I will not eat {item} in {city}.", "No way will I eat {item} in {city}.",
        "In {city} I will not have {item}.", "In {city} I won't have {item}.",
    ),
}  # fmt: skip

CHINESE: dict[str, tuple[str, ...]] = {
    "avg_budget": (
        "我的人均预算绝对不能超过{money}。", "我这边人均最多{money}，一分也不能多。", "这次旅行我最多花{money}。",
        "我的预算上限是{money}。", "人均花费不能超过{money}。", "预算方面，我最多{money}。", "我的预算最多{money}。",
        "{money}是我的上限，不能再多。", "我最多只能花{money}。", "我的花费不能超过{money}。",
        "预算至多{money}，不能再多了。",
    ),
    "transport.must": (
        "城市之间我必须{item}。", "这次出行我一定要{item}。", "我务必要{item}。", "无论如何都要{item}。",
        "交通上我必须{item}。", "城市之间一定要{item}。", "对我来说，{item}是必须的。", "来回我必须{item}。",
        "不管怎样我都必须{item}。", "出门我一定要{item}。",
    ),
    "transport.prefer": (
        "可以的话，我想{item}。", "我希望能{item}。", "出行我比较想{item}。", "如果可以，就{item}吧。",
        "交通上我倾向于{item}。", "最好能{item}。", "有机会的话，我想{item}。", "我更喜欢{item}。",
        "要是能{item}就好了。",
    ),
    "transport.avoid": (
        "我不太想{item}。", "尽量不要{item}。", "出行最好不要{item}。", "我尽量不{item}。", "最好别{item}。",
        "我不大想{item}。", "我对{item}不太感兴趣。", "城市之间尽量别{item}。",
    ),
    "transport.reject": (
        "我坚决不{item}。", "我绝对不{item}。", "我拒绝{item}。", "千万别{item}。", "我绝不{item}。",
        "我无论如何都不{item}。", "绝对不要{item}。", "来回我决不{item}。",
    ),
    "intensity.max_poi_per_day": (
        "我每天最多只能去{n}个景点，不能再多。", "每天最多{n}个景点。", "一天不能超过{n}个景点。",
        "每天{n}个景点是我的上限。", "我一天最多去{n}个景点。", "每天至多{n}个景点，不能再多。",
        "一天{n}个景点就是我的上限。", "我每天只能去{n}个景点。", "请每天最多安排{n}个景点。",
        "每天{n}个景点，不能再多了。",
    ),
    "intensity.max_active_hours": (
        "我每天最多只能活动{n}个小时，不能再多。", "每天活动最多{n}个小时。", "一天活动不能超过{n}小时。",
        "每天活动{n}个小时是我的上限。", "我一天最多活动{n}个小时。", "每天至多活动{n}小时，不能再多。",
        "我每天只能活动{n}个小时。", "请每天最多安排{n}个小时的活动。", "我一天活动{n}小时就到上限了。",
        "活动时间每天不能超过{n}个小时。",
    ),
    "hotel_preference.prefer": (
        "可以的话，我想住{item}。", "住宿方面我比较喜欢{item}。", "希望能住{item}。", "如果可以，就住{item}吧。",
        "我想住{item}。", "最好住{item}。", "我更喜欢住{item}。", "有机会的话，我想住{item}。",
        "要是能住{item}就好了。",
    ),
    "hotel_preference.avoid": (
        "住宿尽量不要选{item}。", "我不太想住{item}。", "最好不要住{item}。", "住宿就尽量别选{item}吧。",
        "最好别住{item}。", "尽量不住{item}。", "我不大想住{item}。", "{item}我不太想住。",
    ),
    "attractions.must_visit": (
        "在{city}我必须去{item}。", "{city}的{item}，我无论如何都要去。", "到了{city}，一定要参观{item}。",
        "{city}的{item}不能错过，一定要去看。", "在{city}务必要去{item}。", "在{city}，{item}我必须去。",
        "到{city}我一定要去看{item}。", "{item}是我在{city}一定要去的。", "去{city}不能错过{item}。",
        "{city}的{item}我一定要去。", "我无论如何都要参观{city}的{item}。", "对我来说，{city}的{item}必须去。",
    ),
    "attractions.reject_visit": (
        "在{city}我坚决不去{item}。", "{city}的{item}我绝对不去。", "在{city}我拒绝参观{item}。",
        "在{city}千万别去{item}。", "{city}的{item}我无论如何都不去。", "我绝不去{city}的{item}。",
        "我拒绝去{city}的{item}。", "到{city}千万别去{item}。", "在{city}绝对不要去{item}。",
    ),
    "attractions.category_pref.positive": (
        "在{city}我比较喜欢逛{item}。", "在{city}可以的话，我想去{item}看看。", "在{city}我希望能逛逛{item}。",
        "在{city}我比较想逛{item}。", "有机会的话，在{city}我想逛逛{item}。", "要是能在{city}逛逛{item}就好了。",
        "{city}的{item}我想去看看。", "在{city}最好能去{item}看看。", "我希望在{city}能去{item}。",
        "我想在{city}逛逛{item}。",
    ),
    "attractions.category_pref.negative": (
        "在{city}我不太想逛{item}。", "在{city}尽量不要去{item}。", "在{city}最好不要逛{item}。",
        "在{city}就尽量别去{item}吧。", "在{city}我不大想逛{item}。", "在{city}最好别去{item}。",
        "{city}的{item}我不太想去。", "我对{city}的{item}不太感兴趣。", "在{city}尽量别逛{item}。",
    ),
    "food.must_eat": (
        "在{city}我必须吃{item}。", "{city}的{item}，我无论如何都要吃到。", "到了{city}，一定要吃{item}。",
        "在{city}务必要吃{item}。", "在{city}，{item}我必须吃到。", "我一定要在{city}吃{item}。",
        "{city}的{item}不能错过，一定要吃。", "在{city}不能错过{item}。", "我无论如何都要在{city}吃到{item}。",
        "对我来说，在{city}必须吃{item}。",
    ),
    "food.prefer_eat": (
        "在{city}可以的话，我想吃{item}。", "在{city}我比较喜欢吃{item}。", "在{city}希望能吃到{item}。",
        "在{city}如果可以，就吃{item}吧。", "我想在{city}吃{item}。", "有机会的话，在{city}我想吃{item}。",
        "要是能在{city}吃到{item}就好了。", "在{city}最好能吃到{item}。", "我希望在{city}能吃到{item}。",
    ),
    "food.avoid_eat": (
        "在{city}我不太想吃{item}。", "在{city}尽量不要吃{item}。", "在{city}最好不要吃{item}。",
        "在{city}就尽量别吃{item}吧。", "在{city}我不大想吃{item}。", "在{city}最好别吃{item}。",
        "{city}的{item}我不太想吃。", "我不太爱吃{city}的{item}。", "在{city}尽量不吃{item}。",
    ),
    "food.reject_eat": (
        "在{city}我坚决不吃{item}。", "在{city}我绝对不吃{item}。", "在{city}我拒绝吃{item}。",
        "在{city}千万别吃{item}。", "{city}的{item}我绝对不吃。", "我在{city}决不吃{item}。",
        "在{city}我绝不吃{item}。", "我拒绝在{city}吃{item}。", "在{city}我无论如何都不吃{item}。",
    ),
}  # fmt: skip

FRAMES: dict[Language, dict[str, tuple[str, ...]]] = {"en": ENGLISH, "zh": CHINESE}

OF_NO_WORD: dict[Language, dict[str, str]] = {
    "en": {
        "transport.must": "I must travel by {item} between cities.",
        "transport.prefer": "I would like to travel by {item} if possible.",
        "transport.avoid": "I would rather not travel by {item}.",
        "transport.reject": "I will under no circumstances travel by {item}.",
        "hotel_preference.prefer": "I would like to stay somewhere of the kind {item} if possible.",
        "hotel_preference.avoid": "I would rather not stay somewhere of the kind {item}.",
        "attractions.category_pref.positive": "In {city} I would enjoy sights of the kind {item}.",
        "attractions.category_pref.negative": "In {city} I would rather skip sights of the kind {item}.",
        "food.must_eat": "In {city} I must eat {item}.",
        "food.prefer_eat": "In {city} I would like to eat {item} if possible.",
        "food.avoid_eat": "In {city} I would rather not eat {item}.",
        "food.reject_eat": "In {city} I will under no circumstances eat {item}.",
    },
    "zh": {
        "transport.must": "城市之间我必须坐{item}。",
        "transport.prefer": "可以的话，我想坐{item}。",
        "transport.avoid": "{item}能不坐就尽量不坐。",
        "transport.reject": "我坚决不坐{item}。",
        "hotel_preference.prefer": "可以的话，我想住{item}。",
        "hotel_preference.avoid": "住宿尽量不要选{item}。",
        "attractions.category_pref.positive": "在{city}我比较喜欢逛{item}这一类景点。",
        "attractions.category_pref.negative": "在{city}我不太想逛{item}这一类景点。",
        "food.must_eat": "在{city}我必须吃{item}。",
        "food.prefer_eat": "在{city}可以的话，我想吃{item}。",
        "food.avoid_eat": "在{city}我不太想吃{item}。",
        "food.reject_eat": "在{city}我坚决不吃{item}。",
    },
}
"""The sentences of what has no word of ours and so stands in marks: they name its topic themselves."""

GREETINGS: dict[Language, tuple[str, ...]] = {
    "en": ("", "", "", "Hi all!", "Hello everybody!", "Hey folks!", "Hi, it's me.", "Dear all!", "From my side:",
           "As for me:", "I'm so happy about this trip!", "Hello there!"),
    "zh": ("", "", "", "大家好！", "你们好！", "我这边：", "大家好呀！", "轮到我了。", "我也说说："),
}  # fmt: skip
"""What a message may begin with; an empty one says nothing."""

ENDINGS: dict[Language, tuple[str, ...]] = {
    "en": ("", "", "", "", "Thanks!", "Thank you all!", "That is all.", "That is all. Thanks!"),
    "zh": ("", "", "", "谢谢大家！", "就这些。", "谢谢！", "谢谢你们！", "就这些，谢谢！"),
}  # fmt: skip
"""What a message may end with."""

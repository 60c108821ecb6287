"""The words in which opening messages state preferences, by language: how strongly, about what, and what says nothing.

Patterns of regular expressions over text in lower case. How a message is read by them is `message_reading.py`.
"""

from __future__ import annotations

from typing import Literal

from assets.grouptravel.vocabulary import Language

Tier = Literal["cap", "avoid", "reject", "must", "prefer"]
Topic = Literal["budget", "hours", "sights_a_day", "kind", "hotel", "transport", "food", "sight"]

TIERS: dict[Language, dict[Tier, str]] = {
    "en": {
        "cap": r"no more than|not more than|at (?:the )?most|is the most that|"
        r"(?:cannot|can't|can not|will not|won't|must not)"
        r"(?=(?: [a-z]+){0,6} more than)|more than|must not (?:exceed|go (?:over|above))|maximum|upper limit|limit|"
        r"(?:no|and nothing) more|only",
        "avoid": r"(?:would|i'd)(?: much)? rather (?:not|skip|avoid)|(?:would )?prefer not to|(?:would )?prefer to "
        r"(?:avoid|skip)|(?:would|i'd) like to (?:avoid|skip)|not (?:too|so|very|really) keen on|try to avoid|"
        r"could do without|(?:is|are) not really my thing|if (?:at all )?possible,? (?:not|no)",
        "reject": r"under no circumstances|will not|won't|must not|mustn't|never|refuse to|out of the question|no way",
        "must": r"must|have to|has to|need to|needs to|insist on|whatever happens|no matter what|non-negotiable|"
        r"without fail|(?:cannot|can't) (?:miss|leave without)|not leaving|without(?= (?:seeing|eating|visiting))",
        "prefer": r"(?:would|i'd)(?: really| also)? (?:like|love|enjoy|prefer|appreciate)(?: to)?|if it works out|"
        r"hoping(?: for| to)?|"
        r"be happy (?:about|with|to)|"
        r"if (?:at all )?possible|ideally|preferably|would be (?:nice|lovely|great|welcome)|prefer(?: to)?",
    },
    "zh": {
        "cap": r"一分也不能多|不能再多|不能超过|不超过|不多于|至多|最多|上限|只能",
        "avoid": r"能不(?=[坐去吃住])|就?尽量不要?|尽量别|不太想|不大想|不太|最好不要?|最好别",
        "reject": r"坚决不|绝对不|绝不|决不|拒绝|无论如何都?不|千万别",
        "must": r"必须|一定要|无论如何都?要|务必|不能错过",
        "prefer": r"可以的话|如果可以|有机会的?话?|要是能|比较喜欢|比较想|希望|最好|喜欢|倾向于?|想",
    },
}  # fmt: skip
"""What each strength sounds like; a phrase is looked for in this order and taken out before the next is."""

TOPICS: dict[Language, dict[Topic, str]] = {
    "en": {
        "budget": r"(?:have (?:a )?)?budget|spend(?:ing)?|pay|cost|afford|(?:per|a) (?:person|head)",
        "hours": r"hours?",
        "sights_a_day": r"(?:sights?|places|attractions) (?:a|per|each|every|in (?:a|one)) day",
        "kind": r"(?:sights?|places|attractions) of (?:the|this) (?:kind|type)",
        "hotel": r"stay(?:ing)?|sleep(?:ing)?|hotels?|rooms?|accommodation",
        "transport": r"travel(?:ling)?|between (?:the )?cities|(?:go|get there|get around) by|ride",
        "food": r"eat(?:ing)?|food|dish(?:es)?|meals?|taste|try(?:ing)?|hav(?:e|ing)",
        "sight": r"see(?:ing)?|visit(?:ing)?|(?:go|going) to|sights?|stop at",
    },
    "zh": {
        "budget": r"预算|人均|花费|花|费用",
        "hours": r"个?小时|活动",
        "sights_a_day": r"个景点",
        "kind": r"类的?景点|类型的景点|种景点",
        "hotel": r"住宿|入住|住|酒店",
        "transport": r"乘坐|坐|城市之间|出行|交通",
        "food": r"吃|美食",
        "sight": r"参观|游览|去|看|逛|景点",
    },
}  # fmt: skip
"""What a preference is about, in what it is called."""

HOLDS_SIGHT: frozenset[Topic] = frozenset({"sights_a_day", "kind"})
"""Topics that are spoken of in the words for sights too: at most so many sights to see a day."""

SAYS_NOTHING: dict[Language, str] = {
    "en": r"on my feet|full stop|a day|per day|each day|every day|as for|from my side|make sure|"
    r"a|an|the|i|i'm|i'd|i'll|me|my|we|us|our|you|it|it's|its|is|be|being|am|are|this|that|these|to|of|in|at|on|by|for|"
    r"from|with|and|or|as|so|also|too|please|then|there|here|during|while|when|which|trip|journey|group|everyone|"
    r"everybody|hi|hello|hey|all|folks|will|would|can|do|somewhere|something|kind|type|both|one|really|just|very|"
    r"absolutely|definitely|certainly|simply|active|know|say|personally|honestly|out|up|about|get|getting|go|let|take|whole|what|together|everything|ends|once|want|nights|"
    r"after|happy|much|sightseeing|time|take|thing|things|has|had|some|total|"
    r"overall|altogether|money|walking|busy|going|plan|able|include|included|dear|friends|guys|thanks|thank",
    "zh": r"大家好|大家|我们|我这边|轮到|说说|不管怎样|感兴趣|安排|时间|来回|出门|更|爱|"
    r"我|你们|这次|旅行|每天|一天|城市|一定|绝对|这一|那边|来说|另外|还有|"
    r"方面|谢谢|你们好|些|上|呀|好|的|了|吧|呢|啊|也|都|到|在|里|个|这|那|请|选|要|是|和|与|或者|对|能|可以|就",
}  # fmt: skip
"""Words that no preference is made of, none of which negates, grades or adds."""

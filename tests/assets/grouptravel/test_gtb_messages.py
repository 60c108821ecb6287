"""Opening messages, whoever words them: what is said is read back exactly, in words as strong as the tier."""

from __future__ import annotations

import re
from typing import Any

import pytest
from babel.core import get_global
from babel.numbers import get_territory_currencies
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.frames import ENDINGS, FRAMES, GREETINGS, OF_NO_WORD
from assets.grouptravel.wishes.message_reading import Terms, misread, read_message
from assets.grouptravel.wishes.messages import WordingError, opening, worded
from assets.grouptravel.wishes.preferences import FIELDS, STRONG, Item, items_of
from tests.assets.grouptravel.weekend import table

HOSTILE = [
    "<script>",
    'say "so"',
    "a, b. c {item} {0}",
    "“quoted” «twice»",
    "مطعم",
    "🍜 noodles",
    "In “Oulu” I must eat",
    "0",
]
names = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


TERMS = {language: Terms(["Oulu", "Kemi"], language, "EUR") for language in ("en", "zh")}


def sayable(text: str) -> bool:
    return text.isprintable() and any(not set(pair) & set(text) for pair in ("“”", "«»", "「」", "『』", "‹›"))


def item(draw: Any) -> Any:
    field, name, city, number = draw
    return Item(field, city if field.per_city else "", name if field.is_list else number)


items = st.tuples(st.sampled_from(FIELDS), names.filter(sayable), names.filter(sayable), st.integers(0, 10**7)).map(
    item
)


@given(
    st.lists(items, min_size=1, max_size=5, unique_by=repr),
    st.sampled_from(["en", "zh"]),
    st.sampled_from(["EUR", "CNY"]),
    st.integers(),
)
def test_a_message_reads_back_as_exactly_what_it_was_made_from(said, language, currency, seed):
    terms = Terms({item.city for item in said}, language, currency)
    read = read_message(worded(said, language, currency, seed), terms)
    assert (sorted(map(repr, read.items)), read.doubts) == (sorted(map(repr, said)), [])


@pytest.mark.parametrize("path", ["must_visit", "reject_visit"])
def test_nobody_says_in_oulu_of_a_place_that_is_called_after_oulu(path):
    field = next(field for field in FIELDS if field.path[-1] == path)
    named, other = (Item(field, "Oulu", name) for name in ("Castle of Oulu", "Castle Rock"))
    of_named, of_other = ({worded([one], "en", "EUR", seed) for seed in range(60)} for one in (named, other))
    assert not any("” in Oulu" in text for text in of_named)
    assert any("” in Oulu" in text for text in of_other)
    for text in of_named:
        read = read_message(text, TERMS["en"])
        assert (read.items, read.doubts) == ([named], [])


SEVERAL = {
    "must_visit": ("Castle Rock", "Lake Park"), "must_eat": ("burgers", "pizza"), "prefer_eat": ("burgers", "pizza")
}  # fmt: skip
AS_OF_ONE = re.compile(r"one meal|a meal|\bonce\b|^(?!Visiting|Eating|Having|Seeing).* is a must", re.IGNORECASE)


@pytest.mark.parametrize("path", SEVERAL)
def test_nobody_speaks_of_several_things_as_of_one(path):
    field = next(field for field in FIELDS if field.path[-1] == path)
    both = [Item(field, "Oulu", name) for name in SEVERAL[path]]
    texts = {worded(both, "en", "EUR", seed) for seed in range(200)}
    said = [sentence for text in texts for sentence in re.split(r"(?<=[.!:]) ", text)]
    assert [sentence for sentence in said if AS_OF_ONE.search(sentence)] == []
    for text in texts:
        read = read_message(text, TERMS["en"])
        assert (sorted(map(repr, read.items)), read.doubts) == (sorted(map(repr, both)), [])


WORDS = {
    "en": {"category_pref": "museum", "food": "sushi", "hotel_preference": "hostel", "transport": "flight"},
    "zh": {"category_pref": "博物馆", "food": "寿司", "hotel_preference": "旅馆", "transport": "飞机"},
}


def plain(field, language):
    """Return an item of the field with a word of its own, or a place's name, in a city of the language."""
    value = next((WORDS[language][part] for part in reversed(field.path) if part in WORDS[language]), "Lake Park")
    return item((field, "Lake Park" if field.path[-1].endswith("_visit") else value, CITY[language], 1500))


CITY: dict[Language, str] = {"en": "Oulu", "zh": "海口市"}
PLAIN_TERMS = {language: Terms([city], language, "EUR") for language, city in CITY.items()}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("field", FIELDS, ids=lambda field: ".".join(field.path))
def test_each_frame_reads_back(language, field):
    one = plain(field, language)
    frames = FRAMES[language][".".join(field.path)]
    texts = {worded([one], language, "EUR", seed) for seed in range(600)}
    bare = {text for text in texts if sum(text.count(end) for end in ".!。！：:") == 1}
    assert len(bare) == len(frames)
    assert [misread(text, [one], PLAIN_TERMS[language]) for text in texts] == [[]] * len(texts)
    unlike = FIELDS[0] if field is not FIELDS[0] else FIELDS[1]
    assert all(misread(text, [plain(unlike, language)], PLAIN_TERMS[language]) for text in bare)


@pytest.mark.parametrize(
    ("text", "city", "language"),
    [("If it works out, I'd like Thai food in Thai.", "Thai", "en"), ("在泰国我想吃泰国菜。", "泰国", "zh")],
)
def test_a_city_that_a_word_begins_with_is_told_from_it(text, city, language):
    read = read_message(text, Terms([city], language, "EUR"))
    food = {"en": "Thai food", "zh": "泰国菜"}[language]
    assert [(item.field.path, item.city, item.value) for item in read.items] == [(("food", "prefer_eat"), city, food)]
    assert read.doubts == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_frames_enough_and_none_is_of_two_fields(language):
    frames = [frame for found in FRAMES[language].values() for frame in found]
    assert len(frames) >= {"en": 150, "zh": 140}[language]
    assert min(len(found) for found in FRAMES[language].values()) >= {"en": 8, "zh": 8}[language]
    assert all(len(set(found)) == len(found) for found in FRAMES[language].values())


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("city", "is_plain"),
    [
        *((name, True) for name in ("Èze", "Åbo", "Łódź", "Le Mans", "La Paz", "St. Louis", "Ho Chi Minh City")),
        *((name, True) for name in ("Virginia Beach", "L’Aquila", "Москва", "दिल्ली", "القاهرة", "Brașov - Kronstadt")),
        *((name, False) for name in ("Of", "Y", "den Haag", "Town 7", "A  B", "Frankfurt (Oder)", "Washington D.C.")),
    ],
)
def test_a_city_s_name_stands_without_marks_in_any_script(city, is_plain, language):
    by_path = {".".join(field.path): field for field in FIELDS}
    said = [Item(by_path["food.must_eat"], city, "sushi"), Item(by_path["attractions.must_visit"], city, "Lake Park")]
    for seed in range(100):
        text = worded(said, language, "EUR", seed)
        assert misread(text, said, Terms([city], language, "EUR")) == []
        assert (f"“{city}”" in text) is not is_plain


@pytest.mark.parametrize("language", ["en", "zh"])
def test_greetings_and_ends_say_nothing(language):
    for text in (*GREETINGS[language], *ENDINGS[language]):
        read = read_message(text, PLAIN_TERMS[language])
        assert (read.items, read.doubts) == ([], [])


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("field", [f for f in FIELDS if ".".join(f.path) in OF_NO_WORD["en"]],
                         ids=lambda field: ".".join(field.path))  # fmt: skip
def test_what_has_no_word_of_ours_stands_in_marks_and_reads_back(language, field):
    one = item((field, "Zzyzx", CITY[language], 7))
    text = worded([one], language, "EUR", 1)
    assert "“Zzyzx”" in text
    assert misread(text, [one], PLAIN_TERMS[language]) == []


def test_things_of_one_field_stand_in_one_sentence_with_their_articles_plurals_and_units():
    by_path = {".".join(field.path): field for field in FIELDS}

    def words(path, *values, currency="EUR"):
        said = [Item(by_path[path], "Oulu" if by_path[path].per_city else "", value) for value in values]
        texts = {worded(said, "en", currency, seed) for seed in range(400)}
        assert all(misread(text, said, Terms(["Oulu"], "en", currency)) == [] for text in texts)
        return texts

    assert "In Oulu I must eat sushi and Chinese food." in words("food.must_eat", "sushi", "Chinese food")
    assert "In Oulu I will under no circumstances eat sushi or kebab." in words("food.reject_eat", "sushi", "kebab")
    assert "In Oulu I would enjoy churches, art galleries and public art." in words(
        "attractions.category_pref.positive", "church", "art gallery", "public art"
    )
    stays = words("hotel_preference.prefer", "hostel", "economy")
    assert "Ideally we sleep in a hostel and a cheap hotel." in stays
    assert "If it works out, I'd like hostels and cheap hotels." in stays
    assert "I won't travel by plane." in words("transport.reject", "flight")
    assert "My budget is 1,500 euros at most." in words("avg_budget", 1500)
    assert "My budget is 85,000 Japanese yen at most." in words("avg_budget", 85_000, currency="JPY")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_budget_in_any_money_in_use_reads_back(language):
    """Of two sentences were the "400 St. Helena pounds", and no group there had a budget."""
    countries = set(get_global("zone_territories").values())
    budget = [Item(next(field for field in FIELDS if field.path == ("avg_budget",)), "", 400)]
    for currency in {currency for country in countries for currency in get_territory_currencies(country)}:
        texts = {worded(budget, language, currency, seed) for seed in range(20)}
        assert all(misread(text, budget, Terms(["Oulu"], language, currency)) == [] for text in texts), currency


@given(st.sampled_from(["en", "zh"]), st.integers(0, 10**6))
def test_an_opening_reveals_one_to_three_of_the_user_s_preferences(language, seed):
    """G4: the release reveals up to seven."""
    wanted = table(avg_budget=700, must_visit=["Lake Park", "Old Temple"], must_eat=["hotpot"], avoid_eat=["noodles"],
                   max_poi_per_day=3, transport_must=["train"], hotel_avoid=["luxury"])  # fmt: skip
    found = opening(wanted, seed)
    assert 1 <= len(found) <= 3
    assert len(set(map(repr, found))) == len(found)
    assert misread(worded(found, language, "EUR", seed), found, Terms(["Oulu", "Kemi"], language, "EUR")) == []
    assert all(preference in list(items_of(wanted)) for preference in found)


SOFT = {
    "en": ("would like", "would rather", "would enjoy", "if possible", "'d ", "deally", "would be", "referably",
           "hoping",
           "would prefer", "would really like", "would appreciate", "not so keen", "not too keen", "not really keen",
           "not very keen", "could do without", "If possible", "try to avoid", "not really my thing", "would go"),
    "zh": ("可以的话", "尽量", "不太", "比较", "如果可以", "希望", "倾向", "最好", "想", "更喜欢", "要是能"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("field", FIELDS, ids=lambda field: ".".join(field.path))
def test_every_field_is_said_as_strongly_as_its_tier(language, field):
    """G4: the release asks for caps "at best"."""
    for phrase in FRAMES[language][".".join(field.path)]:
        assert any(word in phrase for word in SOFT[language]) is (field.weight != STRONG), phrase


def test_a_cap_on_hours_is_said_of_sights_and_ways():
    """The cap counts no meals and no rest: who is "out for at most 8 hours" would be back before dinner."""
    assert all(re.search("on my feet|sightseeing", frame) for frame in FRAMES["en"]["intensity.max_active_hours"])
    assert all("活动" in frame for frame in FRAMES["zh"]["intensity.max_active_hours"])


def test_every_field_has_frames_in_both_languages():
    assert [set(FRAMES[language]) for language in ("en", "zh")] == [{".".join(field.path) for field in FIELDS}] * 2


FREELY = {
    "en": "Hi all! In “Oulu” I'd really love to eat “noodles”, if at all possible. Please, no more than 1,500 EUR per "
    "person. Whatever happens, we need to go to “Lake Park” in “Oulu”; and I won't travel by “flight”.",
    "zh": "大家好，在“Oulu”希望能吃到“noodles”。预算最多1500EUR。“Oulu”的“Lake Park”我一定要去；我绝对不坐“flight”。",
}
SAID = (("food.prefer_eat", "noodles"), ("avg_budget", 1500), ("attractions.must_visit", "Lake Park"),
        ("transport.reject", "flight"))  # fmt: skip


def freely(said: tuple[tuple[str, Any], ...] = SAID) -> list[Item]:
    found = {".".join(field.path): field for field in FIELDS}
    return [Item(found[path], "Oulu" if found[path].per_city else "", value) for path, value in said]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_message_in_other_words_than_ours_reads_back_too(language):
    assert misread(FREELY[language], freely(), TERMS[language]) == []


WRONG = {
    "a must with a way out (G4)": ("we need to go to", "we need, if possible, to go to"),
    "a must as a wish (G4)": ("Whatever happens, we need to", "I would like to"),
    "a refusal as a wish (G4)": ("I won't travel", "I would rather not travel"),
    "a cap with a way out (G4)": ("no more than", "ideally no more than"),
    "another number": ("1,500", "1,600"),
    "another currency": ("EUR", "USD"),
    "another city": ("in “Oulu”;", "in “Kemi”;"),
    "no city": (" in “Oulu”;", ";"),
    "one wish more": ("“noodles”", "“noodles” and “hotpot”"),
    "one wish less": ("; and I won't travel by “flight”", ""),
    "said twice": ("“noodles”", "“noodles” and “noodles”"),
    "a negation": ("I'd really love to eat", "I'd love not to eat"),
    "a wish without marks": ("if at all possible", "if at all possible with beer"),
    "a reason": ("Please,", "As a vegetarian,"),
    "two topics in one sentence": ("go to “Lake Park”", "go to and eat “Lake Park”"),
    "no topic": ("go to “Lake Park”", "do “Lake Park”"),
    "no strength": ("I'd really love to eat “noodles”, if at all possible", "I eat “noodles”"),
    "another name": ("“Lake Park”", "“Lake Parks”"),
    "a number too many": ("per person", "per person, 3 a day"),
    "two lines": ("Hi all! ", "Hi all!\n"),
    "nothing": (FREELY["en"], ""),
    "no end": ("Hi all!", "Hi all! " + "a " * 600),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_a_message_that_does_not_say_exactly_its_preferences_is_caught(change):
    assert change[0] in FREELY["en"]
    assert misread(FREELY["en"].replace(*change), freely(), TERMS["en"])


@pytest.mark.parametrize("change", [
    ("一定要去", "想去"), ("绝对不坐", "尽量不坐"), ("最多", "最好最多"), ("希望", "必须"), ("1500", "1800"),
    ("大家好", "我很累"), ("“noodles”", "“hotpot”"),
])  # fmt: skip
def test_a_chinese_message_that_says_otherwise_is_caught(change):
    assert change[0] in FREELY["zh"]
    assert misread(FREELY["zh"].replace(*change), freely(), TERMS["zh"])


@pytest.mark.parametrize("name", ["“«「『‹", "two\nlines", ""])
def test_what_cannot_be_quoted_is_refused(name):
    wanted = Item(next(f for f in FIELDS if f.path[-1] == "must_eat"), "Oulu", name)
    with pytest.raises(WordingError):
        worded([wanted], "en", "EUR")
    with pytest.raises(WordingError):
        opening(table(must_eat=[name]), 1)

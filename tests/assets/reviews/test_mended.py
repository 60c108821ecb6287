"""What real sentences showed that the rules overlooked, each in a sentence of our own."""

from __future__ import annotations

import pytest

from assets.reviews.lexicon import lexicon
from assets.reviews.reading import read_review


def said(text: str, kind: str = "restaurant") -> dict[str, float]:
    return {mention.attribute: round(mention.value, 2) for mention in read_review(text, lexicon(kind))}


@pytest.mark.parametrize(
    "text",
    [
        "No one greeted us at the door.",
        "We had to remind her of the water.",
        "It was an hour wait even with a booking.",
        "They brought us the wrong starters.",
        "He never apologized.",
        "The staff needs some work.",
    ],
)
def test_service_said_by_deed_is_a_complaint(text):
    assert said(text)["service"] < 3


def test_a_complaint_that_is_denied_is_praise():
    assert said("We have never had a bad meal here.")["flavor"] > 4
    assert said("Yet to have a bad meal.")["flavor"] > 4


@pytest.mark.parametrize(
    ("text", "is_praise"),
    [
        ("Lunch is only $8.", True),
        ("Worth every dollar.", True),
        ("The set menu wasn't worth it.", False),
        ("I could not justify the price.", False),
        ("The prices are a bit high.", False),
    ],
)
def test_value_is_said_by_figures_and_worth(text, is_praise):
    assert (said(text)["value"] > 3) == is_praise


def test_a_comparison_that_goes_against_the_place_is_a_complaint():
    assert said("I have had better pasta at the airport.")["flavor"] < 3


def test_praise_in_quotation_marks_is_unsure_and_read_as_nothing():
    assert said('The "excellent" food came at nine.') == {}
    assert said("The excellent food came at nine.") == {"flavor": 5.0}
    assert said("Excellent food, said “the best guide”.") == {"flavor": 5.0}


def test_what_is_lacking_is_missing():
    assert said("There is a lack of service.")["service"] < 3


def test_fittings_of_a_room_are_the_quality_of_a_stay():
    assert said("The sauna was excellent and the minibar poor.", "stay")["quality"] == pytest.approx(3.5)


@pytest.mark.parametrize("dish", ["bread", "biryani", "tiramisu", "lager", "potatoes", "duck"])
def test_dishes_and_drinks_are_food(dish):
    assert said(f"The {dish} was excellent.") == {"flavor": 5.0}


@pytest.mark.parametrize(
    ("text", "attribute"),
    [("The ceiling was stunning.", "environment"), ("The tab was outrageous.", "value")],
)
def test_fittings_are_the_room_and_money_is_value(text, attribute):
    assert list(said(text)) == [attribute]


@pytest.mark.parametrize("text", ["We fought over the last slice of pizza.", "I suspect the pizza came by train."])
def test_words_that_only_sound_like_a_judgement_are_read_as_nothing(text):
    assert "flavor" not in said(text)


def test_at_best_praises_nothing():
    assert "flavor" not in said("The bread was here at best.")
    assert said("The bread was best.")["flavor"] == 5.0


def test_what_made_guests_sick_was_not_fresh():
    assert said("Both of us were sick all night after the mussels.")["freshness"] == 1.0


def test_who_has_had_worse_says_middling():
    assert said("I have had better service and I have had worse.")["service"] == pytest.approx(3.0, abs=0.2)
    assert said("I have had better service.")["service"] < 2.5


def test_a_host_who_refuses_to_let_guests_pay_is_not_rude():
    assert "service" not in said("She refused to let us pay.")
    assert said("She refused our card.")["service"] < 2


@pytest.mark.parametrize(
    ("text", "orientations"),
    [
        ("The team draws its fans to the park for a game of basketball.", set()),
        ("We played basketball in the park.", {"activity", "nature"}),
        ("Buy your tickets at the gate.", set()),
        ("Buy your postcards at the gate.", {"shopping"}),
        ("The bus ride there is world class.", set()),
        ("There is a class on boats.", {"activity"}),
        ("A coffee shop on the corner.", {"food"}),
        ("A shop on the corner.", {"shopping"}),
        ("They come for the biryani.", {"food"}),
        ("Wrigley Field and Fenway Park are old friends.", set()),
        ("Erected by the first settlers.", {"history"}),
        ("Go on Memorial Day.", set()),
    ],
)
def test_orientations_are_of_what_a_sight_is_and_not_of_a_word_in_another_sense(text, orientations):
    assert set(said(text, "attraction")) == orientations


def test_a_name_without_an_amount_says_nothing_of_the_degree_beside_one_that_has_it():
    assert said("Incredible history, from the first monument on.", "attraction") == {"history": 3.0}
    assert said("A little history, from the first monument on.", "attraction") == {"history": 1.0}
    assert said("History, from the first monument on.", "attraction") == {"history": 2.0}


def test_what_is_worth_the_trip_is_of_a_high_degree():
    assert said("The dumplings are worth the trip.", "attraction") == {"food": 3.0}
    assert said("The shops are worth a look.", "attraction") == {"shopping": 2.3}
    assert said("Dozens of shops, the finest stalls.", "attraction") == {"shopping": 3.0}


@pytest.mark.parametrize(
    ("text", "attribute", "is_praise"),
    [
        ("I have never experienced such poor service.", "service", False),
        ("I have never had such good pasta.", "flavor", True),
        ("The waiter could not have been ruder.", "service", False),
        ("The waiter could not have been kinder.", "service", True),
        ("The service was never good.", "service", False),
    ],
)
def test_never_such_denies_that_there_is_anything_beyond(text, attribute, is_praise):
    assert (said(text)[attribute] > 3) == is_praise


def test_what_one_cannot_believe_is_no_denial_of_it():
    assert said("I couldn't believe how great the food was.")["flavor"] > 4
    assert said("I couldn't believe how slow the service was.")["service"] < 3


@pytest.mark.parametrize(
    "text",
    [
        "The waiter laughed at us.",
        "The waitress had no knowledge of the wine list.",
        "He didn't bother to ask.",
        "They were chatting among themselves.",
        "They seem to think they are doing us a favor.",
        "Our server disappeared after taking the order.",
        "The staff could be more attentive.",
    ],
)
def test_what_servers_do_to_their_guests_is_a_complaint(text):
    assert said(text)["service"] < 3


def test_what_could_be_more_is_no_praise():
    assert said("The decor could be more inviting.") == {}
    assert said("The decor could not be more inviting.")["environment"] > 4

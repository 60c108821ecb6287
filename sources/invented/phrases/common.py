"""What invented reviewers write around their opinions: openings, links, closings, and reviews about something else.

One sentence a line, without its first capital and full stop; `[a|b]` is a choice.
Nothing here speaks of an attribute, though a closing may say whether the visit as a whole pleased.
"""

from __future__ import annotations

OPENINGS = {
    "restaurant": """
we came [on a Tuesday|last Friday|on a rainy Sunday] with [my parents|two friends|the whole office|my sister]
I had been meaning to try it [for months|since spring|ever since it opened]
[stopped by|dropped in] for [lunch|dinner|a late bite] after [work|the game|a long drive]
this was our [second|third|fourth] visit [this year|since the move|in as many months]
[a colleague|my neighbor|my barber|our cab driver] sent us here
we were [four adults and a toddler|a party of six|just the two of us|nine people from the choir]
I ordered the {dish} and my [husband|wife|friend|boss] had the {dish}
it was [half past seven|just after noon|close to nine] when we sat down
I work [around the corner|two blocks away|across the street] and see the sign every day
[first time here|our first visit], we found it by accident
we celebrated my [brother's|aunt's|roommate's] birthday here [in May|last week|in October]
I am [from out of town|in the city twice a month|new to the area]
""",
    "stay": """
we stayed [two nights|three nights|a week|one night] in [March|June|August|November|early December]
I was here for [a conference|a wedding|a funeral|a job interview|a marathon]
we booked [a double|a twin|a suite|two rooms] [on short notice|months ahead|through an app]
[my wife and I|my mother and I|three friends and I] came [for the weekend|by train|by car]
I travel [for work|with a trombone|with two cats] and stay in many hotels
our flight was [canceled|late], so we ended up here
this was our [second|third] stay [in five years|this year|since the new owners]
we got a room on the [second|fourth|seventh|top] floor
I picked it [from a map|because of the name|on a friend's word]
we arrived [around midnight|in the early afternoon|after eleven hours on the road]
""",
    "attraction": """
we visited on a [Saturday|Monday morning|sunny Thursday|foggy afternoon] in [April|July|September|January]
I had [an hour|two hours|half a day] to fill before my [train|flight|meeting]
[my cousin|our host|the hotel clerk|my old teacher] told us to go
we came with [three generations|friends from abroad|the hiking club|my sister's family]
it was on our list for [years|the long weekend|this trip]
we passed by and [decided to go in|were curious|followed the crowd]
[our second visit|my third time here], after [ten years|last summer]
I came alone [on a weekday|with my sketchbook|before the crowds]
we got there [at opening time|around noon|an hour before closing]
I live [nearby|ten minutes away|in the next county] and had never been
""",
}

LINKS = """
honestly,
to be fair,
for what it is worth,
on our visit
as for me,
in my book
I have to say
let me add that
if you ask me,
this time
from what we saw,
as far as I can tell,
"""

ASIDES = """
the [parking meter|ticket machine] outside [only takes coins|ate my card]
it [rained|was windy|was a bright day] when we left
my phone died, so there are no pictures
we walked back [along the river|past the old depot|the long way]
I wrote this [on the train|the next morning|from the couch]
my [brother|cousin] disagrees with me on most of this, but he did not write a review
we met [an old classmate|our mailman|a couple from Ohio] at the next table
I lost a glove somewhere on the way
we had tickets for [a concert|the ball game] afterwards
[it was the week of the street fair|half the street was dug up]
there was a [school orchestra|knitting club|film crew] [in the street|by the door], do not ask me why
I am not somebody who writes [many reviews|long reviews], so [bear with me|forgive the style]
my [sister-in-law|nephew|podcast host] had [told me about it|raved about it|warned me about it] before
the whole thing took [an hour and a half|two hours|most of the day], with the walk
I have lived in [three countries|this county all my life|a houseboat], if that helps
it was [the week before Easter|a holiday weekend|the day after the storm]
the [bus|train] home was late again, but that is another story
I paid with [cash|a card|a voucher from my aunt]
our [youngest|dog|grandmother] slept through most of the [afternoon|way back]
I forgot my [reading glasses|umbrella|charger], as always
there is a [statue of a goose|mural of a whale|phone booth] [across the road|on the corner]
we took [a wrong turn|the scenic route] and came [in through the back|late]
"""

CLOSINGS = {
    "bad": """
I will not be back
we will not return
never again
one star, and only because zero is not possible
do yourself a favor and keep walking
I am writing this so that you do not have to find out yourself
""",
    "mixed": """
we may or may not return
it could go either way next time
I might give it another try
no strong feelings either way
three stars from me
make of that what you will
""",
    "good": """
we will be back
I would go again
can't wait to come back
five stars from me
tell them I sent you
we have already planned the next visit
add it to your list
""",
}

OFF_TOPIC = """
I have only [driven past|called on the phone], so take this with a grain of salt
the [delivery app|map app] sent our driver to [the wrong town|a different street], I blame the app
does anyone know whether they [open on Labor Day|take gift cards from the old owner]
I left a [blue umbrella|gray scarf] here on [Monday|the twelfth], please call me if you found it
this review is for the [parking garage|bank branch] next door, [I could not find its page|sorry]
wrong listing, I meant to review [a place in another state|my plumber]
they have moved the entrance to the [side street|back], in case you look for it
congratulations to [the cook's cousin|Marty] on the new baby
the city should really [fix the potholes|time the lights] on this street
I am [updating my password|testing the app], please ignore
to the person in the [red|silver] van: you left your lights on
"""

EMOJI = ("\U0001f60d", "\U0001f44d", "\U0001f622", "\U0001f389", "\u2764\ufe0f")

DISHES: dict[str, tuple[str, ...]] = {
    "US": ("meatloaf", "fried chicken", "mac and cheese", "brisket", "chicken pot pie", "pork chop"),
    "Mexican": ("mole", "carnitas plate", "pozole", "chile relleno", "ceviche"),
    "Irish": ("shepherd's pie", "lamb stew", "soda bread", "corned beef"),
    "French": ("coq au vin", "cassoulet", "onion soup", "duck confit", "bouillabaisse"),
    "Italian": ("lasagna", "carbonara", "risotto", "osso buco", "margherita", "gnocchi plate"),
    "Greek": ("moussaka", "souvlaki plate", "spanakopita", "grilled octopus"),
    "Indian": ("butter chicken", "lamb vindaloo", "dal", "biryani", "saag paneer"),
    "Chinese": ("mapo tofu", "kung pao chicken", "hot pot", "scallion pancake", "roast duck"),
    "Japanese": ("tonkotsu ramen", "chirashi bowl", "tempura", "katsu curry", "unagi don"),
    "Korean": ("bibimbap", "kimchi stew", "bulgogi", "seafood pancake"),
    "Vietnamese": ("pho", "bun cha", "banh mi", "lemongrass pork"),
    "Thai": ("pad thai", "green curry", "tom yum", "massaman curry", "papaya salad"),
    "Asian Fusion": ("miso cod", "kimchi burger", "tea-smoked duck", "curry ramen"),
    "Middle Eastern": ("lamb kofta", "shawarma plate", "hummus", "fattoush", "falafel plate"),
    "": ("club sandwich", "quiche", "house omelet", "tomato soup", "cheeseburger", "lemon tart"),
}
"""Dishes by first cuisine, each grammatically one thing."""

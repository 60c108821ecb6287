"""General English words of judgement and of amount: what any aspect's passage is graded by.

Words that belong to one attribute are in `opinion_aspects.py` and `orientation_aspects.py`. Every list is our own, from
general knowledge of English; words not listed fall back to VADER's human-rated valences (Hutto and Gilbert 2014).
Entries are separated by commas; an entry may be a phrase.
"""

from __future__ import annotations

GRADES: dict[float, str] = {
    5.0: """excellent, amazing, outstanding, superb, fantastic, phenomenal, exceptional, incredible, perfect,
        perfection, perfectly, flawless, spectacular, stellar, fabulous, wonderful, magnificent,
        extraordinary, sublime, unbelievable, best, top notch, first rate, first class, world class, out of
        this world, second to none, never had better, never had a better, never tasted better, unbeatable,
        unmatched, unparalleled, impeccable, impeccably, faultless, five star, mind blowing, blew us away,
        blown away, could not have been better, couldn't have been better, couldn't be better, could not be
        better, knocked it out, couldn't ask for more, could not ask for more, couldn't have asked for,
        nothing short of, remarkable, marvelous, marvellous, terrific, brilliant, glorious, stunning,
        breathtaking, exemplary, beyond reproach, a delight, exceptionally, superbly, outstandingly, rave
        about, better than any, better than anywhere""",
    4.6: """great, awesome, love, loved, loves, gorgeous, beautiful, beautifully, delightful, impressive,
        impressed, lovely, superior, high quality, high end, top quality, highly recommend, highly
        recommended, couldn't get enough, could not get enough, can't get enough, exceeded, exceeds, never
        disappoints, never disappointed, can't say enough, thrilled, splendid, excels, excelled, hard to
        beat, can't beat, cannot beat, couldn't fault, can't fault, cannot fault, shines, shone, greatly,
        never had a bad, never had bad, never a bad, never once had a bad, yet to have a bad, yet to be
        disappointed, better than most, above the rest, a cut above""",
    4.0: """good, nice, nicely, well, solid, pleasant, pleasing, pleased, enjoyable, enjoyed, happy, satisfying,
        satisfied, recommend, recommended, favorite, favourite, fun, better than expected, better than average,
        above average, no complaints, nothing to complain about, no problem, no problems, no issues, can't
        complain, cannot complain, couldn't complain, can't go wrong, cannot go wrong, on point, spot on,
        quality, fine job, strong, commendable, admirable, dependable, reliable, reliably, thoughtful, generous,
        nice touch, likeable, positive, strength, a plus, big plus, hit the spot, did a good job, worth it,
        worthwhile, appreciated, respectable, nothing bad to say, nothing negative to say, not a single complaint,
        unmatchable""",
    3.6: """better, improved, decent, decently, pretty good, not bad, not bad at all, not too bad, quite good,
        had worse, have had worse, seen worse, have seen worse""",
    3.0: """okay, ok, fine, alright, all right, average, adequate, adequately, acceptable, passable, so so,
        so-so, middling, middle of the road, ordinary, standard, typical, unremarkable, nothing special, nothing
        fancy, nothing to write home about, run of the mill, fair, mixed, hit or miss, hit and miss,
        inconsistent, neither here nor there, tolerable, as expected, about what you'd expect, what you would
        expect, gets the job done, did the job, does the job, does the trick, serviceable, unexceptional,
        neither good nor bad, could go either way, reasonable, neutral, up and down, meh, nothing memorable,
        nothing extraordinary, nothing out of the ordinary, basic, plain, moderate, moderately""",
    2.3: """mediocre, indifferent, underwhelming, underwhelmed, lackluster, lacklustre, forgettable, uninspired,
        uninspiring, below average, sub par, subpar, under par, not great, could be better, could have been
        better, could use, could do with, room for improvement, needs work, need work, needs improvement,
        needed improvement, leaves something to be desired, left something to be desired, not the best,
        wasn't the best, isn't the best, not up to par, less than ideal, less than great, less than stellar,
        nothing great, overrated, weak, weaker, hoped for more, expected more, expected better, not
        impressed, wasn't impressed, weren't impressed, unimpressed, unimpressive, iffy, let down, letdown,
        fell short, falls short, fell flat, falls flat, boring, dull, a bit off, spotty, patchy, needs some
        work, need some work, needed some work, something to work on, had better, have had better, has been
        better, have been better, no better than, no more than, nothing to rave about, not all that, loosey
        goosey""",
    2.0: """poor, poorly, bad, disappointing, disappointed, disappointment, disappoints, lacking, sloppy,
        inferior, unpleasant, unsatisfactory, unsatisfying, dissatisfied, annoying, annoyed, frustrating,
        frustrated, unfortunate, sad, sadly, worse, leaves a lot to be desired, left a lot to be desired, leaves
        much to be desired, left much to be desired, low quality, cheaply made, substandard, messy, mess,
        problem, problems, issues, complaint, complaints, careless, unacceptable, weird, odd, strange, not
        worth, negative, careful, beware, avoid, unreliable, shoddy, inadequate, insufficient, deficient,
        regret, regretted, dismal, lame, flawed, neglected, wrong""",
    1.0: """terrible, terribly, horrible, horribly, awful, awfully, atrocious, abysmal, appalling, dreadful,
        horrendous, horrid, disgusting, disgusted, worst, pathetic, disgrace, disgraceful, deplorable,
        disaster, disastrous, nightmare, garbage, trash, rubbish, unbearable, inexcusable, embarrassing,
        joke, a joke, ridiculous, shameful, hideous, reeked, reeks, stinks, ghastly, lousy, crap, crappy,
        hated, hate, zero stars, stay away, steer clear, run away, never again, as bad as it gets, beyond
        bad, unforgivable, repulsive, revolting, fed up, abomination, miserable, miserably, wretched, sucks,
        sucked, outrageous, laughable, could not have been worse, couldn't have been worse, could not be
        worse, couldn't be worse""",
}
"""Grade of a judging word on the published scale: 1 bad, 2 below average, 3 average, 4 good, 5 excellent (2.C)."""

DEGREES: dict[float, str] = {
    3.0: """lots, a lot, plenty, tons, loads, heaps, full, filled, packed, rich, richly, steeped, abundant,
        abundance, endless, countless, perfect, perfectly, ideal, great, excellent, amazing, awesome, wonderful,
        fantastic, incredible, must, paradise, heaven, haven, dream, everywhere, all kinds, all sorts, every
        corner, every turn, huge, so many, so much, too many to, best, highlight, love, loved, loves, geared
        toward, geared towards, designed for, made for, dedicated, entirely, all about, major, deep, deeply,
        truly, abounds, brimming, overflowing, bursting, treasure, treasures, treasure trove, known for, famous,
        extensive, impressive, vast, immersive, immersed, superb, through and through, heavily, wealth,
        outstanding, endlessly, mecca, magnet, hub, center of, centre of, heart of, main reason, whole point,
        soaked in, oozes, exceptional, spectacular, breathtaking, stunning, incredibly, hours of, all day, could
        spend, never run out, couldn't get enough, could not get enough, can't get enough, nonstop, at every,
        top notch, world class, second to none, focus, focused, centers on, revolves around, nothing but, high,
        highly, delighted, thrilled, blast, unforgettable, phenomenal, magnificent, superbly, fabulous,
        worth the trip, worth a trip, worth the drive, finest, dozens, dozens of, hundreds, hundreds of, thousands,
        thousands of""",
    2.3: """good, nice, many, several, fun, beautiful, interesting, enjoy, enjoyed, fascinating, lovely,
        pleasant, variety, quite a few, a good number, a number of, happy, solid, various, numerous, worthwhile,
        charming, well suited, suitable, entertaining, gorgeous, plentiful, engaging, diverse, well kept,
        entertained, worth a look, worth a browse, worth a visit, worth seeing, worth exploring, worth a stop""",
    2.0: """decent, fair amount, enough, moderate, moderately, reasonable, okay, ok, fine, adequate, reasonably,
        medium, fairly""",
    1.0: """some, a few, few, little, a little, a bit, bit, small, minor, limited, slight, slightly, a hint,
        hint of, a touch, a handful, handful of, couple, only, minimal, modest, mild, occasional, occasionally,
        token, sparse, here and there, brief, tiny, afterthought, secondary, one or two, sprinkling, not the
        main, not the focus, not the point, just a, at best, vaguely, vague, meager, low, less, somewhat, a
        dash, a trace, sort of, kind of, low key, nothing major""",
    0.4: """barely any, hardly any, scarcely any, not much, isn't much, wasn't much, aren't many, weren't many,
        not many, not a lot, not really, not particularly, not exactly, not very, not especially, if any,
        scarce, next to no, next to nothing, very little, very few, too little, too few, nothing much, not the
        place for, not a place for, least, rarely, don't expect, do not expect, don't come for, don't go for,
        wouldn't bring, would not bring, lacking, bored, dull, boring, poor, empty handed""",
}
"""Degree of an amount word on the published scale: 0 no, 1 low, 2 medium, 3 high (2.C)."""

NEGATIONS = """not, no, never, cannot, without, nothing, none, nobody, neither, nor, hardly, barely, scarcely, lack,
    lacks, lacked, zero, devoid, absence, lack of, lacking in, isn't, wasn't, aren't, weren't, don't,
    doesn't, didn't, can't, couldn't, won't, wouldn't, hasn't, haven't, hadn't, shouldn't, ain't, isnt,
    wasnt, arent, werent, dont, doesnt, didnt, cant, couldnt, wont, wouldnt, far from, anything but, nowhere
    near, rarely, seldom, no longer, failed to, fails to, few, too few, could not"""

DAMPS_OF_OPINION = "pretty"
"""Damps an adjective, but before what an attraction has, as in `pretty gardens`, it praises."""

BOOSTS = """very, really, so, extremely, incredibly, super, absolutely, totally, truly, exceptionally, insanely,
    too, highly, especially, particularly, remarkably, seriously, completely, utterly, amazingly, unbelievably,
    such, beyond, ridiculously, consistently, always, way, quite literally, entirely, thoroughly, wildly,
    downright, just plain, overly, most, deeply"""

DAMPS = """somewhat, slightly, a bit, a little, kind of, sort of, kinda, sorta, fairly, pretty much, rather,
    relatively, mildly, reasonably, moderately, a touch, a tad, mostly, generally, occasionally, sometimes, at
    times, a little bit, almost, partly, more or less, quite, decently, usually, largely, semi, on the whole"""

UNREAL = """wish, wished, hope, hoped, hoping, if, should, would be, would have, could have, might, expecting,
    expected, unless, was told, supposed to, looking for, wanted, would rather, rather have, rather be, yeah
    right, as if, oh joy, supposedly, allegedly, could be more, could have been more"""
"""Openers of what did not happen: a judgement after them is a wish or a condition, so it is not read."""

CONTRASTS = """but, however, although, though, yet, whereas, while, except, despite, nevertheless, nonetheless,
    instead, on the other hand, even though, unfortunately, otherwise, still"""
"""Words where a new clause, with its own judgement, begins."""

PRONOUNS = "it, they, these, those, both, all, everything, which, he, she"
COPULAS = """is, was, are, were, tasted, tastes, looked, looks, felt, feels, seemed, seems, smelled, smells,
    came, arrived, has, had"""
CONTRACTIONS = "it's, they're, he's, she's"
"""A clause that names no aspect and starts with a pronoun and a copula speaks of the aspect named before it."""

COORDINATORS = """and or the a an our their its this that both of with , / & as well plus"""
"""Words and marks, separated by blanks, between two aspects that share a judgement: `the food and the service`."""

UNSURPASSED = frozenset(("never", "couldn't", "could", "can't", "cannot"))
"""Negations that, before a comparison, deny that there is anything beyond: `never better`, `could not be more`, `never
such poor service`."""

COMPARATIVES = frozenset(
    ("better", "worse", "nicer", "friendlier", "kinder", "ruder", "fresher", "tastier", "slower", "happier")
)
"""What judges by comparing, without `more`."""

AFTER_DAMPS = frozenset(("enough", "ish"))
"""Words that damp the judgement right before them, as in `clean enough`."""

IDLE = """check out, check it out, check them out, check this out, checked out, checking out, no doubt,
    without a doubt, not only, not to mention, no matter, nothing but, why not, not just, not surprisingly,
    thank you, like, please, well as, as well, not sure, don't know, of course, best western, best buy,
    super bowl, kind, kinds, great deal of, gift, gifts, fit, fits, fit for, went quiet, a few, quite a few,
    good morning, family name, family run, family owned, family business, family history, family recipe,
    sister's family, brother's family, friend's family, wife's family, husband's family, cousin's family,
    happy hour, fine dining, hot, top, number, free, want, want to, care, chance, help, share, party, hand,
    hands, yes, certain, certainly, sure, special, honest, honestly, definitely, clear, clearly, ready,
    friend, friends, lucky, luckily, thanks, join, natural, original, novel, grand, interest, interested,
    benefit, cut, cutting, fire, alone, leave, leaves, left, pay, paid, miss, missed, missing, stop, stops,
    stopped, drop, crazy, demand, force, low, tough, die, killer, dead, war, hell, damn, battle, serious,
    worry, worries, cry, hard, forget, forgot, kill, fight, fighting, fought, fights, blow, blows, suspect,
    suspected, at best, at worst, refused to let, refuses to let, couldn't believe how, could not believe how,
    can't believe how, cannot believe how, couldn't believe the, could not believe the,
    hosts a, hosts an, hosts the, hosts many, hosts some, hosts several, play host, plays host, host to,
    financial services, consular services, emergency services, fire services, medical services, social services,
    public services, religious services, church services, support staff, social worker, construction workers,
    office workers, sharing service, hailing services, service based, daily service, regional service"""
"""Phrases read as nothing, so that a shorter entry inside them, or VADER's general valence, does not mislead."""

DECOYS = """place, restaurant, spot, hotel, motel, inn, experience, time, visit, night, day, evening, weekend,
    trip, stay, afternoon, morning, friend, wife, husband, boyfriend, girlfriend, date, birthday, anniversary,
    review, reviews, city, town, town, people, customers, guests, crowd, establishment, joint, business,
    company, event, wedding, conference, life, year, week, chain, reputation, yelp, photos, pictures, website,
    tourists, couple, option, options, choice, choices, thing, gem"""
"""Nouns that take a judgement without naming an attribute, so that it does not go to an attribute further away."""

ELSEWHERE = """baseball, basketball, football, hockey, soccer, rugby, lacrosse, softball, league, leagues,
    stadium, stadiums, arena, arenas, playoff, playoffs, championship, championships, tournament, tournaments,
    athletics, marathon, sport, sports, fans, airport, airports, airline, airlines, airfare, flight, flights,
    bus, buses, train, trains, subway, ferry, ferries, rail, railway, railroad, commuter, commuters, taxi,
    taxis, cab, cabs, shuttle, shuttles, toll, tolls, parking, passengers, riders, tunnel, terminal, terminals,
    museum, museums, gallery, galleries, exhibit, exhibits, exhibition, exhibitions, university, universities,
    college, colleges, school, schools, hospital, hospitals, police, government, orchestra, symphony, concert,
    concerts, ticket, tickets, tour, tours, theatre, theatres, theater, theaters, actors, musicians, composers,
    conductor, ship, ships, sailors, navy, soldiers, troops, army, governor, colonial, colonists, century,
    professors, students, scientists, statue, statues, monument, monuments, memorial, parade, parades, festival,
    festivals, cruise, cruises"""
"""Words of sport, transport, sights and public institutions, whose teams, services and prices are no restaurant's."""

AT_TABLE = """restaurant, restaurants, cafe, café, diner, bistro, pub, bar, bars, tavern, eatery, waiter, waiters,
    waitress, waitresses, server, servers, waitstaff, bartender, bartenders, hostess, barista, chef, cook,
    kitchen, manager, menu, menus, table, tables, meal, meals, staff, host, food, dish, dishes, drink, drinks,
    dinner, lunch, brunch, breakfast, dining, reservation, portion, portions, decor, ambience, ambiance,
    atmosphere, patio, terrace, booth, booths, seating"""
"""Words that show a sentence to speak of a restaurant all the same."""

IDLE_OF_SIGHTS = """park street, park plaza, park avenue, office park, car park, water park, parking, garden
    variety, bus ride, subway ride, train ride, taxi ride, cab ride, ride hailing, ride sharing, world class,
    first class, business class, working class, middle class, class action, in a class, long running, running
    since, up and running, long shot, fair game, game changer, video game, race relations, human race, active
    duty, buy food, buy drinks, buy lunch, stock market, job market, housing market, market share, market price,
    free market, power outlet, set up shop, barber shop, repair shop, body shop, power plant, plant based, live
    stream, kid you not, tea party, memorial day, memorial drive, memorial airport, memorial bridge, convenience
    store, convenience stores, double park, active in, flurry of activity, sense of adventure, unlimited rides,
    per ride, leaves from, leaves you, leaves the, leaves at, leaves little, leaves much, leaves every, train
    rides, bus rides, lake shore, mother nature"""
"""The same where a word of a sight's orientation stands in them in another sense."""

WATCHED = """league, leagues, stadium, stadiums, arena, arenas, team, teams, playoff, playoffs, championship,
    championships, fans, spectators, franchise, conference, athletics"""
"""Words of sport that is watched: who watches is not active, and where it is played no park nor history."""

TICKETS = "ticket, tickets, passes, fare, fares"
"""Who buys these does not shop."""

GROUNDS = """fenway park, citizens bank park, oracle park, petco park, comerica park, pnc park, minute maid
    park, globe life park, truist park, nationals park, great american ball park, american family park, sutter
    health park, polo grounds, ebbets field, wrigley field, citi field, coors field, target field, chase field,
    soldier field, lambeau field, lincoln financial field, td garden, boston garden, madison square garden, rose
    garden arena, moda center, villa park, st james park, selhurst park, goodison park, hampden park, celtic
    park, croke park, eden park, ballpark, ball park, ball game, ballgame"""
"""Grounds of watched sport whose names would be a park's, a garden's or a field's."""

"""The words by which reviews of restaurants and stays speak of each attribute, rated 1 to 5.

`names` only name the attribute: a judging word near them grades it. `graded` words both name and grade it.
Our own lists, from general knowledge of English; plurals of names are made by `lexicon.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Aspect:
    """How one attribute is named, and the words that name and grade it at once, by their grade."""

    names: str
    graded: dict[float, str] = field(default_factory=dict)


_SERVICE_NAMES = """service, staff, manager, owner, employee, team, crew, hospitality, management, personnel,
    attendant, customer service, worker, host, hostess, treatment, response time, wait time, waiting time"""

_SERVICE_GRADED = {
    5.0: """above and beyond, out of their way, out of her way, out of his way, bent over backwards, treated us
        like family, treated like family, treated like royalty, felt like family, made us feel special, made us
        feel at home, extra mile""",
    4.3: """friendly, attentive, courteous, polite, prompt, promptly, welcoming, welcomed, helpful,
        accommodating, gracious, hospitable, knowledgeable, professional, efficient, efficiently, speedy,
        personable, considerate, smiling, with a smile, patient, checked on us, checked in on us, made us feel
        welcome, warmly, warm welcome, cheerful, responsive, obliging, quick, quickly, fast, quick service, fast
        service, no wait, took care of us, took good care, kind to, so kind, very kind, eager to help, happy to
        help, friendliest""",
    2.6: "understaffed, short staffed, short handed, loosey goosey service",
    2.0: """inattentive, unfriendly, impatient, disorganized, forgetful, forgot our, forgot to bring, wrong
        order, order wrong, mixed up our, messed up our, had to ask, had to flag, flag down, flag someone,
        long wait, unhelpful, distracted, aloof, rushed us, felt rushed, brusque, curt, waited and waited,
        unresponsive, unwelcoming, slow, slowly, slower, nowhere to be found, nowhere to be seen, slow
        service, pushy, flustered, overwhelmed, kept waiting, left waiting, still waiting, waited so long,
        waiting so long, waited over, waited more than, waited at least, waited almost, waited nearly,
        waited half an hour, half hour wait, half an hour wait, hour wait, minute wait, took so long, took
        too long, takes so long, taking so long, taking forever, an eternity, took an hour to, took an hour
        for, took over an hour, took half an hour, took almost an hour, took ages, wait forever, waited
        ages, asked twice, asked again, asked three times, had to remind, had to repeat, had to get up, had
        to chase, had to request, brought the wrong, brought us the wrong, brought me the wrong, got our
        order wrong, got my order wrong, got the order wrong, wrong dish, wrong dishes, forgot the, forgot
        about, forgetting our, forgetting my, rushing us, rush us, rushed us out, hurried us, never
        refilled, never checked, never greeted, hard to get the attention, get anyone's attention, get the
        server's attention, get our server's attention, get our waiter's attention, get our waitress's
        attention, massive wait, terrible wait, unpleasant wait, communication problem, indifference,
        disinterested, uninterested, nonchalant, could be more attentive, could be more friendly, could be
        friendlier, could be more helpful, didn't bother, did not bother, didn't know the menu, did not know the
        menu, had no knowledge, have no knowledge, no knowledge of, among themselves, amongst themselves, more
        interested in, disappeared after, disappeared for""",
    1.3: """rude, rudely, rudest, ignored, ignoring, dismissive, surly, unprofessional, condescending,
        snooty, snotty, attitude, couldn't be bothered, could not be bothered, hostile, disrespectful,
        incompetent, apathetic, rolled her eyes, rolled his eyes, rolled their eyes, lost our booking,
        lost our reservation, refused to help, took forever, takes forever, waited forever, never came
        back, never came, yelled, snapped at, nasty, impolite, discourteous, waited an hour, waited over
        an hour, waiting an hour, waiting over an hour, arrogant, no apology, without apology, without
        an apology, never apologized, didn't apologize, did not apologize, lied, no one greeted, nobody
        greeted, no one acknowledged, nobody acknowledged, no one came, nobody came, no one bothered,
        nobody bothered, no one seemed, nobody seemed, never acknowledged, never returned, never showed
        up, never brought, never arrived, stared blankly, blank stare, cold shoulder, rolled eyes,
        slammed, scolded, barked at, argued with us, argued with me, asked us to leave, told us to
        leave, kicked us out, threw us out, threw the, tossed the, couldn't care less, could not care
        less, didn't care, did not care, doesn't care, don't care about, refused, refuses to,
        unapologetic, unacceptable wait, gave us attitude, mocked, sneered, insulting, insulted, laughed at us,
        laughed at me, laughed at them, doing us a favor, doing us a favour, doing me a favor, doing me a favour,
        doing them a favor, doing them a favour""",
}

FOODS = """, pasta, pizza, burger, steak, chicken, sushi, soup, noodle, curry, taco, sandwich, coffee,
    cocktail, drink, wine, beer, fries, rice, dumpling, cake, breakfast, brunch, lunch, dinner, broth, gravy,
    pork, beef, lamb, shrimp, seafood, tapas, pancake, pastry, pie, lobster, crab, salmon, burrito, ramen,
    pho, meat, bbq, kebab, falafel, hummus, bacon, waffle, cheesesteak, tofu, chowder, clam, mussel, scallop,
    calamari, tuna, veal, omelet, omelette, bagel, croissant, doughnut, donut, cheesecake, ice cream, gelato,
    sorbet, tempura, nacho, quesadilla, enchilada, guacamole, salsa, paella, risotto, lasagna, gnocchi,
    ravioli, meatball, mozzarella, margarita, martini, sangria, mojito, milkshake, smoothie, cappuccino,
    latte, bread, potato, potatoes, sausage, hot dog, halibut, anchovy, caviar, foie gras, ceviche, carpaccio,
    tartare, prosciutto, salami, brisket, pastrami, meatloaf, schnitzel, stew, chili, casserole, gumbo,
    jambalaya, dim sum, wonton, spring roll, egg roll, pad thai, satay, teriyaki, udon, soba, miso, edamame,
    kimchi, bulgogi, naan, samosa, biryani, tikka, masala, vindaloo, gyro, shawarma, pita, tzatziki, couscous,
    tagine, mezze, baklava, empanada, arepa, tamale, tostada, fajita, tortilla, churro, focaccia, bruschetta,
    antipasto, calzone, spaghetti, linguine, fettuccine, penne, polenta, pesto, marinara, parmesan, tiramisu,
    cannoli, panna cotta, creme brulee, crème brûlée, mousse, brownie, cookie, muffin, scone, custard,
    pudding, sundae, chocolate, caramel, syrup, crepe, frittata, oatmeal, granola, grits, cornbread, coleslaw,
    mac and cheese, espresso, lemonade, whiskey, vodka, tequila, cider, ale, lager, champagne, prosecco,
    chardonnay, merlot"""
"""What is eaten and drunk, by names that are no other thing's; a list that goes on from another."""

RESTAURANT_ASPECTS: dict[str, Aspect] = {
    "flavor": Aspect(
        """food, flavor, flavour, taste, tasted, tasting, dish, meal, cuisine, cooking, seasoning, sauce,
        spice, entree, appetizer, starter, dessert, course, plate, rib, wing, recipe, kitchen, chef, cook, bite,
        palate, egg, toast, dip, mains, main course, crust, topping, filling, stuffing, bun, onion, mushroom, garlic,
        pepper, duck, turkey, ham, cod, trout, sea bass, octopus, squid, eel, juice, soda, butter, gin, stout, pint,
        brew, pinot, foodstuff, snack, delicacy, specialty, speciality, leftovers"""
        + FOODS,
        {
            5.0: """delicious, deliciously, mouthwatering, mouth watering, scrumptious, delectable, to die for,
                melt in your mouth, melted in my mouth, melts in your mouth, melted in your mouth, heavenly,
                divine, cooked to perfection, perfectly cooked, perfectly seasoned, bursting with flavor, burst
                with flavor, bursting with flavour, finger licking, exquisite, luscious, full of flavor, full of
                flavour, packed with flavor, packed with flavour, explosion of flavor, lip smacking, licked the
                plate, licked my plate, licked our plates, every bite, ambrosial, savored every""",
            4.2: """tasty, yummy, yum, savory, well seasoned, well cooked, flavorful, flavourful, appetizing,
                succulent, juicy, tender, zesty, nicely seasoned, well balanced, well spiced, nicely spiced,
                seasoned well, cooked well, moreish, came back for seconds, went back for seconds, wanted
                seconds, cleaned our plates""",
            2.8: "edible, palatable, one note",
            2.0: """bland, salty, oversalted, over salted, underseasoned, under seasoned, overcooked, over
                cooked, undercooked, under cooked, greasy, oily, rubbery, mushy, soggy, burnt, burned, dry,
                chewy, watery, unappetizing, lacked flavor, lacking flavor, lacks flavor, lacked flavour,
                lacking flavour, needed salt, needed seasoning, lacked seasoning, overdone, underdone, overly
                sweet, overpowering, gristly, salt shaker, sickly sweet, cloying""",
            1.3: """inedible, flavorless, flavourless, tasteless, insipid, spat it out, spit it out, vile,
                nauseating, gross, like cardboard, no flavor, no flavour, no taste, couldn't finish, could not
                finish, unpalatable, pushed it away, sent it back, sent back, couldn't eat, could not eat,
                barely touched""",
        },
    ),
    "freshness": Aspect(
        """freshness, ingredient, produce, vegetable, veggie, greens, lettuce, salad, herb, fruit, tomato,
        oyster, sashimi, raw bar""",
        {
            5.0: """farm fresh, ultra fresh, super fresh, garden fresh, freshest, so fresh, incredibly fresh,
                straight from the farm, straight from the garden, off the boat, from the sea, straight from the
                market, picked that morning, just picked, just caught, caught that morning, fresh as can be,
                right out of the oven, straight from the oven, hot from the oven""",
            4.4: """farm to table, made from scratch, from scratch, made to order, cooked to order, freshly,
                fresh, locally sourced, local produce, seasonal, in season, daily catch, catch of the day, baked
                daily, made daily, delivered daily""",
            4.0: "crisp, crunchy, homemade, house made, housemade, organic, vibrant, home made",
            2.0: """wilted, wilting, limp, day old, days old, frozen, canned, reheated, sat out, sitting out,
                heat lamp, heat lamps, lukewarm, past its prime, past their prime, out of a can, from a can,
                from a box, packaged, processed, premade, pre made, left out, was cold, were cold, came cold,
                arrived cold, served cold, tired looking, browned, sitting around, reused, leftover,
                out of a bag, from a bag, yesterday's, soggy, fishy, sat for hours, out of the freezer""",
            1.6: """stale, microwaved, microwave, freezer burn, freezer burned, freezer burnt, slimy, tasted
                old, smelled off, tasted off, was off, seen better days, past their best, past its best, sour
                smell""",
            1.0: """rotten, rotting, spoiled, spoilt, moldy, mouldy, rancid, gone off, gone bad, went bad, going
                bad, expired, putrid, food poisoning, mold, made us sick, made me sick, got sick, sell by date,
                out of date, smelled bad, smelled funny, curdled, soured, sour milk, maggot, maggots, off date,
                sick all night, sick all day, were sick, was sick, became sick, threw up, throwing up,
                vomit, vomited, vomiting, upset stomach, stomach ache, hugging the toilet, over the toilet""",
        },
    ),
    "service": Aspect(
        _SERVICE_NAMES
        + ", server, waiter, waitress, waitstaff, wait staff, bartender, cashier, barista, busboy, maitre d",
        _SERVICE_GRADED
        | {
            4.4: """kept our glasses full, refilled, kept our glasses filled, kept our water filled, never had
                to ask, no need to ask"""
        },
    ),
    "environment": Aspect(
        """atmosphere, ambience, ambiance, decor, décor, interior, setting, vibe, seating, music, lighting,
        patio, dining room, space, environment, surroundings, furnishing, bathroom, restroom, layout, noise
        level, noise, theme, terrace, booth, chair, mood, room, view, feel, cleanliness, acoustics, dining
        area, outdoor area, garden, rooftop, furniture, candle, artwork, tables, ceiling, floor, wall, carpet,
        fireplace, lights, ventilation, air conditioning, tablecloth, chandelier, upholstery, sofa, couch,
        toilet""",
        {
            4.6: """romantic, elegant, beautifully decorated, spotless, spotlessly, immaculate, oasis, dreamy,
                enchanting, magical, transported""",
            4.2: """cozy, cosy, charming, stylish, chic, intimate, inviting, relaxing, well decorated, relaxed,
                quaint, airy, spacious, comfy, comfortable, laid back, lively, trendy, hip, clean, tidy, quiet,
                peaceful, tastefully, welcoming space, homey, picturesque, serene, well lit, calming, calm, hang
                out, linger, buzzing, tranquil, soothing, upscale, classy""",
            3.4: "casual, bustling, no frills, unpretentious, dimly lit",
            2.1: """noisy, loud, cramped, crowded, dated, outdated, drab, stuffy, sterile, tacky, couldn't hear,
                could not hear, can't hear, hard to hear, had to shout, uncomfortable, drafty, cluttered,
                packed in, wobbly, too dark, too cold, too hot, draughty, packed like sardines, on top of
                each other, elbow to elbow, cold and, worn out, bare, faded, cheerless, harsh, blasting,
                blasted, jarring, freezing, too close together, squeezed in, crammed, no room to move, hard
                to talk, hard to hold a conversation, had to yell""",
            1.5: """dingy, dirty, grimy, run down, rundown, shabby, dreary, sticky, smelly, smoky, stank,
                deafening, chaotic, gloomy, depressing, claustrophobic, blaring, uninviting, musty, ear
                splitting, unclean, unsanitary, greasy tables""",
            1.0: """filthy, roach, roaches, cockroach, cockroaches, mice, rats, disgusting bathroom, squalid,
                health hazard, health inspector""",
        },
    ),
    "value": Aspect(
        """price, pricing, value, cost, bill, portion, portion size, deal, money, buck, prix fixe, price point,
        amount, price tag, for $, for €, for £, at $, paid $, pay $, charged $, costs $, cost $, dollar, per person,
        paid, wallet, penny, pennies, cent, euro, tab, surcharge, half price""",
        {
            5.0: """bang for the buck, bang for your buck, bang for our buck, steal, worth every penny, worth
                every cent, a steal, best deal, great value, excellent value, amazing value, unbeatable price,
                unbeatable prices, incredible value, best value""",
            4.3: """bargain, dirt cheap, affordable, affordably, inexpensive, reasonable, reasonably priced,
                fairly priced, fair price, fair prices, good value, worth the money, worth the price, good
                deal, great deal, cheap, cheaply, generous, generously, generous portions, huge portions,
                large portions, big portions, well worth, well priced, economical, hearty, easy on the
                wallet, worth the cost, more than enough food, plenty of food, money well spent, didn't
                break the bank, doesn't break the bank, won't break the bank, without breaking the bank,
                budget friendly, take home, leftovers for, easy on the pocket, easy on the pocketbook, a lot
                of food, lots of food, filling, got our money's worth, money's worth, only $, just $, under
                $, worth every dollar, worth the splurge, worth the extra, won't empty your wallet, half the
                price, prices can't be beat, price can't be beat, less than you'd pay, cheaper than, a
                fraction of the price""",
            3.0: "priced fairly, fair, going rate, what you pay for, priced about right, about right",
            2.1: """pricey, expensive, costly, steep, not worth, small portions, skimpy, too much money, paid
                too much, stingy, still hungry, left hungry, tiny portions, hidden fees, expensive for what,
                small portion, not worth the price, not worth the money, high prices, prices are high,
                prices were high, over budget, adds up, meager, tiny portion, cost too much, hardly worth,
                barely worth, isn't worth, wasn't worth, aren't worth, weren't worth, never worth, couldn't
                justify, could not justify, can't justify, hard to justify, doesn't justify, don't justify,
                didn't justify, double the price, twice the price, prices have gone up, raised their prices,
                raised the prices, a bit high, a little high, on the high side, too high, hefty, big bill,
                through the roof, adding up, for the portions, don't match, did not match, didn't match, do
                not match, does not reflect, did not reflect, didn't reflect, more than it is worth, more
                than it's worth, dent in, pay extra, charged extra, charges extra, charge extra""",
            1.4: """overpriced, over priced, overcharged, overcharge, arm and a leg, nickel and dimed, nickel
                and dime, poor value, bad value, terrible value, sticker shock, too expensive, way too
                expensive, way overpriced""",
            1.0: """waste of money, rip off, ripoff, rip-off, ripped off, highway robbery, exorbitant, price
                gouging, daylight robbery, extortionate, robbery, scam, total waste, felt robbed,
                astronomical, over the top expensive, want my money back, fleeced""",
        },
    ),
}

STAY_ASPECTS: dict[str, Aspect] = {
    "quality": Aspect(
        """room, bed, bathroom, shower, mattress, pillow, linen, sheet, towel, furniture, amenity,
        facility, decor, carpet, tv, wifi, internet, pool, gym, breakfast, suite, lobby, building, air
        conditioning, air conditioner, ac, heater, furnishing, elevator, plumbing, wall, curtain,
        accommodation, quality, toilet, sink, fridge, water pressure, cleanliness, bedding, bathtub,
        tub, hot tub, floor, window, condition, maintenance, appliance, kitchenette, upkeep, interior,
        blanket, toiletries, door, hallway, comfort, spa, sauna, minibar, kettle, coffee maker, closet,
        balcony, soundproofing, decoration""",
        {
            5.0: """immaculate, immaculately, luxurious, pristine, luxury, slept like a baby, slept like babies,
                sumptuous, opulent, best sleep""",
            4.5: """spotless, spotlessly, plush, well appointed, well maintained, well kept, beautifully
                furnished, elegant, brand new, slept well""",
            4.2: """clean, comfortable, comfortably, comfy, modern, spacious, renovated, remodeled, refurbished,
                updated, roomy, cozy, cosy, tidy, stylish, well equipped, good night's sleep, quiet room, soft,
                well furnished, super clean, sparkling, generously sized""",
            3.2: "dated but, functional, no frills, bare bones",
            2.1: """dated, outdated, worn, worn out, tired, shabby, musty, cramped, tiny, dusty, noisy, thin
                walls, paper thin, squeaky, needs updating, needed updating, needs renovation, needs a
                renovation, needs a facelift, in need of, past its prime, showing its age, old furniture, feels
                old, felt old, scratchy, seen better days, had seen better days, out of order, didn't work, did
                not work, doesn't work, not working, wouldn't work, uncomfortable, peeling, drab, dingy, lumpy,
                threadbare, leaky, leaking, leaked, chipped, sagging, creaky, rattled, rattling, hard bed,
                stuffy, frayed, flickering""",
            1.4: """dirty, stained, stain, stains, moldy, mouldy, mold, mildew, smelly, run down, rundown,
                broken, grimy, no hot water, cigarette smoke, smelled of, smelled like, stank, reeked, falling
                apart, fell apart, hair in, unclean, unsanitary, sticky, clogged, dilapidated, decrepit""",
            1.0: """filthy, filth, bed bugs, bedbugs, bed bug, roach, roaches, cockroach, cockroaches, bugs,
                infested, uninhabitable, dump, blood on, squalid""",
        },
    ),
    "location": Aspect(
        """location, neighborhood, neighbourhood, area, transit, subway, station, downtown, position, proximity,
        vicinity, situated, located, locale, district, nearby, surroundings, access, whereabouts""",
        {
            5.0: """heart of, perfectly located, perfectly situated, prime location, ideally located, ideally
                situated, couldn't be closer, location location location, steps from, steps away, stone's throw,
                close to everything, near everything, walk to everything, walk everywhere, doorstep, middle of
                everything, middle of it all, center of everything, walked everywhere, center of it all""",
            4.4: """walking distance, short walk, easy walk, walkable, central, centrally, centrally located,
                conveniently located, convenient, conveniently, well located, well situated, right next to, few
                minutes from, few minutes away, couple of minutes, minute walk, around the corner, easy access,
                easy to get to, across the street from, within walking, close by, accessible, great base, on
                foot, blocks from, blocks away, handy, good base, easy to reach, quick walk, next door to,
                within reach, close to, near to, central to""",
            3.4: "minutes from, minutes away",
            3.0: "bus ride, short drive, short ride, bit of a walk, drive to",
            2.0: """far from, far away, too far, out of the way, remote, isolated, inconvenient, inconveniently,
                long walk, need a car, needed a car, hard to find, hard to get to, off the beaten path, long way
                from, outskirts, industrial area, difficult to reach, long drive, long ride, miles from, miles
                away, had to drive, had to take a, cab everywhere, taxi everywhere, edge of town, tucked away,
                hard to reach""",
            1.3: """middle of nowhere, nothing nearby, nothing around, nowhere near, away from everything, far
                from everything, nothing within, nothing close, nowhere to walk, not near anything, not close to
                anything, desolate""",
        },
    ),
    "service": Aspect(
        _SERVICE_NAMES
        + """, front desk, receptionist, concierge, housekeeping, housekeeper, maid, check in, checkin, bellman,
            valet, porter, room service, reception, doorman, desk clerk, clerk, desk, check out, checkout,
            bellhop, bell staff""",
        _SERVICE_GRADED
        | {
            4.4: """upgraded us, free upgrade, complimentary upgrade, let us check in early, sorted it out,
                resolved quickly, remembered our names"""
        },
    ),
    "safety": Aspect(
        """safety, security, lock, key card, camera, parking lot, guard, deadbolt, at night, after dark, door
        lock, parking garage, entrance""",
        {
            5.0: """completely safe, totally safe, perfectly safe, extremely safe, absolutely safe, very secure,
                very safe, so safe, safest""",
            4.3: """safe, safely, secure, securely, secured, felt safe, feel safe, well lit, gated, safe and
                sound, at ease, key card access, security guard, security guards, security cameras, locked at
                night, peace of mind, cameras everywhere, protected, felt comfortable walking, without worry,
                without worrying, round the clock security, hour security, no worries""",
            2.1: """sketchy, shady, scary, uneasy, nervous, on edge, poorly lit, badly lit, dimly lit, dark
                parking, loitering, loiterers, panhandlers, not safe, not very safe, didn't feel safe, did not
                feel safe, don't feel safe, rough neighborhood, bad neighborhood, rough area, bad area, creepy,
                uncomfortable walking, watch your, worried about, dodgy, sketch, no security, suspicious,
                strangers, questionable, wary, vulnerable, looking over, anyone could, wide open, propped open""",
            1.3: """unsafe, dangerous, seedy, crime, drugs, prostitutes, prostitution, didn't lock, did not
                lock, wouldn't lock, would not lock, doesn't lock, broken lock, lock was broken, locks were
                broken, stolen, theft, thefts, threatened, feared, terrified, afraid, frightened, frightening,
                scared, drug dealers, drug deals, barricaded, harassed""",
            1.0: """broken into, break in, break ins, robbed, mugged, gunshots, shooting, assaulted, stabbing,
                stole, robbery, police came""",
        },
    ),
}

"""The words by which reviews of attractions show what a place is oriented to, in degrees 0 to 3.

An orientation is what the place is about, not how good it is: to be named plainly is degree 2, and the words of amount
in `words.py` move it. `graded` words carry a degree of their own. Our own lists, from general knowledge of English.
"""

from __future__ import annotations

from assets.reviews.opinion_aspects import FOODS, Aspect

EATERIES = """, bar, tavern, diner, deli, delicatessen, bistro, steakhouse, brewpub, gastropub, beer hall, beer
    garden, winery, taproom, tea room, tearoom, tea house, pizzeria, trattoria, patisserie, taqueria, barbecue,
    buffet, takeout, food hall, farmers market, farmer's market, fish market, night market, coffee shop, coffee
    house, coffeehouse, ice cream shop, ice cream parlor, sandwich shop, bake shop, pastry shop, doughnut shop,
    donut shop, tea shop, cheese shop, wine shop, chocolate shop, candy store, liquor store, grocery store,
    sports bar, baked goods, craft beer, craft brewery, craft cocktail, bartender, barista, sommelier, waiter,
    waitress, vegetarian, vegan, gluten free, kosher, halal, michelin, happy hour, fine dining, nightcap, eats,
    appetite, thirsty, feast, specialty, delicacy, drinking, drinker, beverage, refreshment, nightlife, fish,
    shellfish, sauce, fried, grilled, roasted, spicy, sip, sipping, brewer, brew, roaster, caffeine, vegetable,
    appetizer, entree, lunchtime, dinnertime, foodstuff, palate, edible, spirits, liquor, booze, alcohol, tea,
    tapas bar"""
"""Where one eats and drinks and what goes with it, besides the foods themselves."""

ORIENTATION_ASPECTS: dict[str, Aspect] = {
    "family": Aspect(
        """family, kid, child, children, toddler, son, daughter, little one, grandkid, grandchild,
        grandchildren, stroller, playground, baby, preschooler, teenager, teen, parent, nephew, niece,
        youngster, tot, boy, girl, grandson, granddaughter, year old, kiddo""",
        {
            3.0: """family friendly, kid friendly, child friendly, kids love, kids loved, children loved, all
                ages, petting zoo, story time, storytime, fun for the whole family, whole family, children's
                museum, family oriented, kid's paradise, family outing, family fun""",
            2.4: """carousel, merry go round, play area, puppet, face painting, changing table, bouncy house,
                sandbox, splash pad""",
            0.0: """adults only, adult only, leave the kids, left the kids, no place for kids, no place for
                children, childless, over 21, not kid friendly""",
        },
    ),
    "history": Aspect(
        """history, historic, historical, historically, heritage, colonial, century, ancient, artifact,
        artefact, monument, revolution, revolutionary, civil war, archive, era, founding father, landmark,
        ancestor, archaeology, plaque, memorial, relic, declaration of independence, old building,
        historian, preserved, restored, antiquity, period room, restoration, the past, headquarters of, 18th
        century, 19th century, oldest, founded, founder, founding, established in, dates from, dates to,
        dating from, dating to, erected, once home to, first in the nation, first in the country, nation's
        first, country's first, colonist, colony, siege, cannon, continental army, presidential, immigrant,
        underground railroad, settler, settlement, puritan, pilgrim, patriot, redcoat, minutemen,
        abolitionist, slavery, independence, constitution, world war, massacre, burial ground, burying
        ground, cemetery, graveyard, tomb, warship, fort, fortress, ruins, castle, lighthouse, meeting
        house, victorian, georgian, gilded age, brownstone, still stands""",
        {
            3.0: """steeped in history, step back in time, stepping back in time, history buff, history buffs,
                history lover, history lovers, back in time""",
            2.4: """museum, birthplace, battlefield, founded in, built in, dates back, dating back, cobblestone,
                reenactment, reenactors""",
            0.0: "brand new building, newly built, no historical value",
        },
    ),
    "activity": Aspect(
        """activity, hike, hiking, hiker, bike, biking, cycling, kayak, kayaking, climb, climbing, jog,
        jogging, go running, went running, runner, swim, swimming, skating, water sport, winter sport, play
        sports, playing sports, adventure, rides, thrill ride, boat ride, bike ride, pony ride, horseback,
        roller coaster, lawn game, board game, arcade game, card game, workshop, class, yoga, exercise, zip
        line, zipline, ropes course, arcade, bowling, active, paddle, paddling, canoe, canoeing,
        participate, dancing, race, tennis, basketball, golf, workout, obstacle course, volleyball""",
        {
            3.0: """things to do, lots to do, so much to do, plenty to do, always something to do, never a dull
                moment, adrenaline, thrill, thrills, action packed, adventurous, tons to do, something for
                everyone to do, kept us busy, keep you busy, work up a sweat""",
            2.4: """hands on, interactive, mini golf, rock climbing, escape room, laser tag, trampoline, segway,
                boat ride, skate park, get moving""",
            0.3: """nothing to do, not much to do, little to do, just look, just stand, stand around, standing
                around, ran out of things, look and leave""",
        },
    ),
    "nature": Aspect(
        """nature, garden, tree, flower, plant, park, trail, river, lake, wildlife, bird, animal, forest, wood,
        scenery, greenery, outdoors, landscape, botanical, creek, waterfall, beach, meadow, lawn, grass,
        sunset, fresh air, green space, wilderness, blossom, squirrel, deer, duck, butterfly, whale watch,
        whale watching, whales, swan, foliage, arboretum, greenway, seashore, shoreline, marsh, dune, nature
        reserve, conservatory, mountain, ocean, pond, stream, valley, shade, leaf, leaves, bloom, woodland,
        wetland, hills, hilltop, roses, rose bush, rose bed, rose garden""",
        {
            3.0: """nature lover, nature lovers, escape the city, escape from the city, lush, oasis, unspoiled,
                great outdoors, bird watching""",
            2.4: """scenic, leafy, wooded, natural beauty, shady, birding, picnic, stargazing, surrounded by
                trees, verdant""",
            0.0: """concrete jungle, all concrete, nothing green, asphalt, no greenery, concrete, windowless,
                entirely indoors, all indoors""",
        },
    ),
    "food": Aspect(
        """food, eat, eating, restaurant, cafe, café, snack, food court, food truck, food stall, lunch, dinner,
        breakfast, meal, cheesesteak, drink, beer, wine, ice cream, bakery, tasting, dine, dining, menu,
        chef, cook, coffee, treat, sandwich, sample, concession, pretzel, chocolate, cheese, donut, pizza,
        cuisine, dish, fudge, candy, cookie, brewery, flavor, taste, seafood, steak, burger, hot dog,
        chowder, clam, oyster, lobster, taco, burrito, dessert, doughnut, gelato, cider, ale, brewing,
        distillery, pub, cocktail, pastry, bread, garnish"""
        + FOODS
        + EATERIES,
        {
            3.0: """foodie, foodies, foodie's, culinary, gourmet, come hungry, arrive hungry, eat your way, food
                lover, food lovers, food heaven, food paradise""",
            2.4: """delicious, tasty, yummy, bite to eat, mouthwatering, grab a bite, scrumptious, eatery,
                eateries, food vendors, ate our way""",
            1.0: "vending machine, granola bar, candy bar, snack bar, packaged",
            0.2: """eat beforehand, eat before, bring your own food, pack a lunch, bring snacks, no food,
                nowhere to eat, went hungry, starving, nothing to eat""",
        },
    ),
    "shopping": Aspect(
        """shop, shopping, store, boutique, souvenir, gift shop, market, mall, buy, buying, bought, purchase,
        purchased, merchandise, merchant, browse, browsing, retail, goods, craft, gift, stall, outlet,
        trinket, clothing, jewelry, antiques, merch, shopper, vendor, bazaar, keepsake, museum store, museum
        shop, wares, postcard, seller, flea market, bookstore, handmade, apparel, bookshop, department
        store, shopping center, thrift store, vintage clothing, antique shop, fashion, designer, retailer,
        storefront""",
        {
            3.0: """shopaholic, shopaholics, shopper's paradise, retail therapy, shopping spree, shopper's
                dream, shop till, shop until, empty your wallet, bags full""",
            2.4: """window shopping, window shop, unique finds, spent too much, one of a kind items, local
                artisans, maxed out""",
            0.0: """nothing to buy, nowhere to shop, no shops, no gift shop, nothing for sale, no shopping, keep
                your wallet""",
        },
    ),
}

"""What invented guests write about restaurants, by attribute and by how they found it (1 very bad to 5 excellent).

One sentence a line, without its first capital and full stop; `[a|b]` is a choice, `{dish}` a dish of the house.
Written by hand for this module, in reviewers' everyday English; no reader of reviews may import it.
"""

from __future__ import annotations

FLAVOR = {
    1: """
the {dish} [tasted of nothing but salt|was flat-out inedible|tasted like wet cardboard]
I [took two bites|managed three forkfuls] of the {dish} and pushed the plate away
[honestly the worst|easily the worst] {dish} I have ever [eaten|been served]
whoever seasoned the {dish} has [never tasted it|lost all sense of taste]
my {dish} was so [bland|bitter|salty] that I [could not finish it|left most of it]
even the dog turned up his nose at the [leftovers|doggy bag]
the {dish} was [disgusting|revolting|awful], there is no kinder word
[nobody at our table|not one of us] got through more than half a plate, it tasted that bad
I have had [airline meals|hospital trays|gas station snacks] with more taste than this
the sauce had a [burnt, acrid|soapy|sour, metallic] taste that would not leave my mouth
we stopped for [burgers on the way home|a drive-through afterwards] because none of us could stomach the food
the {dish} was drowned in grease and tasted [horrible|terrible]
my husband spat the first mouthful of {dish} [into his napkin|straight back out]
""",
    2: """
the {dish} was on the bland side
the {dish} needed [salt, acid, something|a lot more seasoning]
I kept reaching for the [hot sauce|salt shaker|pepper] to give the {dish} some life
the flavors did not [really come together|do much for me]
the {dish} was [rather dull|pretty tasteless], a pity
the {dish} was [overcooked and a bit dry|chewy and underseasoned]
it was not [inedible|awful], but I would not order the {dish} again
the {dish} sounded better on the menu than it tasted
[my friend's|my daughter's] {dish} was too sweet to enjoy
for all the talk about the {dish}, it tasted [weak|watery|disappointing]
the spices in the {dish} were so timid I [wondered if they forgot them|barely noticed any]
I make a [better|tastier] {dish} at home, and I am no cook
the dressing was [cloying|too vinegary] and hid everything underneath
the {dish} left me [unimpressed|cold], and so did the dessert
""",
    3: """
the {dish} was [fine, nothing more|okay, neither good nor bad|decent enough]
taste-wise it was [average|middle of the road|about what you would expect]
the {dish} was [all right|acceptable] but I had forgotten it by the next morning
[some dishes worked and some did not|the starters were tasty, the mains less so]
the {dish} tasted like [every other version in town|a hundred others]
the food is [ordinary|unremarkable], it fills you up
the {dish} was not bad, not memorable either
I would call the cooking [competent|passable]; no surprises on the tongue
my {dish} was nice enough while the {dish} across the table was a little bland
a [solid C for taste|so-so plate of food], if I had to grade it
the seasoning was [hit and miss|uneven] from plate to plate
it tastes the way [a chain|a canteen on a good day] would make it
the {dish} was [reasonably tasty|edible and unexciting]
""",
    4: """
the {dish} was [really tasty|very good|quite delicious]
I [enjoyed|liked] the {dish} a lot, well seasoned and full of taste
the {dish} had a [nice kick|pleasant smoky note|good balance of sweet and sour]
we [all cleaned our plates|left nothing on the table], which says something about the cooking
the {dish} was flavorful [and cooked right|without being heavy]
my [mother-in-law|picky nephew] asked for a second helping of the {dish}
the sauce that came with the {dish} was [lovely|yummy|so good I wiped it up with bread]
they know how to [season a dish|use spice]
no complaints about how anything tasted, and the {dish} was [a treat|good]
the {dish} was [better than I expected|pretty great], [rich|bright] and well rounded
every dish we shared had [real flavor|plenty of taste]
you can taste that someone in the kitchen [cares|has trained hands]
the {dish} hit the spot
""",
    5: """
the {dish} is [the best I have had in years|hands down the best in the city|out of this world]
I [still dream about|cannot stop thinking about] the {dish}
the {dish} was [absolutely delicious|phenomenal|perfection on a plate|incredible]
my eyes closed by themselves at the first bite of {dish}
we [fought over|nearly came to blows over] the last spoonful of {dish}
every bite [was a joy|made me smile|tasted even better than the one before]
I would [drive two hours|cross the state] for that {dish} alone
the chef is a magician with [spice|sauces|smoke]
I asked for the {dish} recipe and I [never do that|would frame it]
the {dish} had such depth of flavor that [the whole table went quiet|nobody spoke for five minutes]
even my father, who hates everything, [ordered the {dish} twice|licked his fingers]
the {dish} was [exquisite|divine|superb], layered and perfectly seasoned
I have eaten {dish} on three continents and [this one beats them all|none of them came close]
""",
}

FRESHNESS = {
    1: """
the salad leaves were [brown and slimy|limp and black at the edges]
the fish smelled [off|of ammonia|three days old]
I found mold on the [bread|berries|cheese]
two of us were [sick all night|hugging the toilet] after the seafood
the {dish} [had clearly gone bad|was rancid]
the shrimp was [spoiled|rotten], and I told them so
the lettuce had [wilted days ago|turned to mush in the bag]
my milk had curdled in the [coffee|tea] and they blamed the machine
the bread was [stale enough to break a tooth|hard as a brick]
everything came [straight from a freezer bag|out of a can], still icy in the middle
those vegetables had not seen a garden [this month|since last year]
the oil in the fryer must have been [weeks|months] old, everything reeked of it
the chicken was gray and smelled [sour|wrong], we sent it back untouched
""",
    2: """
the bread was [a bit stale|yesterday's at best]
the {dish} tasted [reheated|microwaved]
the vegetables were [tired|limp] and [a little|rather] soft
the tomatoes were mealy and the lettuce past its best
I suspect the {dish} was [frozen|made the day before]
the fruit on the dessert was [bruised|overripe]
the herbs on top were [dried out|from a jar], which surprised me
the pastry case looked like it had been filled [the day before|last night]
the fish was not what I would call fresh
it is the sort of kitchen that opens [cans|packets]
the salad was [not crisp|warm and droopy]
the buffet trays had been sitting [out for hours|there since lunch]
the oysters did not smell of the sea, and I left [half of them|the last two]
""",
    3: """
the ingredients were [fresh enough|of ordinary quality|okay]
some of it was fresh, some of it [came from the freezer|was plainly from a packet]
the produce was [what the supermarket sells|neither crisp nor sad]
the salad was crisp but the [bread was a day old|fruit was tired]
freshness was [average|acceptable], I have seen worse
the fish was fine, [if not straight off the boat|though hardly just caught]
[most|about half] of what we had seemed made that day
the vegetables were all right, [a touch soft|a little tired at the edges]
nothing had gone off, nothing tasted just picked
the bread was [neither warm nor stale|decent on one visit and dry on the next]
you get [frozen fries|bottled juice] next to a homemade dip, so it evens out
the {dish} was probably made that morning, the sides [probably were not|who knows]
the greens were [neither lively nor dead|so-so]
""",
    4: """
the vegetables were [crisp|fresh and crunchy]
the {dish} was [made to order|clearly cooked from scratch]
the fish was [fresh|nice and firm] and smelled of the sea
you can tell the [salad|bread] was made the same day
the ingredients were [good and fresh|bright and fresh|of good quality]
the bread came [warm from the oven|still steaming]
they [squeeze the juice when you order it|cut the fruit in front of you]
the herbs were [fresh, not dried|picked from pots by the window]
nothing on the plate came out of a can
the tomatoes actually tasted like tomatoes
their menu [changes with the season|follows what the market has], and it shows
the lettuce snapped when you bit it
the pasta was [rolled that morning|fresh, with a proper bite]
nothing frozen about those [peas|dumplings]
""",
    5: """
the fish was so fresh it could have [swum to the table|been caught an hour before]
the [greens|carrots|beans] were picked that morning in the garden behind the kitchen
I have never had [fresher produce|fresher seafood|such fresh ingredients] anywhere
everything was [incredibly|unbelievably|wonderfully] fresh
we watched [a farmer carry crates|the day's catch come] in through the front door
the oysters tasted as if someone had [opened the ocean|pulled them up a minute ago]
the bread was [minutes old|so fresh it burned our fingers]
the salad was a [basket of spring|bowl of garden], not one sad leaf in it
they bake [twice|three times] a day and it was still warm, heavenly
when the day's delivery is gone they [close the kitchen|take it off the board], that is how serious they are
the fruit was [perfectly ripe|bursting with juice], picked at the right hour
you will not find a can or a freezer bag in that kitchen, the cook [showed us around|let us peek]
the sashimi was [pristine|gleaming], exceptionally fresh
""",
}

SERVICE = {
    1: """
we [waited over an hour|sat for fifty minutes] before anyone even brought water
our server [rolled her eyes|laughed] when we asked for the menu
the waiter was [unbelievably rude|downright hostile|appallingly rude]
we queued an hour just for the bill
nobody [apologized|said sorry] when a whole order was forgotten
I had to walk into the kitchen to [find someone|get a fork]
they [argued with us over|tried to bully us into] the tip in front of our kids
our waitress threw the plates down and [vanished for good|never came back]
the manager [shouted at|swore at] a busboy in front of everyone, then at us
service was [terrible|horrendous|a disgrace] from start to finish
they lost our reservation and [shrugged|told us it was our problem]
three times we asked for the check, three times [we were ignored|they walked right past]
the hostess looked through us as if we were [furniture|ghosts]
""",
    2: """
the service was [slow|on the slow side|careless]
our waiter [forgot the drinks|mixed up two of our orders]
we had to [wave|flag someone down] every time we wanted anything
the staff seemed [bored|annoyed to be there|more interested in their phones]
it took [forty minutes|ages] for a simple order
nobody checked on us [once|after the food was dropped off]
the server was [a bit short with us|not very friendly]
refills had to be [begged for|asked for twice]
our starters arrived after the mains
the girl at the register could not be bothered to [look up|say hello]
they were understaffed, and it [showed|was us who paid for it]
the waiter kept [rushing us|hovering with the check]
I asked about allergens and got a shrug
""",
    3: """
service was [okay|average|neither fast nor slow]
the waiter was [polite enough|efficient but distant]
our server was fine, [nothing special|just busy]
we waited [a normal amount of time|twenty minutes or so], fair for a full house
one waiter was [sweet|attentive], the other one [could not care less|was half asleep]
the staff did their job and [no more|that was that]
the greeting was warm, the [follow-up less so|rest of the evening we were on our own]
drinks came quickly while the mains [took their time|dragged]
they got the order right, [without a smile|eventually]
the service is what you get at [any counter|most diners]
it was hit and miss with the staff, [better on the second visit|worse on the weekend]
I have had better service and I have had worse
nobody was rude, nobody was [especially nice|in a hurry]
""",
    4: """
our server was [friendly|attentive|kind and patient]
the staff [were lovely|made us feel welcome|could not have been more helpful with the stroller]
the waiter [knew the menu well|gave us good tips]
our glasses [never stayed empty|were topped up without asking]
the food came out [fast|promptly], and hot
service was [good|prompt|quick and pleasant]
they [happily split the check|found us a table without a booking]
our waitress had a [great sense of humor|smile for everyone]
a small mistake with the order was [fixed right away|put right without fuss]
they [were patient with our indecision|did not rush us] even near closing time
the owner [came by to ask how we were|greeted us at the door]
the team works well together, [plates come and go smoothly|you hardly notice them]
we were seated right away and [looked after|checked on regularly]
""",
    5: """
our server [remembered our names|remembered us from two years ago]
the staff treated us like [family|royalty|old friends]
the service was [impeccable|flawless|outstanding|the best I have ever had]
our waiter went [out of his way|above and beyond] for my [grandmother|wheelchair|allergies]
they brought a [candle and a song|card signed by the kitchen] for my birthday without being asked
the waitress [ran after us down the street|drove to our hotel] with my forgotten purse
I have never been [looked after so well|cared for like this] in a restaurant
they seemed to read our minds, [water, bread, extra napkins|everything] appeared before we asked
hands down the kindest [team|crew|people] in town
the owner sat with us, [told stories|poured a glass] and refused to let us leave hungry
they [reopened the kitchen|stayed late] for us when our flight was delayed, with a smile
our server Tilda deserves a [raise|medal]
every single person who came to our table was [warm, quick and sharp|an absolute star]
""",
}

ENVIRONMENT = {
    1: """
the tables were [sticky|filthy] and so was the floor
a [cockroach|mouse] ran along the wall while we ate
the restroom was [so dirty that I walked out|flooded and stank]
the music was so loud we [texted each other across the table|left with a headache]
the room smelled of [drains|old mop water|bleach and grease]
it was [freezing|boiling] inside and [water dripped on us|the windows would not open]
the place is [a dump|disgusting inside|falling apart]
our chairs were [broken|held together with tape]
flies were all over the [counter|sugar bowls]
they squeezed us in next to the [trash cans|toilet door], elbows in each other's plates
the dining room was like [a bus station at midnight|eating in a boiler room]
the carpet [squelched|had stains I do not want to name]
we ate in our coats, it was a grim, [dark|dirty] hole
""",
    2: """
the dining room was [noisy|cramped|drab]
the lighting was [harsh|so dim I used my phone to read the menu]
the decor was [tired|dated], with [peeling paint|torn seats]
our table [wobbled|had crumbs from the last party]
the tables are [too close together|packed in like a classroom]
you hear every word of the next table, and the [blender|television] on top
the room was [a bit grubby|not the cleanest]
there was a draft from the door [all evening|every time somebody came in]
the place has [no atmosphere|all the charm of a waiting room]
we left smelling of [fried oil|smoke], the ventilation is poor
the restroom could have used [a clean|some attention]
the patio looks onto [a parking lot|dumpsters], not what the photos promise
it was uncomfortably [hot|crowded] inside
""",
    3: """
the room was [plain|ordinary|nothing to look at] but clean
the decor is [simple|neutral], neither cozy nor off-putting
the atmosphere was [okay|average|what you would expect of a diner]
it gets [loud at peak times|busy], quiet otherwise
the seating is [comfortable enough|fine for an hour]
it is a [basic|functional] space, tables, chairs, done
the front room is pleasant, the back room [gloomy|is best avoided]
the place is clean but [bare|has little character]
the patio was nice, the inside [not so much|rather plain]
some like the [neon|bare brick], it left me indifferent
the music was at a volume you [can live with|stop noticing]
I would not come for the setting, I would not stay away because of it either
""",
    4: """
the dining room was [cozy|bright and clean|nicely decorated]
we loved the [little patio|booth by the window|plants everywhere]
it is a [relaxed|pleasant|charming] spot with [soft music|warm light]
the place was [spotless|very clean], restrooms included
you can have a conversation without raising your voice
the room has [a nice buzz|character], with old posters and candles
comfortable chairs, [good light|enough room between tables], a place to linger
the atmosphere was [lively|warm and inviting]
we sat [under the trees|by the fireplace] and stayed longer than planned
the decor is [tasteful|fun] without trying too hard
the terrace has a [good view of the street|lovely breeze]
it feels like [someone's living room|a friend's kitchen]
great spot for [a date|a quiet lunch], clean and calm
""",
    5: """
the room is [breathtaking|gorgeous|stunning]
the garden strung with lights was [pure magic|like a film set]
I have never sat in a more [beautiful|enchanting] dining room
the view from the [rooftop|terrace] took our breath away
every corner is [immaculate|a work of art|a photograph waiting to happen]
you could eat off the floor, it is that clean, and [so elegant|so beautiful]
with the [fire crackling|piano playing] we did not want to leave, ever
the atmosphere was [absolutely wonderful|unforgettable|perfect for our anniversary]
stepping in felt like [walking into another century|leaving the city behind]
my wife took [forty|a hundred] photos of the ceiling alone
the most romantic place in town, [candles, velvet, stars overhead|he proposed right there]
they thought of everything: [blankets on the terrace|flowers on each table], just the right hush
it is the [prettiest|coziest] room I know, I would move in
""",
}

VALUE = {
    1: """
[twenty|thirty] dollars for [three bites|a child's portion], what a rip-off
we paid [a fortune|through the nose] and went home hungry
they added a [service fee, a table fee and a card fee|surcharge nobody had mentioned] to the bill
the prices are [outrageous|insane|highway robbery]
it was a complete waste of [money|our holiday budget]
I felt [robbed|cheated] when the check came
for that money I [could have fed a family of six|can eat for a week]
the bill was [double|three times] what the menu said
[eighteen dollars|fifteen bucks] for a [bowl of rice|glass of tap water with lemon], I kid you not
save your cash, it is [absurdly|shamelessly] overpriced
portions fit for a sparrow at a price fit for [a sheikh|a steakhouse]
not worth [a third|half] of what they charge, not even close
we did the math in the car and [got angry all over again|felt sick]
""",
    2: """
it is [a bit overpriced|rather expensive for what you get]
the portions were [small|stingy] for the price
I expected [more|a bigger plate] for that kind of money
[every extra|even the bread] costs more, and it adds up
you can get the same for [less|ten dollars less] around the corner
the prices have [crept up|gone up again] while the portions shrank
not the best use of [forty dollars|our lunch money]
the drinks are [pricey|marked up], watch the tab
it cost more than it [should have|was worth]
we left [still a little hungry|lighter in the wallet and not very full]
I would think twice before paying that again
the lunch special is [hardly a bargain|special in name only]
a little steep, [if you ask me|considering the neighborhood]
my wallet [felt it|noticed], my stomach less so
""",
    3: """
the prices are [fair|average|in line with the neighborhood]
you get what you pay for
[not cheap, not expensive|neither a bargain nor a rip-off]
the portions are [normal|reasonable] for the money
I have paid more for less and less for more
the bill was about what we [expected|had budgeted]
it is [okay value|acceptable for the price]
the lunch deal is good, dinner is [on the dear side|less so]
the mains are worth it, the [drinks|desserts] are overpriced
for what it costs it is all right
prices are similar to [other places on the street|every place like it]
the check came to [twenty-something a head|the usual], no surprises
I would not call it cheap and I would not call it [dear|a rip-off]
you can spend more here or less, it [balances out|depends on the wine]
""",
    4: """
[good value|good value for money|great for the price]
the portions are [generous|big], I took half home
you get a lot for [your money|under fifteen dollars]
the prices are [very reasonable|kind to students]
the lunch special is a [good deal|steal at nine dollars]
we left full and the bill was [smaller than expected|modest]
worth [every cent|what they charge]
it is [cheap|affordable] without feeling cheap
they do not charge for [refills|bread and dips], a nice touch
the two of us ate well for [twenty dollars|the price of one main elsewhere]
for what we paid I could not ask for more
happy hour prices [all evening|until eight] made it easy on the purse
the set menu saves you [a good bit|real money]
""",
    5: """
[the best deal|the best value|the best bargain] in the city, bar none
I [had to check the bill twice|asked if they forgot something] because it was so low
we fed [five|six] people for [forty dollars|less than one steak downtown] and carried bags home
the portions are [enormous|gigantic] and the price is [tiny|from another decade]
you would pay [three times as much|double] anywhere else and get half
how they [stay in business|make money] at these prices is a mystery to me
[unbelievable|incredible|amazing] value
ten dollars, and I [did not eat again until the next day|needed a nap]
I would have paid [twice|three times] that without blinking
my students live on this place, [a feast for pocket change|a banquet for coins]
one plate feeds [two|three], and it costs less than a movie ticket
every penny was worth it and then some, [a gift really|practically a gift]
an absolute steal, [tell nobody|please never raise your prices]
""",
}

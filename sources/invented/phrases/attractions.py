"""What invented visitors write about attractions, by orientation and by how much of it they found (0 none to 3 a lot).

One sentence a line, without its first capital and full stop; `[a|b]` is a choice.
Written by hand for this module, in reviewers' everyday English; no reader of reviews may import it.
"""

from __future__ import annotations

FAMILY = {
    0: """
there is [nothing|absolutely nothing] here for children
do not bring [kids|little ones|a stroller], they [will be bored stiff|are not welcome]
they turned away a [couple with a toddler|family in front of us], adults only
our kids [begged to leave|were in tears] after ten minutes
not a place for [families|young children], no question
no changing table, no ramp, and a guard who [hushes every child|glares at babies]
we got a sitter, and [that was wise|thank goodness], it is no place for a child
you will not see anyone under [twenty|thirty] here
my [six|eight]-year-old asked every minute when we would go
it is strictly a grown-up [outing|affair]
strollers are [banned|left outside in the rain]
""",
    1: """
there is a [small corner|single table] for toddlers and that is about it
older kids might [last half an hour|put up with it], little ones will not
not much for [children|the kids], though mine liked the [elevator|stairs]
with a stroller it is [hard going|a struggle]
my daughter was mildly interested [for a while|at best]
families come, but they [do not stay long|leave early]
the kids got a coloring sheet, [hardly a program|which lasted five minutes]
our [nephew|teenager] was polite about it
you can bring children if you [must|have no choice], it is not aimed at them
the family ticket exists, [the family fun less so|I am not sure why]
one [rocking horse|box of crayons] does not make it a family place
my kids gave it a [polite yawn|three out of ten]
""",
    2: """
our kids had a [good time|nice hour] here
children will find enough to do for [an hour|an afternoon]
it works [well for families|with kids], mine are five and nine
there is a [decent playground|touch table] that kept the little ones busy
stroller access is [good|fine], and there is a family restroom
my [son|granddaughter] liked it [a lot|more than I thought]
we saw plenty of [families|school groups] enjoying themselves
the staff were [sweet with|patient with] the children
a fair choice for a [rainy day|Sunday] with children
the kids' trail is [a nice idea|fun], parents get something out of it too
suitable for children, [from about four up|babies included]
the twins were happy, so we were too
""",
    3: """
the kids could not get enough of the [fountain|slide|puppet stage]
our children [cried when we had to go|asked to come back the next day]
it is [paradise for|heaven for|made for] children
the [best family day out|best place for kids] in the whole city
my [three-year-old|toddler] talked about it for a week
we came for an hour with the kids and [stayed until closing|had to carry them out]
every exhibit is at a child's eye level, and they may [touch everything|climb on all of it]
four kids, four ages, [not one complaint|all of them thrilled]
they [run a treasure hunt|hold story time], the children squealed with joy
grandparents, parents, babies, [everyone in our clan|all of us] had a ball
[perfect|wonderful|fantastic] for families
birthday party here was the [hit of the year|best we ever threw], the kids went wild
changing rooms, high chairs, little steps at the sinks, they really [love families|think of kids]
""",
}

HISTORY = {
    0: """
if you want history, [look elsewhere|you are in the wrong place]
there is no [story|past] to it, it was [built last year|a parking lot until recently]
not a single [plaque|sign] to tell you about the past, because there is none
nothing historic [about it|here], [all glass and plastic|brand new]
everything old was [torn down|paved over] long ago
I asked about the building's past and the guide [shrugged|had no idea], there is none
history buffs will [leave empty-handed|find nothing at all]
it is a modern spot through and through, [no heritage|no past] to speak of
the so-called old wall is [concrete|a replica from 2015]
we did not learn a thing about [the town's past|how people once lived]
the past is not what they [show|sell] here
""",
    1: """
there is [one plaque|a faded panel] about the past by the entrance
a [short|thin] note on the founders, and that is all the history you get
the historic side is [barely touched on|an afterthought]
some old [photos|postcards] hang in the hallway
they mention a [battle|famous guest] in passing
the facade is old, the inside [has been gutted|tells you little about it]
we hoped to learn more about [the era|its past], there was not much
a bit of history, [for those who dig|if you ask]
only the [cornerstone|cellar] is original
the guide had [a date or two|one anecdote] about the old days
a date above the door, [hardly any|very few] stories behind it
one glass case of old [coins|buttons], then you are back outside
little is said about [who built it|the old days]
""",
    2: """
you [learn something|pick up quite a bit] about the town's past
the exhibits on [the old mill days|the early settlers] are [interesting|well done]
there is [real history|a good deal of history] here, explained on clear panels
the guide told us [how the place was founded|stories from the war years]
the building dates from the [eighteen hundreds|colonial days] and is nicely kept
a [worthwhile|good] stop for anyone who likes the past
old [tools|letters|uniforms] on display, with decent captions
I liked the [film about the great flood|corner on the railway workers]
we enjoyed the [restored|historic] rooms
the heritage walk [takes an hour|is informative]
you get a fair picture of life [a century ago|in those days]
the [archive|chapel] from 1840 is worth a look
""",
    3: """
every [stone|brick] here has a story, you can feel [the centuries|the past]
a [must|dream] for history lovers
we walked [in the footsteps of|where] the people we had only read about, [goosebumps|unforgettable]
the guide [brought the past to life|made 1776 feel like yesterday]
I learned more history in [two hours|one morning] here than in [school|a year of classes]
original documents, original floors, [even the ink stains|even the candle marks], all of it authentic
the [collection of maps and letters|room where the treaty was signed] left me speechless
my father, a retired history teacher, [did not want to leave|was in tears]
it is [steeped in history|history you can touch]
the most [important|remarkable] historic site for miles around
they have preserved it [exactly as it was|down to the last nail] two hundred years ago
you step through the gate and [it is 1850|the present is gone]
[fascinating|incredible|superb] history, from the first settlers to the strike
""",
}

ACTIVITY = {
    0: """
there is nothing to do [but look|except stand around]
we [sat|stood] there for ten minutes and had [done it all|seen it]
if you want to be active, [go somewhere else|forget it]
no [rides|trails|hands-on anything], you just [look and leave|shuffle past]
nothing to try, nothing to climb, [nothing to do|not even a bench to jump over]
you are not allowed to [touch|do] a thing
my [boys|teens] had no outlet for their energy, everything is roped off
it is purely for [looking|sitting], [no activities|nobody lifts a finger]
we kept asking what there is to do, [the answer was nothing|and nobody knew]
it is about as active as a [waiting room|nap]
""",
    1: """
there is not [much|a lot] to do once you have looked around
you can [walk a short loop|rent one of two bikes], that is all
a [bit of walking|few stairs], otherwise you stand still
the one [workshop|class] they offer was [full|canceled]
we ran out of things to do [after half an hour|before lunch]
the climbing frame is [small|closed in winter], the rest is strolling
limited activities, [bring your own ball|mostly for show]
one [interactive screen|ping-pong table] for everyone
more of a [look-around|sit-down] place than a do-something place
you might break a light sweat on the [ramp|steps]
apart from a [swing|seesaw] there is little to try
you might [throw a frisbee|toss a coin], and then what
the only exercise is the walk from the [car park|bus]
""",
    2: """
there is [plenty|enough] to do for a couple of hours
we [rented bikes|took the paddle boats] and had fun
a good [walk|workout], with some [steep bits|nice loops]
they run [classes|workshops] on weekends, we tried [pottery|archery]
you can [join in|try things yourself], which I liked
the hands-on stations were [fun|well made]
the trail kept us [moving|busy] all morning
we played [mini golf|volleyball] and stayed for the dance lesson
decent choice of activities, [some included|some cost extra]
the guided [hike|paddle] was a good way to stretch our legs
lots of people [jogging|skating], we joined them
an active [afternoon|outing], I was pleasantly tired
""",
    3: """
we [climbed, paddled and zip-lined|biked, swam and climbed] until our legs gave out
so much to do that [two days were not enough|we missed half of it]
an [adrenaline rush|action-packed day] from start to finish
the [ropes course|climbing wall|rapids] had us screaming with joy
never a dull moment, [there is always one more thing to try|we did not sit down once]
my step counter [exploded|hit thirty thousand], what a day
the best place in town to [get moving|burn energy], hands down
[kayaks, bikes, trampolines|archery, skating, bouldering], all in one place
we tried [six|seven] things we had never done before, [incredible fun|what a thrill]
you do everything yourself here, [rowing, forging, baking|steering, digging, climbing]
I was [sore for three days|worn out and happy], so many activities
[amazing|fantastic] for anyone who cannot sit still
they let you [fly the simulator|drive the old tram] yourself, it was a blast
""",
}

NATURE = {
    0: """
not a [tree|blade of grass|leaf] in sight
it is all [concrete|asphalt and glass]
if you are after nature, [this is the wrong place|keep driving]
the only green thing was the [exit sign|carpet]
windowless [halls|rooms], no daylight, [no plants|not even a potted fern]
we saw more nature in the [parking lot|gutter outside]
no garden, no view, [no fresh air|no shade]
nothing natural about it, even the [grass|ivy] is plastic
you will not hear [a single bird|anything but traffic]
indoors from start to end, [air conditioning and neon|no outdoors at all]
it might as well be [underground|a mall], there is no green at all
""",
    1: """
a [few potted plants|couple of thin trees] by the door
there is a strip of [lawn|grass], mostly [brown|trampled]
the so-called garden is [three shrubs|a flower bed]
a little green around the [edges|parking lot], not much more
you can see some hills [far off|between the buildings]
a bench under a tree, [that is the nature part|and then bricks again]
I expected more [greenery|flowers], there were [some|a handful]
the pond is [tiny|more of a puddle]
one short path goes past [some bushes|a hedge]
nature is [not the point here|in short supply], though there are pigeons
the lone [palm|maple] by the gate tries its best
""",
    2: """
there are [nice gardens|pretty flower beds] to walk through
we saw [ducks and turtles|herons] on the pond
plenty of [shade|trees], good air
a [pleasant|pretty] green space to sit and [read|breathe]
the path along the [creek|river] is lovely
good place for [bird watching|a picnic under the trees]
the view over the [valley|water] was worth the walk
the rose beds were [in bloom|fragrant]
you get a real bit of [woodland|meadow] in the middle of town
my wife enjoyed the [butterflies|herb garden]
leafy and quiet, a [nice break from the streets|good spot in autumn]
well-kept lawns, [old oaks|tall maples], squirrels
""",
    3: """
the [waterfall|canyon|old forest] took our breath away
we saw [deer, foxes and an owl|eagles and otters] in one morning
nature at its [finest|most beautiful]
[miles|acres and acres] of trails through untouched woods
the [scenery|view from the ridge] is [spectacular|stunning|unreal]
you forget the city exists, only [birdsong and wind|water and leaves]
the wildflowers were [a sea of color|the most beautiful I have ever seen]
giant trees, [moss like velvet|ferns taller than me], crystal clear water
a nature lover's [paradise|dream]
we swam in the [clear lake|river] with the mountains all around
the gardens are [magnificent|breathtaking], thousands of blooms
the sunset over the [marsh|cliffs] made my wife cry
I have hiked all over and this is the [most gorgeous|wildest] landscape in the region
""",
}

FOOD = {
    0: """
there is [nothing|no place] to eat or drink here
not even a [vending machine|water fountain|snack bar]
bring your own [sandwiches|lunch], they sell no food
we were starving and [had to leave to eat|found nothing]
no cafe, no kiosk, [nothing|not a crumb]
you may not even [bring in a snack|open a water bottle]
the cafe [closed years ago|exists only on the map]
there was no food of any kind, [plan ahead|eat before you come]
my stomach growled the whole time, [no food on the grounds|nobody sells so much as a pretzel]
the nearest [bite|coffee] is a mile away
no water, no snacks, [no kitchen|no crumbs], so pack a lunch
I would have paid anything for a [sandwich|cookie], there was not one to be had
""",
    1: """
a [vending machine|coffee cart] by the exit is all there is to eat
they sell [chips and soda|packaged muffins], not much else
the snack bar had [two items left|cold pretzels]
you can get a [coffee|hot dog], do not expect a meal
food options are [very limited|scarce]
one [kiosk|ice cream window], with a long line
the cafe was [closed when we came|open for an hour]
we found [a sad sandwich|one granola bar] and shared it
there is a cart with popcorn, [otherwise go elsewhere|and that is lunch]
eat before you go, [the choice is poor|there is little on offer]
the menu is [three lines long|a bag of nuts and tea]
a thermos of coffee at the desk, [donations welcome|that is the catering]
they had run out of all but [crackers|lemonade]
""",
    2: """
the cafe is [good|decent], we had [soup and pie|nice sandwiches]
there are a [few food stalls|couple of places to eat] on site
you can [eat well enough|have a proper lunch] here
the [tacos from the truck|cinnamon rolls] were tasty
we stopped for [ice cream|a bite], good choice of flavors
they offer [tastings|samples] in the afternoon, a nice extra
the restaurant on the [terrace|second floor] does a fine [lunch|burger]
several [vendors|stands], fair prices, nobody goes hungry
good coffee and [cake|local beer] after the visit
the food court has [something for everyone|a dozen counters]
my husband came for the [pretzels|sausages] and was content
lunch here was [better than expected|part of the fun]
""",
    3: """
come [hungry|with an empty stomach], the food is the whole point
we ate our way from [stall to stall|one end to the other] and [could not stop|rolled home]
the [dumplings|oysters|cheesesteaks] alone are worth the trip
a [paradise|heaven] for food lovers
forty stalls, [every one better than the last|every cuisine you can name]
the tasting tour was [incredible|the best meal of our trip]
I have never eaten [so well|so much good food] at an attraction
smoke from the grills, [fresh bread, cheese, honey|noodles, pies, fruit], I was in heaven
we came for a snack and stayed for [five courses|three meals]
the [bakers|cooks] work right in front of you and hand you [samples all day|warm pieces]
foodies, [this is your place|do not miss it]
everybody comes here to eat, and [rightly so|now I know why]
the best [street food|market food] in the region, [amazing|hands down]
""",
}

SHOPPING = {
    0: """
there is no [shop|gift shop|store] at all
nothing to buy, [not even a postcard|leave the wallet at home]
I wanted a [magnet|souvenir] and there was none to be had
they do not sell [anything|a thing] here
you cannot spend a cent, [no stalls, no shop|even if you want to]
no shopping whatsoever, [thank heavens|for better or worse]
my daughter was upset that there was nowhere to [buy a keepsake|spend her pocket money]
the gift shop is [boarded up|gone for good]
not a [store|stall] for blocks around
if you came to shop, [you came to the wrong place|turn around]
we looked for a store and found [an empty counter|a locked door]
even postcards have to be [bought elsewhere|found in town]
""",
    1: """
there is a [rack of postcards|shelf of magnets] at the desk, no more
the gift shop is [tiny|the size of a closet]
you can buy a [mug|T-shirt], that is about it
not much in the way of [souvenirs|shopping]
the shop was [half empty|closed on our visit]
a single [stand|vendor] selling trinkets
I found one [keychain|pencil] for my nephew, slim pickings
a few [things|books] for sale by the register
shopping is [minimal|an afterthought], you will not need a bag
the store sells the same [three shirts|two caps] in every size
the store is [mostly|half] umbrellas and gum
you could do the whole shop in [a minute|two steps]
a small case of [pins|bookmarks], the prices higher than the quality
""",
    2: """
the gift shop has [nice things|a good selection]
we picked up [some souvenirs|a few presents] for the family
a couple of [shops|boutiques] worth a browse
I bought a [handmade bowl|print] and a [scarf|book]
there is a [decent|pleasant] store with local crafts
good spot to [buy gifts|pick up a keepsake]
the stalls sell [candles, soap and toys|hats and jewelry]
my wife browsed happily for [half an hour|a good while]
prices in the shop are fair, and the [quality is fine|stuff is not junk]
some [antique dealers|craft tables] on weekends
you will find a [present|souvenir] for everybody
the museum store was [nice|well stocked]
""",
    3: """
we left with [six|four] bags and an empty wallet
a shopper's [paradise|dream]
[dozens|hundreds] of shops and stalls, we [could not see them all|needed a second day]
I did all my [Christmas|birthday] shopping here in [one afternoon|two hours]
the best place in town for [gifts|crafts|vintage clothes], hands down
my suitcase [would not close|was overweight] after all I bought here
from [antiques to sneakers|jewelry to spices], you can buy [anything|everything]
my wife had to be [dragged out of|pried away from] the stores
one [treasure|bargain] after another, the shops are [wonderful|amazing]
everyone around us was loaded with [shopping bags|parcels]
bring a [big bag|second suitcase], you will shop until you drop
the boutiques are [fantastic|gorgeous], local designers, unique pieces
the [market hall|arcade] is the finest shopping for miles
""",
}

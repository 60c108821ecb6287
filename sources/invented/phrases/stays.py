"""What invented guests write about hotels, by attribute and by how they found it (1 very bad to 5 excellent).

One sentence a line, without its first capital and full stop; `[a|b]` is a choice.
Written by hand for this module, in reviewers' everyday English; no reader of reviews may import it.
"""

from __future__ import annotations

QUALITY = {
    1: """
the bed was like [a plank|sleeping on gravel]
there were [bed bugs|bloodstains|hairs] on the sheets
the shower [had no hot water|ran brown] and the drain was [clogged|backing up]
the room was [filthy|disgusting|the dirtiest I have ever been given]
[mold|black mold] covered the bathroom ceiling
the air conditioner [dripped on the bed|rattled all night] and nobody could turn it off
the carpet was [sticky underfoot|soaked], I slept in my shoes
our window would not [close|open], and the heating was dead
the mattress had a [hole|crater] in it you could hide a dog in
the towels were [gray and torn|damp when we got them]
a cockroach [greeted us in the bathtub|crawled out of the coffee maker]
the walls are so thin I [learned the neighbors' names|heard a man sneeze two rooms over]
the toilet [did not flush|leaked] for our whole stay, an awful room
""",
    2: """
the room was [dated|worn|shabby]
the bed was [lumpy|saggy|too soft for my back]
the bathroom was [tiny|cramped] with [rusty taps|cracked tiles]
the room had a [musty|stale smoke] smell
there was [dust under the lamp|a ring in the tub], the cleaning is superficial
the furniture has [seen better days|chips and burns everywhere]
the walls are thin, we slept [badly|with earplugs]
the water pressure was [weak|a trickle]
the pillows were [flat|hard as sandbags]
the elevator was [out half the time|slow and creaky]
the breakfast room ran out of [everything|clean plates] by nine
the television [did not work|only had static], and the lamp flickered
the room was much smaller and plainer than [the pictures|advertised]
""",
    3: """
the room was [basic but clean|fine for a night|okay]
the bed was [neither hard nor soft|all right]
it is a [standard|plain] room, desk, bed, lamp
the bathroom was small but [it worked|did the job]
[comfortable enough|adequate], nothing you will remember
the room is dated, though [everything worked|the sheets were clean]
the bed was comfortable, the [bathroom less so|shower lukewarm]
average rooms, [average breakfast|thin towels, decent pillows]
the furniture is [from the nineties|functional], no complaints, no applause
it was about what a [two-star|mid-range] hotel gives you
the new wing is nice, the old one [tired|could use paint]
we slept [okay|reasonably well], the room was just a room
""",
    4: """
the bed was [very comfortable|comfy], I slept [well|like a log]
the room was [clean and spacious|bright and tidy|well kept]
the bathroom was [modern|sparkling] with a [good shower|proper tub]
the linens were [crisp|soft] and changed daily
the room was quiet, [no street noise at all|we heard nothing from the hall]
[nice big windows|plenty of outlets], a good desk, everything worked
the hotel has been [renovated|freshly painted], and it shows
the pillows were [lovely|just right]
breakfast was [good|varied], with real coffee
the pool was [clean|warm], the gym well equipped
housekeeping left the place spotless each [morning|day]
the room was [larger|better] than we expected at this level
solid furniture, [good mattress|thick curtains], pleasant room
""",
    5: """
the bed was [a cloud|heaven], I have never slept better
the room was [stunning|gorgeous|absolutely immaculate]
I wanted to [take the mattress home|move in for good]
the bathroom was bigger than my apartment, [marble and all|with heated floors]
you could not find [a speck of dust|one thing out of place] if you tried
the suite was [spectacular|luxurious|perfection], down to the door handles
the sheets felt like [silk|a hug]
breakfast was a [feast|dream], the best hotel breakfast of my life
everything gleamed as if we were the [first guests ever|very first guests]
the finest room I have stayed in, and I [travel for a living|spend half the year in hotels]
a deep tub, [robes like fur|a view of the hills], silence, I did not want to check out
the rain shower alone was [worth the trip|reason enough to come back]
[superb|outstanding] rooms, each detail thought through
""",
}

LOCATION = {
    1: """
it is [miles|a forty-minute bus ride] from anything you would want to see
the hotel sits [between a highway and a landfill|under the flight path]
there is nothing around but [warehouses|empty lots|gas stations]
we spent more on [taxis|cabs] than on the room, it is that far out
the map [lied|is a joke], downtown is an hour away
you cannot [walk anywhere|even buy water] nearby, no sidewalks, no shops
freight trains run [past the window|twenty feet from the bed] all night
[terrible|awful|the worst possible] location
it took us [two buses and a walk|an hour] to reach the center
stuck in the middle of nowhere, [no bus after six|no way out without a car]
the nightclub below [shook the bed until four|kept the whole floor awake]
we canceled two tours because we could not [get there from the hotel|reach them in time]
a hopeless spot, [nobody delivers there|even the cab driver got lost]
""",
    2: """
it is [a bit far|further than it looks] from the center
the location is [not convenient|inconvenient] without a car
there are [few|hardly any] restaurants within walking distance
the nearest [stop|station] is a [good twenty minutes|long, uphill walk] away
you are [on the wrong side of the river|out by the ring road]
traffic noise from the [avenue|overpass] came through the glass
it is a long [haul|trek] to the sights
parking nearby is a [headache|nightmare]
we would rather stay [closer in|more central] next time
it is near the airport and [not much else|little besides]
the walk into town is [dull and long|along a busy road]
a quieter street would have been welcome, [buses stop under the window|trucks start at five]
the surroundings are [bleak|uninviting]
""",
    3: """
the location is [okay|average|neither central nor remote]
it is a [fifteen|twenty]-minute walk to the center, [manageable|fine in good weather]
near the highway, [handy by car, less so on foot|which cuts both ways]
there is a bus, [every half hour|it comes when it comes]
[a few shops|one diner] nearby, the rest needs a ride
not downtown, not the suburbs either
the area is [ordinary|residential], you will find what you need
close to the [stadium|convention hall], far from the old town
it is all right as a base if you [have a car|do not mind walking]
central enough, [though a bit noisy|if on a busy street]
the spot is good for one side of town and [poor|awkward] for the other
location is what you would expect at this distance from [the center|town]
""",
    4: """
it is [close to everything|a short walk from the sights]
the [station|tram|bus] is [right outside|two blocks away]
the location is [convenient|great|very good]
plenty of [cafes and shops|places to eat] within five minutes
we left the car parked and [walked everywhere|did not miss it]
it is on a [quiet|leafy] street near the center
easy to [reach from the airport|find], and near the river
you can walk to [the museums|dinner] in ten minutes
well placed for [exploring|a weekend on foot]
the neighborhood is [nice|charming], with a bakery on the corner
a [handy|good] base, close to the old town
we could stroll back after the show
the market is just around the corner
""",
    5: """
you [could not be|cannot get] more central
everything we wanted to see was [at the doorstep|under ten minutes on foot]
the location is [perfect|unbeatable|second to none|ideal]
we stepped out of the lobby straight [onto the main square|into the old town]
from our window we saw [the cathedral|the whole harbor], a dream of a spot
five minutes to [the theater, the river and the best food in town|every sight on our list]
I have stayed all over this city and [this corner is the best|no address beats it]
the [best possible|most convenient] place to stay, right in the heart of it all
we never once needed a [cab|bus], not even with grandma
the tram stops at the door and [the park begins across the street|takes you anywhere]
[amazing|fantastic|superb] location
you roll out of bed and you are at the [museum|waterfront]
if you want to be where it all happens, [book here|look no further]
""",
}

SERVICE = {
    1: """
the front desk [hung up on us|laughed at our complaint]
we waited [two hours|until nine at night] for a room that was promised at three
the clerk was [incredibly rude|hostile|openly insulting]
nobody answered the phone, [not once in three days|day or night]
they [charged my card twice|lost our booking] and refused to help
housekeeping [never came|walked in on me in the shower]
the manager called my [wife|mother] a liar
staff stood around chatting while [we carried four suitcases upstairs|the lobby filled with people]
my requests went [straight into the trash|nowhere], I asked five times for a towel
[terrible|appalling|nonexistent] service
they threw our bags [on the sidewalk|into a closet] and sent us away
the receptionist was asleep and [cross|furious] when we woke him
the worst treatment I have had [from any hotel|at a front desk]
""",
    2: """
check-in was [slow|a drag], one clerk for [twenty people|a full lobby]
the front desk staff were [indifferent|curt|not very helpful]
we had to ask [twice|three times] for towels
the clerk never [looked up from the screen|smiled]
they forgot our [wake-up call|early breakfast]
calls to reception [rang and rang|went unanswered until morning]
the staff seemed [overworked|poorly trained]
no one offered to help with the [bags|stroller]
getting the bill corrected took [half an hour|three people]
housekeeping skipped our room [one day|twice]
the concierge [knew less than my phone|sent us to a closed museum]
they were [not exactly welcoming|rather cold]
our complaint about the noise was met with [a shrug|silence]
""",
    3: """
service was [okay|average|correct], no more
the staff were [polite|civil] if [distant|a little stiff]
check-in took [ten minutes|a while], normal for a weekend
one clerk was helpful, the [other one not at all|night man less so]
the desk handled things [eventually|after a reminder]
they did what was [asked|needed], nothing extra
the people at reception were [fine|neither warm nor rude]
housekeeping was [regular|hit and miss]
self check-in, so we [hardly met anyone|cannot say much good or bad about the staff]
the service is what you get from [a big chain|any motel]
reasonably quick at the desk, [slow with requests|slow at breakfast]
friendly on arrival, [forgetful later|less so when we had a question]
""",
    4: """
the staff were [friendly|very helpful|courteous]
check-in was [quick|smooth|done in two minutes]
the front desk [let us check in early|kept our bags all day]
the concierge gave us [great tips|a hand-drawn map]
they [fixed the lamp within minutes|brought extra pillows right away]
everyone [greeted us|said good morning], from the porter to the cook
housekeeping was [thoughtful|discreet and quick]
the lady at reception was [so kind|lovely]
they answered every question with [patience|a smile]
good service, [no request was too much|always somebody at the desk]
a porter [ran out with an umbrella|took our bags before we asked]
the team [looked after us well|made us feel welcome]
they helped us [book a cab at five in the morning|find a doctor]
""",
    5: """
the staff [upgraded us|left a cake in the room] for our anniversary, unasked
I have never been treated [so well|with such warmth] at a hotel
they knew our names [from the first minute|by the second day]
the concierge [moved mountains|worked a miracle] to get us tickets
the night manager drove [my son to the clinic|across town for my medicine] himself
[outstanding|exceptional|flawless] service from everyone
each wish was granted before we had [finished the sentence|said it]
the porter remembered my [knee|daughter's teddy] from last year
they [sewed my dress|pressed my suit] an hour before the wedding, no charge
when our flight was canceled they [rebooked everything|stayed up with us] and brought soup
the kindest people [in the business|I have met on the road]
five-star care, [you feel like a guest of honor|we were spoiled rotten]
a staff like this is [why we come back every year|one in a million]
""",
}

SAFETY = {
    1: """
our car was [broken into|stolen] in the hotel lot
somebody [tried our door handle|walked into our room] in the middle of the night
the lock on our door was [broken|hanging by one screw]
my laptop was stolen [from the room|while we were at breakfast], and they shrugged
there were [drug deals|fights] in the parking lot every night
we pushed the [dresser|armchair] against the door to sleep
police were called [twice|three times] during our stay
I [did not feel safe for one minute|was terrified], we left before midnight
the key card opened [our neighbor's door too|three other rooms]
the fire exit was [chained shut|blocked with mattresses]
a man followed my [sister|daughter] into the elevator and [the guard looked away|no one cared]
bare wires stuck out [of the wall by the tub|next to the shower]
it is a [dangerous|scary] place, keep away [at night|if you travel alone]
""",
    2: """
the street felt [sketchy|a bit rough] after dark
the hallway lights were [out|flickering], which made me uneasy
anyone can walk [in from the street|past the desk], nobody checks
the parking lot is [badly lit|wide open]
our balcony door [did not lock|needed a chair to stay shut]
there was no [safe in the room|chain on the door]
I did not like [walking back alone|leaving the car there]
the side entrance was propped open [all night|with a brick]
people [loitered by the entrance|were shouting in the corridor] until late
we kept our valuables [with us|in the trunk], just in case
the smoke detector [had no battery|was taped over]
not an area where you want to [be out late|jog in the morning]
security is [lax|rather loose], to put it mildly
""",
    3: """
we had no trouble, [though I would lock the car|but the area is mixed]
safety is [average|okay] for a downtown hotel
by day it is fine, at night [keep your eyes open|less so]
there is a guard [on weekends|sometimes]
the lock worked, [the safe did not|the lot is open to the street]
the neighborhood is [so-so|neither rough nor posh]
I felt [mostly safe|all right], [use common sense|nothing happened]
ordinary locks, ordinary street, [no more secure than others|nothing to report]
the garage is gated, the [side door not always|back stairs are dark]
not worried, not [entirely at ease either|completely relaxed]
key cards for the elevator, though [doors are often held open|people tailgate]
as secure as [any motel|most places of the kind]
""",
    4: """
we [felt safe|felt secure] the whole time
the garage is [gated|locked and has cameras]
you need your key card for the [elevator|front door] after ten
the area is [quiet and well lit|safe to walk at night]
a guard is at the door [all night|every evening]
I traveled alone and [felt comfortable|had no worries]
the doors have [solid locks|double locks], and the safe works
well-lit corridors, cameras, [someone always at the desk|friendly security]
our bikes were [locked away|stored safely] by the staff
we let the [teens|kids] go down to the pool alone without worrying
it is a [good|calm] neighborhood, we strolled at midnight
the staff check [who comes in|every visitor], which I like
left my wallet in the lobby and [got it back untouched|it was handed in]
""",
    5: """
I have never felt [safer|more secure] in a hotel
security is [excellent|top-notch|first-rate], guards, cameras, key cards on every floor
as a woman alone I felt [completely|perfectly] safe at any hour
you could [leave your door open|leave a purse on the bench] and nothing would happen
the guard [walked us to our car|escorted my mother to the door] every night
a fire drill was [explained on arrival|shown to us], they take safety very seriously
the safest street in town, [families out until midnight|the police station is next door]
we left a [camera on the terrace|bag of cash by mistake], and it was waiting at the desk
even the elevators only go to [your own floor|the floor on your card], super secure
my parents slept soundly for the first time on the trip, so [safe|well guarded] is the place
the night staff know [every face|each guest], no stranger gets past them
the garage is like [a bank vault|a fortress]
[absolutely|totally] safe, inside and out
""",
}

"""An invented town in a guide's district pages, in the form that real ones have, and on a map of the same coordinates.

Names and prose are ours. The pages are parts of a dump: the town's own, three districts', and another town's.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from tests.sources.osm_text import node, osm, way

TOWN = "Boston"
SOUTH, WEST = 42.34, -71.08
DISTRICTS = ("Harbor Side", "Old Hill", "South Yards")
COLUMNS, STEP = 12, 0.0012

KITCHENS = ("Italian restaurant", "Italian trattoria", "seafood house with an American menu", "American diner",
            "Thai place", "Mexican joint")  # fmt: skip
MEALS = (
    "The pasta of the day is delicious and the waiters are friendly.",
    "Tasty plates, attentive service and a cozy room.",
    "Superb flavors at fair prices, though you may have to queue.",
    "Very fresh ingredients and excellent cooking; staff are polite.",
)
SIGHTS = (
    ("House of the {}", "A colonial house of the 18th century, now a museum of the revolution with period rooms."),
    ("{} Burying Ground", "Historic graveyard with the monuments of the town's founders, dating back to the colony."),
    ("{} Garden", "Leafy garden along the river with flower beds, old trees and ducks on the pond."),
    ("{} Meeting Hall", "Landmark of the civil war era, restored; plaques tell its history."),
    ("{} Marshes", "Open all year, from dawn to dusk."),
    ("{} Point", "The gate on Main St is the one to use."),
)
"""Of the last two the prose says nothing of what they are; a map's tags may."""

MAPPED = {"House": {"historic": "manor"}, "Garden": {"leisure": "park"}, "Marshes": {"leisure": "nature_reserve"},
          "Point": {"natural": "beach"}}  # fmt: skip
"""How the map tags a sight, by a word of its name; others are museums, which may be of anything."""
NIGHTS = (
    "Spotless rooms with comfortable beds, in an excellent location near the subway. Very helpful staff.",
    "Clean, quiet rooms; the location is superb and the neighborhood feels safe. Friendly staff.",
    "Small but beautiful rooms, great location, welcoming hosts.",
)
NAMES = ("Abigail", "Bartlett", "Corwin", "Dorothea", "Endicott", "Fairbank", "Goodwin", "Hawthorn", "Ingersoll",
         "Josiah", "Kittredge", "Lowell", "Mather", "Nathaniel", "Orchard", "Pickering")  # fmt: skip
PRICES = {"Budget": "$9-13", "Mid-range": "$18-26", "Splurge": ""}
"""Of meals; where a listing says none, its heading tells."""


def spot(number: int) -> tuple[float, float]:
    """Return where the numbered place lies, beside a street of the map."""
    return (
        round(SOUTH + STEP * (number // COLUMNS) + 0.0003, 6),
        round(WEST + STEP * (number % COLUMNS) + 0.0003, 6),
    )


def listings(eat: int = 36, see: int = 24, sleep: int = 9) -> list[dict[str, str]]:
    """Return the town's listings: what a page writes of each, and the district and heading that it stands under."""
    found = []
    for number in range(eat + see + sleep):
        lat, lon = spot(number)
        row = {"district": DISTRICTS[number % 3], "lat": str(lat), "long": str(lon), "address": f"{number + 1} Main St"}
        name = NAMES[number % len(NAMES)]
        if number < eat:
            heading = list(PRICES)[number // 3 % 3]
            row |= {"kind": "eat", "heading": heading, "name": f"{name}'s Table {number}", "price": PRICES[heading]}
            row["content"] = f"Old {KITCHENS[number // 6 % len(KITCHENS)]}. {MEALS[number % len(MEALS)]}"
        elif number < eat + see:
            title, said = SIGHTS[(number - eat) % len(SIGHTS)]
            price = ("Free", "$12 adults, $6 children", "$14")[number % 3]
            row |= {
                "kind": "see",
                "heading": "",
                "name": f"{title.format(name)} {number}",
                "price": price,
                "content": said,
            }
        else:
            heading = list(PRICES)[number % 3]
            row |= {"kind": "sleep", "heading": heading, "name": f"{name} Inn {number}", "content": NIGHTS[number % 3]}
            row["price"] = "$120-150" if heading == "Budget" else ""
        found.append(row)
    return found


def page(district: str, rows: list[dict[str, str]]) -> str:
    """Return a district's page, sections and headings as guides have them."""
    lines = ["{{pagebanner|Banner of nothing.jpg}}", f"'''{district}''' is a part of [[{TOWN}]].", "==Understand==",
             "{{{{geo|{}|{}|zoom=15}}}}".format(*spot(0)), "{{isPartOf|Boston}}"]  # fmt: skip
    for title, kind in (("See", "see"), ("Eat", "eat"), ("Sleep", "sleep")):
        lines.append(f"=={title}==")
        for heading in dict.fromkeys(row["heading"] for row in rows if row["kind"] == kind):
            lines += [f"==={heading}==="] if heading else []
            lines += [_listing(row) for row in rows if (row["kind"], row["heading"]) == (kind, heading)]
    lines += ["==Drink==", "* {{drink", "| name=The Dry Tap | lat=42.3405 | long=-71.0795", "| content=Beer.", "}}"]
    return "\n".join([*lines, "{{guidedistrict}}"])


def _listing(row: dict[str, str]) -> str:
    return (
        f"* {{{{{row['kind']}\n| name={row['name']} | alt= | url= | email=\n| address={row['address']} "
        f"| lat={row['lat']} | long={row['long']} | directions=\n| phone= | tollfree= | fax=\n| hours=Tu-Su 11AM-10PM "
        f"| price={row['price']}\n| lastedit=2026-01-02\n| content={row['content']}\n}}}}"
    )


def dump(rows: list[dict[str, str]]) -> str:
    """Return a dump with the town's page, its districts' and another town's."""
    nowhere = "* {{eat\n| name=Anywhere | lat= | long= | content=Delicious Italian food.\n}}"
    pages = [(TOWN, f"{{{{pagebanner|x.jpg}}}}\n'''{TOWN}'''\n==Eat==\n{nowhere}\n")]
    pages += [(f"{TOWN}/{d}", page(d, [row for row in rows if row["district"] == d])) for d in DISTRICTS]
    pages += [("Elsewhere", "==Eat==\n* {{eat\n| name=Far Table | lat=50 | long=1 | content=Delicious.\n}}")]
    written = "".join(
        f"<page><title>{escape(title)}</title><ns>0</ns><revision><text>{escape(text)}</text></revision></page>"
        for title, text in pages
    )
    return f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{written}</mediawiki>'


def map_tags(name: str) -> dict[str, str]:
    """Return how the map tags a sight of the name."""
    return next((tags for word, tags in MAPPED.items() if word in name), {"tourism": "museum"})


def town_map(rows: list[dict[str, str]]) -> str:
    """Return a map of streets and of the same places, as elements that name them and say less of them."""
    kinds = {"eat": {"amenity": "restaurant"}, "sleep": {"tourism": "hotel", "stars": "4"}}
    height = len(rows) // COLUMNS + 2
    crossings = [node(1 + n, round(SOUTH + STEP * (n // COLUMNS), 6), round(WEST + STEP * (n % COLUMNS), 6))
                 for n in range(COLUMNS * height)]  # fmt: skip
    streets = [way(1 + r, [1 + COLUMNS * r + c for c in range(COLUMNS)], highway="residential") for r in range(height)]
    streets += [
        way(500 + c, [1 + COLUMNS * r + c for r in range(height)], highway="residential") for c in range(COLUMNS)
    ]
    places = [node(1000 + n, float(row["lat"]), float(row["long"]), name=row["name"],
                   **(kinds.get(row["kind"]) or map_tags(row["name"])))
              for n, row in enumerate(rows)]  # fmt: skip
    town = node(5000, SOUTH + 0.003, WEST + 0.006, name=TOWN, place="village")
    return osm(*crossings, town, *places, *streets)

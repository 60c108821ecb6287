"""What invented places and streets are called: made-up words that belong to no real business."""

from __future__ import annotations

from random import Random

from sources.invented.draws import one_of

WORD_HEADS = (
    "Brask", "Tovri", "Quill", "Zand", "Morph", "Yelk", "Plim", "Grov", "Snorri", "Fiz", "Dax", "Umbro",
    "Vex", "Lorn", "Kibb", "Hask", "Jent", "Oswi", "Rumb", "Thwa", "Cand", "Pelt", "Wim", "Noxa",
)  # fmt: skip
WORD_TAILS = (
    "elmo", "wick", "ondo", "arrow", "ibble", "une", "antha", "oggin", "erly", "azzo", "imble", "ott",
    "enza", "ushka", "aroo", "ember", "inka", "uggle", "ola", "ander",
)  # fmt: skip

STREETS = (
    "Quillon", "Tarnsby", "Velmore", "Oddwick", "Brambry", "Zellan", "Fosdyke", "Murrin", "Grewel", "Paxley",
    "Ninecott", "Lurgan", "Hobstone", "Yarlow", "Crimdon", "Wexmoor", "Sallowby", "Dunnick", "Evermarsh", "Jostle",
    "Kettleby", "Ravensop", "Thistock", "Umberlin",
)  # fmt: skip
STREET_SUFFIXES = ("St", "Ave", "Ln", "Rd", "Blvd", "Way", "Pl", "Ct")

SIGNS: dict[str, tuple[str, ...]] = {
    "US": ("Grill", "Tavern", "Kitchen", "Supper Club", "Chophouse"),
    "Mexican": ("Taqueria", "Cantina", "Cocina"),
    "Irish": ("Public House", "Snug", "Ale House"),
    "French": ("Bistro", "Brasserie", "Table"),
    "Italian": ("Trattoria", "Osteria", "Pasta Room", "Pizzeria"),
    "Greek": ("Taverna", "Estiatorio", "Souvlaki Bar"),
    "Indian": ("Tandoor", "Curry House", "Spice Room"),
    "Chinese": ("Dumpling House", "Noodle House", "Garden"),
    "Japanese": ("Izakaya", "Ramen", "Sushi Counter"),
    "Korean": ("Barbecue", "Bunsik", "Table"),
    "Vietnamese": ("Pho", "Banh Mi", "Kitchen"),
    "Thai": ("Thai Kitchen", "Basil House", "Street Thai"),
    "Asian Fusion": ("Wok & Fire", "Canteen", "Small Plates"),
    "Middle Eastern": ("Grill House", "Falafel", "Mezze"),
    "": ("Cafe", "Bakehouse", "Burger Stand", "Sandwich Shop", "Coffee", "Scoops"),
    "hotel": ("Hotel", "Inn", "Suites", "House", "Lodge"),
    "museum": ("Museum", "Gallery", "Collection"),
    "park": ("Park", "Gardens", "Green"),
    "local flavor": ("Arcade", "Market Square", "Alley"),
    "zoo": ("Zoo", "Wildlife House"),
    "tour": ("Walking Tours", "River Tours", "Trolley"),
    "landmark": ("Hall", "Tower", "Old Mill", "Courthouse"),
    "souvenir shop": ("Souvenirs", "Gift Shop", "Keepsakes"),
    "dentist": ("Dental Care",),
    "car rental": ("Car Rental",),
    "hair salon": ("Hair Studio",),
    "mechanic": ("Auto Repair",),
    "pharmacy": ("Pharmacy",),
}
"""The second half of a name, by what the place is."""

CHAINS = ("Bun & Bramble", "Noodlewump", "Captain Tovri's", "The Plimsy Cup")
"""Names that several restaurants share (published tables hold chains; defect I4)."""


def made_up_word(rng: Random) -> str:
    """Return one made-up capitalised word."""
    return one_of(rng, WORD_HEADS) + one_of(rng, WORD_TAILS)


def place_name(rng: Random, trade: str) -> str:
    """Return a made-up name for a place of that trade; restaurants' trades are their cuisines."""
    signs = SIGNS[trade]
    return f"{made_up_word(rng)} {one_of(rng, signs)}"


def street_name(across: int) -> str:
    """Return the name of the street at that position of the grid, counted from the centre."""
    turn, position = divmod(across, len(STREETS))
    suffix = STREET_SUFFIXES[turn % len(STREET_SUFFIXES)]
    return f"{STREETS[position]} {suffix}"


def avenue_name(across: int) -> str:
    """Return the name of the numbered avenue at that position of the grid, counted from the centre."""
    number = abs(across) + 1
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{'E' if across >= 0 else 'W'} {number}{ending} Ave"

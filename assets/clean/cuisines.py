"""Which of a listing's categories are cuisines, and in what order they are used."""

from __future__ import annotations

from collections.abc import Iterable

KITCHENS = (
    "Afghan", "African", "American", "American (New)", "American (Traditional)", "Arabic", "Argentine", "Armenian",
    "Asian Fusion", "Australian", "Austrian", "Bangladeshi", "Basque", "Belgian", "Brazilian", "British", "Burmese",
    "Cajun/Creole", "Cambodian", "Cantonese", "Caribbean", "Catalan", "Chinese", "Colombian", "Cuban", "Czech",
    "Dominican", "Egyptian", "Ethiopian", "Filipino", "French", "Georgian", "German", "Greek", "Guamanian", "Haitian",
    "Hawaiian", "Himalayan/Nepalese", "Honduran", "Hungarian", "Iberian", "Indian", "Indonesian", "Irish", "Israeli",
    "Italian", "Japanese", "Korean", "Laotian", "Latin American", "Lebanese", "Malaysian", "Mediterranean", "Mexican",
    "Middle Eastern", "Modern European", "Mongolian", "Moroccan", "Nicaraguan", "Pakistani", "Pan Asian",
    "Persian/Iranian", "Peruvian", "Polish", "Portuguese", "Puerto Rican", "Russian", "Salvadoran", "Scandinavian",
    "Scottish", "Senegalese", "Shanghainese", "Sicilian", "Singaporean", "Soul Food", "South African", "Southern",
    "Spanish", "Sri Lankan", "Syrian", "Szechuan", "Taiwanese", "Tex-Mex", "Thai", "Trinidadian", "Turkish", "Tuscan",
    "Ukrainian", "Uzbek", "Venezuelan", "Vietnamese",
)  # fmt: skip
"""Categories that name a country's or a region's kitchen (the published labels, and the others of Yelp's list)."""

DISHES = (
    "Barbeque", "Breakfast & Brunch", "Burgers", "Comfort Food", "Halal", "Kosher", "Noodles", "Pizza", "Ramen",
    "Seafood", "Steakhouses", "Sushi", "Sushi Bars", "Vegan", "Vegetarian",
)  # fmt: skip
"""Categories that name a dish or a diet; the published tables use them as cuisine labels too."""


def cuisines(categories: Iterable[str]) -> list[str]:
    """Return the categories that are cuisines: kitchens first, then dishes, each in the provider's order.

    A query asks for kitchens, and ItinBench shows only two labels: no dish may push a kitchen out.
    """
    listed = list(categories)
    return [c for c in listed if c in KITCHENS] + [c for c in listed if c in DISHES]

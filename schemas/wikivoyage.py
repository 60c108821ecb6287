"""Listings of Wikivoyage's guides, in tables of their own: share-alike text is joined to places by key, never mixed."""

from __future__ import annotations

from schemas.table import Field, Table

LISTING_KINDS = ("see", "do", "buy", "eat", "drink", "sleep", "other")
KIND_OF = {"eat": "restaurant", "sleep": "stay", "see": "attraction", "do": "attraction", "buy": "attraction"}
"""The kind of place that a listing is by itself: nobody eats a meal at one to drink, and others are services."""

MATCHED_BY = ("wikidata", "name")


class WikivoyageListing(Table):
    """One listing of a guide's page about a city: what is there, where, when, for how much, and what the guide says."""

    city_id: str = Field("The recipe's city that the page is about.", key=True)
    listing_id: str = Field("Page and number of the listing on it, such as Boston~12.", key=True)
    page: str = Field("Title of the page.", pattern=r"(?s).*\S.*")
    section: str = Field("The page's section that it stands in; empty before the first.")
    kind: str = Field("What it lists.", isin=LISTING_KINDS)
    name: str = Field("The name, without markup.", pattern=r"(?s).*\S.*")
    alt: str = Field("Another name; may be empty.")
    lat: float | None = Field("Latitude, WGS84 degrees; null if the page does not say.", ge=-90, le=90)
    lon: float | None = Field("Longitude, as `lat`.", ge=-180, le=180)
    address: str = Field("Street address; may be empty.")
    hours: str = Field("Opening hours in the guide's own words; may be empty.")
    price: str = Field("Prices in the guide's own words; may be empty.")
    checkin: str = Field("When a stay begins, in the guide's own words; may be empty.")
    checkout: str = Field("When a stay ends, in the guide's own words; may be empty.")
    wikidata: str | None = Field("Wikidata's id of the place; null if the page does not say.", pattern=r"Q[1-9]\d*")
    content: str = Field("What the guide says of it, without markup; may be empty.")
    last_edit: str | None = Field("Date of the last edit that the listing names.", pattern=r"\d{4}-\d{2}-\d{2}")
    source_rows: list[str] = Field("Pointer to the listing.")


class WikivoyageMatch(Table):
    """Which place of the city a listing is about: keys alone, so that nothing of either is mixed with the other."""

    city_id: str = Field("The city.", key=True)
    listing_id: str = Field("The listing.", key=True)
    place_id: str = Field("The place.")
    matched_by: str = Field("Equal Wikidata ids, or similar names close together.", isin=MATCHED_BY, holds="ours")
    distance_m: float | None = Field("Between the two, metres; null if the listing is nowhere.", ge=0, holds="derived")

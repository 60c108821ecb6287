"""Writes an invented world's listings as files of each city: Inside Airbnb's summary CSV and an Apify export.

Both number the same listings. The CSV says nothing of rules, capacity and rating; the export says nothing of the least
nights. What is wrong on purpose is in `airbnb_dirt.py`.
"""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path
from random import Random
from typing import Any

from sources.invented.airbnb_dirt import CSV_PLANTED, hostile_listing_name, planted_listings, planted_records
from sources.invented.cities import CitySpec
from sources.invented.city_files import city_file
from sources.invented.dirt import Dirt, write_dirt
from sources.invented.items import ItemFile, is_array_of
from sources.invented.listings import Listing, listing, listing_count
from sources.invented.world import World

COLUMNS = (
    "id", "name", "host_id", "host_name", "neighbourhood_group", "neighbourhood", "latitude", "longitude", "room_type",
    "price", "minimum_nights", "number_of_reviews", "last_review", "reviews_per_month",
    "calculated_host_listings_count", "availability_365", "number_of_reviews_ltm", "license",
)  # fmt: skip
UNPRICED_SHARE = 0.12
"""Of the CSV's records (1,725 of 13,657 in Porto)."""
EXPORTED_SHARE = 0.95
"""Listings that the export holds; of these, those that it asked the rules of:"""
RULES_ASKED_SHARE = 0.9
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "CAD": "CA$"}
RULE_WORDINGS = {
    "No parties": ("No parties or events", "No parties"),
    "No smoking": ("No smoking", "Smoking is not allowed"),
    "No children under 10": ("Not suitable for children (2-12 years)", "No children under 10"),
    "No pets": ("No pets", "Pets are not allowed"),
    "No visitors": ("No visitors", "No unregistered guests"),
}
OTHER_RULES = (
    "Check-in after 3:00 PM", "Checkout before 11:00 AM", "Quiet hours 10:00 PM - 7:00 AM", "{} guests maximum",
    "Self check-in with lockbox", "Commercial photography is allowed",
)  # fmt: skip


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the files written to the folder, by role: `listings` (CSV) and `apify` (an array or lines).

    `dirt.csv` lists what is planted in them; its `line` is the number of the record or item.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[Path]] = {"listings": [], "apify": []}
    planted: list[Dirt] = []
    for city in world.cities:
        path = city_file(folder, city, "listings.csv")
        planted += _write_csv(world, city, path, path.relative_to(folder).as_posix(), dirt)
        files["listings"].append(path)
        path = city_file(folder, city, "apify.json")
        planted += _write_export(world, city, path, path.relative_to(folder).as_posix(), dirt)
        files["apify"].append(path)
    write_dirt(folder, planted)
    return files


def _write_csv(world: World, city: CitySpec, path: Path, name: str, dirt: bool) -> list[Dirt]:
    listed: list[Dirt] = []
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for number in range(listing_count(world)):
            stay = listing(world, city, number)
            spoilt = hostile_listing_name(stay) if dirt and world.hostile_names else None
            record = _record(world, stay, spoilt[1] if spoilt else stay.name)
            if dirt and number in CSV_PLANTED:
                record["price"] = f"${stay.price:,}.00"
                listed.append(Dirt(CSV_PLANTED[number], name, number + 1, stay.native_id))
            if spoilt:
                listed.append(Dirt(spoilt[0], name, number + 1, stay.native_id))
            writer.writerow(record.values())
        first = _record(world, listing(world, city, 0), "Listed again")
        for position, (kind, values) in enumerate(planted_records(city, first) if dirt else (), start=1):
            writer.writerow(values)
            listed.append(Dirt(kind, name, listing_count(world) + position, values[0]))
    return listed


def _record(world: World, stay: Listing, name: str) -> dict[str, str]:
    rng = world.rng("inside airbnb", stay.city.city_id, stay.number)
    reviewed = dt.date(2024, 9, 1) - dt.timedelta(days=int(rng.random() * 400))
    values = (
        stay.native_id, name, str(10**7 + int(rng.random() * 9e7)), stay.host, "", f"{stay.host} Quarter",
        str(stay.lat), str(stay.lon), stay.room_type, "" if rng.random() < UNPRICED_SHARE else str(stay.price),
        str(stay.min_nights), str(stay.review_count), reviewed.isoformat() if stay.review_count else "",
        f"{stay.review_count / 40:.2f}" if stay.review_count else "", "1", str(int(rng.random() * 366)),
        str(stay.review_count // 4), "",
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _write_export(world: World, city: CitySpec, path: Path, name: str, dirt: bool) -> list[Dirt]:
    with ItemFile(path, name, is_array=is_array_of(city, "airbnb")) as file:
        first: dict[str, Any] = {}
        for number in range(listing_count(world)):
            stay = listing(world, city, number)
            rng = world.rng("apify airbnb", city.city_id, number)
            if number and rng.random() >= EXPORTED_SHARE:
                continue
            spoilt = hostile_listing_name(stay) if dirt and world.hostile_names else None
            item = _item(rng, stay, spoilt[1] if spoilt else stay.name)
            first = first or item
            file.add(item, spoilt[:1] if spoilt else (), stay.native_id)
        if dirt:
            file.plant_junk()
            for planted in planted_listings(city, first):
                file.plant(planted)
        return file.dirt


def _item(rng: Random, stay: Listing, name: str) -> dict[str, Any]:
    currency = stay.city.currency
    sign = SIGNS.get(currency, f"{currency} ")
    stars = [round(min(5.0, stay.rating + 0.4 * (rng.random() - 0.5)), 2) if stay.rating else None for _ in range(3)]
    rules = _rules(rng, stay)
    house_rules = {"houseRules": {"additional": None, "general": rules}} if rng.random() < RULES_ASKED_SHARE else {}
    return {
        "id": stay.native_id,
        "url": f"https://www.airbnb.com/rooms/{stay.native_id}?adults=1",
        "title": name,
        "roomType": stay.room_type,
        "coordinates": {"latitude": stay.lat, "longitude": stay.lon},
        "personCapacity": stay.capacity,
        "rating": {
            "guestSatisfaction": stay.rating,
            "accuracy": stars[0],
            "cleanliness": stars[1],
            "location": stars[2],
            "reviewsCount": stay.review_count,
        },
        "price": {
            "amount": f"{sign}{stay.price:,}",
            "qualifier": "night",
            "breakDown": {
                "basePrice": {"description": f"{sign}{stay.price} x 1 night", "price": f"{sign}{stay.price}"}
            },
        },
        **house_rules,
    }


def _rules(rng: Random, stay: Listing) -> list[dict[str, Any]]:
    """Return the rules in the host's words: the true ones, each in one of its wordings, among others."""
    others = [text.format(stay.capacity) for text in OTHER_RULES if rng.random() < 0.5]
    rule_texts = [RULE_WORDINGS[rule][int(rng.random() * 2)] for rule in stay.rules]
    if "No pets" not in stay.rules and rng.random() < 0.5:
        rule_texts.append("Pets allowed")
    sections = (("Checking in and out", others or ["Flexible check-in"]), ("During your stay", rule_texts))
    return [{"title": title, "values": [{"title": text} for text in texts]} for title, texts in sections if texts]

"""Two small countries in invented native files, one Portuguese and one Finnish: trains and coaches, and no flights.

Castelo leads to Vilar and Satama to Järvelä. Places are named, priced, ruled and sorted in the country's own words.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.recipes import city_table

SUBJECTS = ("No parties", "No smoking", "No children under 10", "No pets", "No visitors")

Truth = dict[str, str]


@dataclass(frozen=True)
class Country:
    """One country: its two cities, words for kinds of sights, and its hosts' rules with what each means."""

    code: str
    language: str
    zone: str
    home: tuple[str, str, float, float]
    dest: tuple[str, str, float, float]
    labels: dict[str, str]
    rules: tuple[tuple[tuple[str, ...], Truth], ...]


PORTUGAL = Country(
    "PT", "pt", "Europe/Lisbon", ("Castelo", "Estremadura", 38.70, -9.15), ("Vilar", "Minho", 41.50, -8.40),
    {"Museus": "Museums", "Natureza e parques": "Nature & Parks", "Compras": "Shopping"},
    (
        (("Não são permitidas festas ou eventos", "Proibido fumar", "Animais de estimação permitidos"),
         {"No parties": "forbidden", "No smoking": "forbidden", "No pets": "allowed"}),
        (("Não são permitidos animais de estimação", "É permitido fumar"),
         {"No pets": "forbidden", "No smoking": "allowed"}),
        (("Animais mediante consulta", "Não é adequado para crianças (2 a 12 anos)"),
         {"No pets": "unclear", "No children under 10": "forbidden"}),
        (("Adequado para crianças", "Festas permitidas", "Aceitam-se animais"),
         {"No children under 10": "allowed", "No parties": "allowed", "No pets": "allowed"}),
    ),
)  # fmt: skip
FINLAND = Country(
    "FI", "fi", "Europe/Helsinki", ("Satama", "Uusimaa", 60.20, 24.95), ("Järvelä", "Pirkanmaa", 61.50, 23.75),
    {"Museot": "Museums", "Luonto ja puistot": "Nature & Parks", "Ostokset": "Shopping"},
    (
        (("Ei juhlia", "Tupakointi kielletty", "Lemmikit sallittu"),
         {"No parties": "forbidden", "No smoking": "forbidden", "No pets": "allowed"}),
        (("Lemmikit kielletty", "Tupakointi sallittu"), {"No pets": "forbidden", "No smoking": "allowed"}),
        (("Lemmikeistä sovittava etukäteen", "Ei sovellu lapsille"),
         {"No pets": "unclear", "No children under 10": "forbidden"}),
        (("Sopii lapsille", "Juhlat sallittu", "Lemmikit sallittu"),
         {"No children under 10": "allowed", "No parties": "allowed", "No pets": "allowed"}),
    ),
)  # fmt: skip
COUNTRIES = (PORTUGAL, FINLAND)
SAME_NAME = "Casa Igual"
CUISINES = ("Italian", "French", "Indian", "Chinese")


def city_id(country: Country, *, home: bool) -> str:
    """Return the id of one of the country's cities."""
    name = (country.home if home else country.dest)[0].lower().replace("ä", "a")
    return f"{country.code.lower()}-1-{name}"


def write_feed(path: Path, members: dict[str, str]) -> Path:
    """Write a GTFS zip of members, each CSV without its blank lines, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, "\n".join(line.strip() for line in text.strip().splitlines()) + "\n")
    return path


def long_distance(country: Country) -> dict[str, str]:
    """Return the members of the country's long-distance feed: trains with a junction, a coach, a train at night.

    The direct train does not run on 2026-03-04, and runs on Sunday the 8th though its pattern says weekdays.
    """
    (_, _, lat, lon), (_, _, to_lat, to_lon) = country.home, country.dest
    mid = f"{(lat + to_lat) / 2:.4f},{(lon + to_lon) / 2:.4f}"
    return {
        "agency.txt": f"agency_id,agency_name,agency_url,agency_timezone\nR,Rail,https://rail.example,{country.zone}",
        "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n"
        "IC,R,IC,,102\nREG,R,R,,2\nBUS,R,X,,200\nTRAM,R,1,,0",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "wk,1,1,1,1,1,0,0,20260301,20260331\nall,1,1,1,1,1,1,1,20260301,20260331",
        "calendar_dates.txt": "service_id,date,exception_type\nwk,20260304,2\nwk,20260308,1",
        "stops.txt": f"""stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
            SH,{country.home[0]} Central,{lat},{lon},1,
            H1,{country.home[0]} Central,{lat},{lon},0,SH
            SM,Junction,{mid},1,
            M1,Junction 1,{mid},0,SM
            M2,Junction 2,{mid},0,SM
            D1,{country.dest[0]},{to_lat},{to_lon},0,""",
        "trips.txt": "trip_id,route_id,service_id\nic-out,IC,wk\nic-back,IC,all\nreg-out-1,REG,all\nreg-out-2,REG,all\n"
        "reg-out-tight,REG,all\nbus-out,BUS,all\nbus-back,BUS,all\nnight-back,REG,all",
        "stop_times.txt": """trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type
            ic-out,H1,1,08:10:00,08:10:00,0,0
            ic-out,M1,2,09:30:00,09:32:00,0,0
            ic-out,D1,3,11:05:00,11:05:00,0,0
            ic-back,D1,1,15:00:00,15:00:00,0,0
            ic-back,H1,2,17:55:00,17:55:00,0,0
            reg-out-1,H1,1,09:00:00,09:00:00,0,0
            reg-out-1,M1,2,11:00:00,11:00:00,0,0
            reg-out-tight,M2,1,11:10:00,11:10:00,0,0
            reg-out-tight,D1,2,12:40:00,12:40:00,0,0
            reg-out-2,M2,1,11:20:00,11:20:00,0,0
            reg-out-2,D1,2,13:00:00,13:00:00,0,0
            bus-out,H1,1,07:30:00,07:30:00,0,0
            bus-out,D1,2,12:30:00,12:30:00,0,0
            bus-back,D1,1,13:00:00,13:00:00,0,0
            bus-back,H1,2,18:00:00,18:00:00,0,0
            night-back,D1,1,25:10:00,25:10:00,0,0
            night-back,H1,2,29:40:00,29:40:00,0,0""",
        "transfers.txt": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nSM,SM,2,1200",
    }


def local_feed(country: Country) -> dict[str, str]:
    """Return the members of the destination's own feed: one line of three stops."""
    _, _, lat, lon = country.dest
    stops = "".join(f"S{n},Stop {n},{lat + n * 0.004:.4f},{lon:.4f}\n" for n in range(3))
    times = "".join(f"t,S{n},{n},08:{n:02}:00,08:{n:02}:00\n" for n in range(3))
    return {
        "agency.txt": f"agency_id,agency_name,agency_url,agency_timezone\nL,Local,https://local.example,{country.zone}",
        "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n1,L,1,,3",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "all,1,1,1,1,1,1,1,20260301,20260331",
        "stops.txt": f"stop_id,stop_name,stop_lat,stop_lon\n{stops}",
        "trips.txt": "trip_id,route_id,service_id\nt,1,all",
        "stop_times.txt": f"trip_id,stop_id,stop_sequence,arrival_time,departure_time\n{times}",
    }


def listings(country: Country) -> list[dict[str, Any]]:
    """Return the destination's listings as Apify exports them: two of each set of rules, one of them dear.

    Two more, the cheapest there are, share their name: no plan can tell them apart.
    """
    _, _, lat, lon = country.dest
    base = 7_000 if country is PORTUGAL else 8_000
    rows = [
        (f"Casa {n}{'AB'[dear]}", "1 204,50 €" if dear else f"{60 + n},50 €", titles, 10 * n + dear)
        for n, (titles, _) in enumerate(country.rules)
        for dear in (0, 1)
    ]
    rows += [(SAME_NAME, "20,50 €", country.rules[0][0], 500 + n) for n in range(2)]
    return [
        {
            "id": str(base + number),
            "title": name,
            "coordinates": {"latitude": lat + 0.002 * (number // 10 % 5), "longitude": lon + 0.003 * (number % 10 + 1)},
            "roomType": "Entire home/apt" if number // 10 % 2 else "Private room",
            "personCapacity": 4,
            "price": {"amount": price, "qualifier": "night"},
            "rating": {"guestSatisfaction": 4.5},
            "houseRules": {"general": [{"values": [{"title": title} for title in titles]}]},
        }
        for name, price, titles, number in rows
    ]


def truth(country: Country) -> dict[str, Truth]:
    """Return what each listing's rules say of the five subjects, by its name; silent where they say nothing."""
    said = {f"Casa {n}{letter}": means for n, (_, means) in enumerate(country.rules) for letter in "AB"}
    said[SAME_NAME] = country.rules[0][1]
    return {name: {subject: means.get(subject, "silent") for subject in SUBJECTS} for name, means in said.items()}


def places(country: Country) -> list[dict[str, Any]]:
    """Return the destination's restaurants and sights as TripAdvisor's export has them, sights in its own words."""
    _, _, lat, lon = country.dest
    base = 1000 if country is PORTUGAL else 2000
    tables = [
        {
            "id": str(base + n), "type": "RESTAURANT", "name": f"Mesa {chr(65 + n)}", "category": "restaurant",
            "latitude": lat + 0.001 * (n % 5), "longitude": lon - 0.002 * (n // 5), "rating": 4.0,
            "priceLevel": "$$ - $$$" if n % 2 else "$", "cuisines": [CUISINES[n % 4]],
        }
        for n in range(14)
    ]  # fmt: skip
    kinds = list(country.labels)
    sights = [
        {
            "id": str(base + 500 + n), "type": "ATTRACTION", "name": f"Sala {chr(65 + n)}", "category": "attraction",
            "subcategories": [kinds[n % 3]], "latitude": lat - 0.002 * n, "longitude": lon + 0.001 * n, "rating": 4.5,
        }
        for n in range(7)
    ]  # fmt: skip
    return [*tables, *sights]


def write_world(folder: Path, *, labels: bool = True) -> Path:
    """Write the files and a recipe of six trips, and return its path; without `labels` no word for a sight is given."""
    for country in COUNTRIES:
        here = folder / country.language
        write_feed(here / "long.zip", long_distance(country))
        write_feed(here / "local.zip", local_feed(country))
        (here / "listings.json").write_text(json.dumps(listings(country)), encoding="utf-8")
    every = [place for country in COUNTRIES for place in places(country)]
    (folder / "places.json").write_text(json.dumps(every), encoding="utf-8")
    prices = "city,country,region,inexpensive_meal\n"
    prices += "".join(f'{c.dest[0]},{c.code},{c.dest[1]},"{n},50 €"\n' for n, c in zip((9, 14), COUNTRIES, strict=True))
    (folder / "prices.csv").write_text(prices, encoding="utf-8")
    text = 'name = "rails"\nseed = 7\n'
    feeds = json.dumps([f"{country.language}/long.zip" for country in COUNTRIES])
    text += f'\n[sources.gtfs]\nlicence = "CC0-1.0"\nlong_distance = {feeds}\n'
    text += '\n[sources.tripadvisor]\nplaces = "places.json"\n\n[sources.numbeo]\nprices = "prices.csv"\n'
    for country in COUNTRIES:
        for home, (name, region, lat, lon) in ((True, country.home), (False, country.dest)):
            box = {"south": lat - 0.05, "west": lon - 0.08, "north": lat + 0.05, "east": lon + 0.08}
            text += city_table(
                {
                    "city_id": city_id(country, home=home), "name": name, "region": region, "country": country.code,
                    "time_zone": country.zone, "currency": "EUR", "languages": [country.language], "box": box,
                }
            )  # fmt: skip
            if not home:
                text += f'\n[cities.sources.airbnb]\napify = "{country.language}/listings.json"\n'
                feeds = json.dumps([f"{country.language}/local.zip", f"{country.language}/long.zip"])  # bound twice
                text += f'\n[cities.sources.gtfs]\nfeed = {feeds}\nlicence = "CC0-1.0"\n'
    alone = [[city_id(country, home=home)] for country in COUNTRIES for home in (True, False)]
    text += '\n[families.tripcraft]\nfirst_date = 2026-03-02\nlast_date = 2026-03-13\ncurrency = "EUR"\n'
    text += "counts = { 3 = { easy = 1, medium = 3, hard = 2 } }\nbudget_step = 10\n"
    text += "weights_medium = { house_rule = 1.0 }\n"
    text += "weights_hard = { house_rule = 1.0, attraction = 1.0, transportation = 1.0 }\n"
    text += f"categories = {json.dumps(sorted(set(PORTUGAL.labels.values())))}\n"
    text += f"road_groups = {json.dumps(alone)}\n"
    text += 'car_rates = { self_driving_per_km = 0.1, taxi_per_km = 1.2, currency = "EUR" }\n'
    if labels:
        both = {word: kind for country in COUNTRIES for word, kind in country.labels.items()}
        pairs = ", ".join(f"{json.dumps(w, ensure_ascii=False)} = {json.dumps(k)}" for w, k in both.items())
        text += f"attraction_labels = {{ {pairs} }}\n"
    recipe = folder / "rails.toml"
    recipe.write_text(text, encoding="utf-8")
    return recipe

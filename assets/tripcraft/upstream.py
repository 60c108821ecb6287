"""A release's published files in the published repository's own tree: its folders, its file names, its list of cities.

Names are those by which TripCraft's tools and evaluation open their files.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

DATABASE = "TripCraft_database"

PLACE = {
    "flights.csv": "flights/cleaned_flights_november_2024.csv",
    "restaurants.csv": "restaurants/cleaned_restaurant_details_2024.csv",
    "attractions.csv": "attraction/cleaned_attractions_final.csv",
    "accommodations.csv": "accommodation/cleaned_listings_final_v2.csv",
    "events.csv": "events/events_cleaned.csv",
    "nearest_stops.csv": "public_transit_gtfs/all_poi_nearest_stops.csv",
    "distance_matrix.csv": "distance_matrix/city_distances_times_full.csv",
    "journeys.csv": "journeys/journeys.csv",
    "cities.csv": "background/cities.csv",
}
"""A file of the database to its path in the published one; journeys by train and coach, and cities with their
countries, are ours alone."""

CITIES = "background/citySet_with_states_140.txt"

COMMAND = (
    r"""grep -rlE '(ATP|TripCraft)_database' --include='*.py' . | xargs sed -i -E """
    r""""s#[^'\" (]*(ATP|TripCraft)_database(/all_poi_nearest_stops)#$PWD/TripCraft_database/public_transit_gtfs\2#g;"""
    r''' s#[^'\" (]*(ATP|TripCraft)_database/#$PWD/TripCraft_database/#g"'''
)
"""What makes scripts that open files of other machines open these: run in the root of the published repository."""

README = f"""# A release in TripCraft's own tree

Copy what is here into a clone of TripCraft's repository. Its scripts open their database by paths of their authors'
machines; this command, run in the clone's root, makes them open the files here:

    {COMMAND}

Then score the witnesses, or plans of the same form, of one trip length:

    cd evaluation && python eval.py --set_type 3d --evaluation_file_path ../annotation_3day.jsonl

The rates that `eval.py` prints divide by the published numbers of plans; a release of another size has other ones.
Trains and coaches, where there are any, stand in `{DATABASE}/journeys/`: the published scripts do not open it, let such
ways pass unjudged and count no cost for them.
"""


def upstream(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the exported files, by path, under the published paths, with a README that says how to use them.

    The list of cities is text, city and state with a tab between and no line end after the last: the published scripts
    split it at line ends and at tabs, and take every piece for a city.
    """
    published_files = {"README.md": README.encode()}
    for path, data in files.items():
        folder, _, name = path.rpartition("/")
        if folder == "database" and name == "cities.csv":
            rows = csv.DictReader(io.StringIO(data.decode(), newline=""))
            listed = [f"{row['city']}\t{row['state']}" for row in rows]
            published_files[f"{DATABASE}/{CITIES}"] = "\n".join(listed).encode()
        if folder == "database":
            published_files[f"{DATABASE}/{PLACE[name]}"] = data
        else:
            published_files[path] = data
    return published_files

"""What is computed in a row stands under the licences of all that it may be made of, wherever the row points."""

from __future__ import annotations

import pytest

from assets.itinbench.tables import ItinbenchPlace
from assets.release.audit_said import licences_by_row
from assets.release.licences import BIT, COMPUTED, columns_under, not_shareable
from assets.release.reading import open_release
from tests.promises.editing import edited
from warehouse.home import Home

SCRAPED = BIT["LicenseRef-scraped"]


def row_bits(folder, home, role: str):
    """Return a release's tables and the licences of their rows, where the files of a role alone are under a licence."""
    release = open_release(folder)
    release.manifest.inputs = [
        snapshot.model_copy(update={"licence_id": "LicenseRef-scraped" if snapshot.role == role else "CC0-1.0"})
        for snapshot in release.manifest.inputs
    ]
    return licences_by_row(release, Home(str(home)).snapshots)[:2]


@pytest.mark.parametrize("kept", [0, 1])
def test_ratings_are_under_the_reviews_licence_whoever_leaves_their_pointers_out(small_world, tmp_path, kept):
    whole = small_world.releases["itinbench"]

    def without_reviews(rows):
        others = [row for row in rows if any(".review@" in pointer for pointer in row["source_rows"])][kept:]
        for row in others:
            row["source_rows"] = [pointer for pointer in row["source_rows"] if ".review@" not in pointer]
        rows[-1] |= dict.fromkeys(rating.name for rating in ItinbenchPlace.columns() if rating.holds == "derived")
        return rows

    honest = row_bits(whole, small_world.home, "review")[1]
    files, bits = row_bits(edited(whole, tmp_path, {"itinbench_place": without_reviews}), small_world.home, "review")
    of_places = bits["itinbench_place.parquet"]
    assert (honest["itinbench_place.parquet"] & SCRAPED).all()
    assert (of_places & SCRAPED != 0).sum() == kept
    is_under = (of_places & (SCRAPED | SCRAPED << COMPUTED)) != 0
    assert is_under[:-1].all() and not is_under[-1], "only where nothing was computed nothing stands under it"
    assert bits["tasks.parquet"].tolist() == honest["tasks.parquet"].tolist()
    under = [entry for entry in columns_under(files, bits) if entry.table == "itinbench_place"]
    problem = next(line for line in not_shareable(under) if ": flavor, " in line)
    assert "name" not in problem


def test_a_meal_s_cost_is_under_the_licence_of_the_city_s_prices_and_its_restaurant_s_name_is_not(small_world):
    files, bits = row_bits(small_world.releases["tripcraft"], small_world.home, "prices")
    under = [entry for entry in columns_under(files, bits) if entry.table == "tripcraft_restaurant"]
    (problem,) = not_shareable(under)
    rows = files["tripcraft_restaurant.parquet"][1].num_rows
    assert problem.startswith(f"tripcraft_restaurant: avg_cost of {rows} rows are under LicenseRef-scraped")
    assert {entry.rows for entry in under if "name" in entry.source} == {rows}
    assert all(bits["tasks.parquet"] & SCRAPED), "a trip's cost is made of its meals', and its budget of that"
    manifest = open_release(small_world.releases["tripcraft"]).manifest
    assert {key for measure in manifest.measures["meal_prices"] for key in measure} == {"city", "from"}
    assert not any(bits["tripcraft_stay.parquet"] & (SCRAPED | SCRAPED << COMPUTED))

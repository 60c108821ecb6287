"""One row that a licence forbids to share, among others: it is named, and it alone loses what it holds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from assets.families import families
from assets.release.exporting import released_tables
from assets.release.licences import (
    BIT,
    _texts,
    asked_columns,
    columns_under,
    credit,
    not_shareable,
    row_licences,
)
from assets.release.origins import Origins, licences_by_pointers
from assets.release.reading import open_release
from assets.release.withholding import HASH, sealed_hashes, withheld_rows
from schemas.counts import counted
from schemas.rejection import Rejection
from schemas.source import LICENCES, Snapshot
from schemas.stable import content_hash
from schemas.task import Certificate, Task
from schemas.travel import CityPrice

FREE, YELP = "0" * 64, "1" * 64


def price(city_id: str, sha256: str) -> dict[str, object]:
    pointer = f"prices.file@{sha256}#L1"
    return {"city_id": city_id, "restaurant_index": 40.0, "inexpensive_meal": 9.0, "currency": "USD",
            "source_rows": [pointer]}  # fmt: skip


def snapshot(sha256: str, licence_id: str) -> Snapshot:
    return Snapshot(
        source="prices", role="file", location="prices.csv", sha256=sha256, size_bytes=1, licence_id=licence_id
    )


@pytest.mark.parametrize("at_once", [1, 2, 10_000])
def test_one_forbidden_row_is_named_and_withheld_and_no_other(monkeypatch, at_once):
    monkeypatch.setattr("assets.release.origins.ROWS_AT_ONCE", at_once)
    rows = [price("xx-a", FREE), price("xx-b", YELP), price("xx-c", FREE)]
    files = {"city_price.parquet": (CityPrice, pa.Table.from_pylist(rows, schema=CityPrice.arrow_schema()))}
    origins = Origins([snapshot(FREE, "CC0-1.0"), snapshot(YELP, "LicenseRef-Yelp")], {}, {}, {})
    by_pointers = licences_by_pointers(files, origins, {"city_price"})
    found = row_licences(files, origins, by_pointers)
    assert list(by_pointers) == ["city_price.parquet"] and licences_by_pointers(files, origins, {"stop"}) == {}
    (problem,) = not_shareable(columns_under(files, found))
    assert problem.startswith("city_price: restaurant_index, inexpensive_meal, currency of 1 row are under")
    assert "LicenseRef-Yelp" in problem
    _, public, lacking = withheld_rows(CityPrice, files["city_price.parquet"][1], found["city_price.parquet"])
    assert lacking == {"restaurant_index": 1, "inexpensive_meal": 1, "currency": 1}
    left, gone, right = public.to_pylist()
    assert [{k: v for k, v in row.items() if k != HASH} for row in (left, right)] == [rows[0], rows[2]]
    assert (gone["city_id"], gone["source_rows"]) == ("xx-b", rows[1]["source_rows"])
    assert [gone[name] for name in lacking] == [None, None, None]
    assert [row[HASH] is None for row in (left, gone, right)] == [True, False, True]


def test_a_hash_tells_no_value_to_who_tries_them_all_and_no_two_rows_to_be_equal():
    def edition(*indexes: float) -> pa.Table:
        rows = [price(f"xx-{n}", YELP) | {"restaurant_index": index} for n, index in enumerate(indexes)]
        table = pa.Table.from_pylist(rows, schema=CityPrice.arrow_schema())
        licences = np.full(len(rows), BIT["LicenseRef-Yelp"])
        return withheld_rows(CityPrice, table, licences)[1]

    alone = edition(40.0, 40.0, 55.0)
    tried = {content_hash({"restaurant_index": 40.0, "inexpensive_meal": 9.0, "currency": "USD"})}
    assert set(alone[HASH].to_pylist()[:2]) == tried, "what the test tries is what a row's own hash is of"
    free = pa.Table.from_pylist([price("xx-a", FREE)], schema=CityPrice.arrow_schema())
    sealed = sealed_hashes({"a.parquet": alone, "b.parquet": edition(40.0), "free.parquet": free})
    hashes = [*sealed["a.parquet"][HASH].to_pylist(), *sealed["b.parquet"][HASH].to_pylist()]
    assert len(set(hashes)) == 4 and tried.isdisjoint(hashes)
    again = sealed_hashes({"a.parquet": edition(40.0, 40.0, 56.0), "b.parquet": edition(40.0)})
    assert set(hashes).isdisjoint(again["a.parquet"][HASH].to_pylist()), "one value elsewhere changes every hash"
    assert sealed["free.parquet"] is free
    assert sealed["a.parquet"].drop_columns([HASH]).equals(alone.drop_columns([HASH]))


def test_a_task_s_own_hash_is_withheld_with_its_words_and_so_is_that_of_what_its_plan_rests_on():
    """Where all but a name is public, each of a city's names can be tried against the hash of words and record."""
    row = {"task_id": "t", "city_id": "xx-a", "slot": 0, "level": "", "query": "See Mill Museum.", "messages": []}
    row |= {"repairs": [], "engine": "rules", "generation_ids": [], "content_hash": "0" * 64}
    proof = {"task_id": "t", "city_id": "xx-a", "checks": [], "depends_on": "0" * 64}
    for table, held, hashed in ((Task, row, "content_hash"), (Certificate, proof, "depends_on")):
        rows = pa.Table.from_pylist([held, held], schema=table.arrow_schema())
        licences = np.array([BIT["LicenseRef-Yelp"], BIT["CC0-1.0"]])
        declared, public, lacking = withheld_rows(table, rows, licences)
        assert public[hashed].to_pylist() == [None, "0" * 64] and lacking[hashed] == 1
        assert next(c for c in declared.columns() if c.name == hashed).nullable


def test_a_credit_calls_nothing_invented_beside_what_is_real():
    made_up, osm = (
        {"licence_id": licence_id, "title": LICENCES[licence_id].title, "attribution": [who]}
        for licence_id, who in (("LicenseRef-invented", "Invented: no real place."), ("ODbL-1.0", "© OSM"))
    )
    assert credit([osm, made_up]) == credit([osm]) == "© OSM (Open Database License 1.0)."
    assert credit([made_up]).startswith("Invented: no real place (")


def test_a_rejection_is_under_the_licences_of_what_its_step_read_and_of_an_unknown_step_under_all():
    rejected = [{"step": step, "city_id": "", "row": str(n), "reason": "duplicate", "detail": ""}
                for n, step in enumerate(["place", "stop", "place", "nobody's"])]  # fmt: skip
    files = {"rejections.parquet": (Rejection, pa.Table.from_pylist(rejected, schema=Rejection.arrow_schema()))}
    inputs = [snapshot(FREE, "CC0-1.0"), snapshot(YELP, "LicenseRef-Yelp")]
    found = row_licences(files, Origins(inputs, {"place": {YELP}, "stop": {FREE}}, {}, {}), {})
    free, yelp = BIT["CC0-1.0"], BIT["LicenseRef-Yelp"]
    assert found["rejections.parquet"].tolist() == [yelp, free, yelp, free | yelp]
    none = {"rejections.parquet": (Rejection, Rejection.arrow_schema().empty_table())}
    assert row_licences(none, Origins(inputs, {}, {}, {}), {})["rejections.parquet"].tolist() == []


@pytest.mark.parametrize("family", ["itinbench", "tripcraft", "grouptravel"])
def test_the_columns_that_are_asked_for_give_the_licences_that_whole_rows_give(small_world, family):
    release, licence_ids = open_release(small_world.releases[family]), list(LICENCES)
    declared = released_tables(families()[family])
    files = {name: (table, release.rows(name.removesuffix(".parquet"))) for name, table in declared.items()}
    inputs = [snapshot(f"{n:064x}", licence_id) for n, licence_id in enumerate(licence_ids)]
    read = {table.table_name(): {f"{n % len(inputs):064x}"} for n, table in enumerate(declared.values())}
    origins, by_pointers = Origins(inputs, read, {}, {}), {}
    for name, (_, rows) in files.items():  # each row of a source under a licence that its neighbour is not under
        if "source_rows" in rows.column_names and rows.num_rows:
            by_pointers[name] = np.array([1 << n % len(licence_ids) for n in range(rows.num_rows)], dtype=np.int64)
    whole = row_licences(files, origins, by_pointers)
    asked = {name: (table, rows.select(asked_columns(table))) for name, (table, rows) in files.items()}
    found = row_licences(asked, origins, by_pointers)
    assert {name: bits.tolist() for name, bits in found.items()} == {n: bits.tolist() for n, bits in whole.items()}
    assert len(set(whole["tasks.parquet"].tolist())) > 1
    named = [t for t, _ in files.values() if t.table_name() in ("itinbench_place", "tripcraft_stay", "group_poi")]
    assert named and all(len(asked_columns(t)) < len(t.columns()) / 2 for t in named)


def test_a_certificate_is_under_the_licence_of_every_place_that_it_says_though_no_lineage_names_it(small_world):
    """A place that only a proof's clusters hold comes from a scraped file: who says where it lies is under it."""
    release = open_release(small_world.releases["itinbench"])
    declared = released_tables(families()["itinbench"])
    files = {name: (table, release.rows(name.removesuffix(".parquet"))) for name, table in declared.items()}
    certificates = {row["task_id"]: repr(row["proof"]) for row in files["certificates.parquet"][1].to_pylist()}
    traced = {cell["row"].split("/")[1] for edge in files["lineage.parquet"][1].to_pylist() for cell in edge["cells"]}
    table, places = files["itinbench_place.parquet"]
    rows = places.to_pylist()
    proofs = "".join(certificates.values())
    beside = next(found for row in rows if (found := row["place_id"]) not in traced and repr(found) in proofs)
    for row in rows:
        row["source_rows"] = [f"prices.file@{YELP if row['place_id'] == beside else FREE}#L1"]
    files["itinbench_place.parquet"] = (table, pa.Table.from_pylist(rows, schema=places.schema))
    read = {one.table_name(): {FREE} for one in declared.values()}
    origins = Origins([snapshot(FREE, "CC0-1.0"), snapshot(YELP, "LicenseRef-scraped")], read, {}, {})
    found = row_licences(files, origins, licences_by_pointers(files, origins, {"itinbench_place"}))
    under = dict(zip(certificates, found["certificates.parquet"].tolist(), strict=True))
    says = {task_id for task_id, proof in certificates.items() if repr(beside) in proof}
    assert says and {task_id for task_id, bits in under.items() if bits & BIT["LicenseRef-scraped"]} == says
    told = not_shareable(columns_under(files, found))
    assert any(line.startswith("certificates: ") and f"of {counted(len(says), 'row')}" in line for line in told)


def test_every_text_of_nested_values_is_found_with_its_row():
    rows = [
        {"name": "a", "days": [{"meals": ["b", "c"], "n": 1}, {"meals": [], "n": 2}], "more": {"x": "d"}},
        {"name": None, "days": [], "more": None},
        {"name": "e", "days": None, "more": {"x": None}},
        {"name": "a", "days": [{"meals": None, "n": 3}, {"meals": ["f", None], "n": 4}], "more": {"x": "g"}},
    ]
    day = pa.struct([("meals", pa.list_(pa.string())), ("n", pa.int64())])
    kind = pa.struct([("name", pa.string()), ("days", pa.list_(day)), ("more", pa.struct([("x", pa.string())]))])
    values = pa.array([None, *rows], kind)[1:]  # a part of an array, as a table that was read may have
    found = {
        (row, text)
        for texts, of_row in _texts(values, np.arange(len(rows)))
        for text, row in zip(texts.to_pylist(), of_row.tolist(), strict=True)
        if text is not None
    }
    assert found == {(0, "a"), (0, "b"), (0, "c"), (0, "d"), (2, "e"), (3, "a"), (3, "f"), (3, "g")}

"""A release as others load it: Croissant, Hugging Face datasets, DuckDB, pandas and polars, for every family."""

from __future__ import annotations

import json

import pandas as pd
import pyarrow.parquet as pq
import pytest

from assets.families import families
from schemas.release import CANARY

FAMILIES = sorted(families())


@pytest.fixture(params=FAMILIES)
def release(request, small_world):
    return small_world.releases[request.param]


def files_of(release):
    return {file["path"]: file for file in json.loads((release / "manifest.json").read_text())["files"]}


def tables_of(release):
    return {path: file["rows"] for path, file in files_of(release).items() if path.endswith(".parquet")}


def test_croissant_is_valid_and_its_loader_reads_every_row(release):
    import mlcroissant as mlc

    dataset = mlc.Dataset(jsonld=str(release / "croissant.json"))
    assert not dataset.metadata.issues.errors
    # Invented files were never retrieved, so that a release of them alone has no date.
    assert all("datePublished" in warning for warning in dataset.metadata.issues.warnings)
    rows = {f"{record_set.id}.parquet": record_set for record_set in dataset.metadata.record_sets}
    assert set(rows) == set(tables_of(release))
    for path, expected in tables_of(release).items():
        assert sum(1 for _ in dataset.records(rows[path].id)) == expected, path


def test_croissant_tells_provenance_and_hashes_as_the_manifest_does(release):
    document = json.loads((release / "croissant.json").read_text())
    manifest = json.loads((release / "manifest.json").read_text())
    derived = {entity["@id"] for entity in document["prov:wasDerivedFrom"]}
    assert derived == {f"urn:sha256:{snapshot['sha256']}" for snapshot in manifest["inputs"]}
    hashes = {file["contentUrl"]: file["sha256"] for file in document["distribution"]}
    assert hashes == {path: files_of(release)[path]["sha256"] for path in tables_of(release)}
    assert all(document[f"rai:{note}"] for note in ("dataLimitations", "dataBiases", "dataCollection"))


def test_hugging_face_loads_the_folder_and_each_table_that_has_rows(release, tmp_path):
    from datasets import load_dataset

    loaded = load_dataset(str(release), cache_dir=str(tmp_path))
    assert loaded["test"].num_rows == tables_of(release)["tasks.parquet"]
    for path, rows in tables_of(release).items():
        config = path.removesuffix(".parquet")
        if rows:
            (found,) = load_dataset(str(release), config, cache_dir=str(tmp_path)).values()
            assert found.num_rows == rows, path
        else:
            with pytest.raises(ValueError, match=config):
                load_dataset(str(release), config, cache_dir=str(tmp_path))


def test_duckdb_pandas_and_polars_read_the_same_tasks(release):
    import duckdb
    import polars

    path = release / "tasks.parquet"
    queries = pd.read_parquet(path)["query"].tolist()
    assert queries
    assert polars.read_parquet(path)["query"].to_list() == queries
    with duckdb.connect() as connection:
        found = connection.execute("select query from read_parquet(?) order by task_id", [str(path)]).fetchall()
    assert [query for (query,) in found] == queries


def test_every_file_holds_the_canary(release):
    for path in [*files_of(release), "manifest.json"]:
        if path.endswith(".parquet"):
            assert pq.read_schema(release / path).metadata[b"canary"].decode() == CANARY, path
        else:
            assert CANARY.encode() in (release / path).read_bytes(), path

"""The same steps under Dagster: a run a city, so that a broken city fails alone; the release waits for all."""

from __future__ import annotations

import dagster as dg
import pandas as pd
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.orchestrator.assets import CERTIFIED, _misfit
from pipelines.orchestrator.definitions import definitions
from pipelines.orchestrator.report import ACCOUNTING, SCHEMA
from schemas.table import Field, Table
from sources.invented.cities import world_cities
from warehouse.home import Home


@pytest.fixture
def instance():
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def run_cities(write_recipe, tmp_path, instance):
    """Return a function that runs three cities, then the release: (city results, release result, definitions)."""

    def run(broken):
        recipe = write_recipe(cities=3, tasks=4, broken=broken)
        defs = definitions({"small": recipe}, str(tmp_path / "home"))
        job, release = (defs.resolve_job_def(name) for name in ("build_city", "release"))
        assert job.partitions_def is not None
        results = {
            key: job.execute_in_process(partition_key=key, instance=instance, raise_on_error=False)
            for key in job.partitions_def.get_partition_keys()
        }
        released = release.execute_in_process(partition_key="small", instance=instance, raise_on_error=False)
        return results, released, defs

    return run


def failures(result):
    return {
        event.step_key: event.step_failure_data.user_failure_data.description
        for event in result.all_events
        if event.is_step_failure and event.step_failure_data.user_failure_data
    }


def checks(result):
    return {
        (e.asset_check_evaluation_data.asset_key.to_user_string(), e.asset_check_evaluation_data.check_name): (
            e.asset_check_evaluation_data.passed
        )
        for e in result.all_events
        if e.event_type_value == "ASSET_CHECK_EVALUATION"
    }


def test_a_broken_city_fails_alone_and_holds_the_release_back(run_cities):
    results, released, _ = run_cities(broken=(1,))
    failed = [key for key, result in results.items() if not result.success]
    broken_city = world_cities(3, 5)[1]["city_id"]
    assert failed == [f"small/{broken_city}"]
    broken = results[failed[0]]
    good = next(result for result in results.values() if result.success)
    assert all(checks(good).values())
    assert ("itinbench_place", "city_has_places_of_every_kind") in checks(good)
    assert checks(broken)["itinbench_place", "city_has_places_of_every_kind"] is False
    assert not released.success
    assert f"{broken_city} is blocked at itinbench_place" in failures(released)["itinbench_release"]


def test_three_good_cities_are_released_certified(run_cities):
    results, released, _ = run_cities(broken=())
    assert all(result.success for result in results.values())
    assert released.success
    assert checks(released) == {("itinbench_release", CERTIFIED): True}
    (made,) = [e for e in released.all_events if e.event_type_value == "ASSET_MATERIALIZATION"]
    metadata = made.materialization.metadata
    assert (metadata["tasks"].value, metadata["certified"].value) == (12, 12)


def test_a_recipe_without_a_family_skips_its_steps(write_recipe, tmp_path, instance):
    small = write_recipe(cities=1, tasks=3)
    plain = tmp_path / "plain.toml"
    plain.write_text(small.read_text().split("[families")[0].replace('"small"', '"plain"'))
    job = definitions({"small": small, "plain": plain}, str(tmp_path / "home")).resolve_job_def("build_city")
    result = job.execute_in_process(partition_key=f"plain/{world_cities(1, 5)[0]['city_id']}", instance=instance)
    skipped = {event.step_key for event in result.all_events if event.is_step_skipped}
    made = {event.step_key for event in result.all_events if event.event_type_value == "ASSET_MATERIALIZATION"}
    assert result.success
    assert "place_rating" in made
    assert {"itinbench_draft", "itinbench_certificate"} <= skipped
    assert "itinbench_place" not in made


def test_every_step_is_an_asset_with_a_description_and_the_accounting_checks(write_recipe, tmp_path):
    defs = definitions({"small": write_recipe()}, str(tmp_path / "home"))
    graph = defs.resolve_asset_graph()
    names = {key.to_user_string() for key in graph.get_all_asset_keys()}
    assert {"business", "place", "review", "itinbench_certificate", "itinbench_release"} <= names
    assert all(graph.get(key).description for key in graph.get_all_asset_keys())
    by_asset = {}
    for check in graph.asset_check_keys:
        by_asset.setdefault(check.asset_key.to_user_string(), set()).add(check.name)
    steps = [name for name in names if not name.endswith("_release")]
    assert all({"rows_fit_their_declaration", "every_row_is_accounted_for"} <= by_asset[name] for name in steps)


def test_a_command_tells_the_instance_what_it_built(write_recipe, tmp_path, monkeypatch):
    home = tmp_path / "dagster"
    home.mkdir()
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    words = ["build", str(write_recipe(cities=1, tasks=3)), "--home", str(tmp_path / "home"), "--json"]
    assert CliRunner().invoke(app, words).exit_code == 0
    city_id = world_cities(1, 5)[0]["city_id"]
    with dg.DagsterInstance.get() as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey("itinbench_certificate"))
        assert event is not None and event.asset_materialization is not None
        assert event.asset_materialization.partition == f"small/{city_id}"
        metadata = event.asset_materialization.metadata
        assert (metadata["rows"].value, metadata["licence"].value) == (3, "LicenseRef-invented")
        assert len(str(metadata["sha256"].value)) == 64
        assert "witness_json" in str(metadata["columns"].value)
        for name in (SCHEMA, ACCOUNTING):
            (check,) = instance.event_log_storage.get_asset_check_execution_history(
                dg.AssetCheckKey(dg.AssetKey("itinbench_certificate"), name), limit=1
            )
            assert check.status.value == "SUCCEEDED"
        first = instance.fetch_materializations(dg.AssetKey("business"), limit=10).records
        CliRunner().invoke(app, words)
        again = instance.fetch_materializations(dg.AssetKey("business"), limit=10).records
    assert len(again) == len(first)


def test_the_schema_check_reads_the_rows_as_they_are_kept(tmp_path):
    class Loose(Table):
        """Shares."""

        share: float = Field("A share.", key=True)

    class Strict(Table):
        """Shares."""

        share: float = Field("A share.", key=True, le=1)

    home = Home(str(tmp_path / "home"))
    version = home.tables.write(Loose, pd.DataFrame({"share": [0.5, 2.0]}))
    assert _misfit(home, Loose, version) == ""
    assert "`share`: 1 rows fail" in _misfit(home, Strict, version)
    with home.store.local(version.key) as path:
        path.write_bytes(b"spoilt")
    assert "has changed in the store" in _misfit(home, Loose, version)


def test_recipes_of_different_families_are_released_by_one_job(write_recipe, tmp_path, instance):
    small = write_recipe(cities=1, tasks=3)
    plain = tmp_path / "plain.toml"
    plain.write_text(small.read_text().split("[families")[0].replace('"small"', '"plain"'))
    other = tmp_path / "other.toml"
    other.write_text(plain.read_text().replace('"plain"', '"other"') + "[families.tripcraft]\ntasks = { 3 = 2 }\n")
    defs = definitions({"small": small, "plain": plain, "other": other}, str(tmp_path / "home"))
    job = defs.resolve_job_def("release")
    assert job.partitions_def is not None
    assert job.partitions_def.get_partition_keys() == ["other", "plain", "small"]
    done = job.execute_in_process(partition_key="small", instance=instance)
    made = [e.step_key for e in done.all_events if e.event_type_value == "ASSET_MATERIALIZATION"]
    assert (done.success, made) == (True, ["itinbench_release"])


def test_groups_are_listed_in_the_order_of_the_flow(write_recipe, tmp_path):
    graph = definitions({"small": write_recipe()}, str(tmp_path / "home")).resolve_asset_graph()
    groups = sorted({graph.get(key).group_name for key in graph.get_all_asset_keys()})
    stages = [name.partition("_")[2] for name in groups]
    assert stages.index("clean") < stages.index("reviews") < stages.index("itinbench")
    for key in graph.get_all_asset_keys():
        assert all(graph.get(parent).group_name <= graph.get(key).group_name for parent in graph.get(key).parent_keys)

"""The same steps under Dagster: a run a city, so that a broken city fails alone; the release waits for all."""

from __future__ import annotations

import shutil

import dagster as dg
import pandas as pd
import pytest
from dagster._core.system_config.objects import ResolvedRunConfig
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.orchestrator.assets import CERTIFIED, _misfit
from pipelines.orchestrator.definitions import definitions
from pipelines.orchestrator.report import ACCOUNTING, SCHEMA, backfill
from pipelines.orchestrator.ui import prepared_instance
from schemas.table import Field, Table
from sources.invented.cities import world_cities
from warehouse.home import Home


@pytest.fixture
def instance():
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


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


def materialized(result):
    return {event.step_key for event in result.all_events if event.event_type_value == "ASSET_MATERIALIZATION"}


def test_a_broken_city_fails_alone_and_holds_the_release_back_until_it_is_mended(write_recipe, tmp_path, instance):
    """What its runs need of the recipe is built first; recipes of another family and of none have runs of their own."""
    recipe = write_recipe(cities=2, tasks=1, broken=(0,))
    plain, other = tmp_path / "plain.toml", tmp_path / "other.toml"
    plain.write_text(recipe.read_text().split("[families")[0].replace('"small"', '"plain"'))
    other.write_text(plain.read_text().replace('"plain"', '"other"') + "[families.tripcraft]\ntasks = { 3 = 2 }\n")
    defs = definitions({"small": recipe, "plain": plain, "other": other}, str(tmp_path / "home"))
    shared, job, release = (defs.resolve_job_def(name) for name in ("build_recipe", "build_city", "release"))
    for of_recipes in (shared, release):
        assert of_recipes.partitions_def is not None
        assert of_recipes.partitions_def.get_partition_keys() == ["other", "plain", "small"]

    def run(job, key):
        return job.execute_in_process(partition_key=key, instance=instance, raise_on_error=False)

    once = materialized(run(shared, "small"))
    assert {"business", "review"} <= once
    assert "place" not in once

    bad, fine = (f"small/{city['city_id']}" for city in world_cities(2, 5))
    assert job.partitions_def is not None
    assert {bad, fine} <= set(job.partitions_def.get_partition_keys())
    broken, good, held_back = run(job, bad), run(job, fine), run(release, "small")
    assert (broken.success, good.success, held_back.success) == (False, True, False)
    assert all(checks(good).values())
    assert ("itinbench_place", "city_has_places_of_every_kind") in checks(good)
    assert checks(broken)["itinbench_place", "city_has_places_of_every_kind"] is False
    said = failures(held_back)["itinbench_release"] or ""
    assert f"{bad.partition('/')[2]} is blocked at itinbench_place" in said

    write_recipe(cities=2, tasks=1)
    mended, released = run(job, bad), run(release, "small")
    assert mended.success and all(checks(mended).values())
    assert released.success
    assert checks(released) == {("itinbench_release", CERTIFIED): True}
    (made,) = [e for e in released.all_events if e.event_type_value == "ASSET_MATERIALIZATION"]
    metadata = made.materialization.metadata
    assert (metadata["tasks"].value, metadata["certified"].value) == (2, 2)

    familyless = run(job, fine.replace("small", "plain"))
    assert familyless.success
    assert "place_rating" in materialized(familyless)
    assert "itinbench_place" not in materialized(familyless)
    assert {"itinbench_draft", "itinbench_certificate"} <= {
        e.step_key for e in familyless.all_events if e.is_step_skipped
    }


def test_every_step_is_an_asset_with_a_description_and_the_accounting_checks(write_recipe, tmp_path):
    defs = definitions({"small": write_recipe()}, str(tmp_path / "home"))
    graph = defs.resolve_asset_graph()
    names = {key.to_user_string() for key in graph.get_all_asset_keys()}
    assert {"business", "place", "review", "itinbench_certificate", "itinbench_release"} <= names
    assert all(graph.get(key).description for key in graph.get_all_asset_keys())
    descriptions = [graph.get(key).description or "" for key in graph.get_all_asset_keys()]
    assert [text for text in descriptions if "\n    " in text] == []  # Markdown takes what is indented for code
    check_specs = [graph.get_check_spec(key) for key in graph.asset_check_keys]
    assert [spec.name for spec in check_specs if not (spec.description or "").endswith(".")] == []
    by_asset = {}
    for check in graph.asset_check_keys:
        by_asset.setdefault(check.asset_key.to_user_string(), set()).add(check.name)
    steps = [name for name in names if not name.endswith("_release") and not name.startswith("sources/")]
    assert all({"rows_fit_their_declaration", "every_row_is_accounted_for"} <= by_asset[name] for name in steps)


def test_a_run_is_one_process_unless_its_launch_says_otherwise(write_recipe, tmp_path):
    defs = definitions({"small": write_recipe()}, str(tmp_path / "home"))
    for job in ("build_city", "build_recipe", "release", "__ASSET_JOB"):
        for launch, runs_in in (({}, "in_process"), ({"multiprocess": {}}, "multiprocess")):
            config = ResolvedRunConfig.build(defs.resolve_job_def(job), {"execution": {"config": launch}})
            assert list(config.execution.execution_engine_config) == [runs_in]


def told(home, asset, check=SCHEMA):
    """Return the partitions and versions of an asset that the instance was told of, and its checks of one name."""
    with dg.DagsterInstance.from_config(str(home)) as instance:
        records = instance.fetch_materializations(dg.AssetKey(asset), limit=50).records
        given = [(r.partition_key, r.asset_materialization) for r in reversed(records)]
        made = [(partition, str(one.metadata["sha256"].value)) for partition, one in given if one]
        checks = instance.event_log_storage.get_asset_check_execution_history(
            dg.AssetCheckKey(dg.AssetKey(asset), check), limit=50
        )
    given = [one.evaluation.target_materialization_data for one in checks if one.evaluation]
    assert sorted(of.storage_id for of in given if of) == sorted(record.storage_id for record in records)
    return made, len(checks)


def test_build_change_build_tells_each_change_once_and_never_fails(one_town, tmp_path, monkeypatch):
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    recipe = one_town.copied_recipe(tmp_path)
    shutil.copytree(one_town.home, tmp_path / "home")  # built before there was any instance
    words = ["build", str(recipe), "--home", str(tmp_path / "home"), "--json"]
    home = prepared_instance(Home(str(tmp_path / "home")))
    said = []
    assert backfill(Home(str(tmp_path / "home")), {"small": recipe}, said.append) > 5
    assert backfill(Home(str(tmp_path / "home")), {"small": recipe}, said.append) == 0
    text = recipe.read_text()
    for tasks in (1, 1, 2):  # the second time there is nothing to tell
        recipe.write_text(text.replace("tasks_per_city = 2", f"tasks_per_city = {tasks}"))
        assert CliRunner().invoke(app, words).exit_code == 0
    made, checks = told(home, "itinbench_task")
    assert (len(made), checks) == (3, 3)
    assert len({version for _, version in made}) == 2
    assert {partition for partition, _ in told(home, "business")[0]} == {"small"}
    assert told(home, "place")[1] == 1
    assert said == []
    city_id = world_cities(1, 5)[0]["city_id"]
    with dg.DagsterInstance.from_config(str(home)) as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey("itinbench_certificate"))
        assert event is not None and event.asset_materialization is not None
        assert event.asset_materialization.partition == f"small/{city_id}"
        metadata = event.asset_materialization.metadata
        assert (metadata["dagster/row_count"].value, metadata["licence"].value) == (2, "LicenseRef-invented")
        assert len(str(metadata["sha256"].value)) == 64
        for name in (SCHEMA, ACCOUNTING):
            (check,) = instance.event_log_storage.get_asset_check_execution_history(
                dg.AssetCheckKey(dg.AssetKey("itinbench_certificate"), name), limit=1
            )
            assert check.status.value == "SUCCEEDED"
            assert check.event is not None and check.event.dagster_event is not None
            evaluation = check.event.dagster_event.asset_check_evaluation_data
            assert evaluation.description == evaluation.metadata["found"].value != ""


def test_an_instance_that_cannot_be_written_is_told_of_and_fails_no_build(write_recipe, tmp_path, monkeypatch):
    instance = tmp_path / "dagster"
    instance.mkdir()
    (instance / "dagster.yaml").write_text("nonsense: [")
    monkeypatch.setenv("DAGSTER_HOME", str(instance))
    recipe = write_recipe(cities=1)
    recipe.write_text(recipe.read_text().split("[families")[0])
    done = CliRunner().invoke(app, ["build", str(recipe), "--home", str(tmp_path / "home"), "--json"])
    assert done.exit_code == 0
    assert "Dagster was not told of all that was built" in done.stderr


def test_assets_tell_their_columns_code_owners_and_files(write_recipe, tmp_path):
    graph = definitions({"small": write_recipe()}, str(tmp_path / "home")).resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert node.owners == ["team:tripwright"]
        assert not (node.description or "").startswith("Return")
        if key.path[0] != "sources" and not key.path[0].endswith("_release"):
            columns = node.metadata["dagster/column_schema"].columns
            assert columns and all(column.description for column in columns)
            assert len(node.code_version or "") == 16
    assert dg.AssetKey(["sources", "yelp", "business"]) in graph.get(dg.AssetKey("business")).parent_keys


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
    assert "otherwise in 1 row, such as 2.0" in _misfit(home, Strict, version)
    with home.store.local(version.key) as path:
        path.write_bytes(b"spoilt")
    assert "has changed in the store" in _misfit(home, Loose, version)


def test_groups_are_listed_in_the_order_of_the_flow(write_recipe, tmp_path):
    graph = definitions({"small": write_recipe()}, str(tmp_path / "home")).resolve_asset_graph()
    groups = sorted({graph.get(key).group_name for key in graph.get_all_asset_keys()})
    stages = [str(name).partition("_")[2] for name in groups]
    assert stages[0] == "sources"
    assert stages.index("clean") < stages.index("reviews") < stages.index("itinbench")
    for key in graph.get_all_asset_keys():
        assert all(graph.get(parent).group_name <= graph.get(key).group_name for parent in graph.get(key).parent_keys)

"""TripCraft worded by one model and read back by another, which never sees a record: built, released, audited."""

from __future__ import annotations

import json

import pytest

from assets.release.audit import audit_release
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.tripcraft import rules
from assets.tripcraft.facts.reference_tables import reference as reference_of
from assets.tripcraft.tables import TripcraftCity, TripcraftTerms
from pipelines.walk.build import build
from pipelines.walk.plan import estimate_build
from tests.brains import Trips, fenced_records
from tests.model_server import KEY, MODEL, ModelServer, mixed
from tests.pipelines.test_model_build import CONTENT_FAULTS, by_model
from tests.pipelines.test_tripcraft_family import recipe_text
from warehouse.home import Home

TASKS = 6
OTHER = "standin-reader-1"
READER = """
[engines.reader]
base_url = "{url}"
model = "{model}"
api_key_env = "STANDIN_KEY"
corrections = {corrections}
"""


@pytest.fixture(scope="module")
def trips(tmp_path_factory):
    """Return the recipe's folder, its home, the release, what a plan counted, and all that the reader was sent."""
    folder = tmp_path_factory.mktemp("trips-by-model")
    home, models = Home(str(folder / "home")), Trips()
    (folder / "trips.toml").write_text(recipe_text(TASKS))
    with (
        pytest.MonkeyPatch.context() as patch,
        ModelServer(models.words, mixed(0.2, CONTENT_FAULTS)) as writer,
        ModelServer(models.reads, mixed(0.2, CONTENT_FAULTS), model=OTHER) as reader,
    ):
        patch.setenv("STANDIN_KEY", KEY)
        recipe = by_model(folder / "trips.toml", writer.url, ("wording",), "corrections = 6")
        recipe.write_text(recipe.read_text() + READER.format(url=reader.url, model=OTHER, corrections=6))
        planned = estimate_build(home, recipe).needed["tripcraft_task", ""]
        built = build(home, recipe)
    assert [b.reason for b in built.blocked] == []
    return folder, home, open_release(home.releases.folder(built.releases[0].ref)), planned, list(reader.seen)


def test_every_trip_is_worded_by_one_model_and_read_as_its_record_by_another(trips):
    _, home, release, planned, _ = trips
    tables = release_tables(release)
    tasks, calls = tables.tasks, release.table("generations").set_index("generation_id")
    assert len(tasks) == TASKS and set(tasks["engine"]) == {MODEL}
    reference = reference_of(tables[TripcraftTerms], tables[TripcraftCity])
    for record, query, (wrote, read) in zip(tasks["record"], tasks["query"], tasks["generation_ids"], strict=True):
        assert rules.disagreements(query, record, reference) == []
        assert (calls.loc[wrote, "job"], calls.loc[wrote, "model"]) == ("wording", MODEL)
        assert (calls.loc[read, "job"], calls.loc[read, "model"]) == ("reading", OTHER)
        assert json.loads(calls.loc[wrote, "answer"])["query"] == query
    assert (planned.calls, len(calls)) == (2 * TASKS, 2 * TASKS)
    assert release.manifest.engines == {"reviews": "rules", "wording": MODEL, "preferences": "rules", "reading": OTHER}
    assert audit_release(release, home.snapshots).problems == []


def test_the_reader_is_given_the_text_alone(trips):
    tasks = trips[2].table("tasks")
    asked = [json.loads(body)["messages"] for body in trips[4]]
    assert asked
    for system, user, *_ in asked:
        assert fenced_records(user["content"])[0].keys() == {"request"}
        assert not any(task_id in system["content"] + user["content"] for task_id in tasks["task_id"])


def test_a_reader_that_reads_another_budget_leaves_no_task_and_is_named(trips, monkeypatch):
    folder, home, _, _, _ = trips
    monkeypatch.setenv("STANDIN_KEY", KEY)
    models = Trips()
    (folder / "trips.toml").write_text(recipe_text(TASKS))

    def misreads(messages):
        return json.dumps({**json.loads(models.reads(messages)), "budget": 7})

    with ModelServer(models.words) as writer, ModelServer(misreads, model=OTHER) as reader:
        recipe = by_model(folder / "trips.toml", writer.url, ("wording",))
        recipe.write_text(recipe.read_text() + READER.format(url=reader.url, model=OTHER, corrections=0))
        with pytest.raises(ValueError, match=rf"{TASKS} got no usable wording.*budget: another model reads 7, the rec"):
            build(home, recipe)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (READER.format(url="http://localhost/v1", model=MODEL, corrections=0), "expected another model to read"),
        (READER.format(url="http://localhost/v1", model=OTHER, corrections=0), 'set wording = "openai"'),
    ],
)
def test_a_reader_is_another_model_and_reads_what_a_model_words(lines, problem, tmp_path):
    jobs = ("wording",) if "another" in problem else ("reviews",)
    (tmp_path / "trips.toml").write_text(recipe_text(TASKS))
    recipe = by_model(tmp_path / "trips.toml", "http://localhost/v1", jobs)
    recipe.write_text(recipe.read_text() + lines)
    with pytest.raises(ValueError, match=problem):
        build(Home(str(tmp_path / "home")), recipe)

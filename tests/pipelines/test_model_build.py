"""A recipe whose language a model reads and writes: built, released, audited, resumed; by rules, without network."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assets.itinbench import rules
from assets.release.audit import audit_release
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.release.tree import task_tree
from pipelines.cli import app
from pipelines.releases.gathering import ReleaseError
from pipelines.walk import build as build_module
from pipelines.walk.build import build
from pipelines.walk.listener import Listener
from pipelines.walk.plan import estimate_build
from sources.services import llm
from tests.brains import does_every_job, reads_reviews
from tests.model_server import FAULTS, KEY, MODEL, TRANSPORT_FAULTS, ModelServer, at_first, mixed
from tests.promises.editing import edited
from warehouse.home import Home

ENGINE = """
[engines]
{jobs}

[engines.openai]
base_url = "{url}"
model = "{model}"
api_key_env = "STANDIN_KEY"
deadline_s = 120.0
reviews_per_call = 40
{more}
"""


CONTENT_FAULTS = tuple(fault for fault in FAULTS if fault not in TRANSPORT_FAULTS)


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("STANDIN_KEY", KEY)
    monkeypatch.setattr(llm.ModelClient.__init__, "__kwdefaults__", {"first_pause_s": 0.01})


def by_model(recipe: Path, url: str, jobs: tuple[str, ...] = ("reviews",), more: str = "") -> Path:
    given = "\n".join(f'{job} = "openai"' for job in jobs)
    recipe.write_text(recipe.read_text() + ENGINE.format(jobs=given, url=url, model=MODEL, more=more))
    return recipe


def test_reviews_read_by_a_model_are_released_with_the_calls_they_rest_on_which_a_plan_counted(
    write_recipe, tmp_path, monkeypatch
):
    home = Home(str(tmp_path / "home"))
    with ModelServer(reads_reviews, at_first("429")) as server:
        recipe = by_model(write_recipe(cities=1, tasks=2), server.url, more="prices = { input = 2.0, output = 8.0 }")
        planned = estimate_build(home, recipe)
        assert sum(server.seen.values()) == 0
        needed = planned.needed["place_rating", home_city(recipe)]
        assert planned.cost > 0
        heard: list[str] = []
        with monkeypatch.context() as refusing, pytest.raises(ReleaseError, match="a promise is broken"):
            refusing.setattr(build_module, "release", _refuse)
            build(home, recipe, listener=Listener(say=heard.append))
        asked = sum(server.paid.values())
        assert [line for line in heard if line.startswith(f"model: {asked:,} calls (")]  # told, though it ends so
        built = build(home, recipe)
        assert sum(server.paid.values()) == asked
        assert [b.reason for b in built.blocked] == []
        assert asked == needed.calls
        assert estimate_build(home, recipe).needed == {}
        again = build(home, recipe)
        assert (again.steps_run, sum(server.paid.values())) == (0, asked)
    release = open_release(home.releases.folder(built.releases[0].ref))
    generations = release.table("generations")
    assert 0 < len(generations) <= asked
    assert set(generations["job"]) == {"reviews"}
    assert release.manifest.engines == {"reviews": MODEL, "wording": "rules", "preferences": "rules"}
    quality = release.manifest.measures["review_reading"]
    assert {row["engine"] for row in quality} == {MODEL} and len(quality) == len(release.table("rating_quality"))
    assert all(row["mae"] >= 0 for row in quality)
    assert {row["against"] for row in quality} == {"truth", "stars", "second reader"}
    for row in quality:  # only what was written of a sentence tells whether a passage is about the attribute
        is_told = row["against"] == "truth"
        assert 0 <= row["evidence_precision"] <= 1 if is_told else row["evidence_precision"] is None
    report = audit_release(release, home.snapshots)
    assert report.problems == []
    used = {call for calls in release.table("itinbench_place")["generation_ids"] for call in calls}
    assert used and used <= set(generations["generation_id"])
    tree = task_tree(release, home.snapshots, release.table("tasks")["task_id"][0])
    shown = next(iter(tree["generations"].values()))
    assert set(shown) >= {"request", "answer", "verdict", "revision"}
    everything = "".join(p.read_text(errors="replace") for p in (tmp_path / "home").rglob("*") if p.is_file())
    assert KEY not in everything


def _refuse(*_):
    raise ReleaseError("a promise is broken")


def test_a_model_that_reads_and_words_gives_tasks_that_say_their_records(write_recipe, tmp_path):
    home = Home(str(tmp_path / "home"))
    with ModelServer(does_every_job, mixed(0.2, CONTENT_FAULTS)) as server:
        recipe = by_model(write_recipe(cities=1, tasks=4), server.url, ("reviews", "wording"), "corrections = 6")
        built = build(home, recipe)
    release = open_release(home.releases.folder(built.releases[0].ref))
    tables = release_tables(release)
    tasks = tables.tasks
    assert set(tasks["engine"]) == {MODEL}
    assert [rules.validate(r, q) for r, q in zip(tasks["record"], tasks["query"], strict=True)] == [[]] * len(tasks)
    assert audit_release(release, home.snapshots).problems == []
    assert set(release.table("generations")["job"]) == {"reviews", "wording"}
    assert release.manifest.measures["wording_diversity"][0]["distinct_2"] > 0.2
    told = tmp_path / "texts.jsonl"
    certificates = tables.certificates[["task_id", "plan"]].to_dict("records")
    told.write_text(
        "".join(json.dumps({"task_id": c["task_id"], "text": json.dumps(c["plan"])}) + "\n" for c in certificates)
    )
    words = [
        "extract-plans",
        str(release.folder),
        str(told),
        str(tmp_path / "plans.jsonl"),
        "--home",
        home.url,
        "--json",
    ]
    read = json.loads(CliRunner().invoke(app, words).stdout)
    assert (read["plans"], read["unread"]) == (len(certificates), {})
    scored = CliRunner().invoke(app, ["score", str(release.folder), str(tmp_path / "plans.jsonl"), "--json"])
    witness = CliRunner().invoke(app, ["score", str(release.folder), "witness", "--json"])
    assert json.loads(scored.stdout)["aggregate"] == json.loads(witness.stdout)["aggregate"]
    tree = task_tree(release, home.snapshots, tasks["task_id"][0])
    assert "wording" in {call["job"] for call in tree["generations"].values()}
    is_no_request(release, home, tmp_path)


def is_no_request(release, home, tmp_path):
    """A task of which a call's request is none of ours is printed with that as a problem."""
    requests = ("no JSON", "[1]", "{}", '{"messages": [1]}', '{"messages": [{"role": "user", "content": [1]}]}')

    def spoiled(rows):
        return [{**row, "request": requests[n % len(requests)]} for n, row in enumerate(rows)]

    for number, task_id in enumerate(release.table("tasks")["task_id"]):
        folder = edited(release.folder, tmp_path / f"spoiled{number}", {"generations": spoiled})
        words = ["audit", task_id, "--details", "--release", str(folder), "--home", home.url]
        ended = CliRunner().invoke(app, words)
        said = " ".join(ended.stdout.split())
        assert (ended.exit_code, "its request is no JSON with messages, which is what a model is" in said) == (1, True)
        assert "request: " in said


def test_a_model_that_cannot_word_most_tasks_gives_no_release_and_says_why(write_recipe, tmp_path):
    with ModelServer(lambda messages: '{"query": "no"}') as server:
        recipe = by_model(write_recipe(cities=1), server.url, ("wording",), "corrections = 0")
        with pytest.raises(ValueError, match=r"0 of 0 .*6 got no usable wording.*ledger --prune-unusable") as error:
            build(Home(str(tmp_path / "home")), recipe)
    assert "bind more source files" not in str(error.value)


def test_a_model_that_is_gone_blocks_the_city_by_name_and_keeps_what_was_answered(write_recipe, tmp_path):
    """What it answers when it is back as another revision makes no release with the rest, unless that is allowed."""
    home = Home(str(tmp_path / "home"))
    with ModelServer(reads_reviews, lambda body, nth: "503" if len(body) % 2 else "") as server:
        recipe = by_model(write_recipe(cities=1, tasks=2), server.url, more="retries = 1")
        built = build(home, recipe)
        assert [b.step for b in built.blocked] == ["place_rating"]
        assert "answers are in the ledger; build again for the others" in built.blocked[0].reason
        paid = sum(server.paid.values())
        server.fault, server.revision = lambda body, nth: "", "standin-1-2027"
        with pytest.raises(ValueError, match=r"several revisions of one model: standin-1-2026 .*allow_mixed_revisions"):
            build(home, recipe)
        recipe.write_text(recipe.read_text() + "allow_mixed_revisions = true\n")
        assert build(home, recipe).releases
        assert set(server.paid.values()) == {1} and sum(server.paid.values()) > paid > 0


def home_city(recipe: Path) -> str:
    return recipe.read_text().split('city_id = "')[1].split('"')[0]


def test_rules_need_no_network(write_recipe, tmp_path, monkeypatch):
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    connect = socket.socket.connect

    def connect_locally(this: socket.socket, address: object) -> None:
        """Connect to another process of this machine, as the server of fresh processes is reached."""
        if this.family != socket.AF_UNIX:
            forbidden()
        connect(this, address)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(socket.socket, "connect", connect_locally)
    monkeypatch.setattr(socket, "create_connection", forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    built = build(Home(str(tmp_path / "home")), write_recipe(cities=1, tasks=1))
    manifest = json.loads(
        (Home(str(tmp_path / "home")).releases.folder(built.releases[0].ref) / "manifest.json").read_text()
    )
    assert manifest["engines"] == {"reviews": "rules", "wording": "rules", "preferences": "rules"}

"""A build that asks a model, killed at a random moment: resumed, it releases the bytes of an undisturbed one."""

from __future__ import annotations

from pipelines.walk.build import build
from tests.brains import does_every_job
from tests.killing import built_through_kills
from tests.model_server import KEY, ModelServer, mixed
from tests.pipelines.test_build import contents
from tests.pipelines.test_model_build import CONTENT_FAULTS, by_model
from warehouse.home import Home

KILLS, AT_ONCE = 1, 4


def test_killed_while_a_model_answers_the_next_build_gives_the_same_bytes(write_recipe, tmp_path, monkeypatch):
    monkeypatch.setenv("STANDIN_KEY", KEY)
    recipe = write_recipe(cities=1, tasks=2)
    with ModelServer(does_every_job, mixed(0.2, CONTENT_FAULTS)) as server:
        by_model(recipe, server.url, ("reviews", "wording"), f"corrections = 6\nconcurrency = {AT_ONCE}")
        undisturbed = build(Home(str(tmp_path / "undisturbed")), recipe).releases[0].ref
        paid = server.paid.copy()
        server.paid.clear()
        built, killed = built_through_kills(server, recipe, tmp_path / "killed", KILLS, seed=11, most=20)
        again = {request for request, times in server.paid.items() if times > 1}
    assert killed == KILLS
    assert built["releases"][0]["version"] == undisturbed.version
    assert contents(built["releases"][0]["path"]) == contents(tmp_path / "undisturbed" / undisturbed.key)
    assert set(server.paid) == set(paid)
    assert len(again) <= KILLS * AT_ONCE  # of each kill, only what was in flight is paid for again

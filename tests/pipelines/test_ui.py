"""`tripwright ui`, started as a person does: its pages in Chromium tell what was built; Ctrl-C leaves nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import dagster as dg
import pytest

from pipelines.orchestrator.ui import HOST, UiError, serve, stop_session
from pipelines.walk.fingerprint import ROOT
from warehouse.home import Home

WAIT_S = 900
"""Machines are shared: only what never comes is waited for so long."""


@pytest.fixture
def ui(one_town, tmp_path):
    """Start the page over a city that was built before there were records of Dagster's."""
    home = Path(shutil.copytree(one_town.home, tmp_path / "home"))
    environment = os.environ | {"TRIPWRIGHT_RECIPES": str(one_town.copied_recipe(tmp_path).parent)}
    environment.pop("DAGSTER_HOME", None)
    started = subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", "ui", "--home", str(home), "--json"],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=(tmp_path / "log").open("w"), text=True,
    )  # fmt: skip
    assert started.stdout is not None
    said = "".join(iter(started.stdout.readline, "}\n")) + "}"
    yield SimpleNamespace(address=json.loads(said)["address"], process=started, home=home, log=tmp_path / "log")
    started.terminate()
    started.wait(WAIT_S)


def test_a_port_that_is_taken_is_told_and_nothing_is_started(tmp_path):
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        with pytest.raises(UiError, match=f"found port {taken.getsockname()[1]} taken"):
            serve(Home(str(tmp_path / "home")), taken.getsockname()[1], lambda _: None)
    assert not (tmp_path / "home").exists()


def test_the_page_tells_what_was_built_and_ctrl_c_stops_everything(ui, browser):
    tab = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    tab.set_default_timeout(WAIT_S * 1000)
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))

    tab.goto(f"{ui.address}/assets/itinbench_place")
    for text in ("4_itinbench", "rejected", "place_rating", "itinbench_draft", "build_city", "changed_files"):
        tab.get_by_text(text, exact=True).locator("visible=true").first.wait_for()
    assert tab.get_by_text("Join the Dagster community").count() == 0
    _picture(tab, "asset")
    tab.goto(f"{ui.address}/assets/itinbench_place?view=checks")
    tab.get_by_text("city_has_places_of_every_kind").locator("visible=true").first.wait_for()
    tab.get_by_text("Succeeded", exact=True).locator("visible=true").nth(2).wait_for()
    assert tab.get_by_text("Not Evaluated").count() == 0
    _picture(tab, "checks")
    elsewhere = [
        url for url in asked if not url.startswith((ui.address, ui.address.replace("http", "ws"), "data:", "blob:"))
    ]
    assert elsewhere == []

    (session,) = Path(f"/proc/{ui.process.pid}/task/{ui.process.pid}/children").read_text().split()
    assert len(_alive(session)) >= 4  # what starts the others, the page, the daemon, the code
    ui.process.send_signal(signal.SIGINT)
    assert ui.process.wait(WAIT_S) == 0
    while _alive(session):  # they end, or this never does
        time.sleep(0.2)
    said = ui.log.read_text().splitlines()
    assert [line.partition(" ")[0] for line in said] == ["telling", "starting"]  # Dagster's own lines are its page's


STARTS_ANOTHER = """
import pathlib, signal, subprocess, sys, time
told = pathlib.Path(sys.argv[1])
if len(sys.argv) == 2:
    subprocess.Popen([sys.executable, __file__, told, "started by the first"], stdin=subprocess.DEVNULL)
signal.signal(signal.SIGINT, lambda *_: (told / ("asked" + str(len(sys.argv)))).touch() or sys.exit(0))
(told / ("runs" + str(len(sys.argv)))).touch()
time.sleep(3600)
"""


def test_only_the_first_process_is_asked_to_stop_and_what_it_leaves_is_killed(tmp_path):
    """The page said how it was torn down when it was asked twice: by us, and by what had started it."""
    (tmp_path / "starts.py").write_text(STARTS_ANOTHER)
    started = subprocess.Popen([sys.executable, tmp_path / "starts.py", tmp_path], start_new_session=True)
    while not {"runs2", "runs3"} <= {path.name for path in tmp_path.iterdir()}:
        time.sleep(0.05)
    stop_session(started)
    assert started.returncode == 0
    while _alive(str(started.pid)):
        time.sleep(0.05)
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith("asked")} == {"asked2"}


def _alive(session: str) -> list[str]:
    """Return the processes of a session that have not ended, by what they run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, of_session = (folder / "stat").read_text().rpartition(") ")[2].split()[:4]
            if of_session == session and state != "Z":
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def _picture(tab, name: str) -> None:
    if folder := os.environ.get("UI_PICTURES"):
        time.sleep(2)
        tab.screenshot(path=str(Path(folder) / f"{name}.png"))


def test_the_definitions_load_without_a_word_of_warning():
    """A reader of the page's log saw 71 of them, one for each check."""
    words = [sys.executable, "-W", "default", "-c", "import pipelines.orchestrator.definitions"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    assert not [line for line in told.splitlines() if "PreviewWarning" in line or "BetaWarning" in line]


def test_a_run_tells_its_page_every_event_and_the_terminal_no_line_of_each(tmp_path, capfd):
    shutil.copy(ROOT / "dagster.yaml", tmp_path)

    @dg.op
    def says() -> None:
        dg.get_dagster_logger().info("told by us")

    @dg.job
    def spoken() -> None:
        says()

    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        run = spoken.execute_in_process(instance=instance)
        kept = [entry.message for entry in instance.all_logs(run.run_id)]
    assert any("Started execution of step" in message for message in kept)
    assert any("told by us" in message for message in kept)
    assert "DEBUG" not in capfd.readouterr().err

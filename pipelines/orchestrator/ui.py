"""Dagster's web page and daemon over a home: where their instance is, how they are started and stopped."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from pipelines.orchestrator.report import (
    INSTANCE_KEY,
    INSTANCE_VARIABLE,
    RECIPES_VARIABLE,
    backfill,
    instance_folder,
    named_recipes,
)
from pipelines.walk.fingerprint import ROOT
from schemas.errors import ExpectedError
from schemas.extras import require
from warehouse.home import HOME_VARIABLE, Home
from warehouse.store import StoreError

HOST = "127.0.0.1"
FIRST_PORT = 3000
STARTS_WITHIN_S = 600.0
STOPS_WITHIN_S = 20.0


class UiError(ExpectedError):
    """Dagster's page cannot be had; says what was found and what to do."""


def free_port() -> int:
    """Return Dagster's usual port if nobody listens there, else one that is free."""
    for port in (FIRST_PORT, 0):
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return probe.getsockname()[1]
    raise UiError("found no free port; give one with --port")


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UiError(f"found port {port} taken ({error.strerror}); give another with --port") from None


def prepared_instance(home: Home) -> Path:
    """Return the absolute folder of the home's Dagster instance, made with the project's settings if there is none."""
    folder = instance_folder(home)
    if folder is None:
        raise StoreError(
            f"the home {home.url} is not a local folder; Dagster's records need one: set ${INSTANCE_VARIABLE}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "dagster.yaml").exists():
        shutil.copy(ROOT / "dagster.yaml", folder / "dagster.yaml")
    return folder


def serve(home: Home, port: int, ready: Callable[[str], None], say: Callable[[str], None] = lambda _: None) -> int:
    """Run Dagster's page, daemon and code server until they end or Ctrl-C stops all of them; return the exit code.

    What commands built before is shown first. `ready` is called with the address once the page answers. Raises UiError
    if it does not or the port is taken, MissingExtraError if there is no page.
    """
    require("ui")
    _require_free(port)
    address = f"http://{HOST}:{port}"
    folder = prepared_instance(home)
    say("telling Dagster what commands built here before; the first time it takes some minutes of large homes")
    backfill(home, named_recipes(), say)
    say("starting Dagster, which takes up to a minute")
    kept_in = home.store.folder(INSTANCE_KEY)
    environment = os.environ | {
        INSTANCE_VARIABLE: str(folder),
        HOME_VARIABLE: str(kept_in.parent.absolute()) if kept_in else home.url,
        "PYTHONWARNINGS": "ignore",
        "GRPC_VERBOSITY": "ERROR",  # else it tells at times, in its own words, that a server has stopped when asked to
    }
    if recipes := os.environ.get(RECIPES_VARIABLE):
        environment[RECIPES_VARIABLE] = str(Path(recipes).absolute())
    options = ["-m", "pipelines.orchestrator.definitions", "-d", str(ROOT), "--host", HOST, "--port", str(port)]
    # What a run says is on its page. Dagster's own lines are coloured wherever they go.
    options += ["--log-level", "warning", "--code-server-log-level", "warning"]
    words = [sys.executable, "-m", "dagster", "dev", *options]
    # A session of its own: Ctrl-C reaches us alone, and we stop the whole of it once.
    # Its log goes to stderr: stdout is the command's. Dagster warns of settings in the folder where it starts, unless
    # they are the instance's; of what it may yet change itself, nobody who looks at a build needs to hear.
    started = subprocess.Popen(words, cwd=folder, env=environment, stdout=2, start_new_session=True)  # noqa: S603
    stop = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _wait_for(address, started)
        ready(address)
        return started.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        signal.signal(signal.SIGTERM, stop)
        stop_session(started)


def _wait_for(address: str, started: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until:
        if started.poll() is not None:
            raise UiError(f"Dagster ended with exit code {started.returncode} before its page answered; see above")
        try:
            with urllib.request.urlopen(f"{address}/server_info", timeout=5):  # noqa: S310  (our own address)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise UiError(f"found no answer at {address} within {STARTS_WITHIN_S:.0f} s; try another --port")


def stop_session(started: subprocess.Popen[bytes]) -> None:
    """Ask Dagster to stop, which asks what it started; after that or a while, kill what is left of its session.

    Only the first of them is asked: its page, asked twice, tells how it was torn down.
    """
    try:
        started.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(STOPS_WITHIN_S)
    finally:  # a second Ctrl-C too
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()

"""Planners of ours that know the whole set, and planners that are commands; each plays one task at a time.

What a planner hands in is text, as any planner's: plans of ours are handed in as JSON and read back like the others.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO, Any

from assets.core.opening import why_unplanned
from assets.family import Family
from assets.named import load
from assets.release.difficulty import BASELINE, witness_plans
from assets.rows import ReleaseTables
from assets.runs.playing import Played, Playing, Task, Wait
from assets.runs.setting import RunSetting
from schemas.errors import ExpectedError
from schemas.shown import shown

COMMAND_SECONDS = 3_600
MOST_OUTPUT_BYTES, MOST_LOG_BYTES = 4 << 20, 256 << 20
"""A command that writes more on its standard output, or its standard error, is stopped."""
SHOWN_LOG_BYTES = 4_096
LOOK_SECONDS = 0.05
SHOWN_CHARACTERS = 300


def plans_of_ours(
    planner: str, family: Family, setting: RunSetting, tables: ReleaseTables, seed: int
) -> list[dict[str, Any]]:
    """Return the plans of a planner that plans whole sets: `witness`, `greedy`, or one that the family gives.

    Raises ExpectedError for a published folder that was opened, where that does not say what is needed.
    """
    why = why_unplanned(family, tables, planner)
    if why:
        raise ExpectedError(f"{planner} has no plan: {why}. Run a model or a command of your own")
    if planner == "witness":
        return witness_plans(tables)
    if planner == "greedy":
        return load(family.baselines[BASELINE])(tables)
    return load(setting.planners[planner])(tables, seed)


def handed_in(plans: Mapping[str, Any]) -> Callable[[Task], Playing]:
    """Return the player that hands in what was planned, as JSON."""

    def play(task: Task) -> Playing:
        plan = plans.get(task["task_id"])
        if plan is None:
            return Played("", problem="the planner has no plan")
        return Played(json.dumps(plan, ensure_ascii=False, default=_plain))
        yield  # a generator that waits for nothing

    return play


def command(words: str, mcp_command: str, describe: Callable[[Task], dict[str, Any]]) -> Callable[[Task], Playing]:
    """Return the player that runs a command: the task as JSON on its standard input, the answer on its output.

    The command is split as a shell would and run without one; `TRIPWRIGHT_MCP` in its environment is the command of
    the release's tool server. What it started and left behind ends with it. Raises ExpectedError for words that cannot
    be split.
    """
    try:
        arguments = shlex.split(words)
    except ValueError as error:
        raise ExpectedError(f"the command {words!r} cannot be split into words: {error}; close what is open") from None

    def run(task: Task, stopped: threading.Event) -> Played:
        task_text = json.dumps(describe(task), ensure_ascii=False, default=_plain)
        environment = {**os.environ, "TRIPWRIGHT_MCP": mcp_command}
        with TemporaryFile() as input_file, TemporaryFile() as output_file, TemporaryFile() as log_file:
            input_file.write(task_text.encode())
            input_file.seek(0)
            process = subprocess.Popen(  # noqa: S603  (the command that the user named)
                arguments,
                stdin=input_file,
                stdout=output_file,
                stderr=log_file,
                env=environment,
                start_new_session=True,
            )
            problem = _why_stopped(process, {output_file: MOST_OUTPUT_BYTES, log_file: MOST_LOG_BYTES}, stopped)
            output_file.seek(0)
            text = output_file.read(MOST_OUTPUT_BYTES).decode("utf-8", "replace")
            if process.returncode and not problem:
                log_file.seek(max(0, os.fstat(log_file.fileno()).st_size - SHOWN_LOG_BYTES))
                stderr_tail = " ".join(shown(log_file.read().decode("utf-8", "replace")).split())[-SHOWN_CHARACTERS:]
                problem = f"the command ended with {process.returncode}: {stderr_tail}"
            return Played(text, problem=problem)

    def play(task: Task) -> Playing:
        stopped = threading.Event()
        return (yield Wait(lambda: run(task, stopped), stopped.set))

    return play


def _why_stopped(
    process: subprocess.Popen[bytes], most_bytes: Mapping[IO[bytes], int], stopped: threading.Event
) -> str:
    """Wait for a command's end, and return why it was stopped before it, or "".

    Its end is that of the command itself: what it leaves behind, which may hold its output open or write to it without
    end, is not waited for but killed, as far as it stays in the command's session.
    """
    ends = time.monotonic() + COMMAND_SECONDS
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_SECONDS)
            longer = [most for file, most in most_bytes.items() if os.fstat(file.fileno()).st_size > most]
            if longer:
                return f"the command wrote more than {longer[0] >> 20} MB"
            if process.returncode is not None:
                return ""
            if time.monotonic() > ends:
                return f"the command gave no answer within {COMMAND_SECONDS} s"
            if stopped.is_set():
                return "the run was stopped"
    finally:
        with suppress(ProcessLookupError):  # its group is that of its session, of which nobody may be left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _plain(value: Any) -> Any:
    """Return what numpy and pandas hold as plain JSON."""
    return value.tolist() if hasattr(value, "tolist") else value.item() if hasattr(value, "item") else str(value)

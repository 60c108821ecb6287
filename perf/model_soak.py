"""A soak of model calls with faults of every kind, killed again and again: `python -m perf.model_soak`.

5,000 calls with 20 % mixed faults in one undisturbed run; then the same asked by a process that is killed (kill -9) at
ten random moments and started again. Says whether every answer is right, what was paid for twice, whether spending is
counted to the token, and whether the answers and the calls that they rest on end as in the undisturbed run.
With `--release` the killed process is a whole `tripwright build` of an invented city, whose reviews and queries the
model reads and words, and compared is every byte of the release.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from assets.language.asking import Answer, Prompt
from perf.model_calls import INSTRUCTIONS, Double, _double
from pipelines.walk.asking import Asker
from schemas.engines import ModelEndpoint, Prices
from tests.brains import does_every_job
from tests.killing import built_through_kills
from tests.model_server import FAULTS, KEY, MODEL, ModelServer, mixed
from tests.pipelines.conftest import recipe_text
from tests.pipelines.test_build import contents
from tests.pipelines.test_model_build import by_model
from warehouse.ledger import Ledger
from warehouse.store import Store

KILLS = 10


def main() -> None:
    """Print what both runs gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--ask", nargs=2, metavar=("URL", "HOME"), help="Only ask; what the killed process does.")
    parser.add_argument("--release", action="store_true", help="Kill whole builds, and compare releases.")
    args = parser.parse_args()
    os.environ["STANDIN_KEY"] = KEY
    if args.release:
        released_through_kills()
        return
    if args.ask:
        print(json.dumps(asked(args.ask[0], Path(args.ask[1]), args.calls)))
        return
    with tempfile.TemporaryDirectory() as folder:
        quiet, killed = Path(folder, "quiet"), Path(folder, "killed")
        started = time.monotonic()
        pipe = _server()
        result = asked(pipe.recv(), quiet, args.calls)
        pipe.send("stop")
        told = pipe.recv()
        print(f"undisturbed: {time.monotonic() - started:.1f} s, {result}")
        print(f"server: {told}")
        same = {name: result[name] == told[name] for name in ("calls", "prompt_tokens", "completion_tokens")}
        print(f"paid for twice: {told['twice']}; our count is the server's: {same}")
        pipe = _server()
        url, kills, rng = pipe.recv(), 0, random.Random(1)
        command = [sys.executable, "-m", "perf.model_soak", "--calls", str(args.calls), "--ask", url, str(killed)]
        while True:
            child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            if kills == KILLS:
                out, _ = child.communicate()
                break
            _wait_for_answers(killed, child)
            time.sleep(rng.uniform(0, 0.8))
            if child.poll() is None:
                os.kill(child.pid, signal.SIGKILL)
                kills += 1
            out, _ = child.communicate()
            if child.returncode == 0:
                break
        pipe.send("stop")
        told = pipe.recv()
        again = json.loads(out)
        print(f"killed {kills} times: {again}")
        print(f"server: {told['calls']} replies, {told['twice']} requests paid for again (in flight when killed)")
        equal = {name: again[name] == result[name] for name in ("answers", "rests_on")}
        print(f"as in the undisturbed run: {equal}")


def released_through_kills() -> None:
    """Print whether a build that was killed again and again releases the bytes of an undisturbed one."""
    faults = tuple(fault for fault in FAULTS if fault != "hang")
    with (
        tempfile.TemporaryDirectory() as folder,
        ModelServer(does_every_job, mixed(0.2, faults), latency_s=0.1) as server,
    ):
        recipe = Path(folder, "small.toml")
        recipe.write_text(recipe_text(cities=1))
        by_model(recipe, server.url, ("reviews", "wording"), "corrections = 6\nconcurrency = 4")
        quiet, _ = built_through_kills(server, recipe, Path(folder, "quiet"), 0, seed=1, most=0)
        asked_for = server.paid.copy()
        server.paid.clear()
        started = time.monotonic()
        again, kills = built_through_kills(server, recipe, Path(folder, "killed"), KILLS, seed=1, most=40)
        twice = sum(count > 1 for count in server.paid.values())
        files = [contents(built["releases"][0]["path"]) for built in (quiet, again)]
        print(
            f"killed {kills} times in {time.monotonic() - started:.0f} s; {len(asked_for)} requests, {twice} paid again"
        )
        print(f"{len(files[0])} files of the release, all bytes equal: {files[0] == files[1]}")


def asked(url: str, home: Path, calls: int) -> dict[str, Any]:
    """Return what asking for every number's double gave: hashes of answers and calls, and what was spent."""
    endpoint = ModelEndpoint(
        base_url=url, model=MODEL, api_key_env="STANDIN_KEY", concurrency=64, corrections=6, deadline_s=20, retries=8,
        prices=Prices(input=2, output=8),
    )  # fmt: skip
    asker = Asker(Ledger(Store(str(home))), endpoint, home)
    ask = asker.for_step("wording")
    told = ask(
        Prompt(
            str(n), INSTRUCTIONS, f"The number is {n}.", Double, lambda v, n=n: [] if v.double == 2 * n else ["no"], 10
        )
        for n in range(calls)
    )
    values = [t.value.double if isinstance(t, Answer) else None for t in told]
    rows = ask.generations([t.generation_id for t in told if isinstance(t, Answer)])
    asker.ledger.close()
    return {
        "right": sum(value == 2 * n for n, value in enumerate(values)),
        "answers": _hash(values),
        "rests_on": _hash(rows),
        "calls": asker.spent.calls,
        "prompt_tokens": asker.spent.prompt_tokens,
        "completion_tokens": asker.spent.completion_tokens,
        "cost": round(asker.spent.cost, 6),
    }


def _wait_for_answers(home: Path, child: subprocess.Popen[str]) -> None:
    """Wait until a process has recorded something more, or has ended: it is killed at work, not while it starts."""
    before = _recorded(home)
    while child.poll() is None and _recorded(home) == before:
        time.sleep(0.02)


def _recorded(home: Path) -> int:
    return sum(path.stat().st_size for path in home.glob("ledger/*.jsonl"))


def _server() -> Any:
    ours, theirs = multiprocessing.Pipe()
    multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True).start()
    return ours


def _serve(pipe: Any) -> None:
    faults = tuple(fault for fault in FAULTS if fault != "hang")
    with ModelServer(_double, mixed(0.2, faults), latency_s=0.05) as running:
        pipe.send(running.url)
        pipe.recv()
        pipe.send(
            {
                "calls": sum(running.paid.values()),
                "twice": sum(count > 1 for count in running.paid.values()),
                "prompt_tokens": running.tokens[0],
                "completion_tokens": running.tokens[1],
                "faults": dict(sorted((name, count) for name, count in running.faults.items() if name)),
            }
        )


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()

"""How fast groups are talked to: `python -m perf.conversations [RELEASE] [--count 1000]`.

Plays the tasks of a GroupTravelBench release again and again, users and agent by rules, with the tools and the plan
(`careful`), and with the words alone: the same conversation, its plan put off until the rounds are used up. Without
a release it plays small groups by a stand-in model of a fixed latency, and compares with its bare calls.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from assets.grouptravel.conversation.careful import Careful, play, public_of
from assets.grouptravel.conversation.protocol import Turn
from assets.grouptravel.conversation.talk import Asking, conversation_of, talk, tongue_of, user_by_rules
from assets.release.reading import open_release
from pipelines.runs.planners import Field
from tests.assets.grouptravel.groups import brain
from tests.model_server import KEY, ModelServer

LATENCY_S = 0.2
AT_ONCE = 32


def main() -> None:
    """Print conversations a second, and what playing a model costs beside its bare calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", nargs="?")
    parser.add_argument("--count", type=int, default=1000)
    args = parser.parse_args()
    if args.release is None:
        by_model(min(args.count, 200))
        return
    for name in ("words alone", "with tools and plan"):
        for workers in (1, 2):
            started, before = time.monotonic(), os.times()
            with ProcessPoolExecutor(workers) as pool:
                shares = [args.count // workers] * workers
                list(pool.map(played, [args.release] * workers, shares, [name == "words alone"] * workers))
            seconds, after = time.monotonic() - started, os.times()
            computed = after.children_user + after.children_system - before.children_user - before.children_system
            told = f"{args.count} conversations in {seconds:.1f} s ({computed:.1f} s computed)"
            print(f"{name}, {workers} processes: {told}", flush=True)


def played(release: str, count: int, words_alone: bool) -> None:
    """Play so many conversations of a release's tasks."""
    field = Field(open_release(Path(release)), None, "ours", 0)
    tasks, access = field.tasks(None, None), field.access()
    for number in range(count):
        task = tasks[number % len(tasks)]
        if words_alone:
            _talked(task, access)
        else:
            try:
                next(play(task, access))
            except StopIteration:
                continue


def _talked(task: Any, access: Any) -> None:
    tongue = tongue_of(task["record"], access.currency)
    conversation = conversation_of(task, "ours")
    agent = Careful(public_of(task), access, tongue)

    def speak(turn: Turn, talked: Any) -> Asking:
        if turn.kind == "table" or agent.has_questions:
            return (yield from agent.speak(turn, talked))
        return "Let us go on.", []

    for _ in talk(conversation, speak, user_by_rules(tongue)):
        raise AssertionError("nobody asks a model")


def by_model(count: int) -> None:
    """Print how long models' conversations take, and the bare calls of the same requests."""
    from tests.pipelines.test_run_model import asker, run

    os.environ["STANDIN_KEY"] = KEY
    with tempfile.TemporaryDirectory() as folder, ModelServer(brain, latency_s=LATENCY_S) as server:
        run(server.url, Path(folder, "warm"), 1)  # what is imported for the first call is imported for both
        started, computed = time.monotonic(), time.process_time()
        who = run(server.url, Path(folder, "own"), count, concurrency=AT_ONCE)
        seconds, computed = time.monotonic() - started, time.process_time() - computed
        bodies = list(server.paid)
        bare = asker(server.url, Path(folder, "bare"), concurrency=AT_ONCE)
        seconds_bare = _sent(bare, bodies, count)
        print(
            f"{count} conversations, {who.spent.calls} calls of {LATENCY_S} s, {AT_ONCE} at once: {seconds:.1f} s "
            f"({computed:.1f} s computed, the stand-in's own work included); "
            f"their bare calls: {seconds_bare:.1f} s ({seconds / seconds_bare:.2f} times)"
        )


def _sent(who: Any, bodies: list[bytes], count: int) -> float:
    """Return the seconds that the requests take by the client alone, in as many rows as there were conversations."""
    import asyncio

    client = who._client

    async def row(own: list[bytes]) -> None:
        for body in own:
            await client.send(body, tokens=len(json.loads(body)["messages"]))

    async def every() -> None:
        async with client.opened():
            await asyncio.gather(*(row(bodies[n::count]) for n in range(count)))

    started = time.monotonic()
    asyncio.run(every())
    return time.monotonic() - started


if __name__ == "__main__":
    main()

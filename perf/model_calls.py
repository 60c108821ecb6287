"""Model calls against a local server of 200 ms latency, beside a bare aiohttp client in the same run.

`python -m perf.model_calls` prints, for 2,000 calls at 64 and 256 at once: seconds of the bare client, of ours with its
ledger, their ratio, processor time, and the peak memory that ours added; then the time of asking again, all recorded.
The server is a process of its own. Everything is invented: it doubles numbers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

from assets.language.answers import Shape
from assets.language.asking import Answer, Prompt, request_bytes
from pipelines.walk.asking import Asker
from schemas.engines import ModelEndpoint
from tests.model_server import KEY, MODEL, ModelServer
from warehouse.ledger import Ledger
from warehouse.store import Store

INSTRUCTIONS = "Double the number. Answer in JSON. " + "This sentence stands for a prompt of usual length. " * 40


class Double(Shape):
    """Twice a number."""

    double: int


def main() -> None:
    """Print a table of the runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--latency", type=float, default=0.2)
    args = parser.parse_args()
    os.environ["STANDIN_KEY"] = KEY
    with server(args.latency) as url:
        for at_once, limit in ((64, 1.3), (256, 2.0)):
            bodies = [
                request_bytes(_endpoint(url, at_once), _messages(n), Double, "json_schema") for n in range(args.calls)
            ]
            asyncio.run(bare(url, bodies[:200], at_once))
            with tempfile.TemporaryDirectory() as folder:
                ask(url, at_once, 200, Path(folder))
            bare_s = _timed(lambda bodies=bodies, at_once=at_once: asyncio.run(bare(url, bodies, at_once)))
            with tempfile.TemporaryDirectory() as folder:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                ours_s = _timed(lambda url=url, n=at_once, f=folder: ask(url, n, args.calls, Path(f)))
                grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
                cached_s = _timed(lambda n=at_once, f=folder: ask(url, n, args.calls, Path(f)))
            print(
                f"{args.calls} calls at {at_once}: bare {bare_s[0]:.2f} s ({bare_s[1]:.2f} s CPU), "
                f"ours {ours_s[0]:.2f} s ({ours_s[1]:.2f} s CPU), ratio {ours_s[0] / bare_s[0]:.2f} (limit {limit}), "
                f"memory +{grown / 1024:.0f} MB, again from the ledger {cached_s[0]:.2f} s"
            )


def ask(url: str, at_once: int, calls: int, folder: Path) -> None:
    """Ask for every number's double through the product's own path, ledger included."""
    told = Asker(Ledger(Store(str(folder))), _endpoint(url, at_once), folder).for_step("wording")(
        Prompt(str(n), INSTRUCTIONS, f"The number is {n}.", Double, lambda _: [], 10) for n in range(calls)
    )
    assert [t.value.double for t in told if isinstance(t, Answer)] == [2 * n for n in range(calls)]


async def bare(url: str, bodies: list[bytes], at_once: int) -> None:
    """Send the same bodies with aiohttp alone."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    queue = iter(bodies)
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=at_once)) as session:

        async def work() -> None:
            for body in queue:
                async with session.post(f"{url}/chat/completions", data=body) as response:
                    await response.json()

        await asyncio.gather(*(work() for _ in range(at_once)))


@contextmanager
def server(latency_s: float) -> Iterator[str]:
    """Run the stand-in in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, latency_s), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send("stop")
        process.join(10)


def _serve(pipe: Any, latency_s: float) -> None:
    with ModelServer(_double, latency_s=latency_s) as running:
        pipe.send(running.url)
        pipe.recv()


def _double(messages: list[dict[str, str]]) -> str:
    return json.dumps({"double": 2 * int(messages[1]["content"].split()[-1].rstrip("."))})


def _endpoint(url: str, at_once: int) -> ModelEndpoint:
    return ModelEndpoint(base_url=url, model=MODEL, api_key_env="STANDIN_KEY", concurrency=at_once)


def _messages(number: int) -> list[dict[str, str]]:
    return [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": f"The number is {number}."}]


def _timed(run: Any) -> tuple[float, float]:
    started, worked = time.monotonic(), time.process_time()
    run()
    return time.monotonic() - started, time.process_time() - worked


if __name__ == "__main__":
    main()

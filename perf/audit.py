"""The audit of a whole release: time, and what it costs beside hashing the same files.

Run from the repository's root: `python -m perf.audit RELEASE --home HOME`. For TripCraft at the published size make the
release first: `python -m perf.tripcraft_release --folder FOLDER`, whose home is `FOLDER/home`. Target: 1,000 tasks in
at most 60 s, process start included. The baseline hashes the release's files and its raw files, which an audit must.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from assets.release.reading import open_release
from perf.computed import computed_s
from warehouse.store import sha256_of


def main() -> None:
    """Print the audit's time by the clock and of the processors, beside that of hashing alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", type=Path)
    parser.add_argument("--home", type=Path, required=True)
    chosen = parser.parse_args()
    release = open_release(chosen.release)
    started, before = time.perf_counter(), time.process_time()
    files = [chosen.release / file.path for file in release.manifest.files]
    files += [chosen.home / "raw" / s.sha256[:2] / s.sha256 for s in release.manifest.inputs]
    total = sum(path.stat().st_size for path in files if sha256_of(path))
    hashing, hashing_cpu = time.perf_counter() - started, time.process_time() - before
    started, before = time.perf_counter(), computed_s()
    words = ["audit", "--release", str(chosen.release), "--home", str(chosen.home), "--json"]
    done = subprocess.run([sys.executable, "-m", "pipelines.cli", *words], capture_output=True, text=True, check=False)
    clock, computed = time.perf_counter() - started, computed_s() - before
    largest_kb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    report = json.loads(done.stdout)
    if "error" in report:
        raise SystemExit(report["error"])
    print(f"{report['tasks']:,} tasks, {report['values']:,} values, {report['source_rows']:,} source records")
    print(f"hashing {total / 2**20:.1f} MiB: clock {hashing:.2f} s, computed {hashing_cpu:.2f} s")
    print(
        f"audit: clock {clock:.1f} s, computed {computed:.1f} s ({computed / max(hashing_cpu, 0.001):.0f} ×), largest "
        f"process {largest_kb / 1024:.0f} MiB; holds: {report['holds']}"
    )


if __name__ == "__main__":
    main()

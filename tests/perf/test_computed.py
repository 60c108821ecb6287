"""Computed time holds what processes forked from a server took, which nobody waits for."""

from __future__ import annotations

import subprocess
import sys

from perf.computed import computed_s

BURNED_S = 0.5
PROGRAM = f"""
import multiprocessing, time

def burn():
    while time.process_time() < {BURNED_S}:
        pass

if __name__ == "__main__":
    process = multiprocessing.get_context("forkserver").Process(target=burn)
    process.start()
    process.join()
"""


def test_what_a_fork_of_a_server_took_counts_after_all_of_them_have_ended(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    before = computed_s()
    subprocess.run([sys.executable, tmp_path / "program.py"], check=True)
    assert computed_s() - before >= BURNED_S

"""Commands that cannot outlive us: whatever ends this process, kill -9 included, ends them too.

A small supervisor, this same file run as a script, holds one end of a pipe whose other end only we hold. When we are
gone, however we went, the pipe closes and the supervisor kills the command; when the supervisor itself is killed, Linux
kills the command for it. A death signal asked for directly would also fire when the thread that asked for it ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

PR_SET_PDEATHSIG = 1
"""Number of the prctl(2) option that names the signal a process gets when its parent dies."""


def start_supervised(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Return the supervisor of the started command, whose output goes to `log` and whose exit code it passes on."""
    with log.open("wb") as output:
        return subprocess.Popen(  # noqa: S603  (a list, no shell)
            [sys.executable, "-I", "-S", str(Path(__file__).resolve()), *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop_supervised(supervisor: subprocess.Popen[bytes]) -> None:
    """Kill the command and wait for it and its supervisor to be gone; nothing happens if they are."""
    if supervisor.stdin is not None:
        supervisor.stdin.close()
    supervisor.wait()


def run_supervised(command: list[str], log: Path) -> int:
    """Return the command's exit code; its output goes to `log`. An interrupt kills it."""
    supervisor = start_supervised(command, log)
    try:
        return supervisor.wait()
    finally:
        stop_supervised(supervisor)


def _supervise(command: list[str]) -> int:
    # A supervisor told to stop must not leave before the command has.
    signal.signal(signal.SIGTERM, lambda *_: child.kill())
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_die_with_parent)  # noqa: S603  (no shell)
    threading.Thread(target=_kill_at_end_of_input, args=(child,), daemon=True).start()
    code = child.wait()
    return code if code >= 0 else 128 - code


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _kill_at_end_of_input(child: subprocess.Popen[bytes]) -> None:
    os.read(sys.stdin.fileno(), 1)  # nothing is ever written: this returns when the other end closes
    child.kill()


if __name__ == "__main__":
    sys.exit(_supervise(sys.argv[1:]))

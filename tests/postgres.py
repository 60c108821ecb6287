"""A PostgreSQL server on loopback with an empty database, where Debian's programs are on this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAMS = "/usr/lib/postgresql"
ACCOUNT = "postgres"


def postgres_programs() -> Path | None:
    """Return the folder of the newest server's programs, None if there is none."""
    found = sorted(Path(PROGRAMS).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def postgres() -> Iterator[str]:
    """Yield the address of a database of a server of its own. Raises FileNotFoundError if there are no programs."""
    programs = postgres_programs()
    if programs is None:
        raise FileNotFoundError(f"found no PostgreSQL below {PROGRAMS}; install Debian's package postgresql")
    # The server refuses to run as root: then it runs under Debian's account, in a folder that this may enter.
    given: dict[str, Any] = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir="/tmp"))
    if given:
        shutil.chown(folder, ACCOUNT)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": "/tmp", **given}
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    try:
        words = [programs / "initdb", "-D", folder / "data", "-U", ACCOUNT, "-A", "trust", "--no-sync"]
        subprocess.run(words, check=True, **quiet)
        # pg_ctl waits until the server answers
        words = [programs / "pg_ctl", "-D", folder / "data", "-l", folder / "log", "-o", options, "-w", "start"]
        subprocess.run(words, check=True, **quiet)
        yield f"postgresql+psycopg2://{ACCOUNT}@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop"], **quiet)
        shutil.rmtree(folder, ignore_errors=True)

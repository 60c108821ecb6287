"""Programs beside Python that tests and measurements run: Chromium, npm, osmium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def needed(program: str) -> str:
    """Return the program's path; without it the test fails in CI and is skipped elsewhere."""
    path = shutil.which(program)
    if path is None:
        message = f"{program} is not on this machine; .ci/run installs it"
        pytest.fail(message) if "CI" in os.environ else pytest.skip(message)
    return str(path)


@contextmanager
def chromium() -> Iterator[Any]:
    """Run headless Chromium; while it runs, no other event loop can in its process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=needed("chromium"), args=list(FLAGS))
        yield browser
        browser.close()

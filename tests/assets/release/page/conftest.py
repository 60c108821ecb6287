"""A page made from rows written by hand, and Chromium to open it in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assets.release.page.render import render
from tests.assets.release.page.hand import page_rows

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="session")
def page_file(tmp_path_factory) -> Path:
    """Return the file of a page of two families, two cities and a hundred tasks."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_bytes(render(page_rows()))
    return path


class Opened:
    """A page in a tab: everything it complained about, and every address it asked for."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.complaints: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))


@pytest.fixture
def opened(browser, page_file):
    """Return a function that opens a file in a tab of its own; afterwards nothing may have complained or been asked.

    `script` runs in the tab before those of the page.
    """
    tabs: list[tuple[Opened, str]] = []

    def go(file: Path = page_file, hash_: str = "", script: str = "", **context: Any) -> Any:
        made = Opened(browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **context}).new_page())
        made.tab.add_init_script(script)
        made.tab.goto(file.as_uri() + hash_)
        if not hash_:  # the first task is drawn when the reader comes near it
            made.tab.locator("#tasks").scroll_into_view_if_needed()
        made.tab.locator("article.task .origins .tree").wait_for(state="attached")
        tabs.append((made, file.as_uri()))
        return made.tab

    yield go
    for made, address in tabs:
        made.tab.context.close()
        assert made.complaints == []
        assert {url.partition("#")[0] for url in made.requests} == {address}

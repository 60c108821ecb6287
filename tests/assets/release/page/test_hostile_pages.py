"""The page in Chromium, whatever it is made of: hostile names are text, no code of theirs runs, nothing is loaded."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from assets.release.page.render import render
from tests.assets.release.page.hand import page_rows
from tests.assets.release.page.hostile import HOSTILE

SHOW_ALL = """async id => {
  location.hash = `#task=${id}`;
  const shown = () => document.querySelector("article.task code")?.textContent;
  for (let frames = 0; shown() !== id; frames += 1) {
    if (frames > 600) throw new Error(`found the task ${shown()}; expected ${id}`);
    await new Promise(requestAnimationFrame);
  }
  document.querySelectorAll(".origins details").forEach(one => { one.open = true });
  return [...document.querySelectorAll("bdi")].map(one => one.textContent);
}"""


def test_hostile_names_are_text_and_nothing_else(opened, tmp_path):
    assert len(HOSTILE) >= 50
    clean = tmp_path / "clean.html"
    clean.write_bytes(render(page_rows()))
    hostile = tmp_path / "hostile.html"
    hostile.write_bytes(render(page_rows(HOSTILE)))
    tags = "[...new Set([...document.querySelectorAll('*')].map(one => one.tagName))].sort().join()"
    known = opened(clean).evaluate(tags)
    tab = opened(hostile)
    seen: set[str] = set()
    for number in range(len(HOSTILE)):
        id_ = f"{'itinbench' if number < 50 else 'tripcraft'}.{number:05d}"
        seen |= set(tab.evaluate(SHOW_ALL, id_))
    assert [name for name in HOSTILE if name not in seen] == []
    assert tab.evaluate(tags) == known
    assert tab.title() == f"Two towns {HOSTILE[0]}"
    assert tab.evaluate("document.querySelectorAll('[onerror],[onload],[ontoggle],iframe,base,link,form').length") == 0


@pytest.fixture
def server():
    """Return the address of a server, and the list of what it is asked for."""
    asked: list[str] = []

    class Noting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Noting) as serving:
        Thread(target=serving.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}", asked
        serving.shutdown()


def test_even_code_in_the_page_can_neither_load_nor_run_what_it_was_not_made_of(browser, page_file, server):
    address, asked = server
    tab = browser.new_page()
    tab.goto(page_file.as_uri())
    tab.evaluate(
        """async (address) => {
          const add = (tag, values) => document.body.append(Object.assign(document.createElement(tag), values));
          const script = document.createElement("script");
          try { script.text = "window.ran = 1"; document.body.append(script); } catch { window.refused = 1; }
          try { document.body.setAttribute("onclick", "window.ran = 1"); } catch { window.refused += 1; }
          document.querySelector("footer").innerHTML = "<img src=x onerror='window.ran = 1'>";
          add("img", { src: `${address}/image` });
          add("iframe", { src: `${address}/frame` });
          add("link", { rel: "stylesheet", href: `${address}/style` });
          add("style", { textContent: "main { display: none }" });
          await fetch(`${address}/fetch`).catch(() => { window.unfetched = 1; });
          document.body.click();
        }""",
        address,
    )
    tab.wait_for_timeout(300)
    assert tab.evaluate("[window.ran, window.refused, window.unfetched]") == [None, 2, 1]
    assert tab.locator("footer").inner_html() == ""
    expect(tab.locator("main")).to_be_visible()
    assert asked == []
    tab.close()


def test_without_scripts_the_page_says_what_it_is_and_where_that_stands_in_words(browser, page_file):
    tab = browser.new_context(java_script_enabled=False).new_page()
    tab.goto(page_file.as_uri())
    expect(tab.get_by_role("heading", level=1)).to_have_text("Two towns Café Ida")
    expect(tab.locator("noscript p")).to_contain_text("in the README.md beside its tables")
    expect(tab.get_by_role("button")).to_have_count(0)
    tab.context.close()

"""The documentation: its reference is what the code declares, and its site asks nobody for anything."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

from assets.families import families
from pipelines.docs import FOLDER, reference_pages
from pipelines.walk.fingerprint import ROOT
from pipelines.walk.recipes import recipe_schema
from schemas.recipe import City
from schemas.recipe_values import Box

PAGES = ROOT / "docs" / "pages"


@pytest.mark.parametrize("name", sorted(reference_pages()))
def test_the_reference_is_what_the_code_declares(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == reference_pages()[name], "run `python -m pipelines.docs`"


def test_no_page_of_the_reference_is_left_over():
    assert {path.name for path in FOLDER.iterdir()} == set(reference_pages())


def test_every_key_of_a_recipe_says_what_it_is():
    schema = json.loads(json.dumps(recipe_schema(families())))
    silent: list[str] = []

    def look(part: dict, where: str) -> None:
        silent.extend(
            f"{where}.{key}" for key, value in part.get("properties", {}).items() if "description" not in value
        )
        for name, inner in part.get("$defs", {}).items():
            look(inner, f"{where}.{name}")

    look(schema, "recipe")
    assert silent == []


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """Return the built site; a link or anchor that leads nowhere fails here."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [Path(sys.executable).with_name("mkdocs"), "build", "--strict", "--quiet", "--config-file", "docs/mkdocs.yml",
         "--site-dir", folder],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return folder


class _Loaded(HTMLParser):
    """Collects what a page loads by itself; a link that a person may follow is not that."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "object", "embed"):
            self.found.append(given.get("src") or given.get("data") or "")
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.found.append(given.get("href") or "")


def test_no_page_loads_anything_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(list(PAGES.rglob("*.md")))  # and 404.html
    for page in pages:
        loaded = _Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        assert loaded.found
        assert [address for address in loaded.found if re.match(r"(https?:)?//", address)] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(\s*['\"]?https?:[^)]*", styles) == []
    assert "@import" not in styles


def test_the_source_that_the_guide_adds_reads_its_file_and_accounts_for_every_row(raw_file, monkeypatch):
    page = (PAGES / "add-a-source.md").read_text(encoding="utf-8")
    modules = re.findall(r'```python title="(\S+)\.py"\n(.*?)```', page, re.S)
    assert len(modules) == 3
    for path, code in modules:
        module = ModuleType(path.replace("/", "."))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(code, path, "exec"), module.__dict__)
    file = raw_file("fountains", "list", "id,name,lat,lon\n1,Well,43.73,7.41\n1,Again,43.73,7.41\n2,Far,44,8\n3,No,,\n")
    city = City(
        city_id="mc-mc-monaco", name="Monaco", country="MC", box=Box(south=43.7, west=7.4, north=43.8, east=7.5)
    )
    made = sys.modules["assets.clean.fountains"].fountains([file], city=city)
    assert made.rows["fountain_id"].tolist() == ["1"]
    reasons = [str(row["reason"]) for row in made.rejections]
    assert reasons == ["duplicate", "bad_coordinates", "outside_every_city"]
    assert made.rows_in == 4
    fountain = sys.modules["schemas.fountains"].Fountain
    fountain.validate(fountain.arrow(made.rows))


def test_the_pictures_are_of_the_page_as_it_is():
    """The pictures were made when the page's script, its style and the look of its maps were what they are now."""
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    kept = json.loads((PAGES / "images" / "pictures.json").read_text(encoding="utf-8"))
    assert kept == {"made_of": pictures.made_of()}, (
        "build demo.toml and nordic.toml, then `python docs/pictures.py HOME`"
    )


def test_every_picture_that_a_page_shows_is_there_and_every_one_there_is_shown():
    pages = [ROOT / "README.md", *PAGES.glob("*.md")]
    shown = {
        (page.parent / name).resolve()
        for page in pages
        for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    assert {path for path in shown if not path.is_file()} == set()
    assert {p.resolve() for p in (PAGES / "images").glob("*.jpg")} <= shown

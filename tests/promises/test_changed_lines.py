"""One changed line in a family's wording, lineage, export or page runs what it makes again, and never a solver.

A plan is kept as long as the code that decides plans stays ("the plans of"), whatever else of its step was changed.

By the hashes of code that decide what a build runs; in a copy of the tree, one file changed at a time. What runs in a
real build is shown of the guide's family, in `tests/pipelines/test_fourth_family.py`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assets.families import all_steps, families
from assets.named import module_of
from pipelines.releases.codes import release_code
from pipelines.releases.pages import page_code
from pipelines.walk import fingerprint
from pipelines.walk.graph import code_of, solving_code

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("itinbench", "tripcraft", "grouptravel")

RUN_AGAIN = {
    "word": ("{family}_task", "the release of {family}"),
    "read": ("{family}_task", "the release of {family}"),
    "word_by_model": ("{family}_task",),
    "trace": ("{family}_lineage",),
    "export": ("the release of {family}",),
    "page": ("the page of {family}",),
}
"""By function of a family, what a changed line of its module runs again. The gate reads words back by `read`."""

WORDS_DRAFTS = "tripcraft"
"""The family whose drafts word a record to see whether it reads back: its draws run again, its solver does not."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Return a copy of the code."""
    folder = tmp_path_factory.mktemp("tree")
    for room in fingerprint.PACKAGES:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    return folder


@pytest.fixture(scope="module")
def hashes(tree):
    """Return a function that gives the hash of each step's, release's and page's code, as the copy of the tree is."""
    fingerprint.import_graph()
    real = fingerprint.ROOT
    fingerprint.ROOT = tree

    def found() -> dict[str, str]:
        code = fingerprint.Code()
        every = all_steps(families().values()).values()
        steps = {step.name: code_of(code, step) for step in every}
        steps |= {f"the plans of {step.name}": solving_code(code, step) for step in every if "solve" in step.uses}
        releases = {f"the release of {f.name}": release_code(f, code) for f in families().values()}
        return steps | releases | {f"the page of {f.name}": page_code(f, code) for f in families().values()}

    yield found
    fingerprint.ROOT = real


@pytest.fixture(scope="module")
def undisturbed(hashes):
    return hashes()


def run_again(tree, hashes, undisturbed, changed: str) -> set[str]:
    """Return what runs again when a line is added to a module, or to a file given by its path."""
    path = tree / changed if "/" in changed else tree.joinpath(*changed.split(".")).with_suffix(".py")
    before = path.read_bytes()
    path.write_bytes(before + b"\n# one line\n")
    try:
        return {name for name, found in hashes().items() if found != undisturbed[name]}
    finally:
        path.write_bytes(before)


GIVEN = [(name, function) for name in FAMILIES for function in RUN_AGAIN if getattr(families()[name], function)]
"""Every function that a family gives of those whose change runs a step."""


@pytest.mark.parametrize(("family", "function"), GIVEN)
def test_a_changed_line_runs_its_own_step_and_no_solver(tree, hashes, undisturbed, family, function):
    ran = run_again(tree, hashes, undisturbed, module_of(getattr(families()[family], function)))
    words_drafts = family == WORDS_DRAFTS and function in ("word", "read")
    drawn_again = {f"{family}_draft", f"the release of {family}"} if words_drafts else set()
    assert ran == {name.format(family=family) for name in RUN_AGAIN[function]} | drawn_again
    assert f"the plans of {family}_draft" not in ran


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("function", ["solve", "check", "world"])
def test_a_changed_line_of_what_decides_plans_has_them_sought_again(tree, hashes, undisturbed, family, function):
    ran = run_again(tree, hashes, undisturbed, module_of(getattr(families()[family], function)))
    assert {f"{family}_draft", f"the plans of {family}_draft"} <= ran


@pytest.mark.parametrize("family", FAMILIES)
def test_a_changed_line_of_a_familys_declaration_has_the_release_judged_again(tree, hashes, undisturbed, family):
    assert run_again(tree, hashes, undisturbed, f"assets.{family}.family") == {f"the release of {family}"}


def test_a_changed_line_of_a_derivation_has_the_release_judged_again(tree, hashes, undisturbed):
    for family in ("tripcraft", "grouptravel"):
        ran = run_again(tree, hashes, undisturbed, f"assets.{family}.derivations")
        assert ran == {f"the release of {family}"}


PAGES = {f"the page of {family}" for family in FAMILIES}
GROUPS = {"grouptravel_draft", "grouptravel_task", "the release of grouptravel"}
"""Both prompts are in one package; no plan is sought again for either."""

DATA = {
    "assets/release/page/bundle/page.js": PAGES,
    "assets/release/page/web/src/style.css": PAGES,
    "assets/itinbench/prompts/wording.md": {"itinbench_task"},
    "assets/tripcraft/prompts/reading.md": {"tripcraft_task"},
    "assets/grouptravel/prompts/messages.md": GROUPS,
    "assets/grouptravel/prompts/preferences.md": GROUPS,
    "assets/reviews/prompts/opinions.md": {"place_rating", "guide_rating"},
}


@pytest.mark.parametrize("path", DATA)
def test_a_changed_file_that_is_no_code_runs_those_who_read_it(tree, hashes, undisturbed, path):
    assert run_again(tree, hashes, undisturbed, path) == DATA[path]


def test_every_file_that_is_no_code_lies_in_a_package_that_its_readers_import():
    graph, unread = fingerprint.import_graph(), []
    for room in fingerprint.PACKAGES:
        for package in (path.parent for path in (ROOT / room).rglob("__init__.py")):
            name = ".".join(package.relative_to(ROOT).parts)
            if fingerprint._data_files(package) and not graph.find_modules_that_directly_import(name):
                unread.append(name)
    assert unread == []

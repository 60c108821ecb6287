"""What is said to be a public edition, by whoever can write: nothing of it holds that was not judged."""

from __future__ import annotations

from assets.release.audit import audit_release
from assets.release.reading import open_release
from assets.release.withholding import LOCK, RECIPE
from tests.promises.editing import described_anew, edited, sealed
from warehouse.home import Home


def test_a_release_that_says_it_lacks_nothing_does_not_hold_unjudged(small_world, tmp_path):
    """Who changes every witness need not be judged by calling the release a public edition."""
    whole = open_release(small_world.releases["tripcraft"])
    folder = edited(whole.folder, tmp_path, {"certificates": lambda rows: [{**row, "checks": []} for row in rows]})
    files = {file.path: file.sha256 for file in open_release(folder).manifest.files}
    (folder / "complete").mkdir()
    recipe = small_world.recipe
    texts = {RECIPE: recipe.read_bytes(), LOCK: recipe.with_suffix(".lock.json").read_bytes()}
    said = {"completes_to": whole.version, "files": files, "cells": {}, "left_out": []}
    described_anew(sealed(folder, texts, lambda manifest: manifest.update(withheld=said)))
    report = audit_release(open_release(folder), Home(str(small_world.home)).snapshots, 1)
    assert report.problems == [] and not report.holds
    (judged,) = (entry for entry in report.unverified if entry["what"].startswith("its witnesses"))
    assert whole.version in judged["why"] and judged["values"] == whole.count("lineage")

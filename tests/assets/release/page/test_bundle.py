"""The committed bundle is what its sources build, and what it is built from can be had anywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from assets.release.page.render import BUNDLE, HERE
from tests.programs import needed

WEB = HERE / "web"


def test_the_committed_bundle_is_what_the_sources_build(tmp_path):
    npm, node = needed("npm"), needed("node")
    web = tmp_path / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    _run([npm, "ci", "--no-audit", "--no-fund"], web)
    _run([npm, "run", "check"], web)
    _run([node, "build.mjs", str(tmp_path / "bundle")], web)
    built = {path.name: path.read_bytes() for path in (tmp_path / "bundle").iterdir()}
    committed = {path.name: path.read_bytes() for path in BUNDLE.iterdir()}
    assert sorted(built) == sorted(committed)
    stale = [name for name, body in built.items() if committed[name] != body]
    assert not stale, f"{stale}: run `npm ci && npm run build` in {WEB} and commit the bundle"


def test_the_lock_names_no_registry_of_its_own():
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    resolved = [package["resolved"] for package in lock["packages"].values() if "resolved" in package]
    assert all(address.startswith("https://registry.npmjs.org/") for address in resolved)
    declared = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    pinned = {**declared["dependencies"], **declared["devDependencies"]}
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in pinned} == pinned


def test_the_bundle_can_stand_in_a_page():
    script = (BUNDLE / "page.js").read_text(encoding="utf-8")
    style = (BUNDLE / "style.css").read_text(encoding="utf-8")
    assert "</script" not in script.lower()
    assert "<!--" not in script
    assert "</style" not in style.lower()
    assert "url(http" not in style


def _run(words: list[str], folder: Path) -> None:
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr

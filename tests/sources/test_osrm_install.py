"""The pinned OSRM is fetched, verified and unpacked whole, or not at all."""

from __future__ import annotations

import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from schemas.source import SourceError
from sources.services import osrm_install
from sources.services.osrm_install import TOOLS, default_cache_dir, install_osrm, installed_osrm, unpack


def wheel_of(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


GOOD = {f"osrm/bin/{tool}": b"#!/bin/sh\necho v26.10.0\n" for tool in TOOLS} | {
    "osrm/share/profiles/car.lua": "-- car",
    "osrm/share/profiles/lib/way.lua": "-- lib",
    "osrm_bindings-26.10.0.dist-info/licenses/LICENSE.TXT": "BSD",
    "osrm/osrm_ext.abi3.so": "not needed",
}


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_tools_profiles_and_licence_are_unpacked_and_nothing_else(tmp_path):
    unpack(wheel_of(tmp_path / "w.whl", GOOD), tmp_path / "osrm")
    expected = ["LICENSE.TXT", *(f"bin/{tool}" for tool in TOOLS), "profiles/car.lua", "profiles/lib/way.lua"]
    assert files_below(tmp_path / "osrm") == sorted(expected)
    assert (tmp_path / "osrm" / "bin" / "osrm-routed").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize(
    "name",
    [
        "../../evil.lua",
        "osrm/share/profiles/../../../../evil.lua",
        "/etc/evil.lua",
        "osrm/bin/sh",
        "osrm/bin/../osrm-routed",
    ],
)
def test_no_member_is_written_outside_the_folder_or_under_another_name(tmp_path, name):
    unpack(wheel_of(tmp_path / "w.whl", GOOD | {name: "evil"}), tmp_path / "a" / "b" / "osrm")
    unpack(wheel_of(tmp_path / "good.whl", GOOD), tmp_path / "good")
    assert files_below(tmp_path / "a" / "b" / "osrm") == files_below(tmp_path / "good")
    assert "evil" not in "".join(p.read_text() for p in (tmp_path / "a").rglob("*") if p.is_file())


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(osrm_install, "MAX_UNPACKED_BYTES", 1000)
    with pytest.raises(SourceError, match="unpacks to more than 1,000 bytes"):
        unpack(wheel_of(tmp_path / "w.whl", GOOD | {"osrm/share/profiles/x.lua": "x" * 2000}), tmp_path / "osrm")
    assert not (tmp_path / "osrm").exists()


def test_a_wheel_without_a_tool_is_refused(tmp_path):
    members = {name: content for name, content in GOOD.items() if name != "osrm/bin/osrm-contract"}
    with pytest.raises(SourceError, match=r"lacks osrm-contract; expected the tools of OSRM 26.10.0"):
        unpack(wheel_of(tmp_path / "w.whl", members), tmp_path / "osrm")


@pytest.fixture
def pip(monkeypatch):
    """Return a list that says what pip shall do: give these members as the wheel, or fail with these words."""
    does = []

    def run(command, **options):
        if "pip" not in command:
            return real_run(command, **options)
        outcome = does.pop(0)
        if isinstance(outcome, str):
            return subprocess.CompletedProcess(command, 1, "", outcome)
        wheel_of(Path(command[command.index("--dest") + 1]) / "osrm_bindings-26.10.0-cp312-abi3-x.whl", outcome)
        return subprocess.CompletedProcess(command, 0, "", "")

    real_run = subprocess.run
    monkeypatch.setattr(osrm_install.subprocess, "run", run)
    return does


def test_a_wheel_that_is_not_the_pinned_one_is_not_installed(tmp_path, pip):
    pip.append(GOOD)
    with pytest.raises(SourceError, match=r"has sha256 [0-9a-f]{64}; expected [0-9a-f]{64}.*nothing was installed"):
        install_osrm(tmp_path)
    assert files_below(tmp_path) == ["osrm/26.10.0.lock"]
    with pytest.raises(SourceError, match="is not installed"):
        installed_osrm(tmp_path)


def test_offline_one_is_told_what_failed_and_what_to_do(tmp_path, pip):
    pip.append("ERROR: No matching distribution found for osrm-bindings==26.10.0\n")
    with pytest.raises(SourceError, match=r"pip could not fetch .*No matching distribution.*PIP_FIND_LINKS"):
        install_osrm(tmp_path)


def test_a_system_without_a_pinned_wheel_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(osrm_install.platform, "system", lambda: "Plan 9")
    with pytest.raises(
        SourceError, match=r"pinned for Linux x86_64, Linux aarch64, and this is Plan 9.*engine `graph`"
    ):
        install_osrm(tmp_path)


def test_binaries_that_do_not_run_are_not_installed(tmp_path, pip, monkeypatch):
    monkeypatch.setattr(osrm_install, "_require_pinned", lambda *_: None)
    pip.append(GOOD | {"osrm/bin/osrm-routed": b"#!/bin/sh\necho GLIBC_2.28 not found\n"})
    with pytest.raises(SourceError, match=r"answers 'GLIBC_2.28 not found'; expected 'v26.10.0'"):
        install_osrm(tmp_path)
    assert files_below(tmp_path) == ["osrm/26.10.0.lock"]


def test_an_install_that_was_killed_leaves_nothing_in_the_way(tmp_path, pip, monkeypatch):
    monkeypatch.setattr(osrm_install, "_require_pinned", lambda *_: None)
    (tmp_path / "osrm" / ".unpacking-dead").mkdir(parents=True)
    pip.append(GOOD)
    folder = install_osrm(tmp_path)
    assert install_osrm(tmp_path) == installed_osrm(tmp_path) == folder  # and pip is asked once only
    assert sorted(path.name for path in (tmp_path / "osrm").iterdir()) == ["26.10.0", "26.10.0.lock"]


def test_the_cache_is_the_users_unless_named(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "named"))
    assert default_cache_dir() == tmp_path / "named"
    monkeypatch.delenv("TRIPWRIGHT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_dir() == tmp_path / "tripwright"

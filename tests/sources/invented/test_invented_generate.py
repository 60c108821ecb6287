"""Writing an invented world: the same bytes for the same arguments, whole or not at all, in bounded memory."""

from __future__ import annotations

import csv
import datetime as dt
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from sources.invented import INVENTED, PROVIDERS, World, city_of, generate, make_world, world_cities, yelp
from sources.invented.cities import invented_cities
from sources.registry import SOURCES

ROOT = Path(__file__).resolve().parents[3]
ARGUMENTS: dict[str, Any] = {"providers": ["yelp"], "cities": 3, "scale": 0.05, "seed": 11}
ALL: dict[str, Any] = {**ARGUMENTS, "providers": list(PROVIDERS), "dates": (dt.date(2024, 11, 1), dt.date(2024, 11, 4))}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_equal_arguments_give_equal_bytes_and_a_seed_changes_all(tmp_path: Path) -> None:
    generate(tmp_path / "a", **ARGUMENTS)
    generate(tmp_path / "b", **ARGUMENTS)
    generate(tmp_path / "c", **{**ARGUMENTS, "seed": 12})
    first, second, other = (contents(tmp_path / name) for name in "abc")
    assert first == second
    assert list(first) == [
        "NOTICE.txt", "truth.csv", "yelp/business.json", "yelp/dirt.csv", "yelp/fusion.json", "yelp/review.json"
    ]  # fmt: skip
    assert [name for name in first if first[name] == other[name]] == ["NOTICE.txt"]


def test_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    generate(tmp_path / "here", **ALL)
    command = (
        "import datetime; from pathlib import Path; from sources.invented import generate; "
        f"generate(Path('there'), **{ALL!r})"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "4242", "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", command], cwd=tmp_path, env=environment, check=True)
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_it_says_where_each_file_of_each_provider_is(tmp_path: Path) -> None:
    assert generate(tmp_path, **ARGUMENTS) == {
        "yelp": {role: [tmp_path / "yelp" / f"{role}.json"] for role in ("business", "review", "fusion")}
    }
    assert (tmp_path / "NOTICE.txt").read_text(encoding="utf-8") == INVENTED + "\n"


def test_every_provider_says_whose_its_files_are_and_gives_what_its_reader_takes(tmp_path: Path) -> None:
    files = generate(tmp_path, **ALL)
    assert list(files) == list(PROVIDERS)
    cities = {city.city_id for city in make_world(3, 1, 11).cities}
    for provider, roles in files.items():
        taken = SOURCES[provider].files
        assert set(roles) <= {file.role for file in taken}
        assert {file.role for file in taken if file.required} <= set(roles)
        for paths in roles.values():
            owners = [city_of(path) for path in paths]
            assert set(owners) in ({None}, cities), paths
            for path, owner in zip(paths, owners, strict=True):
                assert path.parent == tmp_path / provider / (owner or "")
                assert path.is_file()
        listed = {row["file"] for row in csv.DictReader((tmp_path / provider / "dirt.csv").open(encoding="utf-8"))}
        assert listed <= {p.relative_to(tmp_path / provider).as_posix() for paths in roles.values() for p in paths}


def test_a_city_keeps_its_files_when_others_join(tmp_path: Path) -> None:
    few = generate(tmp_path / "few", **{**ALL, "cities": 2})
    generate(tmp_path / "many", **ALL)
    own = [path for roles in few.values() for paths in roles.values() for path in paths if city_of(path)]
    assert own
    for path in own:
        assert path.read_bytes() == (tmp_path / "many" / path.relative_to(tmp_path / "few")).read_bytes()


def test_cities_may_be_counted_or_given(tmp_path: Path) -> None:
    generate(tmp_path / "counted", **ARGUMENTS)
    generate(tmp_path / "given", **{**ARGUMENTS, "cities": invented_cities(3, 11)})
    assert contents(tmp_path / "counted") == contents(tmp_path / "given")
    assert [row["name"] for row in world_cities(3, 11)] == [c.name for c in make_world(3, 1, 11).cities]


def test_a_killed_run_leaves_nothing_and_the_next_one_succeeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(world: World, folder: Path, dirt: bool) -> dict[str, list[Path]]:
        yelp.write(world, folder, dirt)
        (folder / "leftover.json").write_text("half")
        raise KeyboardInterrupt

    generate(tmp_path / "whole", **ARGUMENTS)
    with monkeypatch.context() as patch:
        patch.setitem(PROVIDERS, "yelp", killed)
        with pytest.raises(KeyboardInterrupt):
            generate(tmp_path / "again", **ARGUMENTS)
    assert [p.name for p in (tmp_path / "again").iterdir()] == [".partial"]
    generate(tmp_path / "again", **ARGUMENTS)
    assert contents(tmp_path / "again") == contents(tmp_path / "whole")
    assert not (tmp_path / "again" / ".partial").exists()


def test_an_unknown_provider_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\['yalp'\]; providers are \[.*'yelp'\]"):
        generate(tmp_path, **{**ARGUMENTS, "providers": ["yelp", "yalp"]})
    assert list(tmp_path.iterdir()) == []


def test_memory_does_not_grow_with_the_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yelp, "PLACES_PER_BLOCK", 50)
    yelp.write(make_world(1, 1.2, 1), tmp_path / "fills the caches")
    peaks = []
    for scale in (0.4, 1.2):
        tracemalloc.start()
        yelp.write(make_world(1, scale, 1), tmp_path / str(scale))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
    assert (tmp_path / "1.2" / "review.json").stat().st_size > 2.5 * (tmp_path / "0.4" / "review.json").stat().st_size


def test_importing_it_loads_nothing_slow() -> None:
    slow = {"numpy", "osmium", "pandas", "pyarrow", "pydantic"}
    code = f"import sys, sources.invented; print(sorted({slow} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    shown = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert shown.stdout == "[]\n"

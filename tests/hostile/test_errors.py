"""Every command on every broken file, recipe, release and home: one line that names it, exit 1, JSON under `--json`.

No exit 70, which is for faults of ours, no bare key, no empty answer.
"""

from __future__ import annotations

import functools
import json
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pipelines.cli import COMMANDS, app
from pipelines.commands.errors import errors_told, tell_errors
from tests.hostile.permissions import as_anybody

RECIPE = 'name = "r"\nseed = 1\n\n[invented]\nproviders = ["yelp"]\nscale = 0.1\nseed = 5\n'
RECIPE += (
    '\n[[cities]]\ncity_id = "xx-a"\nname = "A"\ncountry = "XX"\nbox = { south = 1, west = 1, north = 2, east = 2 }\n'
)
MANIFEST = '{"format": 1, "recipe": "r", "family": "itinbench"}'

BROKEN: dict[str, bytes | None] = {
    "missing": None,
    "empty": b"",
    "binary": bytes(range(256)) * 8,
    "truncated": b'{"format": 1, "recipe": "r", "fam',
    "wrong_version": b'{"format": 999}',
    "another_kind": b"<!doctype html><p>Sign in</p>",
    "nested": b"[" * 100_000,
    "a_list": b"[1, 2]",
    "utf_16": MANIFEST.encode("utf-16"),
    "no_permission": MANIFEST.encode(),
}
"""What stands where a file should; what is missing is None. What nobody may read is there; a folder is made apart."""

ON_RECIPE = (("build",), ("refresh",), ("tables",), ("extract", "CITY", "out.osm"))
ON_RELEASE = (
    ("audit", "--release"), ("export", "OUT", "--format", "itinbench"), ("publish", "OUT"), ("complete",), ("report",),
    ("score", "PLANS"), ("extract-plans", "PLANS", "OUT"), ("tools", "--list"), ("review", "OUT"),
    ("run", "--planner", "random"), ("calibrate", "PLANS"), ("judge", "PLANS"), ("mend", "OUT"),
)  # fmt: skip
CITY = ("Porto", "--box=1,1,2,2")
ON_FILE = (
    ("init", *CITY, "--map", "FILE"), ("init", *CITY, "--airbnb", "FILE"), ("new", *CITY, "--map", "FILE"),
    ("new", *CITY, "--with", "FILE"),
)  # fmt: skip
ON_PLANS = (("score", "RELEASE", "FILE"), ("extract-plans", "RELEASE", "FILE", "OUT"), ("calibrate", "RELEASE", "FILE"))
ON_NOTHING = ("sources", "schema", "dictionary", "doctor", "ui")
"""Commands that read no file that is named to them: faults of theirs are in `test_a_fault_of_any_command`."""
ON_FOLDER = (
    *(("inspect", name) for name in ("itinbench", "grouptravel", "travelplanner")),
    *(("open", name) for name in ("itinbench", "tripcraft", "grouptravel")),
)
ON_HOME = (
    ("audit", "itinbench-1"),
    ("diff", "a1b2", "c3d4"),
    ("export", "a1b2", "OUT", "--format", "itinbench"),
    ("publish", "a1b2", "OUT"),
    ("complete", "a1b2"),
    ("report", "a1b2"),
    ("score", "a1b2", "PLANS"),
    ("extract-plans", "a1b2", "PLANS", "OUT"),
    ("tools", "a1b2", "--list"),
    ("review", "a1b2", "OUT"),
    ("ledger",),
    ("gc",),
    ("build", "RECIPE"),
    ("refresh", "RECIPE"),
    ("tables", "RECIPE"),
    ("demo",),
)


def broken(path: Path, state: str) -> Path:
    """Return the path, after putting there what the state says."""
    content = BROKEN[state]
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if state == "no_permission":
        path.chmod(0)
    return path


def run(*words: str) -> tuple[int, dict, str]:
    """Return a command's exit code, its JSON object and what it said to people."""
    with as_anybody():
        result = CliRunner().invoke(app, [*words, "--json"])
    assert "Traceback" not in result.output
    return result.exit_code, json.loads(result.stdout or "{}"), result.stderr


def require_told(words: tuple[str, ...], named: str) -> None:
    """Require that a command ends in exit 1 and says what is wrong, in JSON and in words."""
    code, said, text = run(*words)
    assert code == 1, (words, code, said, text)
    problem = said.get("error") or json.dumps(said)
    assert said, f"{words}: nothing on stdout under --json"
    assert len(problem.split()) >= 4, f"{words}: {problem!r} says too little"
    assert named in problem or named in text, f"{words}: {problem!r} does not name {named}"
    assert not any(c in problem + text for c in "\x1b\x07\u202e")


def filled(words: tuple[str, ...], folder: Path, *, recipe: Path | None = None) -> tuple[str, ...]:
    """Return the words with files of their own in the places of OUT, PLANS and RECIPE."""
    (folder / "plans.jsonl").write_text("{}\n")
    given = recipe or folder / "r.toml"
    if recipe is None:
        given.write_text(RECIPE)
    values = {"OUT": str(folder / "out"), "PLANS": str(folder / "plans.jsonl"), "RECIPE": str(given)}
    return tuple(values.get(word, word) for word in words)


@pytest.mark.parametrize("state", [*BROKEN, "a_folder"])
@pytest.mark.parametrize("words", ON_RECIPE, ids="-".join)
def test_a_broken_recipe(words, state, tmp_path):
    path = tmp_path / "broken recipe.toml"
    if state == "a_folder":
        path.mkdir()
    else:
        broken(path, state)
    home = () if words[0] == "extract" else ("--home", str(tmp_path / "home"))
    require_told((words[0], str(path), *words[1:], *home), "broken recipe.toml")


@pytest.mark.parametrize("state", BROKEN)
@pytest.mark.parametrize("words", ON_RELEASE, ids="-".join)
def test_a_broken_release(words, state, tmp_path):
    release = tmp_path / "broken release"
    release.mkdir()
    broken(release / "manifest.json", state)
    first, *others = filled(words, tmp_path)
    given = (first, *others, str(release)) if first == "audit" else (first, str(release), *others)
    require_told((*given, "--home", str(tmp_path / "home")), "broken release")


@pytest.mark.parametrize("state", BROKEN)
@pytest.mark.parametrize("words", ON_FOLDER, ids="-".join)
def test_a_broken_benchmark(words, state, tmp_path):
    folder = tmp_path / "broken benchmark"
    folder.mkdir()
    names = (
        "test.jsonl",
        "humanQuerys.jsonl",
        "restaurants.jsonl",
        "hotels.jsonl",
        "attractions.jsonl",
        "evals.jsonl",
        "annotation_3day.jsonl",
        "train_ref_info.jsonl",
    )
    for name in names:
        broken(folder / name, state)
    require_told((*words, str(folder)), "broken benchmark" if state == "missing" else ".jsonl")


@pytest.mark.parametrize("state", BROKEN)
@pytest.mark.parametrize("words", ON_FILE, ids="-".join)
def test_a_broken_source_file(words, state, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = broken(tmp_path / "broken file", state)
    given = (*(str(path) if word == "FILE" else word for word in words), *HOME_OF.get(words[0], ()))
    if state == "missing":
        code, said, _ = run(*given)
        assert (code in (1, 2), "broken file" in said["error"]) == (True, True), (code, said)
    else:
        require_told(given, "broken file")


HOME_OF = {"new": ("--home", "home")}


@pytest.mark.parametrize("state", ["missing", "empty", "binary", "truncated", "no_permission"])
@pytest.mark.parametrize("words", ON_PLANS, ids="-".join)
def test_a_broken_file_of_plans(words, state, small_world, tmp_path):
    path = broken(tmp_path / "broken plans.jsonl", state)
    values = {"RELEASE": str(small_world.releases["itinbench"]), "FILE": str(path), "OUT": str(tmp_path / "out")}
    given = tuple(str(values.get(word, word)) for word in words)
    require_told((*given, "--home", str(small_world.home)), "broken plans")


def test_every_command_is_walked():
    walked = {words[0] for words in (*ON_RECIPE, *ON_RELEASE, *ON_FOLDER, *ON_HOME, *ON_FILE, *ON_PLANS)}
    assert walked | set(ON_NOTHING) == set(COMMANDS)
    assert walked.isdisjoint(ON_NOTHING)


@pytest.mark.parametrize(
    ("words", "found"),
    [(("build",), "Missing argument"), (("nosuch",), "No such command"), (("build", "--nosuch"), "No such option"),
     (("audit",), "give a TASK_ID"), (("export", "a", "b"), "Missing option")],
)  # fmt: skip
def test_a_fault_of_usage_is_exit_2_and_an_object_too(words, found):
    code, said, text = run(*words)
    assert (code, found in said["error"]) == (2, True)
    assert "Usage" in text


HOMES = {
    "wrong_version": lambda home: broken(home / "format.json", "wrong_version"),
    "binary": lambda home: broken(home / "format.json", "binary"),
    "no_permission": lambda home: broken(home / "format.json", "no_permission"),
    "truncated": lambda home: broken(home / "format.json", "truncated"),
    "empty": lambda home: broken(home / "format.json", "empty"),
    "a_list": lambda home: broken(home / "format.json", "a_list"),
    "a_file": lambda home: home.write_text("no folder"),
}


@pytest.mark.parametrize("state", HOMES)
@pytest.mark.parametrize("words", ON_HOME, ids="-".join)
def test_a_broken_home(words, state, tmp_path):
    home = tmp_path / "a broken häuschen"
    HOMES[state](home)
    require_told((*filled(words, tmp_path), "--home", str(home)), "a broken häuschen")


def test_nobody_may_read_what_is_forbidden_here(tmp_path):
    path = broken(tmp_path / "forbidden", "no_permission")
    with as_anybody(), pytest.raises(PermissionError):
        path.read_bytes()


@pytest.mark.parametrize("words", [("build", "RECIPE"), ("demo",), ("gc",)], ids="-".join)
def test_a_home_without_permission(words, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    require_told((*filled(words, tmp_path), "--home", str(tmp_path / "locked" / "home")), "locked")


@pytest.mark.parametrize("words", [("build", "RECIPE"), ("gc",)], ids="-".join)
def test_a_home_where_nothing_can_be_made(words, tmp_path):
    require_told((*filled(words, tmp_path), "--home", "/proc/tripwright/home"), "/proc")


def test_a_fault_of_ours_is_one_line_with_a_log_and_exit_70(tmp_path, monkeypatch):
    def faulty(as_json: bool = False, home: str | None = None) -> None:
        raise KeyError("Baltimore\x1b[2J")

    one = typer.Typer()
    one.command("faulty")(tell_errors(faulty))
    result = CliRunner().invoke(one, ["--as-json", "--home", str(tmp_path)])
    said = json.loads(result.stdout)
    assert result.exit_code == 70
    assert "KeyError" in said["error"] and "report" in said["error"]
    log = Path(said["log"])
    assert log.is_relative_to(tmp_path) and "in faulty" in log.read_text()
    assert "\x1b" not in result.output + log.read_text()


ARGUMENTS = {
    "new": ("Porto", "--box=1,1,2,2"), "init": ("Porto", "--box=1,1,2,2"), "extract": ("RECIPE", "xx-a", "OUT"),
    "doctor": ("--install-osrm",), "open": ("itinbench", "OUT"), "run": ("a1b2", "--planner", "random"),
    "calibrate": ("a1b2", "PLANS"), "judge": ("a1b2", "PLANS"), "build": ("RECIPE",), "refresh": ("RECIPE",),
    "audit": ("--release", "a1b2"), "diff": ("a1b2", "c3d4"), "review": ("a1b2", "OUT"), "tables": ("RECIPE",),
    "export": ("a1b2", "OUT", "--format", "itinbench"), "publish": ("a1b2", "OUT"), "complete": ("a1b2",),
    "report": ("a1b2",), "extract-plans": ("a1b2", "PLANS", "OUT"), "score": ("a1b2", "PLANS"),
    "tools": ("a1b2", "--list"), "inspect": ("itinbench", "OUT"), "mend": ("a1b2", "OUT"),
}  # fmt: skip
"""What a command must be given, where that is anything."""

WITHOUT_HOME = {"init", "extract", "inspect", "sources", "schema", "dictionary"}
WITHOUT_JSON = {"schema", "dictionary"}
"""What these print is itself one JSON object, and a text to be kept."""


def faulty(called):
    """Return a command of the same signature that raises what no command expects."""

    @functools.wraps(called)
    def run(*_, **__):
        raise ZeroDivisionError("of ours")

    return run


def require_a_fault(name: str, folder: Path, monkeypatch) -> None:
    """Require that a command ends in exit 70, one line, a log with the traceback, and one JSON object under --json."""
    monkeypatch.chdir(folder)
    home = () if name in WITHOUT_HOME else ("--home", str(folder / "a home"))
    words = filled(ARGUMENTS.get(name, ()), folder)
    for as_json in ((), ("--json",)):
        if as_json and name in WITHOUT_JSON:
            continue
        result = CliRunner().invoke(app, [name, *words, *home, *as_json])
        assert result.exit_code == 70, (name, result.output)
        (line,) = [line for line in result.stderr.splitlines() if line.strip()]
        assert "a fault of tripwright" in line and "ZeroDivisionError" in line
        logs = folder / ("a home" if home else ".tripwright") / "logs"
        log = next(path for path in logs.iterdir() if path.name in line)
        assert "Traceback" in log.read_text()
        if as_json:
            assert json.loads(result.stdout).keys() == {"error", "log"}
        else:
            assert result.stdout == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_fault_of_any_command(name, tmp_path, monkeypatch):
    module, _, function = COMMANDS[name][0].partition(":")
    within = import_module(f"pipelines.commands.{module}")
    monkeypatch.setattr(within, function, faulty(getattr(within, function)))
    require_a_fault(name, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", [n for n in COMMANDS if n not in WITHOUT_JSON | {"sources"}])
def test_a_fault_inside_any_command(name, tmp_path, monkeypatch):
    @contextmanager
    def raising(as_json):
        with errors_told(as_json):
            raise ZeroDivisionError("of ours")
        yield

    monkeypatch.setattr(f"pipelines.commands.{COMMANDS[name][0].partition(':')[0]}.errors_told", raising)
    require_a_fault(name, tmp_path, monkeypatch)


def test_a_full_disk_is_told_with_what_is_left_and_what_to_do(tmp_path, capsys):
    with pytest.raises(typer.Exit) as ended, errors_told(as_json=True):
        raise OSError(28, "No space left on device", str(tmp_path / "tables" / "x"))
    said = json.loads(capsys.readouterr().out)["error"]
    assert ended.value.exit_code == 1
    assert all(part in said for part in ("disk mounted at", "MB are left", "missing", "tripwright gc", "--home"))

"""The parts that only some commands need: the rest works without them, and each is asked for by name."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib

import pytest

from pipelines.cli import COMMANDS
from pipelines.doctor import diagnose
from pipelines.releases.publish import open_target
from pipelines.tool_server import serve
from pipelines.walk import fingerprint
from pipelines.walk.cluster import cluster
from pipelines.walk.fingerprint import ROOT, Code
from schemas.extras import EXTRAS, MissingExtraError, remedy, require
from sources.services.embedding import Embedding
from sources.services.llm import ModelClient
from warehouse.home import Home
from warehouse.store import StoreError

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = sorted({module for extra in EXTRAS.values() for module in extra.modules})


def package(requirement: str) -> str:
    """Return the distribution that a requirement names."""
    return requirement.split("[")[0].split(">")[0].split("=")[0]


@pytest.fixture
def base(monkeypatch):
    """Let no module of an extra be imported, as where only the base is installed."""
    for module in MODULES:
        for loaded in [name for name in sys.modules if name.partition(".")[0] == module]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, module, None)


def test_extras_are_those_of_the_project_and_none_is_installed_unasked():
    declared = {
        name: {package(r) for r in given} for name, given in PROJECT["project"]["optional-dependencies"].items()
    }
    assert declared == {name: set(extra.modules.values()) for name, extra in EXTRAS.items()}
    assert PROJECT["tool"]["uv"]["default-groups"] == []
    assert {package(r) for r in PROJECT["project"]["dependencies"]}.isdisjoint(set().union(*declared.values()))


def imported_at_once(body: list[ast.stmt]) -> set[str]:
    """Return the top-level modules that a module's statements import, those of its functions left out."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            found.add((statement.module or "").partition(".")[0])
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            found |= imported_at_once(statement.orelse)
        elif isinstance(statement, ast.If | ast.Try | ast.With | ast.ClassDef):
            parts = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
            parts += [handler.body for handler in getattr(statement, "handlers", [])]
            found |= imported_at_once([inner for part in parts for inner in part])
    return found


def test_no_module_of_ours_imports_an_extra_before_it_asks_for_it():
    files = [path for room in fingerprint.PACKAGES for path in (ROOT / room).rglob("*.py")]
    found = {str(path): imported_at_once(ast.parse(path.read_bytes()).body) & set(MODULES) for path in files}
    assert {path: names for path, names in found.items() if names} == {}


def test_every_command_is_there_where_only_the_base_is_installed():
    words = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({MODULES!r}))\n"
        "from pipelines.cli import COMMANDS, _command\n"
        "print(len([_command(name) for name in COMMANDS]))\n"
    )
    done = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, str(len(COMMANDS))), done.stderr


CALLS = {
    "dask": lambda: cluster("tcp://127.0.0.1:9", "home", lambda: "", Code()).__enter__(),
    "embedding": lambda: Embedding("nobody/nothing"),
    "hub": lambda: open_target("hf://datasets/USER/NAME"),
    "mcp": lambda: serve("tripwright", [], lambda _name, _given: None),  # pyright: ignore[reportArgumentType]
    "models": lambda: ModelClient(
        "http://127.0.0.1:9/v1",
        api_key_env=None,
        concurrency=1,
        requests_per_minute=None,
        tokens_per_minute=None,
        deadline_s=1,
        retries=0,
    ),
    "postgres": lambda: require("postgres"),
    "s3": lambda: Home("s3://bucket/home"),
    "ui": lambda: require("ui"),
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_needs_an_extra_asks_for_it_by_the_command_that_adds_it(extra, base, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_x")
    with pytest.raises((MissingExtraError, StoreError)) as error:
        CALLS[extra]()
    assert str(error.value).endswith(f"add with: {remedy(extra)}")
    assert EXTRAS[extra].purpose in str(error.value)


def test_the_doctor_says_what_is_not_installed_and_misses_nothing(base, tmp_path):
    findings = {f.what: f for f in diagnose(str(tmp_path))}
    for name, extra in EXTRAS.items():
        assert (findings[extra.purpose].ok, findings[extra.purpose].is_needed) == (False, False)
        assert findings[extra.purpose].remedy == remedy(name)


def test_installing_an_extra_rebuilds_nothing(monkeypatch):
    whole = Code().hash_of("sources.services.embedding:Embedding", "sources.services.llm:ModelClient")
    owners = {m: o for m, o in fingerprint.owners_of_modules().items() if m not in MODULES}
    monkeypatch.setattr(fingerprint, "owners_of_modules", lambda: owners)
    assert Code().hash_of("sources.services.embedding:Embedding", "sources.services.llm:ModelClient") == whole
    monkeypatch.setattr(fingerprint, "distribution_of", lambda _module: None)
    assert Code().hash_of("sources.services.embedding:Embedding", "sources.services.llm:ModelClient") != whole

"""What a command says arrives whole, or it is told that it did not; streams that are closed are nobody's."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.streams import MARKS

ROOT = Path(__file__).resolve().parents[2]
TRIPWRIGHT = f"{sys.executable} -m pipelines.cli"
TOLD = "error: standard output took not all of the answer: "


def given(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return how a shell's command ended."""
    held = {**os.environ, **environment}
    return subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=held, capture_output=True, text=True, errors="replace", check=False
    )


@pytest.mark.parametrize("words", ["schema", "sources --json", "--version", "sources"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_answer_that_a_full_disk_does_not_take_is_told_on_stderr(words, unbuffered):
    ended = given(f"{TRIPWRIGHT} {words} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{TOLD}No space left on device")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_answer_that_is_cut_in_the_middle_is_no_answer(unbuffered, tmp_path):
    command = f"trap '' XFSZ; ulimit -f 1; {TRIPWRIGHT} sources --json > {tmp_path / 'answer'}"
    ended = given(command, PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{TOLD}File too large")


@pytest.mark.parametrize(("streams", "code"), [(">&-", 0), ("<&- >&- 2>&-", 0), ("> /dev/full 2> /dev/full", 1)])
def test_closed_or_full_streams_leave_the_exit_code(streams, code):
    assert given(f"{TRIPWRIGHT} sources --json {streams}").returncode == code


def test_an_error_is_told_on_stderr_where_stdout_takes_nothing(tmp_path):
    ended = given(f"{TRIPWRIGHT} score none witness --json --home {tmp_path} > /dev/full")
    assert (ended.returncode, ended.stderr.startswith("error: no release 'none'")) == (1, True)


def test_a_closed_stream_s_number_is_given_to_no_file():
    code = 'import os; from pipelines.streams import prepare; prepare(); os._exit(os.open("/", os.O_RDONLY))'
    assert given(f"{sys.executable} -c '{code}' <&- >&- 2>&-").returncode > 2


def test_what_is_put_on_standard_output_is_whole_and_what_is_said_stands_after_it(tmp_path):
    code = (
        "from pathlib import Path; from warehouse.disk import put_whole; from pipelines.streams import prepare; "
        'prepare(); print("before"); put_whole(Path("/dev/stdout"), b"put\\n", "it"); print("after")'
    )
    for streams in (f"> {tmp_path / 'out'}", f">> {tmp_path / 'out'}", f"| cat > {tmp_path / 'out'}"):
        (tmp_path / "out").write_text("")
        assert given(f"{sys.executable} -c '{code}' {streams}").returncode == 0
        assert (tmp_path / "out").read_text() == "before\nput\nafter\n", streams


@pytest.mark.parametrize("streams", ["> {out}", "2> {out}"])
@pytest.mark.parametrize("path", ["{out}", "/dev/fd/{number}"])
def test_no_run_is_kept_in_the_file_that_the_command_prints_to(streams, path, tmp_path):
    out = tmp_path / "run.jsonl"
    path = path.format(out=out, number=2 if streams.startswith("2") else 1)
    code = f'from pathlib import Path; from assets.runs.records import *\nwith alone(Path("{path}")): begin()'
    ended = given(f"{sys.executable} -c '{code}' {streams.format(out=out)}")
    assert "found the file that this command's own output goes to" in ended.stderr + out.read_text()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_encoding_has_no_character_for_is_spelled_out(encoding, tmp_path):
    assert given(f"{TRIPWRIGHT} sources", PYTHONIOENCODING=encoding).returncode == 0
    home = f"{tmp_path}/ünï 漢 🗺"
    ended = given(f"{TRIPWRIGHT} score none witness --json --home '{home}'", PYTHONIOENCODING=encoding)
    assert ended.returncode == 1
    assert home in json.loads(ended.stdout)["error"]


@pytest.mark.parametrize(
    ("encoding", "written"), [("ascii", "+ - -> \\u6f22 ...\\xfc"), ("latin-1", "+ - -> \\u6f22 ...ü")]
)
def test_our_own_marks_are_told_in_those_that_an_encoding_has(encoding, written):
    code = (
        "from pipelines.streams import prepare; prepare(); print(chr(10003), chr(8211), chr(8594), chr(28450), end=' ')"
    )
    code += "; print(chr(8230) + chr(252))"
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert ended.stdout.decode(encoding) == f"{written}\n"


def test_every_mark_that_we_print_is_ascii_where_nothing_else_can_be_written():
    assert all(text.isascii() and text.isprintable() for text in MARKS.values())
    shown = (ROOT / "pipelines").rglob("*.py")
    strings = (node.value for path in shown for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
               if isinstance(node, ast.Constant) and isinstance(node.value, str))  # fmt: skip
    printed = {mark for text in strings for mark in text if not mark.isascii() and not mark.isalnum()}
    unprintable = {mark for mark in printed if not mark.isprintable()}  # named to be kept off terminals
    assert printed - unprintable <= MARKS.keys() and "✓" in printed

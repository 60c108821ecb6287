"""What a judge has executed: by what functions are known again, and that honest families share none."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from assets.promises.ran import LEAST_BYTES, long_functions

ROOT = Path(__file__).resolve().parents[2]


def functions(text):
    return {code.co_code: code.co_name for code in long_functions(compile(text, "x", "exec"))}


def test_no_two_modules_of_ours_share_a_function_that_is_long_enough_to_be_known_again():
    """A family that does would be told of a solver which its checker has not run."""
    holders = defaultdict(set)
    for folder in (ROOT / "assets", ROOT / "docs" / "examples"):
        for path in folder.rglob("*.py"):
            for code in functions(path.read_text(encoding="utf-8")):
                holders[code].add(str(path.relative_to(ROOT)))
    assert len(holders) > 500
    assert [paths for paths in holders.values() if len(paths) > 1] == []


def test_a_function_is_known_again_whatever_its_variables_are_called():
    lines = "".join(f"    total += found[{n}] * {n} if found[{n}] > total else -total\n" for n in range(9))
    text = f"def seek(found):\n    total = 0\n{lines}    return total\n"
    renamed = text.replace("total", "best").replace("found", "plans").replace("seek", "judge")
    (code,) = functions(text)
    assert len(code) >= LEAST_BYTES
    assert functions(renamed) == {code: "judge"}
    assert code not in functions(text.replace(">", "<"))
    assert functions("def seek(found):\n    return found\n") == {}

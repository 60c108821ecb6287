"""The audit of one task as a page for the terminal: where its values come from, and at the end a verdict."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.text import Text

from pipelines.console import OUT, grid
from schemas.counts import counted

KINDS = {
    "row": "a row of a source",
    "rule": "a declared rule",
    "generation": "a recorded model call",
    "recipe": "the recipe itself",
    "value": "another value of the task",
}
SAID = {True: "✓ checks that hold", False: "✗ checks that fail", None: "– not asked for"}


def show_task(tree: dict[str, Any], details: str | None) -> None:
    """Print the page of a task's provenance, as `assets.release.tree` gives it.

    `details` is the command that shows every value with its records; None where they were shown.
    """
    OUT.print(Text(f"\n{tree['task_id']}", style="bold"), soft_wrap=True)
    OUT.print(Text(tree["query"]))
    OUT.print()
    by_value = [{one["kind"] for one in value["from"]} for value in tree["values"]]
    kinds = Counter(kind for one in by_value for kind in sorted(one))
    origins = [f"{count:,} from {KINDS.get(kind, kind)}" for kind, count in kinds.most_common()]
    several = sum(len(one) > 1 for one in by_value)
    more = f"; {several:,} of these from more than one" if several else ""
    OUT.print(Text(f"{counted(len(tree['values']), 'value')}: {', '.join(origins)}{more}"), soft_wrap=True)
    files = _files(tree)
    if files:
        OUT.print(grid("Source files", ("file", "records", "licence", "date"), files))
    if tree["rules"]:
        OUT.print(Text(f"rules: {', '.join(tree['rules'])}"))
    for call in tree["generations"].values():
        OUT.print(Text(f"model call: {call['job']} by {call['model']}, {call['verdict']}"), soft_wrap=True)
    checks = tree["certificate"]["checks"]
    for holds, words in SAID.items():
        check_names = [check["check"].replace("_", " ") for check in checks if check["holds"] is holds]
        if check_names:
            OUT.print(Text(f"{words}: {', '.join(check_names)}"))
    problems = problems_of(tree)
    for problem in problems:
        OUT.print(Text(f"✗ {problem}", style="red"), soft_wrap=True)
    OUT.print(Text(f"\n{verdict(tree, problems)}", style="red" if problems else "green"))
    if details is not None:
        OUT.print(Text(f"Every value with its records: {details}", style="dim"), soft_wrap=True)


def problems_of(tree: dict[str, Any]) -> list[str]:
    """Return what does not resolve, each said once."""
    problems = [str(problem) for problem in tree["problems"]]
    sources = (source for row in tree["rows"].values() for source in row["source_rows"])
    problems += [f"{source['pointer']}: {source['problem']}" for source in sources if "problem" in source]
    problems += [f"the check {c['check']} fails" for c in tree["certificate"]["checks"] if c["holds"] is False]
    return list(dict.fromkeys(problems))


def verdict(tree: dict[str, Any], problems: list[str]) -> str:
    """Return in a sentence whether the task is certified and all of it resolves."""
    if problems:
        count = counted(len(problems), "problem")
        return f"✗ Not proven: {count}, named above; trust nothing of this task until they are mended."
    checks = tree["certificate"]["checks"]
    holding = sum(check["holds"] is True for check in checks)
    records = sum(len(row["source_rows"]) for row in tree["rows"].values())
    records_text = counted(records, "source record")
    resolved = f"all {len(tree['values']):,} values resolve to {records_text}, their files' hashes verified"
    if not checks:
        return f"✓ Traceable: {resolved}, or to declared rules. It has no certificate."
    hold = f"{counted(holding, 'check')} of its witness {'holds' if holding == 1 else 'hold'}"
    return f"✓ Certified and traceable: {hold}; {resolved}, or to declared rules."


def _files(tree: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return each source file with how many records were read from it, its licence and its date."""
    record_counts: dict[tuple[str, str, str], int] = {}
    for row in tree["rows"].values():
        for source in row["source_rows"]:
            name = str(source.get("file") or source["pointer"].partition("@")[0]).rpartition("/")[2]
            key = name, str(source.get("licence", "")), str(source.get("retrieved_at") or "no date")[:10]
            record_counts[key] = record_counts.get(key, 0) + 1
    return [(name, f"{count:,}", licence, had) for (name, licence, had), count in sorted(record_counts.items())]

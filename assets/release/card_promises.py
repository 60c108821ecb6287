"""What a card says of the promises: what was tried before the release, and where the values of each field come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assets.families import families
from assets.promises.mutants import OTHER_RECORD, RENAMED, SCORED, SERVES_TWO, WITHOUT_ROW, refusal_counts
from assets.promises.values import KINDS, in_words
from schemas.counts import counted
from schemas.release import Manifest
from schemas.shown import in_code


def promises(manifest: Manifest) -> list[str]:
    """Return what was tried before the release, with its counts: it is released only where all of it held."""
    trials = manifest.promises
    if not trials:
        return []
    offered, judged = trials["offered"], trials["fields_judged"]
    published = trials["published"]
    plans, serving = refusal_counts(offered), offered.get(SERVES_TWO, 0)
    judged_by = [name for name, (_, times) in judged.items() if times]
    others = [*(name for name in judged if name not in judged_by), *trials.get("unjudged", ())]
    refusing, silent = trials["refusing_checks"], trials["silent_checks"]
    lines = [
        f"- {counted(trials['tried_tasks'], 'task')} had the witness changed in {counted(len(plans), 'way')}, "
        f"{counted(sum(plans.values()), 'plan')} in all: the family's checker refused every one{_but(serving)}.",
        f"- Witnesses refused in a world without a row that they use: {offered.get(WITHOUT_ROW, 0):,}. Where a place "
        f"has another name, refused by the old one and accepted by the new: {offered.get(RENAMED, 0):,}.",
        f"- Scores tell the witnesses from no plans{_and_exchanged(offered.get(SCORED, 0))}.",
        "- The words of every task were read back as its record"
        + (f", and {offered[OTHER_RECORD]:,} times not as another's. " if offered.get(OTHER_RECORD) else ". ")
        + f"Not shown to be said in them: {_names_text(trials.get('not_read', ()))}.",
        f"- For {counted(len(judged_by), 'field')} of the record, a witness that fits was judged against what other "
        f"tasks ask, or wishes that the family names. Not shown to be judged: {_names_text(others)}.",
        f"- {len(refusing)} of {len(refusing) + len(silent)} checks refused another task's witness, one that was "
        f"changed in one place, or a record that asks something else. Not shown to refuse anything: "
        f"{_names_text(silent)}.",
        f"- Every value was derived again from what its lineage points to: {in_words(trials['values'])}. "
        f"They stand on {counted(trials['rows'], 'row')} of the world.",
    ]
    if published.get("accepted") is not None:
        lines.append(
            f"- The published checker, on the exported witnesses: {published['accepted']} of {published['checked']} "
            f"pass all its checks; refused by {_counts_text(published['refused_by'])}."
        )
    unsolvable = trials.get("no_solution")
    if unsolvable:
        lines.append(
            f"- `without_solution.jsonl` holds {counted(unsolvable['tasks'], 'task')} that no plan meets. Each was "
            "judged again: its clash was proved again, each wish of it by a plan without it "
            f"({unsolvable['a_plan_without_a_wish']}). "
            f"Released witnesses refused for them: {unsolvable['a_released_witness']:,}."
        )
    formulas = published.get("formula_cells")
    if formulas is not None:
        lines.append(
            f"- Of the exported CSV files, {formulas:,} cells begin with `=`, `+`, `-` or `@` and are no numbers: a "
            "spreadsheet takes them for formulas. They keep the published bytes; `tripwright export --safe-csv` writes "
            "an apostrophe before each."
        )
    return ["## Promises, tried before the release", "", *lines, ""]


def believed(manifest: Manifest) -> list[str]:
    """Return which parts of a certificate are the word of whoever found the plan, such as that none is better."""
    family = families().get(manifest.family)
    if family is None or not family.believed or manifest.opened is not None:
        return []
    return [
        "Of certificates, and of what is measured by them below, these parts are the solver's word. No audit computes "
        f"them again but by `--rebuild`: {_names_text(family.believed)}.",
        "",
    ]


def _names_text(names: Iterable[str]) -> str:
    return ", ".join(map(in_code, names)) or "none"


def _counts_text(counts: Mapping[str, int]) -> str:
    """Return names with their counts, the most first."""
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{in_code(name)} ({count:,})" for name, count in ranked) or "none"


def _and_exchanged(count: int) -> str:
    return f", and from {count} that were exchanged between tasks" if count else ""


def fields(manifest: Manifest) -> list[str]:
    """Return what the values of each field are: that a rule chose all of one is for the reader to believe or not."""
    counts_by_field = manifest.promises.get("fields", {})
    if not counts_by_field:
        return []
    kinds = [kind for kind in KINDS if any(kind in counts for counts in counts_by_field.values())]
    return [
        "## Where values come from",
        "",
        "What is equal or derived was computed again from the cells that it names. What is chosen is computed again by "
        "nobody: the family says which rule chose it, and it was held against the rows that its task uses.",
        "",
        "| values of | " + " | ".join(KINDS[kind] for kind in kinds) + " |",
        "|---|" + "---:|" * len(kinds),
        *[
            f"| {in_code(name)} | " + " | ".join(f"{counts[k]:,}" if k in counts else "" for k in kinds) + " |"
            for name, counts in counts_by_field.items()
        ],
        "",
    ]


def _but(serving: int) -> str:
    """Return what was not refused, since it need not be."""
    return f"; besides, witnesses of other tasks that serve both: {serving:,}" if serving else ""

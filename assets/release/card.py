"""The README of a release: a Hugging Face dataset card, written from its manifest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assets.core.published_set import ASKED, ASKED_OF
from assets.families import families
from assets.release.card_promises import believed, fields, promises
from assets.release.card_task import one_task
from assets.release.licences import computed_licence, sharing_problems
from schemas.counts import counted
from schemas.release import Manifest, Withheld
from schemas.shown import in_cell, in_code, shown_in_markdown

if TYPE_CHECKING:
    import pyarrow as pa

MAKERS = "The tripwright developers"
"""Named as authors where a recipe names none."""

HUB_LICENCES = ("CC0-1.0", "CC-BY-4.0", "ODbL-1.0", "CDLA-Permissive-2.0", "MIT", "Apache-2.0")
"""Licences that the Hugging Face Hub knows by the same name in lower case; it says `odbl` without a version."""

SPLITS = "splits/"
"""The folder of a release's splits, a Parquet file of tasks each."""


LANGUAGE = "language"
"""The key of a family's section that says in which language its texts are written."""

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
"""The Hub's size categories: fewer tasks than this are of the size."""


def dataset_card(manifest: Manifest, tables: dict[str, int], tasks: pa.Table, certificates: pa.Table) -> str:
    """Return the card in Markdown with its YAML header.

    `tables` maps each Parquet file to its number of rows; of two of them the rows are given.
    """
    counts = manifest.counts
    dropped = "draft or place" if counts["rejected"] == 1 else "drafts and places"
    visited = {city_id for area in tasks["city_id"].to_pylist() for city_id in area.split("+")}
    return "\n".join(
        [
            *_header(manifest, tables),
            f"# {shown_in_markdown(manifest.title)}",
            "",
            f"Family `{manifest.family}` of the recipe `{manifest.recipe}`: **{counted(counts['tasks'], 'task')}, "
            f"{counts['certified']} certified** solvable by a witness plan that an independent checker accepted. "
            f"The family's own steps rejected {counts['rejected']} {dropped}, each with its reason.",
            *_left_out(manifest),
            *_invented_notice(manifest),
            "",
            *_use(tables),
            "",
            "## Cities",
            "",
            *_cities([c for c in manifest.cities if c["city_id"] in visited or is_destination(c)]),
            *_origins([c for c in manifest.cities if not (c["city_id"] in visited or is_destination(c))]),
            *_missing_cities(manifest),
            "",
            *[
                f"![Map of {in_cell(c['name'])}](record/maps/{c['city_id']}.png)"
                for c in manifest.cities
                if c["city_id"] in visited and not manifest.lacking_tables and _has_maps(manifest)
            ],
            "",
            *one_task(tasks, certificates),
            "## Files",
            "",
            "| file | rows |",
            "|---|---|",
            *[f"| `{name}` | {rows:,} |" for name, rows in tables.items()],
            "",
            *promises(manifest),
            *believed(manifest),
            *fields(manifest),
            "## Licences",
            "",
            *_licences(manifest),
            "",
            "## Where the rows went",
            "",
            "| step | rows in | rows out | merged | rejected |",
            "|---|---|---|---|---|",
            *[_accounting_row(entry) for entry in manifest.accounting],
            "",
            "## Measured",
            "",
            *[
                line
                for name, value in manifest.measures.items()
                for line in _measure(name, _measure_rows(value, manifest))
            ],
            "## Choices of ours",
            "",
            *[f"- {in_code(choice['choice_id'])}: {in_cell(choice['text'])}" for choice in manifest.choices],
            "",
            "## Limits",
            "",
            *[f"- {limit}" for limit in limits(manifest)],
            "",
            "## Citation",
            "",
            "Cite the benchmark's paper, the sources above, and this release with its version, the name of its folder:",
            "",
            "```bibtex",
            *citation(manifest).splitlines(),
            "```",
            "",
            f"`{manifest.canary}`",
            "",
        ]
    )


def is_destination(city: dict[str, Any]) -> bool:
    """Return whether a city of a manifest is one that trips may lead to, not one that people only set out from."""
    return city.get("is_visited", True)


def _cities(cities: list[dict[str, Any]]) -> list[str]:
    cells = ((c["city_id"], in_cell(c["name"]), in_cell(c.get("region", "")), c["country"]) for c in cities)
    rows = [f"| `{city_id}` | {name} | {region} | {country} |" for city_id, name, region, country in cells]
    return ["| city | name | region | country |", "|---|---|---|---|", *rows]


def _origins(cities: list[dict[str, Any]]) -> list[str]:
    """Return the towns that people only set out from, of which there is nothing to visit."""
    if not cities:
        return []
    return ["", "Where people set out from; nothing of it is visited:", "", *_cities(cities)]


def _header(manifest: Manifest, tables: dict[str, int]) -> list[str]:
    lines = ["---", f"pretty_name: {_yaml(manifest.title)}", *_licence_key(manifest)]
    lines += ["language:", f"- {language(manifest)}"] if language(manifest) else []
    lines += ["task_categories:", "- text-generation"]
    lines += ["tags:", *[f"- {tag}" for tag in ("benchmark", "travel-planning", "planning", manifest.family)]]
    lines += ["size_categories:", f"- {_size(manifest.counts['tasks'])}", "configs:"]
    for name in (name for name, rows in tables.items() if rows):  # datasets refuses a table without rows
        config = name.removesuffix(".parquet")
        if config == "tasks":
            lines += ["- config_name: tasks", "  default: true", "  data_files:"]
            lines += [f"  - split: {split}\n    path: {path}" for split, path in _splits(tables).items()]
        elif not config.startswith(SPLITS):
            lines += [f"- config_name: {config}", f"  data_files: {name}"]
    return [*lines, "---", ""]


def language(manifest: Manifest) -> str | None:
    """Return the language of the release's texts as a BCP 47 tag: its section's, else its family's; None if unsaid."""
    family = families().get(manifest.family)
    return manifest.section.get(LANGUAGE) or (family.language if family else None)


def _size(tasks: int) -> str:
    return next((name for below, name in SIZES if tasks < below), "100K<n<1M")


def _use(tables: dict[str, int]) -> list[str]:
    """Return how to load the tasks and how to score a planner, in a few lines each."""
    return [
        "## Use",
        "",
        "Load the tasks, with `datasets` installed and this folder (or its name on the Hub) as `FOLDER`:",
        "",
        "```python",
        "from datasets import load_dataset",
        "",
        f'tasks = load_dataset("FOLDER", "tasks", split="{next(iter(_splits(tables)))}")',
        'print(tasks[0]["query"])',
        "```",
        "",
        "Score a planner's plans, or first the certified ones, in a checkout of tripwright:",
        "",
        "```console",
        "$ tripwright score FOLDER witness",
        "$ tripwright score FOLDER plans.jsonl",
        "```",
    ]


def _licence_key(manifest: Manifest) -> list[str]:
    """Return the licence as the Hub's header has it: its own short names, else a name of ours."""
    computed = computed_licence(manifest)
    if computed in HUB_LICENCES:
        return [f"license: {'odbl' if computed == 'ODbL-1.0' else computed.lower()}"]
    return ["license: other", f"license_name: {computed.removeprefix('LicenseRef-').lower()}"]


def _splits(tables: dict[str, int]) -> dict[str, str]:
    """Return the file of each split; tasks that are not split are for testing."""
    files = {n.removeprefix(SPLITS).removesuffix(".parquet"): n for n in tables if n.startswith(SPLITS)}
    return files or {"test": "tasks.parquet"}


def citation(manifest: Manifest) -> str:
    """Return the release's BibTeX entry."""
    return (
        f"@misc{{tripwright-{manifest.recipe}-{manifest.family},\n"
        f"  title = {{{_bibtex(manifest.title)}}},\n"
        f"  author = {{{' and '.join(_bibtex(name) for name in authors(manifest) or [MAKERS])}}},\n"
        f"  note = {{Built by tripwright; recipe {manifest.recipe}, seed {manifest.seed}}},\n"
        "}"
    )


def authors(manifest: Manifest) -> list[str]:
    """Return who made the release, as its recipe names them; empty where it names nobody."""
    return manifest.settings.get("authors", [])


def _bibtex(text: str) -> str:
    return in_cell("".join(c for c in text if c.isprintable() and c not in "{}\\"))


def limits(manifest: Manifest) -> list[str]:
    """Return what a user of the release must not expect of it, as sentences."""
    sources = sorted({snapshot.source for snapshot in manifest.inputs})
    invented = sorted({s.source for s in manifest.inputs if s.licence_id == "LicenseRef-invented"})
    covered = [city["city_id"] for city in manifest.cities if is_destination(city)]
    sentences = [
        f"It covers {', '.join(covered)} and knows only what its sources ({', '.join(sources)}) said on their dates.",
        "Places are those that the sources list: popular and central ones are over-represented.",
        "It is for evaluating planners. Training on it makes its scores meaningless.",
    ]
    if invented:
        sentences.append(
            f"The rows of {', '.join(invented)} are invented: they describe no real place, person or price."
        )
    if manifest.missing_cities:
        missing = ", ".join(m["city_id"] for m in manifest.missing_cities)
        sentences.append(f"It was released without {missing}, which were blocked.")
    if sharing_problems(manifest):
        sentences.append("At least one source forbids redistribution of its rows.")
    if manifest.withheld:
        sentences.append(
            "Values that a source's licence forbids to share are left out; `tripwright complete` puts them back for "
            "whoever has the same source files."
        )
    return sentences


def _left_out(manifest: Manifest) -> list[str]:
    """Return how many tasks of a published set the recipe did not ask, so that nobody takes what is kept for all."""
    asked_of = manifest.section.get(ASKED_OF)
    if asked_of is None:
        return []
    asked_count, left_out = len(manifest.section[ASKED]), manifest.counts.get("left_out", 0)
    published = counted(asked_of["tasks"], "task")
    return ["", f"Of the {published} of a published set it asks {asked_count}, and leaves out {left_out}."]


def _invented_notice(manifest: Manifest) -> list[str]:
    invented = sorted({s.source for s in manifest.inputs if s.licence_id == "LicenseRef-invented"})
    if not invented:
        return []
    return ["", f"**Invented data:** the rows of {', '.join(invented)} describe no real place, person or price."]


def _missing_cities(manifest: Manifest) -> list[str]:
    if not manifest.missing_cities:
        return []
    rows = [f"- `{m['city_id']}`: blocked at `{m['step']}`: {in_cell(m['reason'])}" for m in manifest.missing_cities]
    return ["", "Missing, and released without them on request:", "", *rows]


def _licences(manifest: Manifest) -> list[str]:
    lines = [f"The whole is under `{computed_licence(manifest)}`, computed from the rows of its tables.", ""]
    problems = sharing_problems(manifest)
    if problems:
        lines += ["**Not for redistribution**:", "", *[f"- {in_cell(problem)}" for problem in problems], ""]
    for entry in manifest.licences:
        who = "; ".join(entry["attribution"]) or "no attribution asked for"
        alike = ". What is made from it must be shared under the same licence." if entry["share_alike"] else ""
        title = shown_in_markdown(entry["title"])
        linked_title = f"[{title}]({entry['url']})" if entry["url"] else title
        lines.append(
            f"- {linked_title} (`{entry['licence_id']}`), for {', '.join(entry['sources'])}: {in_cell(who)}{alike}"
        )
    if manifest.columns_under:
        lines += ["", "| table | licence | rows | columns |", "|---|---|---|---|"]
        lines += [
            f"| `{e.table}` | `{e.licence_id}` | {e.rows:,} | {_columns([*e.source, *e.derived])} |"
            for e in manifest.columns_under
        ]
    return lines + (_withheld(manifest.withheld) if manifest.withheld else [])


def _withheld(withheld: Withheld) -> list[str]:
    cells = [
        f"| `{table}` | {', '.join(f'{name} ({count:,})' for name, count in columns.items())} |"
        for table, columns in withheld.cells.items()
    ]
    return [
        "",
        "### Left out",
        "",
        f"This is the public edition of release `{withheld.completes_to}`. These values are null here; their rows keep "
        "keys, pointers to the source rows, and a hash over what they lack:",
        "",
        "| table | columns (values left out) |",
        "|---|---|",
        *cells,
        *[f"| `{path}` | the whole file |" for path in withheld.left_out],
        "",
        "With the same source files in a folder: `tripwright complete THIS_FOLDER --sources FOLDER`.",
    ]


def _accounting_row(entry: dict[str, Any]) -> str:
    rejected = ", ".join(f"{reason} {count:,}" for reason, count in entry["rejected"].items()) or "none"
    rows_in = "–" if entry["rows_in"] is None else f"{entry['rows_in']:,}"
    return f"| `{entry['step']}` | {rows_in} | {entry['rows_out']:,} | {entry['merged']:,} | {rejected} |"


def _columns(leaves: Sequence[str]) -> str:
    """Return the columns that the values stand in, nested ones once each with how many values they hold."""
    counts = Counter(re.split(r"[.\[]", leaf, maxsplit=1)[0] for leaf in leaves)
    nested = {name for name in counts if name not in leaves}
    return ", ".join(f"{name} ({counted(counts[name], 'value')} in it)" if name in nested else name for name in counts)


def _has_maps(manifest: Manifest) -> bool:
    """Return whether maps are drawn of the release; of a family that is not there any more, they were."""
    family = families().get(manifest.family)
    return family is None or family.map_of is not None


def _measure_rows(value: Any, manifest: Manifest) -> Any:
    """Return a measure as it is told: of metrics what they say, and of what stands over all levels that it does.

    Left out is what is read from a conversation: neither the release's plans nor the greedy planner's come with one.
    """
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return value
    family = families().get(manifest.family)
    metrics = family.metrics if family else {}
    rows = []
    for row in value:
        metric = metrics.get(row.get("metric", ""))
        if metric is not None and metric.of == "conversation":
            continue
        entry = dict(row)
        if "level" in row:
            entry["level"] = row["level"] or "all"
        if metric is not None:
            entry |= {"unit": metric.unit, "good is": metric.better, "what it says": metric.says}
        elif "metric" in row:
            entry |= {"unit": "", "good is": "", "what it says": "a count" if metrics else ""}
        rows.append(entry)
    return rows


def _measure(name: str, value: Any) -> list[str]:
    """Return a measure as a small table if it is a list of rows, else as one line."""
    title = in_cell(name.replace("_", " "))
    if isinstance(value, list) and value and isinstance(value[0], dict):
        columns = list(value[0])
        return [
            f"### {title}",
            "",
            "| " + " | ".join(in_cell(column.replace("_", " ")) for column in columns) + " |",
            "|" + "---|" * len(columns),
            *["| " + " | ".join(in_cell(row.get(c)) for c in columns) + " |" for row in value],
            "",
        ]
    return [] if value in ([], {}) else [f"- {title}: {in_cell(value)}", ""]


def _yaml(text: str) -> str:
    import json

    return json.dumps(text)

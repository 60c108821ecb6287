"""What a release says of itself, said again from its own files: what differs was edited, or made by other code.

The gate verifies tasks, witnesses, lineage and rows. This verifies what stands beside them: measures, counts, licences,
splits, contexts, nearest queries, the card and the description. It runs in an audit only, after a build has said it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

from assets.core.worlds import of_city, tables_of_world, task_views, without_plans
from assets.families import all_steps, families
from assets.family import Family
from assets.language.nearest_query import nearest_queries
from assets.named import load
from assets.release import card, croissant
from assets.release.audit_cities import cities_otherwise
from assets.release.audit_differences import OTHERWISE, different, written_alike
from assets.release.audit_exports import exports_otherwise
from assets.release.audit_lineage import lineage_otherwise
from assets.release.audit_recipe import SHARED_SECTIONS
from assets.release.audit_slots import (
    drawn_otherwise,
    empty_slots_otherwise,
    retired_otherwise,
    slots_otherwise,
)
from assets.release.audit_words import (
    diversity_otherwise,
    draws_otherwise,
    engines_otherwise,
    labels_otherwise,
    queries_otherwise,
    repairs_otherwise,
    rests_otherwise,
)
from assets.release.difficulty import PASSED, too_easy
from assets.release.exporting import release_tables, released_tables
from assets.release.licences import columns_under, release_licences, row_licences
from assets.release.measures import as_json, measures_and_facts, release_counts
from assets.release.origins import Origins, licences_by_pointers
from assets.release.reading import OpenedRelease
from assets.release.splits import split_tasks, what_tasks_hold
from assets.release.withholding import public_table, still_held
from assets.rows import ReleaseTables
from assets.step import Raw, RawFile, Step
from schemas.counts import counted
from schemas.recipe import City, Splits
from schemas.release import Manifest
from schemas.table import Table
from sources.corrections.overrides import read_corrections
from warehouse.snapshots import Snapshots

SHOWN = 3
CHOICE_KEYS, MISSING_KEYS = {"choice_id", "text"}, {"city_id", "step", "reason"}
RETIRED_KEYS = {"task_id", "city_id", "reason"}
ACCOUNTING_KEYS = {"step", "rows_in", "rows_out", "merged", "rejected"}
"""What an entry of a manifest's lists says; readers take more than that for said by whoever made it."""


def said_otherwise(release: OpenedRelease, snapshots: Snapshots, verified: Iterable[str]) -> Iterator[str]:
    """Yield everything that the release says of itself and that its files do not bear out.

    `verified` are the tables of which every row was read again from its records.
    """
    manifest, family = release.manifest, families()[release.manifest.family]
    tables = release_tables(release)
    yield from declared_otherwise(manifest, family)
    yield from different("counts", manifest.counts, release_counts(family, tables, manifest.accounting))
    yield from _measures(manifest, family, tables)
    yield from queries_otherwise(manifest, family, tables)
    yield from repairs_otherwise(manifest, family, tables)
    yield from rests_otherwise(manifest, family, tables)
    yield from lineage_otherwise(release, family, tables)
    yield from exports_otherwise(family, tables)
    yield from diversity_otherwise(manifest, family, tables)
    yield from draws_otherwise(release, family)
    yield from slots_otherwise(release, family, tables)
    yield from empty_slots_otherwise(release, family, tables)
    yield from retired_otherwise(manifest, family, tables)
    yield from drawn_otherwise(manifest, family, tables)
    yield from labels_otherwise(manifest, family, tables, release.rows("generations")["generation_id"].to_pylist())
    yield from engines_otherwise(release, family)
    yield from cities_otherwise(release, family)
    yield from sizes_otherwise(manifest, snapshots)
    yield from _licences(release, family, set(verified), snapshots)
    yield from _splits(release, family, tables)
    yield from _contexts(release, family, tables)
    yield from _nearest(release, family, tables, snapshots)
    yield from texts_otherwise(release, {name: table for name, (table, _) in _files(release).items()})


def texts_otherwise(release: OpenedRelease, tables: Mapping[str, type[Table]]) -> list[str]:
    """Return which of the card and the description are not what the manifest makes of them.

    `tables` are the declarations of the release's Parquet files, in the order in which these were described.
    """
    described = {file.path: file for file in release.manifest.files if file.path.endswith(".parquet")}
    parquet = [described[name] for name in tables if name in described]
    rows = {file.path: file.rows or 0 for file in parquet}
    expected = {
        "README.md": card.dataset_card(
            release.manifest, rows, release.rows("tasks"), release.rows("certificates")
        ).encode(),
        croissant.FILE_NAME: croissant.croissant(release.manifest, tables, parquet),
    }
    return [
        f"{name}: is not what the manifest says: {OTHERWISE}"
        for name, data in expected.items()
        if not (release.folder / name).is_file() or (release.folder / name).read_bytes() != data
    ]


def whole_tables(release: OpenedRelease) -> dict[str, type[Table]]:
    """Return the declaration of each Parquet file that a whole release has, in the order in which it describes them."""
    family = families()[release.manifest.family]
    splits = (release.manifest.settings.get("splits") or {}).get("shares", ())
    return released_tables(family) | {f"{card.SPLITS}{name}.parquet": family.tables.task for name in splits}


def public_tables(release: OpenedRelease) -> dict[str, type[Table]]:
    """Return the declaration of each Parquet file of a public edition, without the columns that it withholds."""
    manifest = release.manifest
    assert manifest.withheld is not None
    tables_by_file: dict[str, type[Table]] = {}
    for file, table in sorted(whole_tables(release).items()):
        cells = manifest.withheld.cells.get(file.removesuffix(".parquet"))
        flat = {column.name for column in table.columns() if not column.shape.is_nested}
        tables_by_file[file] = public_table(table, flat & set(cells)) if cells else table
    return tables_by_file


def forbidden_values(release: OpenedRelease, snapshots: Snapshots) -> list[str]:
    """Return what a release holds that may not be shared, by the licences of its inputs, whatever its manifest counts.

    What was verified row by row is the manifest's word. Of a public edition, whose lineage lacks some keys, the rows
    that it still names are asked. A file of people's corrections that is not in the store may correct any table.
    """
    files, under, lacking = licences_by_row(release, snapshots)
    problems = [
        f"{name}: holds {counted(count, 'value')} of {leaf} that its sources' licences forbid to share"
        for name, (table, rows) in files.items()
        for leaf, count in still_held(table, rows, under[name]).items()
    ]
    notes = [f"{place}: is not in the store, so that any value may be corrected by it" for place in lacking]
    return [*problems, *(notes if problems else [])]


def licences_by_row(
    release: OpenedRelease, snapshots: Snapshots
) -> tuple[dict[str, tuple[type[Table], Any]], dict[str, Any], list[str]]:
    """Return the tables and rows of a release's files, the licences (bits) of each row, and what is not in the store.

    That are files of corrections, each of which may correct any table. Which tables were verified the manifest says.
    """
    manifest, steps = release.manifest, all_steps([families()[release.manifest.family]])
    files, (corrected, lacking) = _files(release), _corrected(manifest, snapshots)
    by_table = {name: corrected.get(name, set()) | lacking.keys() for name in steps}
    origins = Origins(manifest.inputs, _raw_files(manifest, steps, by_table), {}, steps)
    verified = set(manifest.promises.get("verified_tables", ()))
    return files, row_licences(files, origins, licences_by_pointers(files, origins, verified)), [*lacking.values()]


def licences_otherwise(manifest: Manifest) -> list[str]:
    """Return whether the manifest's licences are not those of its inputs."""
    if written_alike(manifest.licences, as_json(release_licences(manifest.inputs))):
        return []
    return [f"manifest.json: its licences are not those of its {counted(len(manifest.inputs), 'input')}: {OTHERWISE}"]


def declared_otherwise(manifest: Manifest, family: Family) -> Iterator[str]:
    """Yield where rules, choices and the section are not as the family declares them."""
    choices = {choice.choice_id: choice.text for choice in family.choices}
    yield from different("rules", manifest.rules, family.rules)
    yield from different("choices", {c["choice_id"]: c["text"] for c in manifest.choices}, choices)
    if [(c["choice_id"], c.keys()) for c in manifest.choices] != [(name, CHOICE_KEYS) for name in choices]:
        yield f"manifest.json: choices: one stands twice, elsewhere, or says more than its text: {OTHERWISE}"
    for name, entries, keys in (
        ("accounting", manifest.accounting, ACCOUNTING_KEYS),
        ("missing_cities", manifest.missing_cities, MISSING_KEYS),
        ("retired", manifest.retired, RETIRED_KEYS),
    ):
        if more := {key for entry in entries for key in entry} - keys:
            yield f"manifest.json: {name}: says {', '.join(sorted(more))}, which no build writes: {OTHERWISE}"
    if len({snapshot.model_dump_json() for snapshot in manifest.inputs}) != len(manifest.inputs):
        yield f"manifest.json: inputs: one stands there twice: {OTHERWISE}"
    for city in manifest.cities:
        complete_city = City.model_validate(city).model_dump(mode="json", exclude={"sources"})
        yield from different(f"cities: {city['city_id']}", city, complete_city)
    cities = {city["city_id"] for city in manifest.cities}
    if len(cities) != len(manifest.cities):
        yield f"manifest.json: cities: one stands there twice: {OTHERWISE}"
    for city_id in sorted(cities & {missing["city_id"] for missing in manifest.missing_cities}):
        yield f"manifest.json: says that {city_id} is missing, which is one of its cities: {OTHERWISE}"
    if more := manifest.settings.keys() - SHARED_SECTIONS:
        yield f"manifest.json: settings: says {', '.join(sorted(more))}, which no build writes: {OTHERWISE}"
    section = family.section.model_validate(manifest.section).model_dump(mode="json")
    yield from different("section", manifest.section, section)


def sizes_otherwise(manifest: Manifest, snapshots: Snapshots) -> Iterator[str]:
    """Yield the inputs that are here and of another size than is said."""
    for snapshot in manifest.inputs:
        if snapshots.holds(snapshot.sha256) and snapshots.size_bytes(snapshot.sha256) != snapshot.size_bytes:
            yield (
                f"manifest.json: input {snapshot.source}.{snapshot.role}: says "
                f"{counted(snapshot.size_bytes, 'byte')}, found {snapshots.size_bytes(snapshot.sha256):,}: "
                f"{OTHERWISE}"
            )


def _measures(manifest: Manifest, family: Family, tables: ReleaseTables) -> list[str]:
    """Return which measures are others, of the tables and of what steps counted, and levels easier than is asked."""
    try:
        measures, rested_on = measures_and_facts(family, tables, manifest.facts)
    except Exception as error:  # the family's own function: of what a release holds it may make nothing
        return [f"manifest.json: its measures cannot be made again: {type(error).__name__}: {error}: {OTHERWISE}"]
    section = family.section.model_validate(manifest.section)
    return [
        *different("measures", manifest.measures, measures),
        *different("facts", manifest.facts, rested_on),
        *(f"manifest.json: section: {easy}" for easy in too_easy(measures[PASSED], family.call("slots", section))),
    ]


def _files(release: OpenedRelease) -> dict[str, tuple[type[Table], Any]]:
    """Return the declared table and the rows of each Parquet file, in the order in which a release describes them."""
    declared = whole_tables(release)
    file_names = {f"{name}.parquet" for name in release.tables()}
    return {
        path: (table, release.rows(path.removesuffix(".parquet")))
        for path, table in declared.items()
        if path in file_names
    }


def _licences(release: OpenedRelease, family: Family, verified: set[str], snapshots: Snapshots) -> list[str]:
    """Return whether licences of inputs or of columns are narrower or wider than the files make them."""
    manifest = release.manifest
    files = _files(release)
    steps = all_steps([family])
    problems = licences_otherwise(manifest)
    corrected, lacking = _corrected(manifest, snapshots)
    if lacking:  # told as a file that is not in the store: what it corrects, nobody can say
        return problems
    origins = Origins(manifest.inputs, _raw_files(manifest, steps, corrected), {}, steps)
    recount = columns_under(files, row_licences(files, origins, licences_by_pointers(files, origins, verified)))
    stated, expected = ({entry.key: entry for entry in entries} for entries in (manifest.columns_under, recount))
    if len(stated) != len(manifest.columns_under):
        problems.append(f"manifest.json: columns_under: says of a table twice what is under a licence: {OTHERWISE}")
    if release.rows("generations").num_rows:  # which step made a call is in the ledger: rows of calls are not judged
        tables_of_calls = {"generations", "tasks", "certificates"}
        stated, expected = (
            {k: e for k, e in some.items() if k[0] not in tables_of_calls} for some in (stated, expected)
        )
    for name in sorted({*stated, *expected}):
        if stated.get(name) != expected.get(name):
            rows = [some[name].rows if name in some else 0 for some in (stated, expected)]
            problems.append(
                f"manifest.json: columns_under: says {counted(rows[0], 'row')} of {name[0]} are under {name[1]}, "
                f"found {rows[1]}: {OTHERWISE}"
            )
    return problems


def _corrected(manifest: Manifest, snapshots: Snapshots) -> tuple[dict[str, set[str]], dict[str, str]]:
    """Return, by table, the files of people's corrections that correct its rows; and where those stood that lack."""
    files_by_table: dict[str, set[str]] = {}
    lacking: dict[str, str] = {}
    for snapshot in manifest.inputs:
        if snapshot.source != "corrections":
            continue
        if not snapshots.holds(snapshot.sha256):
            lacking[snapshot.sha256] = snapshot.location
            continue
        with snapshots.open(snapshot) as path:
            for entry in read_corrections(RawFile(snapshot, path)):
                if row := entry.get("row"):  # a task that is withdrawn is no row
                    files_by_table.setdefault(row.partition("/")[0], set()).add(snapshot.sha256)
    return files_by_table, lacking


def _raw_files(manifest: Manifest, steps: Mapping[str, Step], corrected: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return, by step, the inputs that it could have read, by what steps declare to read and what is corrected."""
    of_role: dict[tuple[str, str], set[str]] = {}
    for snapshot in manifest.inputs:
        of_role.setdefault((snapshot.source, snapshot.role), set()).add(snapshot.sha256)
    files_by_step: dict[str, set[str]] = {}

    def reach(name: str) -> set[str]:
        if name not in files_by_step:
            files_by_step[name] = set(corrected.get(name, ()))
            for step_input in steps[name].inputs:
                raw = isinstance(step_input, Raw)
                files_by_step[name] |= (
                    of_role.get((step_input.source, step_input.role), set()) if raw else reach(step_input.table_name())
                )
        return files_by_step[name]

    return {name: reach(name) for name in steps}


def _splits(release: OpenedRelease, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield which files of splits hold other tasks than the recipe's shares give."""
    shares = release.manifest.settings.get("splits")
    names = [name for name in release.tables() if name.startswith(card.SPLITS)]
    expected: dict[str, list[str]] = {}
    if shares:
        splits = Splits.model_validate(shares)
        expected = split_tasks(splits, what_tasks_hold(family, tables, splits.apart), release.manifest.seed)
    rows = {row["task_id"]: row for row in release.rows("tasks").to_pylist()}
    for name in sorted({*names, *(f"{card.SPLITS}{split}" for split in expected)}):
        ids = expected.get(name.removeprefix(card.SPLITS), [])
        stated_rows = release.rows(name).to_pylist() if name in names else []
        if sorted(stated_rows, key=lambda row: row["task_id"]) != [rows[task_id] for task_id in ids]:
            yield (
                f"{name}.parquet: does not hold the {counted(len(ids), 'task')} that the split is made of: {OTHERWISE}"
            )


def _contexts(release: OpenedRelease, family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield what planners are given with tasks otherwise than the family makes it of the release's rows."""
    if family.context_table is None or family.contexts is None:
        return
    table, make = family.context_table, load(family.contexts)
    views = without_plans(task_views(tables.tasks, tables.certificates))
    world = tables_of_world(family, tables)
    if family.per == "recipe":
        parts = [make(views, world)]
    else:
        cities = sorted({view.city_id for view in views})
        parts = [make([v for v in views if v.city_id == city], of_city(family, world, city)) for city in cities]
    expected_rows = [row for part in parts for row in table.arrow(part).to_pylist()]
    yield from _rows_otherwise(release, family.file_of(table), table.key(), expected_rows)


def _nearest(release: OpenedRelease, family: Family, tables: ReleaseTables, snapshots: Snapshots) -> Iterator[str]:
    """Yield which nearest queries are others; what files hold that are not here is not looked at."""
    step, table = all_steps([family])[family.tables.nearest.table_name()], family.tables.nearest
    roles = [step_input for step_input in step.inputs if isinstance(step_input, Raw)]
    bound = [s for s in release.manifest.inputs if any((s.source, s.role) == (r.source, r.role) for r in roles)]
    if any(not snapshots.holds(snapshot.sha256) for snapshot in bound):
        return
    tasks, expected_rows = tables.tasks, []
    with ExitStack() as stack:
        opened = {snapshot.sha256: stack.enter_context(snapshots.open(snapshot)) for snapshot in bound}
        for city in sorted(set(tasks["city_id"])) if family.per == "city" else [None]:
            files = [
                [
                    RawFile(snapshot, opened[snapshot.sha256])
                    for snapshot in bound
                    if (snapshot.source, snapshot.role) == (role.source, role.role)
                    and (city is None or snapshot.city_id in (None, city))
                ]
                for role in roles
            ]
            city_tasks = tasks if city is None else tasks[tasks["city_id"] == city]
            expected_rows += table.arrow(nearest_queries(city_tasks, *files).rows).to_pylist()
    yield from _rows_otherwise(release, family.file_of(table), table.key(), expected_rows)


def _rows_otherwise(
    release: OpenedRelease, file: str, key: tuple[str, ...], expected_rows: list[dict[str, Any]]
) -> Iterator[str]:
    stated = release.rows(file).to_pylist()
    stated_by_key, expected_by_key = (
        {tuple(row[name] for name in key): row for row in rows} for rows in (stated, expected_rows)
    )
    wrong_keys = sorted(
        str(name) for name in {*stated_by_key, *expected_by_key} if stated_by_key.get(name) != expected_by_key.get(name)
    )
    if wrong_keys or len(stated) != len(expected_rows):
        examples = ", ".join(wrong_keys[:SHOWN])
        yield (
            f"{file}.parquet: {counted(len(wrong_keys), 'row')} other than the tasks make of them ({examples}): "
            f"{OTHERWISE}"
        )

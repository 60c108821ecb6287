"""The difference of two releases of one family: tasks and rows added, removed, changed field by field, and why.

A task's reasons are looked for from near to far: rows that its lineage names, other rows of its cities that it could
have used, the recipe, the code, the model, the source files behind its cities. What has none of these is unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from assets.families import families
from assets.release.reading import NO_SOLUTION
from assets.release.sides import UNPUBLISHED, Row, Side, fact_tables
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.release import Manifest
from schemas.shown import in_short

Status = Literal["added", "removed", "changed"]
NOT_COMPARED = frozenset({"content_hash"})
PROVENANCE = "source_rows"
MOST_CAUSES = 5
"""Causes told of one task; more are counted."""

TERMS = ("licence_id", "attribution")
"""What of a file may differ though its bytes do not."""

CAUSES_OF = {"seed", "section", "settings", "engines", "cities", "rules", "inputs"}
"""Parts of a manifest of which each difference is told as a cause; `files` are told by their names."""

MEASURED_LAST = {"measures", "facts"}
"""Parts that a manifest does not say yet while a release is made ready."""

MANY_VALUES = 5
"""Of so long a list of values it is told how many differ."""


@dataclass(frozen=True)
class FieldChange:
    """One value that differs: its column, with a JSON pointer inside it, before and after."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True)
class RowChange:
    """One row of a table that differs, with the pointers to the source rows it was and is made from."""

    table: str
    key: str
    status: Status
    label: str
    fields: list[FieldChange]
    old_sources: list[str]
    new_sources: list[str]
    cities: frozenset[str]
    moved_m: int | None = None

    @property
    def ref(self) -> str:
        """Return the row as lineage names it."""
        return f"{self.table}/{self.key}"


@dataclass(frozen=True)
class Cause:
    """Why a task differs: `kind` is row, candidate, retired, recipe, rule, code, model, city or source."""

    kind: str
    what: str


@dataclass(frozen=True)
class TaskChange:
    """One task that differs, field by field, and why."""

    task_id: str
    status: Status
    fields: list[FieldChange]
    causes: list[Cause]


@dataclass(frozen=True)
class OriginChange:
    """A field whose values come from elsewhere than they did: how many were equal, derived, chosen, worded, and are."""

    field: str
    old: dict[str, int]
    new: dict[str, int]


@dataclass
class Difference:
    """What differs between two releases; `unexplained` names what has no reason, and should not be published."""

    old: str
    new: str
    tasks: list[TaskChange] = field(default_factory=list)
    rows: list[RowChange] = field(default_factory=list)
    roots: list[Cause] = field(default_factory=list)
    origins: list[OriginChange] = field(default_factory=list)
    repointed: dict[str, int] = field(default_factory=dict)
    unexplained: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """Files and parts of the manifest that differ, and of which no task, row or cause tells."""
    tasks_kept: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain data."""
        rows = [{**asdict(row), "cities": sorted(row.cities)} for row in self.rows]
        return {
            "old": self.old,
            "new": self.new,
            "same": not (self.tasks or self.rows or self.roots or self.others),
            "tasks": {s: [asdict(t) for t in self.tasks if t.status == s] for s in ("added", "removed", "changed")},
            "tasks_kept": self.tasks_kept,
            "tables": {
                name: [row for row in rows if row["table"] == name] for name in sorted({r.table for r in self.rows})
            },
            "causes": [asdict(root) for root in self.roots],
            "origins": [asdict(change) for change in self.origins],
            "rows_from_other_source_rows": self.repointed,
            "unexplained": self.unexplained,
            "others": self.others,
        }


def difference(old: Side, new: Side) -> Difference:
    """Return how the new release differs from the old one, and why. Raises ValueError if they are not comparable."""
    if (old.manifest.family, old.manifest.recipe) != (new.manifest.family, new.manifest.recipe):
        raise ExpectedError(
            f"{old.version} is {old.manifest.family} of {old.manifest.recipe}, {new.version} is {new.manifest.family} "
            f"of {new.manifest.recipe}; give two releases of one recipe and family"
        )
    diff = Difference(old.version, new.version, roots=list(_roots(old, new)), origins=list(_origins(old, new)))
    for name, key in fact_tables(new.manifest.family).items():
        if old.hashes.get(f"{name}.parquet") != new.hashes.get(f"{name}.parquet"):
            diff.rows += _row_changes(name, old.rows(name, key), new.rows(name, key), diff.repointed)
    before, after = _task_rows(old), _task_rows(new)
    reasons = _Reasons(old, new, diff)
    for task_id in sorted({*before, *after}):
        fields = list(_fields(before.get(task_id), after.get(task_id)))
        if not fields:
            diff.tasks_kept += 1
            continue
        causes = reasons.of(task_id, before.get(task_id) or after[task_id]) or list(_other_calls(fields))
        status: Status = "added" if task_id not in before else "removed" if task_id not in after else "changed"
        diff.tasks.append(TaskChange(task_id, status, fields if status == "changed" else [], causes))
        if not causes:
            diff.unexplained.append(f"task {task_id} {status}: {', '.join(f.field for f in fields[:5])}")
    if not diff.roots:
        diff.unexplained += [f"row {row.ref} {row.status}" for row in diff.rows]
    diff.others = list(_others(old, new, diff))
    return diff


def _others(old: Side, new: Side, diff: Difference) -> Iterator[str]:
    """Yield the files with facts, and the parts of the manifest, that differ and of which nothing else is told."""
    told_of = {row.table for row in diff.rows} | diff.repointed.keys()
    told_of |= {"tasks", "certificates"} if diff.tasks else set()
    for name in sorted({*old.hashes, *new.hashes}):
        is_told = name.removesuffix(".parquet") in told_of
        if name.endswith((".parquet", NO_SOLUTION)) and not is_told and old.hashes.get(name) != new.hashes.get(name):
            yield name
    fields_left_out = {"files", "recipe", "family", *CAUSES_OF, *(MEASURED_LAST if new.version == UNPUBLISHED else ())}
    was, now = (side.manifest.model_dump(mode="json", exclude=fields_left_out) for side in (old, new))
    yield from (f"manifest.json: {name}" for name in Manifest.model_fields if was.get(name) != now.get(name))


def _origins(old: Side, new: Side) -> Iterator[OriginChange]:
    """Yield the fields of both that hold kinds of values that they did not hold, or hold some no more."""
    before, after = (side.manifest.promises.get("fields", {}) for side in (old, new))
    for name in sorted({*before} & {*after}):
        if {*before[name]} != {*after[name]}:
            yield OriginChange(name, before[name], after[name])


def _task_rows(side: Side) -> dict[str, Row]:
    """Return each task's columns with its certificate's, these under `certificate.`."""
    tasks, certificates = side.rows("tasks", ("task_id",)), side.rows("certificates", ("task_id",))
    for task_id, row in certificates.items():
        task_row = tasks.setdefault(task_id, {"city_id": row["city_id"]})
        task_row.update(
            {f"certificate.{name}": value for name, value in row.items() if name not in ("task_id", "city_id")}
        )
    return tasks


def _fields(old: Row | None, new: Row | None) -> Iterator[FieldChange]:
    """Yield every value that differs between two rows, nested columns leaf by leaf."""
    for name in sorted({*(old or {}), *(new or {})} - NOT_COMPARED):
        was, now = (old or {}).get(name), (new or {}).get(name)
        if was == now or (was != was and now != now):
            continue
        if _is_nested(was) and _is_nested(now):
            yield from _leaves(name, was, now)
        else:
            yield FieldChange(name, was, now)


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict) for one in value))


def _leaves(name: str, old: Any, new: Any) -> Iterator[FieldChange]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            yield from _leaves(f"{name}/{key}", old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _leaves(f"{name}/{number}", was, now)
    elif old != new:
        yield FieldChange(name, old, new)


def _row_changes(
    table: str, old: Mapping[str, Row], new: Mapping[str, Row], repointed: dict[str, int]
) -> Iterator[RowChange]:
    """Yield the rows that differ in more than the pointers to their source; count those that differ in these alone."""
    for key in sorted({*old, *new}):
        was, now = old.get(key), new.get(key)
        fields = [f for f in _fields(was, now) if f.field != PROVENANCE]
        if not fields:
            if was != now and was and now and was.get(PROVENANCE) != now.get(PROVENANCE):
                repointed[table] = repointed.get(table, 0) + 1
            continue
        status: Status = "added" if was is None else "removed" if now is None else "changed"
        row = now or was or {}
        yield RowChange(
            table,
            key,
            status,
            next((str(row[name]) for name in ("name", "stop_name") if row.get(name)), ""),
            fields if status == "changed" else [],
            list((was or {}).get(PROVENANCE) or []),
            list((now or {}).get(PROVENANCE) or []),
            frozenset(str(r[c]) for r in (was or {}, now or {}) for c in r if c.endswith("city_id") and r[c]),
            _moved_m(was, now) if was and now else None,
        )


def _roots(old: Side, new: Side) -> Iterator[Cause]:
    """Yield everything that releases are made from and that differs: the recipe, rules, code, models, source files."""
    was, now = old.manifest, new.manifest
    if was.seed != now.seed:
        yield Cause("recipe", f"seed: {was.seed} → {now.seed}")
    retired_ids = {r["task_id"] for r in was.retired}
    for r in now.retired:
        if r["task_id"] not in retired_ids:
            yield Cause("retired", f"{r['task_id']}: {r['reason']}")
    for f in (*_leaves(f"families/{now.family}", was.section, now.section), *_leaves("", was.settings, now.settings)):
        yield Cause("recipe", _key_changed(f))
    for f in _leaves("engines", was.engines, now.engines):
        yield Cause("model", _key_changed(f))
    before, after = ({c["city_id"]: c for c in m.cities} for m in (was, now))
    for city_id in sorted({*before, *after}):
        if before.get(city_id) != after.get(city_id):
            how = "added" if city_id not in before else "left out" if city_id not in after else "described otherwise"
            yield Cause("city", f"{city_id}: {how}")
    for f in _leaves("rules", was.rules, now.rules):
        yield Cause("rule", f"{f.field.removeprefix('rules/')}: its statement changed")
    if old.code is None or new.code is None:
        yield Cause("code", f"{old.version if old.code is None else new.version} does not say which code made it")
    else:
        for step in sorted({*old.code, *new.code}):
            if old.code.get(step) != new.code.get(step):
                yield Cause("code", f"step {step}: {_hash(old.code.get(step))} → {_hash(new.code.get(step))}")
    yield from (Cause("model", text) for text in _answers(old, new))
    files = [{(s.source, s.role, s.city_id or "", s.location): s for s in m.inputs} for m in (was, now)]
    for place in sorted({*files[0], *files[1]}):
        first, second = files[0].get(place), files[1].get(place)
        if (first and first.sha256) != (second and second.sha256):
            yield Cause("source", f"{place[0]}.{place[1]} {place[2]}: {place[3]}: {_pin(first)} → {_pin(second)}")
        elif first and second:
            for term in (name for name in TERMS if getattr(first, name) != getattr(second, name)):
                terms = " → ".join(in_short(getattr(snapshot, term)) for snapshot in (first, second))
                yield Cause("source", f"{place[0]}.{place[1]} {place[2]}: {place[3]}: {term} {terms}")


def _key_changed(f: FieldChange) -> str:
    """Return a key of the recipe as the recipe writes it, with what it was and is."""
    return f"{f.field.strip('/').replace('/', '.')}: {in_short(f.old)} → {in_short(f.new)}"


def _other_calls(fields: list[FieldChange]) -> Iterator[Cause]:
    """Yield that a task rests on other calls of a model than before: asked once more, or answered otherwise first."""
    for f in fields:
        if f.field == "generation_ids":
            count = len(set(f.new or ()) - set(f.old or ()))
            yield Cause("model", f"rests on {counted(count, 'other call')}")


def _answers(old: Side, new: Side) -> list[str]:
    """Return how the models that answered differ, or how many requests one answered otherwise."""
    calls = [side.rows("generations", ("generation_id",)) for side in (old, new)]
    models = [sorted({f"{r.get('model') or r.get('engine')}@{r.get('revision')}" for r in c.values()}) for c in calls]
    if models[0] != models[1]:
        return [f"answers of {', '.join(models[0]) or 'no model'} → {', '.join(models[1]) or 'no model'}"]
    both = calls[0].keys() & calls[1].keys()
    otherwise = sum(calls[0][call].get("answer") != calls[1][call].get("answer") for call in both)
    return [f"{counted(otherwise, 'request')} answered otherwise by {', '.join(models[0])}"] if otherwise else []


class _Reasons:
    """Finds why a task differs."""

    def __init__(self, old: Side, new: Side, diff: Difference) -> None:
        self._rows = {row.ref: row for row in diff.rows}
        self._sides = (old, new)
        self._roots = diff.roots
        family = families()[new.manifest.family]
        self._joint = family.per == "recipe"
        self._uses: dict[str, set[str]] | None = None

    def of(self, task_id: str, row: Row) -> list[Cause]:
        """Return a task's causes, nearest first."""
        cities = set(str(row["city_id"]).split("+"))
        near = [r for r in self._rows.values() if r.ref in self._refs().get(task_id, ())]
        causes = [Cause("row", _row_text(row)) for row in near]
        if not causes:
            could = [r for r in self._rows.values() if self._joint or not r.cities or r.cities & cities]
            causes = [Cause("candidate", _row_text(row)) for row in could]
        if len(causes) > MOST_CAUSES:
            more = Cause(causes[0].kind, f"and {len(causes) - MOST_CAUSES} more like these")
            causes = [*causes[:MOST_CAUSES], more]
        retired = [r["reason"] for r in self._sides[1].manifest.retired if r["task_id"] == task_id]
        causes = [*(Cause("retired", reason) for reason in retired), *causes]
        causes += [root for root in self._roots if root.kind not in ("source", "city", "retired")]
        causes += [r for r in self._roots if r.kind == "city" and (self._joint or r.what.partition(":")[0] in cities)]
        if not causes:
            causes = [r for r in self._roots if r.kind == "source" and (self._joint or self._behind(r, cities))]
        return causes or list(self._retired_beside(cities))

    def _retired_beside(self, cities: set[str]) -> Iterator[Cause]:
        """Yield the tasks retired of the same cities: what is drawn for them, others must differ from."""
        old, new = (side.manifest.retired for side in self._sides)
        former = {r["task_id"] for r in old}
        for r in new:
            if r["task_id"] not in former and (self._joint or cities & set(str(r["city_id"]).split("+"))):
                yield Cause("retired", f"{r['task_id']}: {r['reason']}")

    def _behind(self, root: Cause, cities: set[str]) -> bool:
        """Return whether a changed file is read for one of the cities, or for all."""
        city_id = root.what.split(":")[0].split(" ")[1]
        return not city_id or city_id in cities

    def _refs(self) -> dict[str, set[str]]:
        """Return the rows that each task's lineage names, in either release."""
        if self._uses is None:
            self._uses = {}
            for side in self._sides if self._rows else ():
                edges = side.read("lineage")
                for task_id, cells in zip(edges["task_id"].to_pylist(), edges["cells"].to_pylist(), strict=True):
                    refs = {f"{cell['table']}/{cell['row']}" for cell in cells}
                    self._uses.setdefault(task_id, set()).update(refs & self._rows.keys())
        return self._uses


def _row_text(row: RowChange) -> str:
    """Return a changed row in words: what it is called, what of it changed, and where that stands in the sources."""
    values = "; ".join(_change_text(f) for f in row.fields[:4])
    values = values if row.moved_m is None else f"moved {row.moved_m:,} m; {values}"
    where = ", ".join(_pointer(p) for p in (row.new_sources or row.old_sources)[:2])
    name = f" ({row.label})" if row.label else ""
    return f"{row.ref}{name} {row.status}" + (f": {values}" if values else "") + (f" [{where}]" if where else "")


def _change_text(f: FieldChange) -> str:
    count = differing(f)
    return f"{f.field} {in_short(f.old)} → {in_short(f.new)}" if count is None else f"{f.field} {count}"


def differing(f: FieldChange) -> str | None:
    """Return how many values of two lists of one length differ, in words; None where each can be shown."""
    old, new = f.old, f.new
    if not all(isinstance(values, list | tuple) for values in (old, new)) or len(old) != len(new):
        return None
    if len(old) < MANY_VALUES:
        return None
    return f"{sum(a != b for a, b in zip(old, new, strict=True))} of {counted(len(old), 'value')} differ"


def _moved_m(was: Row, now: Row) -> int | None:
    """Return how far a row's place moved, WGS84 geodesic in whole metres; None where it stayed, or is nowhere."""
    start, end = ((row.get("lon"), row.get("lat")) for row in (was, now))
    if None in (*start, *end) or start == end:
        return None
    from pyproj import Geod

    lons, lats = (np.array(values, dtype=float) for values in zip(start, end, strict=True))
    return round(Geod(ellps="WGS84").line_length(lons, lats))


def _pointer(text: str) -> str:
    """Return a row pointer short enough to read."""
    name, _, rest = text.partition("@")
    return f"{name}@{rest[:12]}…#{rest.partition('#')[2]}"


def _hash(code: str | None) -> str:
    return code[:12] if code else "no such step"


def _pin(snapshot: Any) -> str:
    return "nothing" if snapshot is None else f"{snapshot.sha256[:12]} ({(snapshot.retrieved_at or 'undated')[:10]})"

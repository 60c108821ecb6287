"""The audit of a release: what the gate verified before it existed, verified again from its files and a raw store.

Works from the release's folder and the raw files alone; says what it could not verify, and never counts it as verified.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from assets.answers import family_failure
from assets.families import families
from assets.promises.gate import GateReport, Judges, gate
from assets.release.audit_differences import different
from assets.release.audit_editions import edition_otherwise
from assets.release.audit_files import files_otherwise
from assets.release.audit_recipe import own_recipe_otherwise, terms_by_recipe
from assets.release.audit_said import (
    forbidden_values,
    licences_otherwise,
    public_tables,
    said_otherwise,
    texts_otherwise,
    whole_tables,
)
from assets.release.reading import OpenedRelease, file_problems, require_ours
from schemas.errors import ExpectedError
from schemas.problems import problem_told
from schemas.release import Manifest
from warehouse.snapshots import Snapshots

MAX_PROBLEMS = 50


@dataclass
class AuditReport:
    """What an audit verified, what it could not verify, and every problem it found (none: the release holds)."""

    gate: GateReport = field(default_factory=GateReport)
    values: int = 0
    problems: list[str] = field(default_factory=list)
    unverified: list[dict[str, Any]] = field(default_factory=list)
    terms_by_recipe: list[str] = field(default_factory=list)
    """Inputs under other terms than their source's own: the recipe's word, which no file here bears out."""

    @property
    def holds(self) -> bool:
        """Return whether everything was verified and resolved."""
        return not self.problems and not self.unverified

    @property
    def verified(self) -> int:
        """Return how many values were verified down to what they rest on."""
        if self.gate.all_values == 0:  # nothing was traced: a public edition, whose values are all withheld
            return 0
        lost = sum(entry["values"] for entry in self.unverified)
        return max(sum(self.gate.values.values()) - self.gate.contradicted - lost, 0)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            **self.gate.as_manifest(),
            "holds": self.holds,
            "tasks": self.gate.tasks,
            "values": self.values,
            "values_verified": self.verified,
            "values_not_verified": self.values - self.verified,
            "values_by_kind": self.gate.values,
            "rows": self.gate.rows,
            "source_rows": self.gate.sources.get("records", 0),
            "raw_files": self.gate.sources.get("files", 0),
            "problems": self.problems,
            "unverified": self.unverified,
            "computed": self.gate.computed,
            "terms_by_recipe": self.terms_by_recipe,
        }


def audit_release(
    release: OpenedRelease, snapshots: Snapshots, workers: int | None = None, judges: Judges | None = None
) -> AuditReport:
    """Return what holds of a whole release, what does not, and what could not be verified here.

    Witnesses are judged by `workers` processes or by `judges`, as in `gate`; nothing that was kept is recalled.
    Raises ReleaseError for a published folder that was opened: nothing of it was promised.
    """
    require_ours(release, "audited")
    report = AuditReport(problems=file_problems(release), terms_by_recipe=terms_by_recipe(release.manifest))
    report.problems += _unreadable_section(release.manifest)
    if report.problems:  # a section that the family cannot read decides nothing: how many tasks, of which days
        return report
    if release.manifest.withheld is not None:
        return _of_public_edition(release, snapshots, report)
    file_flaws = files_otherwise(release, whole_tables(release))
    report.problems += [*file_flaws.broken, *file_flaws.others]
    if file_flaws.broken:  # rows that are not as declared are not judged: who judges may fail on them
        return report
    try:
        report.gate = gate(release, snapshots, workers, judges=judges)
    except Exception as error:
        if isinstance(error, (ExpectedError, OSError, MemoryError)) or (fault := family_failure(error)) is None:
            raise
        report.problems.append(f"no witness can be judged by these tables, as each can by those of a build: {fault}")
        return report
    report.problems += report.gate.problems
    report.unverified += report.gate.unverified
    report.values = report.gate.all_values
    stated, recount = release.manifest.promises, report.gate.as_manifest()
    if report.unverified:  # then the gate counts less than a build's did
        report.problems += different("promises", {name: stated[name] for name in stated if name not in recount}, {})
    else:
        report.problems += different("promises", stated, recount)
    # Of what was broken already nothing more is said: measures of tables that do not hold may not be countable.
    if not report.problems:
        verified = report.gate.verified_tables if not report.unverified else stated.get("verified_tables", ())
        report.problems += said_otherwise(release, snapshots, verified)
    return report


def _unreadable_section(manifest: Manifest) -> list[str]:
    """Return what the family cannot read of the section that its release is said to be made by."""
    try:
        families()[manifest.family].section.model_validate(manifest.section)
    except ValidationError as error:
        return [
            f"manifest.json: {problem_told(problem, '.'.join(map(str, ('section', *problem['loc']))))}"
            for problem in error.errors(include_url=False)
        ]
    return []


def _of_public_edition(release: OpenedRelease, snapshots: Snapshots, report: AuditReport) -> AuditReport:
    """Return what can be said of a release that lacks values: its files are whole; the values need completing.

    It never holds, however little it is said to lack: no witness is judged, and no value followed to its source.
    """
    withheld = release.manifest.withheld
    assert withheld is not None
    report.gate.tasks = release.manifest.counts["tasks"]
    report.unverified = [
        {
            "what": f"{table}: {', '.join(columns)}",
            "why": "withheld for the sources' licences",
            "values": sum(columns.values()),
        }
        for table, columns in withheld.cells.items()
    ]
    tables = public_tables(release)
    file_flaws = files_otherwise(release, tables)
    report.unverified.append(
        {
            "what": "its witnesses, and where its values come from",
            "why": f"a public edition is not judged; complete it to {withheld.completes_to}",
            "values": 0 if file_flaws.broken else release.count("lineage"),
        }
    )
    report.values = sum(entry["values"] for entry in report.unverified)
    report.problems += [*file_flaws.broken, *file_flaws.others]
    report.problems += [*licences_otherwise(release.manifest), *texts_otherwise(release, tables)]
    report.problems += own_recipe_otherwise(release)
    if not file_flaws.broken:
        report.problems += [*edition_otherwise(release, snapshots), *forbidden_values(release, snapshots)]
    return report

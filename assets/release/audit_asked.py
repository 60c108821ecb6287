"""What a release's section says that a published set asks, held against that set's folder, opened again."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assets.core.published_set import ASKED, ASKED_OF
from assets.families import families
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease
from schemas.counts import counted
from schemas.release import Manifest
from schemas.shown import in_short
from schemas.stable import canonical_json


def asked_otherwise(section: dict[str, Any], opened: OpenedRelease) -> list[str]:
    """Return the tasks of a section's `asked` that the opened set does not ask, and whether its number is another.

    Tasks that are left out are no problem: a release counts them.
    """
    family = families()[opened.manifest.family]
    stated, count = section[ASKED], section[ASKED_OF]["tasks"]
    of_folder = {key: value for key, value in family.call("mend", release_tables(opened))[0].items() if value}
    everything = {**section, **of_folder, ASKED_OF: {**section[ASKED_OF], "tasks": opened.manifest.counts["tasks"]}}
    expected = family.section.model_validate(everything).model_dump(mode="json")[ASKED]
    strange = Counter(map(canonical_json, stated)) - Counter(map(canonical_json, expected))
    problems = []
    if strange:
        example = next(task for task in stated if canonical_json(task) in strange)
        problems.append(
            f"section: `asked` has {counted(strange.total(), 'task')} that the published set {opened.version} does not "
            f"ask, or asks less often, as {in_short(example)}"
        )
    if count != len(expected):
        problems.append(
            f"section: `asked_of` says {count} tasks; the published set {opened.version} has {len(expected)}"
        )
    return problems


def believed_set(manifest: Manifest) -> str:
    """Return what is believed of the published set that a release asks the tasks of, where nobody here opened it."""
    asked_of, left_out = manifest.section[ASKED_OF], manifest.counts["left_out"]
    return (
        f"that it asks {len(manifest.section[ASKED])} of the {asked_of['tasks']} tasks of a published set, as that set "
        f"does, and leaves out {left_out}, and so how many are as published: no folder of sha256 {asked_of['sha256']} "
        "is opened in this home"
    )

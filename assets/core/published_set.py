"""Which published set a section asks the tasks of: how many tasks it has, so that those left out are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from schemas.counts import counted

ASKED, ASKED_OF = "asked", "asked_of"
"""The keys of a section: the tasks that a published set asks, and which set that is."""

DESCRIPTION = (
    "Which published set the tasks of `asked` are of: `tripwright mend` writes it. A release counts the tasks of the "
    "set that `asked` leaves out."
)


class PublishedSet(BaseModel):
    """A published folder that was opened: the hash of its files, and how many tasks it has."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: str = Field(
        pattern="^[0-9a-f]{64}$", description="Hash over the folder's files, as its opened release says it."
    )
    tasks: int = Field(ge=1, description="Tasks that the opened release of the folder has.")


def set_problem(asked_tasks: Sequence[Any], asked_of: PublishedSet | None) -> str:
    """Return what is wrong with the tasks that a section asks and the set that it says they are of, "" if nothing."""
    if asked_tasks and asked_of is None:
        return "`asked` without `asked_of`: which published set it is of; write the recipe with `tripwright mend`"
    if asked_of is None:
        return ""
    if not asked_tasks:
        return "`asked_of` without `asked`: tasks are of no published set where none of it is asked"
    if len(asked_tasks) > asked_of.tasks:
        return f"`asked` has {counted(len(asked_tasks), 'task')}, and the published set only {asked_of.tasks}"
    return ""


def left_out(section: Mapping[str, Any]) -> int | None:
    """Return how many tasks of its published set a section does not ask; None where it asks none of such a set."""
    published_set = section.get(ASKED_OF)
    return published_set["tasks"] - len(section[ASKED]) if published_set else None

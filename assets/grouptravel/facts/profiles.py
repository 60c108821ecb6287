"""Who the members of a group are: profiles that fit the archetype's roles, each person once in a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assets.grouptravel.archetypes import Archetype, Role
from assets.grouptravel.draws import ranked

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Profile:
    """One anonymous user: keywords of what is liked and disliked, as categories or names hold them."""

    profile_id: str
    age: int
    gender: str
    is_married: bool
    is_parent: bool
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()


def read_profiles(rows: pd.DataFrame) -> list[Profile]:
    """Return the rows of `GroupProfile` by id; an empty word is no taste."""
    return [_profile(row) for row in rows.sort_values("profile_id").to_dict("records")]


def fits(profile: Profile, role: Role) -> bool:
    """Return whether somebody of this profile can be this member."""
    return (
        role.ages[0] <= profile.age <= role.ages[1]
        and role.gender in (None, profile.gender)
        and role.is_married in (None, profile.is_married)
        and role.is_parent in (None, profile.is_parent)
    )


def assigned(
    archetype: Archetype, profiles: list[Profile], task_id: str, seed: int
) -> tuple[dict[int, Profile], list[str]]:
    """Return a profile for every member that has a table, and a problem for each member that nobody fits.

    Members choose in order, each by its own seed; one profile is one person of the group.
    """
    profile_by_user: dict[int, Profile] = {}
    problems = []
    for user in archetype.with_table:
        role = archetype.roles[user - 1]
        used_profile_ids = {profile.profile_id for profile in profile_by_user.values()}
        free = ((p.profile_id, p, 1.0) for p in profiles if p.profile_id not in used_profile_ids and fits(p, role))
        best = next(iter(ranked(free, seed, task_id, "profile", user)), None)
        if best is None:
            problems.append(f"no profile left that fits User{user}, {role.en}")
        else:
            profile_by_user[user] = best
    return profile_by_user, problems


def _profile(row: dict) -> Profile:
    likes, dislikes = (tuple(word for word in row[key] if word) for key in ("likes", "dislikes"))
    return Profile(
        str(row["profile_id"]), int(row["age"]), str(row["gender"]), bool(row["is_married"]), bool(row["is_parent"]),
        likes, dislikes,
    )  # fmt: skip

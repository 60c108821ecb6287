"""Changes of the list of places of one day of a plan."""

from __future__ import annotations

from typing import Any


def edit_list(day: int, edit: Any) -> Any:
    def change(plan):
        parts = plan[day]["point_of_interest_list"].removesuffix(".").split("; ")
        plan[day]["point_of_interest_list"] = "; ".join(edit(parts))

    return change


def move(day: int, old: str, new: str) -> Any:
    return edit_list(day, lambda parts: [part.replace(old, new) for part in parts])

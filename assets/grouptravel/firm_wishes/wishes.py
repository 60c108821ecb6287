"""The firm wishes of a group: what members who never give way must have or refuse, and which of it a plan leaves unmet.

Firm are a budget, and what must be visited or eaten, or is refused: what one prefers or avoids binds no plan, nor does
any wish of a member who may compromise. Nor do modes of travel, must and refusal alike: all go by one, and who insists
on which is what groups are there to settle; half of the hard ones never agree on it, and their plan is owed all the
same. Caps of sights and hours are no wishes here but conditions: `ours` accepts no plan that exceeds them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from assets.core.claims import Wish, claim_in, no_plan_claim
from assets.grouptravel.asked import request_of
from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plan import Plan, read_plan
from assets.grouptravel.variants import OURS
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, Table, copy_of, unwrapped

OF_CITY = {
    "must_visit": ("attractions", "must_visit"),
    "reject_visit": ("attractions", "reject_visit"),
    "must_eat": ("food", "must_eat"),
    "reject_eat": ("food", "reject_eat"),
}


class Firm(NamedTuple):
    """One firm wish: whose, of what kind, about which city if any, and the name, kind or number."""

    user: str
    kind: str
    city: str
    value: str

    @property
    def wish(self) -> Wish:
        """Return the wish as answers name it, such as `User2.must_eat.Oulu=sushi`."""
        return ".".join(part for part in self[:3] if part), self.value


def firm_of(user: str, table: Table) -> Iterator[Firm]:
    """Yield the firm wishes of one member's table."""
    budget = table[GLOBAL]["avg_budget"]
    if budget > 0:
        yield Firm(user, "budget", "", f"{budget:g}")
    for city, wishes in table[CITIES].items():
        for kind, (group, tier) in OF_CITY.items():
            yield from (Firm(user, kind, city, value) for value in wishes[group][tier])


def wishes_of(tables: Mapping[str, Table], compromisable: Collection[str]) -> tuple[Firm, ...]:
    """Return the firm wishes of all members but those who may compromise, by member."""
    firm = (firm_of(user, table) for user, table in tables.items() if user not in compromisable)
    return tuple(dict.fromkeys(wish for of in firm for wish in of))


def wishes_of_record(record: Mapping[str, Any]) -> tuple[Firm, ...]:
    """Return the firm wishes of a task's record."""
    entries = record["user_preferences"]
    tables = {user: unwrapped(entry) for user, entry in entries.items()}
    return wishes_of(tables, [user for user, entry in entries.items() if entry["compromisable"]])


def record_without(record: Mapping[str, Any], wish: Wish) -> dict[str, Any]:
    """Return the record without one of its firm wishes. Raises ValueError if it has no such wish."""
    firm = next((one for one in wishes_of_record(record) if one.wish == tuple(wish)), None)
    if firm is None:
        raise ValueError(f"the record has no wish {wish!r:.80}")
    entries = dict(record["user_preferences"])
    table = copy_of(unwrapped(entries[firm.user]))
    if firm.kind == "budget":
        table[GLOBAL]["avg_budget"] = 0
    else:
        group, tier = OF_CITY[firm.kind]
        table[CITIES][firm.city][group][tier].remove(firm.value)
    entries[firm.user] = {**entries[firm.user], "preference": table}
    return {**record, "user_preferences": entries}


def unmet(record: Mapping[str, Any], plan: Any, pois: Pois) -> list[Wish]:
    """Return the record's firm wishes that a plan does not keep, whatever else is wrong with it."""
    request, parsed_plan = request_of(record), read_plan(plan)
    users = group_utility(parsed_plan, record["user_preferences"], request.users, pois, OURS).users
    costs = {user: user_utility.cost for user, user_utility in users.items()}
    return [one.wish for one in wishes_of_record(record) if not _is_kept(one, parsed_plan, request.users, costs, pois)]


def _is_kept(one: Firm, plan: Plan, users: tuple[str, ...], costs: Mapping[str, float], pois: Pois) -> bool:
    if one.kind == "budget":
        return costs[one.user] <= float(one.value)
    of = "food" if one.kind.endswith("eat") else "attraction"
    joined = [act for _, city, act in plan.visits
              if act.kind == of and city == one.city and one.user in act.joined_by(users)]  # fmt: skip
    is_visited = any(is_meant(one, act.location, pois) for act in joined)
    return is_visited if one.kind.startswith("must") else not is_visited


def is_meant(one: Firm, name: str, pois: Pois) -> bool:
    """Return whether a wish for or against a sight or a kind of food is about the place of that name."""
    poi = pois.meant(name, one.city)
    if one.kind.endswith("visit"):
        return poi is not None and poi.poi_type == "attractions" and name == one.value
    return poi is not None and poi.poi_type == "food" and (one.value in name or one.value == poi.category)


def can_be_named(wish: Wish) -> bool:
    """Return whether an answer can name the wish: one whose name or value holds a comma or the like cannot."""
    return claim_in(no_plan_claim((wish,))) == [wish]

"""Plans with splits and with compromise: valid by the scorer, between the optimum together and the bound."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, product

import pytest

from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.checks.validity import validity
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.conditions import AT_ONCE_MIN
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.plan import read_plan
from assets.grouptravel.solver import problem_of, solve
from assets.grouptravel.variants import OURS
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import GLOBAL
from assets.grouptravel.witness import split_bound as bounds
from assets.grouptravel.witness import teams as teams_module
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.concessions import conceded
from assets.grouptravel.witness.split_bound import split_bound
from assets.grouptravel.witness.stretches import NoPlanError
from assets.grouptravel.witness.teams import ALONE_SHARE, TEAMS_SOLVED, Division, Splits, all_given_up
from assets.grouptravel.witness.worth import options_of
from tests.assets.grouptravel import province as world
from tests.assets.grouptravel.test_gtb_solver import NAMED, SMALL, SMALL_FARES, judged, trip_of

CITY = "city_specific_preferences.Aston"


def able(trip: Trip) -> dict[str, dict]:
    return {u: {"preference": t, "compromisable": u in trip.compromisable} for u, t in trip.tables.items()}


def _meet(one: Choice, other: Choice) -> bool:
    """Return whether two teams come to one place at nearly one time."""
    is_same = (one.day, one.poi) == (other.day, other.poi) and not one.is_to_bed
    return is_same and one.team != other.team and abs(one.start - other.start) <= AT_ONCE_MIN


def begin_or_end_together(found: Best) -> bool:
    """Return whether at some minute the first two teams of a day both begin or end a visit."""
    edges = {(c.day, c.team, minute) for c in found.choices if not c.is_to_bed for minute in (c.start, c.end)}
    return any(team == 0 and (day, 1, minute) in edges for day, team, minute in edges)


@pytest.mark.parametrize(
    ("group_id", "cities", "days"), [("4-6", ("b", "c"), 3), ("5-3", ("a", "b", "c"), 5), ("6-3", ("a",), 4)]
)
def test_what_is_kept_of_days_is_what_they_are(group_id, cities, days, monkeypatch):
    trip, fits, asked = trip_of(group_id, cities, days, 1), bounds._fits, []

    def noted(trip, stretches, classes, known):
        asked.append((fits(trip, stretches, classes, known), fits(trip, stretches, classes, {})))
        return asked[-1][0]

    monkeypatch.setattr(bounds, "_fits", noted)
    split_bound(trip, world.POIS, NAMED, EN, 0)
    assert len(asked) >= days and all(kept == made for kept, made in asked)
    assert len({tuple(made) for _, made in asked}) > 1, "days differ"


@pytest.mark.parametrize(
    ("group_id", "cities", "days"), [("2-3", ("a",), 2), ("4-6", ("b", "c"), 3), ("6-3", ("a",), 4)]
)
@pytest.mark.parametrize("with_compromise", [False, True])
def test_plans_apart_are_valid_and_lie_between_the_optimum_together_and_the_bound(
    group_id, cities, days, with_compromise
):
    trip = replace(trip_of(group_id, cities, days, 1), compromisable=("User1", "User2"))
    if group_id == "6-3":
        trip = replace(trip, children=("User6",))
    best = solve(trip, world.POIS, NAMED, EN, with_compromise=with_compromise)
    splits = Splits(trip, best, world.POIS, NAMED, EN, with_compromise=with_compromise)
    users = (*trip.tables, *trip.children)
    totals = []
    for found in chain.from_iterable(map(splits.plans, splits.divisions())):
        plan = read_plan(native_plan(trip, found, EN))
        facts = Facts(users, world.POIS, EN, trip.route[0], trip.first_date, NAMED, trip.children)
        assert validity(plan, facts, OURS).issues == (), found
        costs = {u: v.cost for u, v in group_utility(plan, trip.tables, users, world.POIS, OURS).users.items()}
        effective, _ = conceded(able(trip), found.given_up, costs)
        utility = group_utility(plan, effective, users, world.POIS, OURS)
        assert not any(_meet(one, other) for one, other in combinations(found.choices, 2))
        visited = {(choice.day, choice.city) for choice in found.choices if not choice.is_to_bed}
        least = sum(len(found.teams[day]) - 1 for day, _ in visited)
        assert utility.penalty >= least
        assert utility.penalty == least or begin_or_end_together(found), "a day apart is one split in each city"
        totals.append(utility.total)
    assert max(totals) > best.total
    assert (
        splits.bound(max(totals))
        <= sum(
            solve(
                replace(trip, tables={user: table}, children=()), world.POIS, NAMED, EN, with_compromise=with_compromise
            ).bound
            for user, table in trip.tables.items()
        )
        - 1
    )
    assert max(totals) <= splits.bound(max(totals))


def test_the_optimum_with_compromise_is_that_of_trying_every_concession():
    whole = trip_of("2-3", ("a",), 2, 3)
    for number, table in enumerate(whole.tables.values()):
        table["global_constraints"].update(avg_budget=150 + 40 * number)
        table["global_constraints"]["hotel_preference"] = {"prefer": [], "avoid": ["economy"]}
        here = table["city_specific_preferences"]["Aston"]
        here["attractions"]["reject_visit"] = ["Aston museum 0"] if number else []
        here["attractions"]["category_pref"] = {"positive": ["zoo"], "negative": ["museum", "temple"]}
        here["food"] = {"must_eat": ["noodles"], "prefer_eat": [], "avoid_eat": ["pizza"], "reject_eat": ["hotpot"]}
    trip = replace(whole, compromisable=("User1",))
    best = solve(trip, SMALL, SMALL_FARES, EN, with_compromise=True)
    assert best.total == best.bound
    generous = replace(trip, tables=all_given_up(trip))
    assert best.total <= split_bound(generous, SMALL, SMALL_FARES, EN, 0)
    paths = ["global_constraints.avg_budget", "global_constraints.hotel_preference.avoid",
             f"{CITY}.attractions.reject_visit", f"{CITY}.attractions.category_pref.negative",
             f"{CITY}.food.avoid_eat", f"{CITY}.food.reject_eat"]  # fmt: skip
    tried = []
    for given in [(), *product(paths), *combinations(paths, 2)]:
        effective, _ = conceded(able(trip), [("User1", path) for path in given], {"User1": 10_000})
        tables = {user: entry["preference"] for user, entry in effective.items()}
        tried.append(solve(replace(trip, tables=tables), SMALL, SMALL_FARES, EN).total)
    assert best.total == max(tried) > tried[0]
    assert 0 < len(best.given_up) <= 2
    effective, markers = conceded(able(trip), best.given_up, {"User1": 10_000})
    assert [marker["path"] for marker in markers] == [path for _, path in best.given_up]
    given = replace(trip, tables={user: entry["preference"] for user, entry in effective.items()})
    issues, utility = judged(given, best, SMALL, SMALL_FARES)
    assert (issues, utility.total) == ((), best.total)


def test_nobody_gives_up_more_than_two_things():
    entries = able(trip_of("2-1", ("a",), 2, 1))
    path = "global_constraints.hotel_preference.avoid"
    with pytest.raises(ValueError, match="has already agreed 2 times"):
        conceded(entries, [("User1", path)] * 3, {})


def changed(**values) -> Pois:
    """Return the province with the first noodle place of Aston changed."""
    listed = {name: world.POIS.in_city(name) for name in ("Aston", "Barrow", "Colby")}
    listed["Aston"] = [replace(poi, **values) if poi.place_id == "a-food-00" else poi for poi in listed["Aston"]]
    return Pois(listed)


def test_a_certificate_rests_on_what_can_be_in_a_plan_alone():
    """One changed place changes the tasks that could use it, not every task of its city."""
    trip = trip_of("2-1", ("a",), 2, 1)
    for table in trip.tables.values():
        here = table["city_specific_preferences"]["Aston"]["food"]
        here.update(must_eat=["pizza"], prefer_eat=["sushi"], avoid_eat=[], reject_eat=["noodles"])
    before = problem_of(trip, world.POIS, NAMED)
    assert problem_of(trip, changed(), NAMED) == before
    assert problem_of(trip, changed(cost=30.0), NAMED) == before, "nobody would eat noodles"
    assert problem_of(trip, changed(category="pizza", name="Aston Pie"), NAMED) != before
    elsewhere = Pois({**{n: world.POIS.in_city(n) for n in ("Aston", "Colby")}, "Barrow": [Poi("x", "X", "food", "x")]})
    assert problem_of(trip, elsewhere, NAMED) == before


@pytest.mark.parametrize(("group_id", "cities", "days"), [("3-1", ("b", "c"), 3), ("5-3", ("a", "b", "c"), 5)])
def test_a_certificate_rests_on_every_place_that_a_team_of_the_group_could_go_to(group_id, cities, days):
    trip = trip_of(group_id, cities, days, 1)
    known = {(city, place_id) for city, _, _, _, place_id, *_ in problem_of(trip, world.POIS, NAMED)["places"]}
    users = sorted(trip.tables)
    for size in range(1, len(users) + 1):
        for team in combinations(users, size):
            least = 0 if size == len(users) else 1
            of_team = replace(trip, tables={user: trip.tables[user] for user in team}, children=())
            options = options_of(of_team, world.POIS, EN, with_compromise=True, least_points=least)
            assert {(option.city, poi.place_id) for option in options for poi in option.members} <= known


def splits_of_three(monkeypatch) -> tuple[Splits, list[tuple[int, bool]]]:
    """Return the search for a trip's plans apart, and whose days it plans: (teams there before, strictly)."""
    trip = trip_of("2-3", ("a",), 2, 1)
    best = solve(trip, world.POIS, NAMED, EN)
    asked: list[tuple[int, bool]] = []

    def parts(_: Splits, division: Division, begun: list[Best], *, is_strict: bool) -> list[Best]:
        asked.append((len(begun), is_strict))
        return [best for _ in division.teams]

    monkeypatch.setattr(Splits, "_parts", parts)
    return Splits(trip, best, world.POIS, NAMED, EN, with_compromise=False), asked


def division_of(n_teams: int) -> Division:
    return Division(tuple((f"User{n}",) for n in range(n_teams)), frozenset([0]), gain=n_teams)


@pytest.mark.parametrize(("sizes", "planned"), [((2, 4, 2, 2), 3), ((3, 3, 3, 2), 2), ((2,), 1), ((9, 2), 0)])
def test_divisions_are_planned_until_their_teams_are_too_many(sizes, planned, monkeypatch):
    assert TEAMS_SOLVED == 8
    splits, _ = splits_of_three(monkeypatch)
    estimated = [division_of(n) for n in sizes]
    monkeypatch.setattr(Splits, "_divided", lambda _: estimated)
    monkeypatch.setattr(Splits, "_alone", lambda *_: 0)
    assert list(splits.divisions()) == estimated[:planned]


@pytest.mark.parametrize("guardian", ["User1", "User2"])
def test_children_go_with_whoever_loses_least_by_that(guardian, monkeypatch):
    trip = replace(trip_of("2-3", ("a",), 2, 1), children=("User3",))
    splits = Splits(trip, solve(trip, world.POIS, NAMED, EN), world.POIS, NAMED, EN, with_compromise=False)
    reached = {"User1": 100, "User2": 90}
    lost = dict.fromkeys(reached, 30) | {guardian: 20}
    monkeypatch.setattr(Splits, "_divided", lambda _: [])
    monkeypatch.setattr(Splits, "_alone", lambda _, user, children=(): reached[user] - lost[user] * len(children))
    [division] = splits.divisions()
    assert division.teams[0] == (guardian, "User3")
    assert division.gain == int(ALONE_SHARE * (190 - 20)) - trip.days - splits._together.total


def test_everybody_alone_every_day_is_planned_too_where_that_can_be_worth_its_splits(monkeypatch):
    """Places alone show no gain where it is hours, time or money that keep a group from them, and not one another."""
    splits, _ = splits_of_three(monkeypatch)
    trip = trip_of("2-3", ("a",), 2, 1)
    reached = sum(
        solve(replace(trip, tables={u: t}, children=()), world.POIS, NAMED, EN).total for u, t in trip.tables.items()
    )
    gain = int(ALONE_SHARE * reached) - trip.days - solve(trip, world.POIS, NAMED, EN).total
    alone = Division(tuple((user,) for user in trip.tables), frozenset(range(trip.days)), gain)
    assert gain > 0
    for found, expected in (([], [alone]), ([division_of(9)], [alone]), ([division_of(2)], [division_of(2), alone])):
        monkeypatch.setattr(Splits, "_divided", lambda _, found=found: found)
        assert list(splits.divisions()) == expected


@pytest.mark.parametrize(
    ("n_teams", "meet", "asked_for"),
    [(2, True, [(0, False)]), (3, False, [(0, False)]), (3, True, [(0, False), (1, True)])],
)
def test_three_teams_that_begin_or_end_together_are_planned_once_more_at_other_minutes(
    n_teams, meet, asked_for, monkeypatch
):
    splits, asked = splits_of_three(monkeypatch)
    monkeypatch.setattr(teams_module, "_begin_or_end_together", lambda _: meet)
    assert len(list(splits.plans(division_of(n_teams)))) == len(asked_for)
    assert asked == asked_for


def test_a_division_of_which_a_team_has_no_plan_has_none(monkeypatch):
    splits, _ = splits_of_three(monkeypatch)

    def none(*_: object, **__: object) -> list[Best]:
        raise NoPlanError("nothing is open")

    monkeypatch.setattr(Splits, "_parts", none)
    assert list(splits.plans(division_of(3))) == []


@pytest.mark.parametrize(("hours", "departs"), [(4, "11:39"), (3, "11:40"), (0, "11:39")])
def test_a_way_begins_before_another_team_ends_a_visit_only_where_caps_leave_the_time(hours, departs):
    """A minute more on the way is a minute more of an active day: a whole plan apart had been refused for one."""
    trip = trip_of("2-3", ("a",), 2, 1)
    users, sights = list(trip.tables), world.POIS.in_city("Aston", "attractions")
    tables = {
        user: {**t, GLOBAL: {**t[GLOBAL], "intensity": {"max_poi_per_day": 0, "max_active_hours": hours}}}
        for user, t in trip.tables.items()
    }
    together = solve(trip, world.POIS, NAMED, EN)
    choices = [
        Choice(0, 600, 700, "Aston", sights[0], ("walk", 20), 0),
        Choice(0, 560, 640, "Aston", sights[1], ("walk", 20), 1),
        Choice(0, 720, 780, "Aston", sights[2], ("walk", 20), 1),
    ]
    teams = (((users[0],), tuple(users[1:])), ())
    plan = native_plan(replace(trip, tables=tables), replace(together, choices=tuple(choices), teams=teams), EN)
    (block,) = (segment for segment in plan["days"][0]["city_segments"] if "activities" in segment)
    ways = [act for act in block["activities"] if act["type"] == "intracity_transport" and act["to"] == sights[2].name]
    assert [(act["start_time"], act["end_time"]) for act in ways] == [(departs, "12:00")]

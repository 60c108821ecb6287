"""GroupTravelBench as a family: groups with conflicting preferences, who talk before they travel."""

from __future__ import annotations

from assets.accounts import Keys
from assets.family import Choice, Family
from assets.grouptravel.derivations import DERIVATIONS
from assets.grouptravel.lineage_rules import RULES
from assets.grouptravel.metrics import METRICS
from assets.grouptravel.records import Drawing, Plan, Proof, Record
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import (
    GroupCalendar,
    GroupCity,
    GroupClimate,
    GroupCluster,
    GroupFare,
    GroupPoi,
    GroupProfile,
    GroupRide,
)
from assets.grouptravel.world import CHECKS
from assets.step import Raw, Requirement, Step
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.spatial import CityCluster, CityDistance, DistanceMatrix, PlaceNearestStop, PlaceServedStop

_FACTS = "assets.grouptravel.facts"

FAMILY = Family(
    name="grouptravel",
    title="GroupTravelBench",
    section=GroupTravelSection,
    per="recipe",
    record=Record,
    drawn=Drawing,
    plan=Plan,
    proof=Proof,
    world_tables=(
        GroupCity,
        GroupPoi,
        GroupFare,
        GroupCalendar,
        GroupProfile,
        GroupCluster,
        GroupRide,
        DistanceMatrix,
        PlaceNearestStop,
        PlaceServedStop,
    ),
    world_steps=(
        Step(
            GroupFare,
            f"{_FACTS}.inputs:fares",
            (Raw("group", "fares"), BigMacPrice),
            per="recipe",
            accounts="records",
        ),
        Step(GroupProfile, f"{_FACTS}.inputs:profiles", (Raw("group", "profiles"),), per="recipe", accounts="records"),
        Step(GroupClimate, f"{_FACTS}.inputs:climate", (Raw("group", "climate"),), per="recipe", accounts="records"),
        Step(GroupCalendar, f"{_FACTS}.calendars:calendar", per="recipe", accounts=Keys("city_id", each=True)),
        Step(
            GroupPoi,
            f"{_FACTS}.places:group_pois",
            (Place, Raw("group", "poi"), OsmPlace, CountryPriceLevel, BigMacPrice),
            per="recipe",
            checks=(f"{_FACTS}.checks:no_city_has_one_price",),
            accounts="records",
            sources=f"{_FACTS}.places:sources",
        ),
        Step(
            GroupRide,
            f"{_FACTS}.rides:rides",
            (CountryPriceLevel, BigMacPrice),
            per="recipe",
            accounts=Keys("city_id"),
        ),
        Step(GroupCity, f"{_FACTS}.world:group_cities", (GroupPoi,), per="recipe", accounts=Keys("city_id")),
        Step(
            GroupCluster,
            f"{_FACTS}.world:group_clusters",
            (CityCluster,),
            per="recipe",
            accounts=Keys("cluster_id", (CityCluster,), "city_cluster_id", each=True),
        ),
    ),
    context=(GroupClimate, CityDistance),
    arrow=(DistanceMatrix,),
    checks=CHECKS,
    rules=RULES,
    derivations=DERIVATIONS,
    attempts=4,
    job="preferences",
    slots="assets.grouptravel.drafting:slots",
    prepare="assets.grouptravel.drafting:prepare",
    draft="assets.grouptravel.drafting:draft",
    draft_by_model="assets.grouptravel.drafting:draft_by_model",
    world="assets.grouptravel.world:world",
    part="assets.grouptravel.world:part",
    check="assets.grouptravel.world:check",
    uses="assets.grouptravel.world:uses",
    prove="assets.grouptravel.world:prove",
    verify="assets.grouptravel.world:verify",
    solve="assets.grouptravel.planning:solve",
    depends="assets.grouptravel.planning:depends",
    drawn_again="assets.grouptravel.drafting:drawn_again",
    word="assets.grouptravel.wording:word",
    read="assets.grouptravel.wording:read",
    word_by_model="assets.grouptravel.wording_by_model:word_by_model",
    trace="assets.grouptravel.lineage:trace",
    metrics=METRICS,
    score="assets.grouptravel.release_scores:score_release",
    export="assets.grouptravel.export:export",
    upstream="assets.grouptravel.upstream:upstream",
    published_check="assets.grouptravel.published.checker:verdicts",
    must_accept=None,
    believed=(
        "proof.reachable.compromise_bound",
        "proof.reachable.compromise_split_bound",
        "proof.reachable.split_bound",
        "proof.reachable.together_bound",
    ),
    unjudged=(
        "context",
        "difficulty_score",
        "difficulty_type",
        "metadata/compromise_pattern",
        "metadata/group_id",
        "metadata/group_name",
        "metadata/group_tags",
    ),
    unread=("city_ids", "departure_city_id", "metadata/date"),
    measures="assets.grouptravel.measures:measures",
    baselines={"baseline": "assets.grouptravel.baseline:plans"},
    tools="assets.grouptravel.tools.sandbox:tools",
    page="assets.grouptravel.page:page",
    map_of="assets.grouptravel.measures:city_picture",
    first_recipe="assets.grouptravel.first_recipe:FIRST_RECIPE",
    plan_text="assets.grouptravel.plan_text:PLAN_TEXT",
    open="assets.grouptravel.published.opening:open_folder",
    names="assets.grouptravel.published.opening:named_places",
    inspect={"grouptravel": "assets.grouptravel.inspect:inspect_folder"},
    requirements=tuple(
        Requirement("grouptravel", f"{kind}s", needed, f"{kind}s", remedy)
        for kind, needed, remedy in (
            ("attraction", 4, 'bind more places (osm, yelp), or lists of places (group) with `places = "lists"`'),
            ("restaurant", 6, 'bind more places (osm, yelp), or lists of places (group) with `places = "lists"`'),
            ("stay", 1, 'bind more places (osm, yelp, airbnb), or lists of places (group) with `places = "lists"`'),
        )
    ),
    choices=(
        Choice("compromise", "Any non-empty set of members with a table may compromise, each set equally likely."),
        Choice("twelve_rules", "The rules of a table are those of postvalidation.RULES; hold after every inheritance."),
        Choice("children", "Members under eight have no table, from eight on they have one (defect G6)."),
        Choice(
            "preschool",
            "Unreasonable for a member under eight is to be without an older member, at a sight or meal before 07:00 "
            "or after 21:00, or at a place of nightlife, gambling or drinking (defect G9); part of check 9.",
        ),
        Choice(
            "reach",
            "A mode serves a trip if its legs take at most a third of 14 waking hours a day. Nobody asks to go by car "
            "between cities, which the published tables may: no table says where roads lead, and no plan may drive.",
        ),
        Choice(
            "budget",
            "A budget is 0 to 20, 15 or 10 % (easy, medium, hard) above the lowest fares there and back, a basic bed "
            "for each night and three basic meals a day, up to a whole step: so it binds.",
        ),
        Choice(
            "departures",
            "Trips are drawn that one mode leads through in time: out, between the cities and home; where no trip of a "
            "number of cities and days is such a one, any.",
        ),
        Choice("tiers", "Destinations by number of sights: the first third weighs 3, the second 2, the last 1."),
        Choice(
            "prices",
            "A meal or bed without a known price has the section's for its price level, level 2 where that is unknown; "
            "sights cost nothing. Such prices are marked in `group_poi`.",
        ),
        Choice(
            "season",
            "A fare whose source says it is modelled is an ordinary day's; on a day it is times the recipe's `season` "
            "factor of the month, and on a public holiday of the city it leaves times `holiday_factor` "
            "(`group_calendar`). Listed fares are the same every day.",
        ),
        Choice(
            "holidays",
            "Public holidays are those of the `holidays` package, by country and, where it knows the city's region, "
            "region.",
        ),
        Choice(
            "hours",
            "Hours from OpenStreetMap hold seasons as ranges of dates, and no public holidays. Those by the sun are, "
            "of each month, when the place is open on all its days by its own sunrise and sunset.",
        ),
        Choice(
            "conditions",
            "`ours` accepts a plan of the task's days and cities in order, with a leg of the fares between them on its "
            "day that arrives by 22:30, one hotel a night; exact names, each place once a person, exact prices; "
            "visits from 08:00 to 22:00 (21:00 with a small child), 30 minutes from a leg; stays of at least 30 to "
            "90 minutes by category, meals 45, each in its window and two hours apart, once a person (conditions.py); "
            "somebody older is always where a small child is (checks/children.py); moves no faster than the way by "
            "their mode, and 5 minutes (facts/ways.py); nobody's caps exceeded.",
        ),
        Choice(
            "bounds",
            "The bound together is an integer program of which every accepted plan is a solution (witness/relaxed.py); "
            "with splits it is the lower of what all reach alone, less one, and a Lagrangian bound over the days' "
            "divisions (witness/split_bound.py), with compromises over tables without refusals and with the largest "
            "caps. A plan is called an optimum only where it meets the bound. Shares of utility are shares of the "
            "bound; a plan that is not accepted is worth 0 and has a share of 0, and one that parts the group has none "
            "of the bound together.",
        ),
        Choice(
            "compromises",
            "A compromise gives something up: a list loses items, a budget rises, a cap rises at most to 4 sights or 10"
            " hours; two a user, only of users in the compromise pattern. Other markers change nothing. What is given "
            "up betters a plan as a refusal or a cap does; a wish that is dropped betters none.",
        ),
        Choice(
            "without_solution",
            "Firm are the budgets, and what must be visited or eaten or is refused, of members who never give way; "
            "modes are not, since all go by one. Groups have no solution where no accepted plan keeps them all.",
        ),
        Choice("fairness", "Fairness is 0 where nobody gains anything."),
        Choice(
            "routes",
            "The sandbox's ways are those of the road matrices where they hold both ends; else 1.3 times the great "
            "circle at 30 km/h by car (70 beyond 50 km), 18 by city transport, 4.8 on foot, 14 by bicycle, marked as "
            "estimates.",
        ),
        Choice(
            "local_moves",
            "A stop within 500 m serves a place; who rides waits half of the timetable's gap, 7.5 minutes where none "
            "is known. A ticket is 0.45 Big Macs, a taxi 1.2 and 0.4 a further kilometre for up to four, a car too; "
            "what moves cost counts against budgets in `ours`; bicycles are free, and taken where money is short.",
        ),
        Choice(
            "difficulty",
            "In harder tasks wishes for kinds that take more than an hour or are for the evening weigh more: 0.3 times "
            "as much in easy, 2.5 in medium, 5 in hard ones; budgets lie less far above the least.",
        ),
        Choice("retries", "A slot without a trip is drawn again, at most three times; every failed try is counted."),
    ),
)

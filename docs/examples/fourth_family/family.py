"""Round trips as a family: what the core makes releases of."""

from __future__ import annotations

from assets.family import Choice, Family
from assets.roundtrips.lineage import RULES
from assets.roundtrips.tables import Drawing, Plan, Proof, Record, RoundtripsSection
from schemas.places import Place
from schemas.travel import Flight

FAMILY = Family(
    name="roundtrips",
    title="Round trips",
    section=RoundtripsSection,
    per="recipe",
    record=Record,
    drawn=Drawing,
    plan=Plan,
    proof=Proof,
    world_tables=(Flight, Place),
    checks=("form", "flights", "budget", "sights"),
    rules=RULES,
    derivations={"sum": "builtins:sum"},
    wishes={"budget": (1,)},
    attempts=40,
    slots="assets.roundtrips.draft:slots",
    draft="assets.roundtrips.draft:draft",
    world="assets.roundtrips.world:world",
    check="assets.roundtrips.world:check",
    uses="assets.roundtrips.world:uses",
    solve="assets.roundtrips.solver:solve",
    depends="assets.roundtrips.solver:depends",
    word="assets.roundtrips.words:word",
    language="en",
    read="assets.roundtrips.words:read",
    trace="assets.roundtrips.lineage:trace",
    score="assets.roundtrips.release:score",
    export="assets.roundtrips.release:export",
    measures="assets.roundtrips.release:measures",
    choices=(
        Choice("flights", "Flights without a price in the budget's currency, or with a modelled arrival, are left."),
    ),
)

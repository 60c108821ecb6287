"""Strolls as a family: what the core makes releases of."""

from __future__ import annotations

from assets.family import Choice, Family
from assets.strolls.lineage import RULES
from assets.strolls.tables import Drawing, Plan, Proof, Record, StrollsSection
from schemas.places import Place

FAMILY = Family(
    name="strolls",
    title="Strolls",
    section=StrollsSection,
    per="city",
    record=Record,
    drawn=Drawing,
    plan=Plan,
    proof=Proof,
    world_tables=(Place,),
    checks=("length", "known", "stars"),
    rules=RULES,
    world_sources={Place.table_name(): "assets.strolls.sources:place"},
    derivations={"mean_stars": "assets.strolls.world:mean_stars"},
    wishes={"least_stars": (5.5,), "days": (9,)},
    attempts=20,
    slots="assets.strolls.draft:slots",
    draft="assets.strolls.draft:draft",
    world="assets.strolls.world:world",
    check="assets.strolls.world:check",
    verify="assets.strolls.world:verify",
    uses="assets.strolls.world:uses",
    solve="assets.strolls.solver:solve",
    depends="assets.strolls.solver:depends",
    word="assets.strolls.words:word",
    read="assets.strolls.words:read",
    trace="assets.strolls.lineage:trace",
    score="assets.strolls.release:score",
    export="assets.strolls.release:export",
    measures="assets.strolls.release:measures",
    choices=(Choice("distinct", "No place is named twice in a plan."),),
)

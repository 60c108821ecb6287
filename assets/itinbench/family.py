"""ItinBench as a family: one city, reviews and routes (published metrics, four settings)."""

from __future__ import annotations

from assets.accounts import Rows
from assets.family import Choice, Family
from assets.itinbench.checks.rules import RULES as CHECKS
from assets.itinbench.lineage_rules import RULES
from assets.itinbench.metrics import METRICS
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.tables import PRICES, Drawing, ItinbenchContext, ItinbenchPlace, Plan, Proof, Record
from assets.step import Raw, Requirement, Step
from schemas.places import Place
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.reviews import STAY_ATTRIBUTES, GuideRating, PlaceRating, RatingQuality, TagRating
from schemas.wikivoyage import WikivoyageListing

REMEDY = "bind reviews (yelp), or a published table, or a guide's pages that describe them (wikivoyage)"

FAMILY = Family(
    name="itinbench",
    title="ItinBench",
    section=ItinbenchSection,
    per="city",
    record=Record,
    drawn=Drawing,
    plan=Plan,
    proof=Proof,
    world_tables=(ItinbenchPlace, TagRating),
    world_steps=(
        Step(
            ItinbenchPlace,
            "assets.itinbench.pool:itinbench_places",
            (Place, PlaceRating, WikivoyageListing, GuideRating, TagRating, CountryPriceLevel, BigMacPrice),
            checks=("assets.clean.checks:city_has_places_of_every_kind",),
            accounts=Rows((Place, WikivoyageListing), of_one=True),
            sources="assets.itinbench.sources:place",
        ),
    ),
    context=(RatingQuality,),
    context_table=ItinbenchContext,
    contexts="assets.itinbench.contexts:contexts",
    checks=tuple(CHECKS),
    rules=RULES,
    wishes={
        "price": tuple(PRICES),
        "hotel": tuple([attribute] for attribute in STAY_ATTRIBUTES),
        "most_walk_m": (1,),
        "most_signs": (1,),
    },
    attempts=100,
    slots="assets.itinbench.draft:slots",
    prepare="assets.itinbench.draft:prepare",
    draft="assets.itinbench.draft:draft",
    identity="assets.itinbench.repairs.space:cell_of",
    world="assets.itinbench.world:world",
    check="assets.itinbench.world:check",
    asked="assets.itinbench.world:asked",
    uses="assets.itinbench.world:uses",
    verify="assets.itinbench.world:verify",
    believed=("proof.breakfast.offered_by", "proof.clusters", "proof.geodesic.trip_optimum_m", "proof.pool"),
    solve="assets.itinbench.solver:solve",
    depends="assets.itinbench.solver:depends",
    word="assets.itinbench.wording:word",
    language="en",
    read="assets.itinbench.wording:read",
    word_by_model="assets.itinbench.wording_by_model:word_by_model",
    trace="assets.itinbench.lineage:trace",
    metrics=METRICS,
    score="assets.itinbench.scoring:score_release",
    published_check="assets.itinbench.published.checker:verdicts",
    must_accept=None,
    export="assets.itinbench.export:export",
    upstream="assets.itinbench.upstream:upstream",
    measures="assets.itinbench.measures:measures",
    baselines={"baseline": "assets.itinbench.baseline:plans"},
    planners={
        "random": "assets.itinbench.planners:by_lot",
        "greedy": "assets.itinbench.planners:greedy",
        "repair": "assets.itinbench.planners:repair",
    },
    passes="assets.itinbench.world:passes",
    tools="assets.itinbench.tools:tools",
    page="assets.itinbench.page:page",
    feasible="assets.itinbench.feasible:feasible",
    map_of="assets.itinbench.measures:city_picture",
    plan_text="assets.itinbench.plan_text:PLAN_TEXT",
    first_recipe="assets.itinbench.first_recipe:FIRST_RECIPE",
    mend="assets.itinbench.mend:mended",
    drawn_from="assets.itinbench.draft:drawn_from",
    drawn_again="assets.itinbench.draft:drawn_again",
    open="assets.itinbench.published.opening:open_folder",
    names="assets.itinbench.checks.plans:named_places",
    inspect={"itinbench": "assets.itinbench.inspect:inspect_folder"},
    query_files=(Raw("published", "queries"),),
    requirements=tuple(
        Requirement("itinbench", f"rated_{kind}s", needed, f"rated {kind}s", REMEDY)
        for kind, needed in (("stay", 1), ("restaurant", 6), ("attraction", 8))
    ),
    choices=(
        Choice("kind_precedence", "A business listed in several tables is one place of one kind (defect I4)."),
        Choice("clusters", "k-means on projected metres with k = max(1, n // 5); published: on degrees, k = n // 5."),
        Choice(
            "repair",
            "A draw that the city cannot satisfy is repaired by a change of which no edit could be undone, with the "
            "fewest edits possible or one more, chosen by weights that keep the published variety.",
        ),
        Choice(
            "hard",
            "A hard task is a published one with two limits, each a share of what a greedy plan takes: the longest "
            "geodesic way of a day, and the price signs of all places together.",
        ),
        Choice(
            "guide",
            "Where places are a guide's listings, one to eat is a restaurant, one to sleep a stay, one to see, do or "
            "buy an attraction. Price levels are modelled: of an amount in the city's money by the country's price "
            "level, else 1, 3 or 4 under Budget, Mid-range or Splurge, so that none passes for cheaper than it may be.",
        ),
        Choice(
            "tags",
            "What a guide's prose does not say of an attraction's orientation or a stay's quality is read by declared "
            "rules from the tags of the place on the map that the listing is about (assets/reviews/tag_rules.py). "
            "Where both speak the prose counts: it is about the place, and a tag about its class. These ratings stand "
            "in a table of the map's own, joined by key.",
        ),
        Choice(
            "unsure",
            "A rating that was read from reviews is known where the whole of its 90 % interval meets a preference, or "
            "none of it does; else it is unknown, and satisfies nothing. A recipe may have all counted, rounded.",
        ),
        Choice(
            "left_out",
            "`ours` counts what a plan leaves out as missing: attractions short of four a day, days, and the plans of "
            "tasks that nobody handed in. Published, they are in no denominator. Days beyond the trip's and further "
            "attractions of a day, which nobody asked for, fill no ratio and are not routed.",
        ),
        Choice("strict", "Certified means distinct places that meet every preference, not three quarters of them."),
    ),
)

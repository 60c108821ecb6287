"""What each figure of GroupTravelBench's published scores says, in which unit, and which way is good."""

from assets.family import Metric

METRICS = {
    "pc": Metric(
        "preferences of the travellers that were found out, of all that they have", "%", "higher", "conversation"
    ),
    "pc_precision": Metric("found preferences that are theirs", "%", "higher", "conversation"),
    "pc_f1": Metric("both of these in one figure", "%", "higher", "conversation"),
    "gu": Metric("how much a traveller likes the plan on average, splits charged for", "points", "higher"),
    "gu_per_participant": Metric("the same over all who travel, children too", "points", "higher"),
    "gu_per_table": Metric("the same over those who have wishes", "points", "higher"),
    "gf": Metric("the least satisfied traveller beside the most satisfied; 100 is equal", "%", "higher"),
    "pv": Metric("plans without any fault", "%", "higher"),
    "gu_share": Metric("liking reached, of a bound on plans that keep all together", "%", "higher"),
    "gu_share_best": Metric("liking reached, of the best plan known", "%", "higher"),
    "gu_share_bound": Metric("liking reached, of a bound on all plans", "%", "higher"),
    "judge": Metric(
        "a rating of the conversation: by tripwright judge, or whatever the plan's own line says",
        "%",
        "higher",
        "conversation",
    ),
}

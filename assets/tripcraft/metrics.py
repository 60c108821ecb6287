"""What each figure of TripCraft's published scores says, in which unit, and which way is good."""

from assets.family import Metric

METRICS = {
    "delivery_rate": Metric("tasks for which there is a plan", "0 to 1", "higher"),
    "commonsense_micro": Metric("commonsense checks passed, of all checks", "0 to 1", "higher"),
    "commonsense_macro": Metric("plans that pass every commonsense check", "0 to 1", "higher"),
    "hard_micro": Metric("stated constraints and budgets met, of all", "0 to 1", "higher"),
    "hard_macro": Metric("plans that meet all of theirs", "0 to 1", "higher"),
    "final_pass_rate": Metric("plans that pass every check", "0 to 1", "higher"),
    "temporal_meal": Metric("meals at usual times and of usual length", "0 to 1", "higher"),
    "temporal_meal_full_days": Metric("the same on days that are not for travelling", "0 to 1", "higher"),
    "temporal_attraction": Metric("visits as many and as long as such travellers make", "0 to 1", "higher"),
    "spatial": Metric("stops near to what comes before them", "0 to 1", "higher"),
    "persona": Metric(
        "places that suit the traveller, compared by an embedding model (--embedding)", "0 to 1", "higher"
    ),
    "ordering": Metric("stops in the order of the reference plan", "0 to 1", "higher"),
}

"""What each figure of ItinBench's published scores says, in which unit, and which way is good."""

from assets.family import Metric

METRICS = {
    "oop": Metric("plans that name a place outside the city's data", "%", "lower"),
    "mi": Metric("plans that leave out a meal, a stay, or the sights of a half day", "%", "lower"),
    "micro": Metric("stated preferences that the chosen places meet, of all that were asked", "%", "higher"),
    "macro": Metric("plans that meet enough of each kind of preference", "%", "higher"),
    "vr": Metric("valid plans: nothing outside the data, nothing missing, preferences met", "%", "higher"),
    "repeats": Metric("plans that use a place twice", "%", "lower"),
    "dg": Metric("how much shorter each day's tour could be in another order, of what was planned", "%", "lower"),
    "total_dg": Metric("the same of whole trips, sights exchanged between days", "%", "lower"),
    "ecj": Metric("jumps between the areas of the best order, above one area a day", "%", "lower"),
    "arg": Metric("how far the sights of a day are from four", "%", "lower"),
    "arg_signed": Metric("the same with its sign, so that too many and too few cancel", "%", "neither"),
    "arg_absolute": Metric("the same by its size, day by day", "%", "lower"),
    "attractions_per_day": Metric("sights a day, of four asked", "places a day", "neither"),
}

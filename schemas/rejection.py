"""The closed list of reasons for which a row or a draft is dropped, and the table that keeps what was dropped."""

from __future__ import annotations

from enum import StrEnum

from schemas.table import Field, Table


class Reason(StrEnum):
    """Why a row was dropped. A new reason is added here, with a sentence in `REASON_TEXT`."""

    BAD_JSON = "bad_json"
    MISSING_VALUE = "missing_value"
    BAD_VALUE = "bad_value"
    BAD_COORDINATES = "bad_coordinates"
    SWAPPED_COORDINATES = "swapped_coordinates"
    OUT_OF_REACH = "out_of_reach"
    OUTSIDE_EVERY_CITY = "outside_every_city"
    OFF_NETWORK = "off_network"
    CUT_OFF = "cut_off"
    CLOSED = "closed"
    CANCELLED = "cancelled"
    OUTSIDE_DATES = "outside_dates"
    NO_EXCHANGE_RATE = "no_exchange_rate"
    NO_AIRPORT = "no_airport"
    WITHIN_ONE_CITY = "within_one_city"
    OTHER_CATEGORY = "other_category"
    CATEGORY_NOISE = "category_noise"
    DUPLICATE = "duplicate"
    BEYOND_KEPT_COUNT = "beyond_kept_count"
    NOT_USEFUL = "not_useful"
    UNKNOWN_PLACE = "unknown_place"
    UNKNOWN_REFERENCE = "unknown_reference"
    NOT_BOARDABLE = "not_boardable"
    AMBIGUOUS_NAME = "ambiguous_name"
    NO_EVIDENCE = "no_evidence"
    UNSATISFIABLE = "unsatisfiable"
    WORDING_DISAGREES = "wording_disagrees"
    RETIRED = "retired"
    WITHDRAWN = "withdrawn"
    NO_VALID_ANSWER = "no_valid_answer"
    NEAR_DUPLICATE = "near_duplicate"


REASON_TEXT: dict[Reason, str] = {
    Reason.BAD_JSON: "The line is not a JSON object.",
    Reason.MISSING_VALUE: "A value that the row cannot do without is absent, null or empty.",
    Reason.BAD_VALUE: "A value is of the wrong type or outside what the format allows.",
    Reason.BAD_COORDINATES: "The coordinates are missing, not finite, off the globe or at 0, 0.",
    Reason.SWAPPED_COORDINATES: "Latitude and longitude are exchanged: only so is the stop among those of its feed.",
    Reason.OUT_OF_REACH: "The stop is far from its feed's others, and no vehicle is fast enough for the times given.",
    Reason.OUTSIDE_EVERY_CITY: "The coordinates lie in no polygon or box of the recipe's cities.",
    Reason.OFF_NETWORK: "The nearest road that the way of travelling may use is missing or farther than 500 m.",
    Reason.CUT_OFF: "No road leads between the place and the main part of its city's network, there and back.",
    Reason.CLOSED: "The provider says that the place is closed, not there any more or yet, or not for visitors.",
    Reason.CANCELLED: "The provider says that the flight or event did not or will not take place as announced.",
    Reason.OUTSIDE_DATES: "The date lies outside the days that the recipe builds for.",
    Reason.NO_EXCHANGE_RATE: "The amount is in a currency for which the recipe declares no rate.",
    Reason.WITHIN_ONE_CITY: "The flight begins and ends at airports that serve the same city alone.",
    Reason.NO_AIRPORT: "No airport with an IATA code is near enough to the city.",
    Reason.OTHER_CATEGORY: "The categories make the row neither a stay, a restaurant nor an attraction.",
    Reason.CATEGORY_NOISE: "A declared rule says that the category is not what visitors mean by it (defect I6).",
    Reason.DUPLICATE: "The same place, review or record was already taken from another row.",
    Reason.BEYOND_KEPT_COUNT: "Only a declared number of most-reviewed places is kept, and this one ranks below.",
    Reason.NOT_USEFUL: "Nobody found the review useful; the published filter keeps reviews with useful >= 1.",
    Reason.UNKNOWN_PLACE: "The row refers to a place that is not in the city's table.",
    Reason.UNKNOWN_REFERENCE: "The row names a stop, trip, service or other record that its feed does not hold.",
    Reason.NOT_BOARDABLE: "Nobody can board there: a station, entrance or node, or no trip ever picks up (GTFS).",
    Reason.AMBIGUOUS_NAME: "A plan names places by name and address, and another place could be meant by both.",
    Reason.NO_EVIDENCE: "Nothing in the kept reviews speaks of the attribute.",
    Reason.UNSATISFIABLE: "No witness plan exists for the draft, and no allowed repair gives it one.",
    Reason.RETIRED: "A published task that no change of a few fields makes one that a plan meets.",
    Reason.WITHDRAWN: "A person took it out, in the overrides beside the recipe.",
    Reason.WORDING_DISAGREES: "The wording, parsed back, is not the record it was made from.",
    Reason.NO_VALID_ANSWER: "No answer of the model passed validation; what it answered is in the ledger.",
    Reason.NEAR_DUPLICATE: "The model's wording repeats another task's nearly word for word, also when asked again.",
}


class Rejection(Table):
    """What a step dropped and why; for every step, rows in = rows out + rejected + merged."""

    step: str = Field("The step that dropped the row.", key=True, holds="ours")
    city_id: str = Field("The city whose build dropped it; empty for a step that runs once a recipe.", key=True)
    row: str = Field("The dropped row: its source pointer, or its key in the step's input.", key=True, holds="ours")
    reason: str = Field("Why, from the closed list.", isin=[r.value for r in Reason], holds="ours")
    detail: str = Field("What was found, in words; may hold text from the source.")

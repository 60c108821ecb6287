"""Journeys by train and coach out of a small feed: which there are on a date, what they rest on and what they cost."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest

from assets.tripcraft.facts.trip_journeys import trip_journeys
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.sources import journey as said_of
from assets.tripcraft.tables import TripcraftJourney
from schemas.prices import BigMacPrice, CountryPriceLevel
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import SourceError
from sources.locate import parsed_records
from tests.rails import FINLAND, PORTUGAL, Country, long_distance, write_feed

FIRST, LAST = dt.date(2026, 3, 2), dt.date(2026, 3, 9)


def cities_of(country: Country, dest_zone: str = "") -> list[City]:
    """Return the country's two cities, the second on another clock where one is given."""
    return [
        City(
            city_id=end, name=name, region=region, country=country.code, time_zone=zone, currency="EUR",
            box=Box(south=lat - 0.05, west=lon - 0.08, north=lat + 0.05, east=lon + 0.08),
        )
        for end, (name, region, lat, lon), zone in (
            ("home", country.home, country.zone), ("dest", country.dest, dest_zone or country.zone),
        )
    ]  # fmt: skip


@pytest.fixture
def made(raw_file, tmp_path):
    """Return a function that makes the journeys of a country's feed, with some members changed or left out."""

    def make(country: Country = PORTUGAL, *, dest_zone: str = "", section: dict[str, Any] | None = None, **changed):
        members = long_distance(country)
        for name, text in changed.items():
            members[f"{name}.txt"] = text
        members = {name: text for name, text in members.items() if text}
        file = raw_file("gtfs", "long_distance", write_feed(tmp_path / "long.zip", members))
        levels, prices = (pd.DataFrame(columns=[c.name for c in t.columns()]) for t in (CountryPriceLevel, BigMacPrice))
        terms = pd.DataFrame([{"currency": "EUR"}])
        window = TripcraftSection.model_validate(
            {"first_date": FIRST, "last_date": LAST, "tasks": {3: 1}, **(section or {})}
        )
        outcome = trip_journeys([file], levels, prices, terms, cities=cities_of(country, dest_zone), section=window)
        return file, outcome

    return make


def timed(outcome, day: int = 3, origin: str = "home") -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (departure, arrival, trips) of a day's journeys from a city."""
    rows = outcome.rows
    mine = rows[(rows["journey_date"] == dt.date(2026, 3, day)) & (rows["origin_city_id"] == origin)]
    found = [(r["dep_time"], r["arr_time"], tuple(r["trip_ids"])) for r in mine.to_dict("records")]
    return sorted(found)


COACH, DIRECT = ("07:30", "12:30", ("bus-out",)), ("08:10", "11:05", ("ic-out",))
CHANGED = ("09:00", "13:00", ("reg-out-1", "reg-out-2"))


def test_a_day_has_its_direct_journeys_and_the_best_change(made):
    _, outcome = made()
    assert timed(outcome) == [COACH, DIRECT, CHANGED]
    kept = outcome.rows[outcome.rows["trip_ids"].map(tuple) == CHANGED[2]].iloc[0]
    assert list(kept["stops"]) == ["Castelo Central", "Junction 1", "Junction 2", "Vilar"]
    assert (kept["mode"], kept["elapsed_min"], kept["arr_day_offset"]) == ("train", 240, 0)
    assert outcome.facts["journeys"] == {"train": 8 + 8 + 8 + 6, "coach": 8 * 2}


@pytest.mark.parametrize("zones", [("Europe/Lissabon",), ("Europe/Lisbon", "Europe/Madrid")], ids=["none", "two"])
def test_a_feed_whose_clock_nobody_can_tell_is_refused(made, zones):
    rows = "".join(f"{n},Rail {n},http://rail.example,{zone}\n" for n, zone in enumerate(zones))
    with pytest.raises(SourceError, match=rf"agency.txt names the time zones '{zones[0]}'.* Expected one of the IANA"):
        made(agency=f"agency_id,agency_name,agency_url,agency_timezone\n{rows}")


@pytest.mark.parametrize(("day", "runs"), [(3, True), (4, False), (7, False), (8, True), (9, True)])
def test_exceptions_of_the_calendar_decide_before_its_weekdays(made, day, runs):
    _, outcome = made()
    assert (DIRECT in timed(outcome, day)) is runs


def test_a_train_after_midnight_is_of_the_day_on_which_it_leaves(made):
    _, outcome = made()
    nights = outcome.rows[outcome.rows["trip_ids"].map(tuple) == ("night-back",)]
    assert set(nights["dep_time"]) == {"01:10"} and set(nights["arr_time"]) == {"05:40"}
    pairs = zip(nights["service_date"], nights["journey_date"], strict=True)
    assert all(date - service == dt.timedelta(days=1) for service, date in pairs)
    assert nights["journey_date"].min() == FIRST


@pytest.mark.parametrize(
    ("transfers", "second"),
    [
        ("SM,SM,2,1200", "reg-out-2"),
        ("SM,SM,2,600", "reg-out-tight"),
        ("SM,SM,2,601", "reg-out-2"),
        ("SM,SM,1,", "reg-out-tight"),
        ("SM,SM,3,", None),
        ("M1,M2,2,60\nSM,SM,3,", "reg-out-tight"),
        ("", "reg-out-2"),
    ],
)
def test_a_change_takes_what_the_feed_asks_for_else_a_quarter_of_an_hour(made, transfers, second):
    _, outcome = made(transfers=f"from_stop_id,to_stop_id,transfer_type,min_transfer_time\n{transfers}")
    changed = [trips[1] for _, _, trips in timed(outcome) if len(trips) == 2]
    assert changed == ([second] if second else [])


def test_a_journey_with_a_change_that_another_beats_is_left_out(made):
    times = long_distance(PORTUGAL)["stop_times.txt"].replace("08:10:00,08:10:00", "09:05:00,09:05:00", 1)
    _, outcome = made(stop_times=times)
    assert all(len(trips) == 1 for _, _, trips in timed(outcome))


def test_a_change_may_lead_to_a_train_of_the_next_service_day(made):
    times = long_distance(PORTUGAL)["stop_times.txt"]
    times = times.replace("11:00:00,11:00:00", "23:30:00,23:30:00").replace("11:10:00,11:10:00", "00:20:00,00:20:00")
    times = times.replace("12:40:00,12:40:00", "02:00:00,02:00:00")
    file, outcome = made(stop_times=times)
    assert ("09:00", "02:00", ("reg-out-1", "reg-out-tight")) in timed(outcome)
    row = next(r for r in outcome.rows.to_dict("records") if len(r["trip_ids"]) == 2)
    assert (row["arr_day_offset"], row["elapsed_min"]) == (1, 17 * 60)
    locators = [pointer.partition("#")[2] for pointer in row["source_rows"]]
    said = said_of(row, list(parsed_records(file, locators).values()))
    assert (said["arr_time"], said["service_date"]) == (["02:00"], [row["service_date"]])


def test_nobody_gets_on_where_none_may_nor_off(made):
    closed = long_distance(PORTUGAL)["stop_times.txt"].replace("08:10:00,08:10:00,0,0", "08:10:00,08:10:00,1,0")
    assert DIRECT not in timed(made(stop_times=closed)[1])
    closed = long_distance(PORTUGAL)["stop_times.txt"].replace("11:05:00,11:05:00,0,0", "11:05:00,11:05:00,0,1")
    assert DIRECT not in timed(made(stop_times=closed)[1])


def test_arrivals_are_on_the_clock_of_their_city(made):
    _, outcome = made(dest_zone="Europe/Madrid")
    assert ("08:10", "12:05", ("ic-out",)) in timed(outcome)
    direct = outcome.rows[outcome.rows["trip_ids"].map(tuple) == ("ic-out",)]
    assert set(direct["elapsed_min"]) == {175}


def test_trams_count_for_nothing_and_a_train_beyond_belief_is_dropped_with_its_reason(made):
    _, outcome = made(routes=long_distance(PORTUGAL)["routes.txt"].replace("IC,R,IC,,102", "IC,R,IC,,0"))
    assert DIRECT not in timed(outcome) and COACH in timed(outcome)
    fast = long_distance(PORTUGAL)["stop_times.txt"].replace("12:30:00,12:30:00", "07:50:00,07:50:00", 1)
    _, outcome = made(stop_times=fast)
    assert not [trips for _, _, trips in timed(outcome) if trips == ("bus-out",)]
    dropped = [row["detail"] for row in outcome.rejections if row["reason"] == "out_of_reach"]
    assert dropped == ["317 km in 20 min; no vehicle exceeds 500 km/h"]


def test_a_run_by_headway_is_no_journey_and_rejected_with_its_row(made):
    """Of trips that call in a city: a metro of the same feed is nobody's loss."""
    every = "trip_id,start_time,end_time,headway_secs\nreg-out-1,06:00:00,09:00:00,600\nic-out,06:00:00,09:00:00,600\n"
    _, outcome = made(frequencies=every + "elsewhere,06:00:00,09:00:00,600")
    assert DIRECT not in timed(outcome) and COACH in timed(outcome)
    headways = [row["row"].partition("#")[2] for row in outcome.rejections if "by headway" in row["detail"]]
    assert headways == ["frequencies.txt:1", "frequencies.txt:2"]


def test_the_days_on_which_a_feed_runs_are_noted(made):
    assert made()[1].facts["feed_dates"] == [["2026-03-01", "2026-03-31"]]
    only = "trip_id,start_time,end_time,headway_secs\n"
    trips = [line.partition(",")[0] for line in long_distance(PORTUGAL)["trips.txt"].splitlines()[1:]]
    _, outcome = made(frequencies=only + "\n".join(f"{trip},06:00:00,09:00:00,600" for trip in trips))
    assert outcome.rows.empty and outcome.facts["feed_dates"] == [[]]


def test_a_stop_far_from_both_cities_serves_neither(made):
    moved = long_distance(PORTUGAL)["stops.txt"].replace("41.5,-8.4", "41.7,-8.4")
    _, outcome = made(stops=moved)
    assert outcome.rows.empty and outcome.facts["stops_of"] == {"dest": 0, "home": 1}


def test_a_seat_costs_by_distance_and_country(made):
    rows = pd.concat([made(country)[1].rows.assign(country=country.code) for country in (PORTUGAL, FINLAND)])
    prices = {key: set(found["price"]) for key, found in rows.groupby(["country", "mode"])}
    assert prices == {("PT", "train"): {22}, ("PT", "coach"): {14}, ("FI", "train"): {18}, ("FI", "coach"): {12}}
    assert set(rows["is_modelled"]) == {True} and set(rows["price_basis"]) == {"rough"}


def test_dates_of_a_feed_move_by_whole_weeks(made):
    window = {"journey_dates_from": (dt.date(2026, 3, 2), dt.date(2026, 3, 9))}
    later = {"first_date": dt.date(2026, 6, 1), "last_date": dt.date(2026, 6, 8)}
    _, outcome = made(section={**later, **window})
    assert outcome.rows["journey_date"].min() == dt.date(2026, 6, 1)
    assert {(a - b).days for a, b in zip(outcome.rows["journey_date"], outcome.rows["service_date"], strict=True)} <= {
        91, 92,
    }  # fmt: skip


def test_every_journey_is_followed_to_its_calls_and_a_changed_one_is_not(made):
    file, outcome = made(dest_zone="Europe/Madrid")
    columns = ("mode", "trip_ids", "stops", "dep_time", "arr_time", "service_date")
    for row in outcome.rows.to_dict("records"):
        locators = [pointer.partition("#")[2] for pointer in row["source_rows"]]
        members = {locator.rpartition(":")[0] for locator in locators}
        assert members >= {"stop_times.txt", "trips.txt", "routes.txt", "stops.txt", "calendar.txt", "agency.txt"}
        parsed = parsed_records(file, locators)
        records = [parsed[locator] for locator in locators]
        said = said_of(row, records)
        assert {name: row[name] for name in columns} == {name: said[name][0] for name in columns}
        assert said_of({**row, "service_date": dt.date(2026, 4, 2)}, records)["service_date"] == []
        other = [{**r, "dep_s": r["dep_s"] + 60} if "dep_s" in r else r for r in records]
        assert row["dep_time"] not in said_of(row, other)["dep_time"]


def test_numbers_are_unique_and_stay_when_other_trains_come_and_go(made):
    before = made()[1].rows
    after = made(calendar=long_distance(PORTUGAL)["calendar.txt"].replace("all,1,1,1,1,1,1,1", "all,1,1,1,1,1,0,1"))[
        1
    ].rows
    assert before["journey_number"].is_unique
    assert set(after["journey_number"]) < set(before["journey_number"])
    assert before["journey_number"].str.fullmatch(r"[TC]\d{7}").all()
    assert list(before.columns) == [column.name for column in TripcraftJourney.columns()]

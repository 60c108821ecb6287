"""Flights and trains between two cities on a date, from the release's timetabled fares."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from assets.core.tools import Answer, ToolError, row_ref
from assets.grouptravel.facts.rows import records_of
from assets.grouptravel.plan import MINUTES_PER_DAY, minutes
from assets.grouptravel.tables import GroupCalendar, GroupFare
from assets.grouptravel.tools.facts import SandboxFacts
from assets.grouptravel.vocabulary import FLIGHT, HIGH_SPEED, TRAIN

MODES_OF_TRAIN = {None: (HIGH_SPEED, TRAIN), "high_speed": (HIGH_SPEED,), "high_speed_and_emu": (HIGH_SPEED,),
                  "regular": (TRAIN,)}  # fmt: skip
"""Fares know high-speed and other trains; a multiple unit of its own kind is not told apart."""

Row = dict[Any, Any]


class Journeys:
    """The two tools that search timetables."""

    def __init__(self, facts: SandboxFacts, fare: pd.DataFrame, calendar: pd.DataFrame):
        self._facts = facts
        special = calendar[calendar["fare_factor"] != 1]
        self._days = {(row["city_id"], row["date"]): row for row in special.to_dict("records")}
        self._rows: dict[tuple[str, str], list[Row]] = {}
        for row in records_of(fare):
            self._rows.setdefault((row["origin_city_id"], row["dest_city_id"]), []).append(row)

    def flights(self, arguments: dict[str, Any]) -> Answer:
        """Return the flights of the date with times and prices."""
        notes = []
        if arguments["airport"]:
            text = ("没有机场数据，未按 airport 筛选", "airports are not known here; airport was not used")
            notes.append(text[0] if self._facts.is_zh else text[1])
        return self._answer(arguments, (FLIGHT,), "flights", arguments["sort_by"] or "depart_time", notes)

    def trains(self, arguments: dict[str, Any]) -> Answer:
        """Return the trains of the date with times and prices; high-speed ones first unless an order is asked for."""
        modes = MODES_OF_TRAIN[arguments["train_type_filter"]]
        return self._answer(arguments, modes, "trains", arguments["sort_by"] or "", [])

    def _answer(
        self, arguments: dict[str, Any], modes: tuple[str, ...], what: str, order: str, notes: list[str]
    ) -> Answer:
        origin, dest = self._facts.city(arguments["origin"]), self._facts.city(arguments["destination"])
        date = read_date(arguments["date"], self._facts)
        start, end = arguments["depart_time_start"] or "00:00", arguments["depart_time_end"] or "23:59"
        if start > end:
            raise ToolError(
                "depart_time_start 晚于 depart_time_end"
                if self._facts.is_zh
                else "depart_time_start is after depart_time_end"
            )
        running = [
            row
            for row in self._rows.get((origin.city_id, dest.city_id), ())
            if row["mode"] in modes and date.isoweekday() in row["weekdays"] and start <= row["dep_time"] <= end
        ]
        day = self._days.get((origin.city_id, str(date)))
        running = [row | {"price": self._price(row, day)} for row in running]
        running.sort(key=lambda row: _order(order, row))
        content: dict[str, Any] = {"origin": origin.name, "destination": dest.name, "date": str(date)}
        content |= {"total": len(running), what: [self._service_record(row) for row in running]}
        if notes:
            content["notes"] = notes
        rows = [origin.row, dest.row, *(row_ref(GroupFare, row) for row in running)]
        if day is not None and any(row["is_price_modelled"] for row in running):
            rows.append(row_ref(GroupCalendar, day))
        return Answer(content, tuple(rows))

    def _price(self, row: Row, day: Row | None) -> float:
        """Return the price on the day: a modelled one is times the day's factor, as `fares.Fares` has it."""
        return (
            round(row["price"] * day["fare_factor"], 2)
            if day is not None and row["is_price_modelled"]
            else row["price"]
        )

    def _service_record(self, row: Row) -> dict[str, Any]:
        return {
            "service": row["service"],
            "mode": self._facts.vocabulary.modes[row["mode"]],
            "depart_time": row["dep_time"],
            "arrive_time": row["arr_time"],
            "arrives_next_day": row["arr_time"] <= row["dep_time"],
            "duration_min": _duration(row),
            "price": row["price"] or None,
            "currency": self._facts.currency,
            "is_price_modelled": bool(row["is_price_modelled"]),
        }


def read_date(text: str, facts: SandboxFacts) -> dt.date:
    """Return the date. Raises ToolError if the calendar has none such."""
    try:
        return dt.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise ToolError(f"没有日期 {text[:20]}" if facts.is_zh else f"there is no date {text[:20]!r}") from None


def _duration(row: Row) -> int:
    departs, arrives = minutes(row["dep_time"]) or 0, minutes(row["arr_time"]) or 0
    return (arrives - departs) % MINUTES_PER_DAY or MINUTES_PER_DAY


def _order(sort_by: str, row: Row) -> tuple[Any, ...]:
    tie = (row["dep_time"], row["arr_time"], row["mode"], row["service"])
    if sort_by == "price":
        return (row["price"] == 0, row["price"], *tie)
    if sort_by == "duration":
        return (_duration(row), *tie)
    if sort_by == "depart_time_desc":
        return (-(minutes(row["dep_time"]) or 0), *tie)
    return tie if sort_by else (row["mode"] != HIGH_SPEED, *tie)

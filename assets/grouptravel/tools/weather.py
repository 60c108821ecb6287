"""The weather tool: what a city's days are usually like, and its public holidays. Nobody can forecast them here."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from assets.core.tools import Answer, row_ref
from assets.grouptravel.tables import GroupCalendar, GroupClimate
from assets.grouptravel.tools.facts import SandboxFacts, none_if_missing
from assets.grouptravel.tools.journeys import read_date


class Weather:
    """The climate and calendar of a release, by city and day."""

    def __init__(self, facts: SandboxFacts, climate: pd.DataFrame, calendar: pd.DataFrame):
        self._facts = facts
        self._days = {(row["city_id"], row["month_day"]): row for row in climate.to_dict("records")}
        special = calendar[calendar["holiday"].notna()]
        self._holidays = {(row["city_id"], row["date"]): row for row in special.to_dict("records")}

    def maps_weather(self, arguments: dict[str, Any]) -> Answer:
        """Return the usual weather of the date and the days after it; a day that the climate lacks is null."""
        city, first = self._facts.city(arguments["location"]), read_date(arguments["date"], self._facts)
        rows, days = [city.row], []
        for ahead in range(arguments["days"] + 1):
            date = first + dt.timedelta(days=ahead)
            usual = self._days.get((city.city_id, date.strftime("%m-%d")))
            entry: dict[str, Any] = {"date": str(date)}
            entry |= {name: None if usual is None else none_if_missing(usual[name]) for name in _SHOWN}
            if usual is not None:
                rows.append(row_ref(GroupClimate, usual))
            holiday = self._holidays.get((city.city_id, str(date)))
            if holiday is not None:
                entry["holiday"] = holiday["holiday"]
                rows.append(row_ref(GroupCalendar, holiday))
            days.append(entry)
        note = "这些日子通常的天气，不是预报" if self._facts.is_zh else "usual weather of the days, no forecast"
        return Answer({"location": city.name, "days": days, "notes": [note]}, tuple(rows))


_SHOWN = ("condition", "high_c", "low_c", "rain_share")

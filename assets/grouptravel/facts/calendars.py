"""The days on which groups travel: each city's public holidays, and what a modelled fare costs on the day."""

from __future__ import annotations

import datetime as dt
from functools import cache

import pandas as pd

from assets.grouptravel.difficulty import DAYS_LEVEL
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.tables import GroupCalendar
from assets.step import Outcome
from schemas.recipe import City


def calendar(*, cities: list[City], section: GroupTravelSection) -> Outcome:
    """Return every city's days from the first that a group may set out on to the last that one may come home on.

    Holidays are those of the `holidays` package for the city's country, and its region where the package knows that.
    A country that the package does not know has none, and is counted.
    """
    last = section.last_date + dt.timedelta(days=max(DAYS_LEVEL) - 1)
    dates = [section.first_date + dt.timedelta(days=n) for n in range((last - section.first_date).days + 1)]
    years = tuple(range(dates[0].year, dates[-1].year + 1))
    rows, unknown = [], set()
    for city in cities:
        holidays = public_holidays(city.country, city.region, years)
        if holidays is None:
            unknown.add(city.country)
        for date in dates:
            holiday = (holidays or {}).get(date)
            rows.append((city.city_id, date.isoformat(), date.isoweekday(), holiday, _factor(date, holiday, section)))
    frame = pd.DataFrame(rows, columns=[column.name for column in GroupCalendar.columns()])
    return Outcome(frame, facts={"countries_without_known_holidays": len(unknown)})


@cache
def public_holidays(country: str, region: str, years: tuple[int, ...]) -> dict[dt.date, str] | None:
    """Return the public holidays by date, in English where the package has it; None for a country it does not know."""
    import holidays

    subdivisions_by_country = holidays.list_supported_countries()
    if country not in subdivisions_by_country:
        return None
    spoken = holidays.list_localized_countries().get(country, [])
    language = next((code for code in ("en_US", "en_GB", "en") if code in spoken), None)
    subdivision = region if region in subdivisions_by_country[country] else None
    names_by_date = holidays.country_holidays(country, subdiv=subdivision, years=years, language=language)
    return {date: str(name) for date, name in sorted(names_by_date.items())}


def _factor(date: dt.date, holiday: str | None, section: GroupTravelSection) -> float:
    """Return what a modelled fare is multiplied by: the month's factor, times the holidays' on one."""
    return round(section.season.get(date.month, 1.0) * (section.holiday_factor if holiday else 1.0), 6)

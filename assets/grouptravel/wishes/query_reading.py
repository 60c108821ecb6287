"""A query read back: whether it says where the trip leads and begins, on which day, how long it is, and which children.

Read by facts, not by the forms in which queries are written (`queries`), so that it judges these.
"""

from __future__ import annotations

import re

from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.queries import NUMBERS, Trip


def unsaid(query: str, words: Vocabulary, trip: Trip) -> list[str]:
    """Return the facts of a trip that its query does not say."""
    date = trip.first_date
    if words.language == "zh":
        dates = [f"{date.year}年{date.month}月{date.day}日", date.isoformat()]
        length = rf"{words.numbers[trip.days]}[天日]"
    else:
        month = date.strftime("%B")
        dates = [rf"\b{date.day} {month} {date.year}", f"{month} {date.day}, {date.year}", date.isoformat()]
        length = rf"(?i)\b{NUMBERS[trip.days]}[ -]days?\b"
    patterns = {f"{trip.days} days": length, f"the first day, {date}": "|".join(dates)}
    patterns |= {city: re.escape(city) for city in (*trip.cities, trip.home)}
    patterns |= {child: f"(?i){re.escape(re.split(r' [(]|（', child)[0])}" for child in trip.children}
    problems = [f"the query does not say {fact}" for fact, pattern in patterns.items() if not re.search(pattern, query)]
    if trip.home in trip.cities:  # a query that names the city once would say both
        problems.append(f"no trip that begins in {trip.home} leads there")
    return problems

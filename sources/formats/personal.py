"""Keys of providers' records that name people, and a record's text without what they hold.

No table has such columns. What is shown of a raw record beside its values (an audit, a page) goes through here first.
"""

from __future__ import annotations

import json
import re
from typing import Any

PERSONAL_KEY = re.compile(r"(user|host|reviewer|author)s?(_.*|[A-Z].*)?|username|hostname")
"""Yelp's `user_id`, Inside Airbnb's `host_…`, the `user`, `host`, `author` and `reviewer` of Apify's records."""

PUT_INSTEAD = "(personal data, not shown)"


def without_personal(text: str) -> str:
    """Return a record's JSON text with the values of its personal keys left out; the text itself if it has none."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text
    shown = _without(record)
    return text if shown == record else json.dumps(shown, ensure_ascii=False)


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: PUT_INSTEAD if PERSONAL_KEY.fullmatch(k) and v else _without(v) for k, v in value.items()}
    return [_without(item) for item in value] if isinstance(value, list) else value

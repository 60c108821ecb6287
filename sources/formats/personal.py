"""Keys of providers' records that name people, and a record's text without what they hold.

No table has such columns. What is shown of a raw record beside its values (an audit, a page) goes through here first.
"""

from __future__ import annotations

import json
import re
from typing import Any

PEOPLE = frozenset({"user", "username", "host", "hostname", "reviewer", "author"})
"""Words of keys that name people: Yelp's `user_id`, Inside Airbnb's `host_name`, Apify's `author` and `primaryHost`."""

_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")

PUT_INSTEAD = "(personal data, not shown)"


def without_personal(text: str) -> str:
    """Return a record's JSON text with the values of its personal keys left out; the text itself if it has none."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text
    public_record = _without(record)
    return text if public_record == record else json.dumps(public_record, ensure_ascii=False)


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: PUT_INSTEAD if _is_personal(k) and v else _without(v) for k, v in value.items()}
    return [_without(item) for item in value] if isinstance(value, list) else value


def _is_personal(key: str) -> bool:
    return any(word.lower() in PEOPLE or word.lower().removesuffix("s") in PEOPLE for word in _WORD.findall(key))

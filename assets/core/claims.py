"""How a planner says that a request cannot be met: `NO PLAN MEETS:` and the wishes that clash, as `field=value`."""

from __future__ import annotations

import re

Wish = tuple[str, str]
"""What is asked for by itself: a name and a value."""

NOT_POSSIBLE = "NO PLAN MEETS:"
"""How a planner says that there is no plan; behind it the wishes that clash, joined by commas."""

_CLAIM = re.compile(rf"^[\s>*]*{NOT_POSSIBLE}(.*)$", re.MULTILINE)


def no_plan_claim(wishes: tuple[Wish, ...]) -> str:
    """Return how a planner says that wishes clash."""
    return f"{NOT_POSSIBLE} {', '.join(f'{name}={value}' for name, value in wishes)}"


def claim_in(text: str) -> list[Wish] | None:
    """Return the wishes that a text says clash; None where it does not say so."""
    claims = _CLAIM.findall(text)
    if not claims:
        return None
    parts = (part.partition("=") for part in claims[-1].split(",") if part.strip())
    return [(name.strip(" `*"), value.strip(" `*.")) for name, _, value in parts]

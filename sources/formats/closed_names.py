"""Names that say that a place has closed: people write it there, whatever the provider's own field for it."""

from __future__ import annotations

import re

SAID_GONE = re.compile(
    r"\b(out of business|(permanently|now) closed|closed (permanently|down|for good)|definitively closed)\b"
    r"|[-–—:] *closed$|^closed *[-–—:]"
    r"|[(\[] *((temporarily |currently )?closed|demolished|disused|abandoned|under construction|geschlossen"
    r"|dauerhaft geschlossen|abgerissen|stillgelegt|im bau|fermé( définitivement)?|démoli|cerrado|encerrado|demolido"
    r"|chiuso|suljettu|lopetettu|purettu|stängt|riven|lukket|nedlagt|revet|gesloten|gesloopt|zamknięte|закрыто|закрыт"
    r"|снесён|снесен|閉店|已关闭|已關閉)\b"
    r"( (since|in|as of|seit|depuis|desde|dal|od|c|for) [^)\]]*)? *[)\]]",
    re.IGNORECASE,
)
"""What names say of places that have closed, in the languages in which real ones did."""


def closed_by_name(name: str) -> str:
    """Return in which words the name says that the place has closed, "" if it does not."""
    match = SAID_GONE.search(name)
    return f"the name says {match[0]!r:.60}" if match else ""

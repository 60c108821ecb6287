"""Every source in one list."""

from __future__ import annotations

from schemas.source import Source
from sources import published, yelp

SOURCES: dict[str, Source] = {source.name: source for source in (yelp.SOURCE, published.SOURCE)}

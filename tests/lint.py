"""What nobody would write in a request, whichever family words it: what tests hold every wording against."""

from __future__ import annotations

import re
from collections.abc import Collection

MARKED = re.compile(r"[“«「『‹\"]([^”»」』›\"]+)[”»」』›\"]")
CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
ARTICLE = re.compile(r"\ba (?!eu|one|uni|U[SK]\b)[aeiou]\w+|\ban [b-df-hj-np-tv-z]\w+", re.IGNORECASE)
REGION = re.compile(r"\b(?:cities|towns) in [A-Z]{2,3}\b")


def lint(message: str, *, kinds: Collection[str] = (), codes: Collection[str] = ()) -> list[str]:
    """Return what is wrong with an English text: kinds in marks, codes, articles, plurals, doubled words, no end."""
    folded = {kind.casefold() for kind in kinds}
    found = [f"the kind {name!r} is in marks" for name in MARKED.findall(message) if name.casefold() in folded]
    bare = MARKED.sub("X", message)
    found += [f"article: {m}" for m in ARTICLE.findall(bare)]
    found += [f"unit: {m}" for m in re.findall(r"\b(?:1|one) (?:sights|hours|places|people|cities|nights)\b", bare)]
    found += [f"one and many: {m}" for m in re.findall(r"\bfor (?:one person|myself)\b.*\b(?:We|ourselves)\b", bare)]
    found += [f"twice: {m}" for m in re.findall(r"\b(\w+) \1\b", bare, re.IGNORECASE)]
    found += [f"the code {code}" for code in CODE.findall(bare) if code in codes]
    found += [f"a region's letters: {m}" for m in REGION.findall(bare)]
    found += [f"a brace: {m}" for m in re.findall(r"[{}]", message)]
    if not re.search(r"[.!?]$", message):
        found.append("no end")
    return found

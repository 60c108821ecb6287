"""How an audit tells that a manifest says otherwise than the files it is of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assets.release.measures import as_json
from schemas.shown import in_short

OTHERWISE = "edited, or made by another version of tripwright"


def different(what: str, stated: Mapping[str, Any], recount: Mapping[str, Any]) -> list[str]:
    """Return, by name, what is stated otherwise than found, or is lacking or too much, or in another order."""
    recount = as_json(recount)
    names = [name for name in {**stated, **recount} if not written_alike(stated.get(name), recount.get(name))]
    if not names and [*stated] != [*recount]:
        return [f"manifest.json: {what}: its names, or their order, are none that a build writes: {OTHERWISE}"]
    return [
        f"manifest.json: {what}: says {name} {in_short(stated.get(name))}, found {in_short(recount.get(name))}: "
        f"{OTHERWISE}"
        for name in names
    ]


def written_alike(stated: Any, recount: Any) -> bool:
    """Return whether both are the same JSON, in which a whole number, one with a fraction and true are apart.

    So are two orders of the same keys: the same content has one version.
    """
    return json.dumps(stated) == json.dumps(recount)

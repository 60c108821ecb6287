"""Recipes that commands write: values as TOML, and the file whole or not at all."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.family import Family
from pipelines.walk.recipes import RecipeError, load_recipe
from schemas.shown import shown

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml(value: Any) -> str:
    """Return a text, number, list or table as TOML, on one line.

    JSON's escapes are TOML's but for DEL, which TOML has spelled out, and pairs of surrogates, which it has not: other
    characters than controls stand as they are. Raises RecipeError for text that is no Unicode, such as a file's name in
    another encoding.
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
        raise RecipeError(
            f"found {shown(value)!r:.200}, which is no text in UTF-8; expected one that a recipe can hold. Rename the "
            "file or folder, if it is the name of one"
        )
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_whole(path: Path, text: str, known: Mapping[str, Family]) -> None:
    """Write a recipe, whole, once it can be read back. Raises RecipeError if not; nothing is left behind then."""
    draft = path.with_name(f"{path.name}.new")
    try:
        draft.write_text(text, encoding="utf-8")
        load_recipe(draft, known)
        draft.replace(path)
    except (OSError, RecipeError):
        draft.unlink(missing_ok=True)
        raise


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else toml(name)

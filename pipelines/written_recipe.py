"""Recipes that commands write: values as TOML, and the file whole or not at all."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets.family import Family
from pipelines.walk.recipes import RecipeError, load_recipe
from schemas.shown import shown
from warehouse.disk import discard, put_whole

DRAFT = ".new"
"""What stands behind the name of a recipe until it is read back."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml(value: Any) -> str:
    """Return a text, number, date, list or table as TOML, on one line.

    JSON's escapes are TOML's but for DEL, which TOML has spelled out, and pairs of surrogates, which it has not: other
    characters than controls stand as they are. Raises RecipeError for text that is no Unicode, such as a file's name in
    another encoding.
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, dt.date):
        return value.isoformat()
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


def document(tables: Mapping[str, Any]) -> str:
    """Return a recipe's tables as a TOML document: plain values, then each table under its heading."""
    lines, under = [], []
    for key, value in tables.items():
        if isinstance(value, Mapping):
            under.append(_table(_key(key), value))
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            under += [f"\n[[{_key(key)}]]\n{_body(item)}" for item in value]
        else:
            lines.append(_line(key, value))
    return "".join([*lines, *under])


def _table(where: str, value: Mapping[str, Any]) -> str:
    """Return a table under its heading; one that holds tables alone needs none."""
    if value and all(isinstance(item, Mapping) for item in value.values()):
        return "".join(f"\n[{where}.{_key(key)}]\n{_body(item)}" for key, item in value.items())
    return f"\n[{where}]\n{_body(value)}"


def _body(table: Mapping[str, Any]) -> str:
    return "".join(_line(key, value) for key, value in table.items())


def _line(key: str, value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return f"{_key(key)} = [\n" + "".join(f"    {toml(item)},\n" for item in value) + "]\n"
    return f"{_key(key)} = {toml(value)}\n"


def write_whole(path: Path, text: str, all_families: Mapping[str, Family]) -> None:
    """Write a recipe, whole, once it can be read back. Raises RecipeError if not; nothing is left behind then."""
    draft = path.with_name(f"{path.name}{DRAFT}")
    try:
        put_whole(draft, text.encode(), f"the recipe {path.name}")
        try:
            load_recipe(draft, all_families)
        except RecipeError as error:
            raise RecipeError(str(error).replace(draft.name, path.name)) from None
        draft.replace(path)
    except BaseException:  # Ctrl-C too
        discard(draft)
        raise


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else toml(name)

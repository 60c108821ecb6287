"""The reference pages of the documentation, printed from declarations: `python -m pipelines.docs` writes them anew.

What people wrote by hand belongs in `docs/pages`; what is said in code already belongs here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from assets.families import all_tables, families
from assets.family import Family
from pipelines.walk.fingerprint import ROOT
from pipelines.walk.recipes import recipe_schema
from schemas.rejection import REASON_TEXT
from schemas.source import LICENCES, Source
from sources.registry import SOURCES

FOLDER = ROOT / "docs" / "pages" / "reference"
NOTE = "<!-- Printed from code by `python -m pipelines.docs`; do not edit. -->\n"


def reference_pages() -> dict[str, str]:
    """Return every generated page of the reference, by file name."""
    return {
        "commands.md": commands_page(),
        "recipe.md": recipe_page(families()),
        "sources.md": sources_page(),
        "tables.md": tables_page(),
        "reasons.md": reasons_page(),
        "choices.md": choices_page(families()),
    }


def commands_page() -> str:
    """Return the page of every command: what it does, its arguments and its options."""
    from pipelines.cli import app

    commands: dict[str, Any] = getattr(get_command(app), "commands")  # noqa: B009  (typer's group, typed as a command)
    lines = ["# Commands", "", "Each takes `--help`. Exit codes: 0 well, 1 the data are not, 2 wrong usage.", ""]
    for name, command in commands.items():
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        usage = " ".join([_usage(p) for p in arguments])
        options = [p for p in command.params if p.param_type_name == "option"]
        lines += [f"## `tripwright {name}`", "", f"    tripwright {name} {usage}".rstrip() + " [OPTIONS]", ""]
        lines += [_paragraphs(command.help), ""]
        rows = [(f"`{_usage(p).strip('[]')}`", p.help or "") for p in arguments]
        rows += [(f"`{_flags(p)}`", p.help or "") for p in options]
        lines += [*_table(("argument or option", "what it is"), rows), ""]
    return _page(lines)


def recipe_page(all_families: dict[str, Family]) -> str:
    """Return the page of every key that a recipe may hold, section by section."""
    schema = recipe_schema(all_families)
    lines = [
        "# Keys of a recipe",
        "",
        "A recipe is a TOML file. Keys that are not listed here are refused, with the nearest one that is.",
        "For an editor that completes and checks them: `tripwright schema > recipe.schema.json`.",
        "",
    ]
    sections = {"The recipe": schema, **schema["$defs"]}
    for name, section in sections.items():
        title = f"`[families.{name}]`" if name in all_families else name
        lines += [f"## {title}" + (f" {{#{_anchor(name)}}}" if name in all_families else ""), ""]
        lines += [_paragraphs(section.get("description", "")), ""] if name != "The recipe" else []
        lines += [*_key_rows(section), ""]
        for inner, part in section.get("$defs", {}).items() if name in all_families else ():
            lines += [f"### {inner} of {name}", "", _paragraphs(part.get("description", "")), "", *_key_rows(part), ""]
    return _page(lines)


def sources_page() -> str:
    """Return the page of every source: whose it is, on which terms, which files, how to get them."""
    lines = ["# Sources", "", "What a recipe may bind under `[sources.NAME]` or `[cities.sources.NAME]`.", ""]
    lines += _table(("source", "what it is", "licence"), [_source_row(s) for s in SOURCES.values()])
    for source in SOURCES.values():
        licence = source.licence
        terms = f"[{licence.title}]({licence.url})" if licence.url else licence.title
        lines += [
            "",
            f"## {source.name}",
            "",
            f"{source.title}. <{source.homepage}>" if source.homepage else source.title,
        ]
        lines += [
            "",
            f"Licence: {terms} (`{licence.licence_id}`); a public release may hold {_SHARED[licence.sharing]}.",
        ]
        lines += ["", f"Attribution: {source.attribution}", "", f"How to get it: {source.how_to_get}", ""]
        rows = [(f"`{f.role}`", f.format, "yes" if f.required else "no") for f in source.files]
        lines += _table(("key", "file", "required"), rows)
    lines += ["", "## Licences", "", "What a binding's `licence` may name."]
    rows = [(f"`{one.licence_id}`", one.title, _SHARED[one.sharing]) for one in LICENCES.values()]
    return _page([*lines, "", *_table(("licence", "title", "a public release may hold"), rows)])


def tables_page() -> str:
    """Return the data dictionary: every table and column."""
    lines = ["# Data dictionary", "", "Every table that a build makes. Rows are sorted by their key.", ""]
    return _page([*lines, *(table.dictionary_page() for table in all_tables())])


def reasons_page() -> str:
    """Return the page of every reason for which a row is dropped."""
    lines = [
        "# Why rows are dropped",
        "",
        "A dropped row is kept in its release's `rejections.parquet` with one of these reasons; for every step,",
        "rows in = rows out + rejected + merged.",
        "",
    ]
    return _page([*lines, *_table(("reason", "what it means"), [(f"`{r}`", text) for r, text in REASON_TEXT.items()])])


def choices_page(all_families: dict[str, Family]) -> str:
    """Return the page of what every family decides where its publication is silent, and of its rules."""
    lines = [
        "# Choices and rules",
        "",
        "Where a publication is silent a family chooses; every release's manifest says so. A rule is where a value of",
        "a task came from if it came from no row; `tripwright audit` names it.",
    ]
    for family in all_families.values():
        lines += ["", f"## {family.title}", ""]
        if family.choices:
            lines += _table(("choice", "what was chosen"), [(f"`{c.choice_id}`", c.text) for c in family.choices])
        lines += ["", *_table(("rule", "what it says"), [(f"`{name}`", text) for name, text in family.rules.items()])]
    return _page(lines)


_SHARED = {"rows": "its rows", "derived": "only what is derived from them", "nothing": "nothing of it"}


def _source_row(source: Source) -> tuple[str, str, str]:
    return f"[`{source.name}`](#{source.name})", source.title, f"`{source.licence_id}`"


def _usage(argument: Any) -> str:
    name = (argument.metavar or argument.name.upper()).strip("[]")
    return name if argument.required else f"[{name}]"


def _flags(option: Any) -> str:
    flags = ", ".join((*option.opts, *option.secondary_opts))
    return flags if option.is_flag else f"{flags} {option.metavar or option.name.upper().strip('_')}"


def _key_rows(section: dict[str, Any]) -> list[str]:
    required = section.get("required", [])
    rows = [
        (f"`{key}`", _kind(value), "required" if key in required else _default(value), value.get("description", ""))
        for key, value in section.get("properties", {}).items()
    ]
    return _table(("key", "value", "default", "what it is"), rows)


def _kind(value: dict[str, Any]) -> str:
    """Return in words what a JSON Schema allows."""
    if "$ref" in value:
        owner, _, name = value["$ref"].removeprefix("#/$defs/").rpartition("/$defs/")
        return f"[{name}](#{_anchor(f'{name} of {owner}' if owner else name)})"
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_kind(option) for option in value["anyOf"] if option.get("type") != "null"))
    if "const" in value or "enum" in value:
        return " or ".join(f"`{json.dumps(v)}`" for v in value.get("enum", [value.get("const")]))
    if value.get("type") == "array":
        parts = value.get("prefixItems")
        return f"[{', '.join(map(_kind, parts))}]" if parts else f"list of {_kind(value.get('items', {}))}"
    if value.get("type") == "object":
        inner = value.get("additionalProperties")
        return f"table of {_kind(inner)}" if isinstance(inner, dict) else "table"
    low, high = value.get("minimum", value.get("exclusiveMinimum")), value.get("maximum", value.get("exclusiveMaximum"))
    bounds = {(True, True): f", {low} to {high}", (True, False): f", from {low}", (False, True): f", up to {high}"}
    return str(value.get("format") or value.get("type", "")) + bounds.get((low is not None, high is not None), "")


def _default(value: dict[str, Any]) -> str:
    default = value.get("default")
    if default is None:
        return ""
    text = json.dumps(default, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]} …`"


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    cells: Iterator[tuple[str, ...]] = (tuple(_cell(text) for text in row) for row in rows)
    return [
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *(f"| {' | '.join(row)} |" for row in cells),
    ]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


def _page(lines: list[str]) -> str:
    return NOTE + "\n" + "\n".join(lines).strip() + "\n"


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(f"{__doc__}\nIt takes no arguments.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in reference_pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")

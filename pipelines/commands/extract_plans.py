"""`tripwright extract-plans`: planners' texts as plans that `tripwright score` reads."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from schemas.counts import counted
from schemas.errors import ExpectedError
from warehouse.disk import put_whole
from warehouse.home import Home


def extract_plans(
    release: ReleaseArgument,
    texts: Annotated[
        Path,
        typer.Argument(
            help='JSON lines of planners\' answers: {"task_id": …, "text": …}, or {"index": …, "plan": …} as published.'
        ),
    ],
    out: Annotated[Path, typer.Argument(help="Where to write the plans, one JSON object a line; must not exist.")],
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="RECIPE", help="Ask the model of this recipe about texts no grammar reads."),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read planners' texts as the family's plans: as JSON, by a grammar or a layout, else by a model.

    Layouts are those that planners use: headings, lists, bold, tables, prose around. A plan says nothing that its text
    does not say.

    Example: `tripwright extract-plans 4c1f0a answers.jsonl plans.jsonl --model recipes/mine.toml`. Texts that cannot be
    read are named and left out: to the score they are plans that were not delivered.
    """
    from assets.language.plan_texts import extracted_plans, plan_text
    from assets.release.exporting import release_tables
    from pipelines.extraction import model_ask, read_texts

    opened = Home(home)
    with errors_told(as_json):
        opened_release = find_whole(opened, release, "used to read plans")
        text_by_task = read_texts(texts, release_tables(opened_release))
        if out.exists():
            raise ExpectedError(f"{out}: exists; name a file that does not")
        family = plan_text(opened_release.manifest.family)
        ask = model_ask(opened, model, "plans") if model else None
        names = (
            family.place_names(opened_release.table)
            if set(family.place_names_from) <= set(opened_release.tables())
            else {}
        )
        readings = extracted_plans(text_by_task, family, ask, names)
        lines = [
            {"task_id": one.task_id, "plan": one.plan, "read_by": one.read_by, "generation_id": one.generation_id}
            for one in readings
            if one.plan is not None
        ]
        # What JSON spells and UTF-8 does not hold, half of a surrogate pair, is spelled again.
        body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        put_whole(out, body.encode("utf-8", "backslashreplace"), f"the plans {out.name}")
    unread = {one.task_id: one.problem for one in readings if one.plan is None}
    counts = dict(Counter(line["read_by"] for line in lines))
    if as_json:
        console.print_json({"plans": len(lines), "read_by": counts, "unread": unread, "path": str(out)})
        return
    console.OUT.print(
        f"{counted(len(lines), 'plan')} in {out}: " + ", ".join(f"{n} by {how}" for how, n in counts.items())
    )
    if unread:
        console.OUT.print(
            console.grid(f"{counted(len(unread), 'text')} not read", ("task", "why"), list(unread.items()))
        )

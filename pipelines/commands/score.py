"""`tripwright score`: the published metrics on a planner's output."""

from __future__ import annotations

from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from pipelines.score_page import show_scores
from warehouse.home import Home


def score(
    release: ReleaseArgument,
    plans: Annotated[
        str,
        typer.Argument(
            help="A JSON lines file of plans, `witness` (the release's own) or `baseline` (a greedy planner)."
        ),
    ],
    variant: Annotated[
        str, typer.Option(help="ours, paper (as its equations say) or released (as its code does).")
    ] = "ours",
    embedding: Annotated[
        str | None,
        typer.Option(
            help="The persona score's model: a folder, or a name on the hub, that is on this machine (TripCraft's "
            "paper: google-bert/bert-base-uncased). Without one the score is null; nothing is downloaded."
        ),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a planner's output with the family's published metrics.

    Examples: `tripwright score 4c1f0a witness` · `tripwright score 4c1f0a baseline` ·
    `tripwright score 4c1f0a plans.jsonl --variant released` ·
    `tripwright score 4c1f0a plans.jsonl --embedding google-bert/bert-base-uncased`.
    """
    from assets.release.scoring import BASELINE, WITNESS, read_plans, score_release

    with errors_told(as_json):
        opened = find_whole(Home(home), release, "scored")
        scores = score_release(opened, read_plans(opened, plans), variant, embedding)
    if as_json:
        console.print_json(scores)
    else:
        what = f"release {opened.version}, variant {variant}"
        of_ours = plans in (WITNESS, BASELINE)
        show_scores(opened.manifest.family, what, scores["aggregate"], has_conversations=not of_ours)

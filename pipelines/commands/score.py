"""`tripwright score`: the published metrics on a planner's output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assets.family import families
from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_release
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.release.reading import OpenedRelease


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
    from assets.release.scoring import read_plans, score_release

    with errors_told(as_json):
        opened = find_release(Home(home), release)
        scores = score_release(opened, read_plans(opened, plans), variant, embedding)
    if as_json:
        console.print_json(scores)
    else:
        _show(opened, variant, scores["aggregate"])


def _show(opened: OpenedRelease, variant: str, aggregate: dict[str, Any]) -> None:
    """Print what each figure says and which way is good, then counts; the counts behind figures are in `--json`."""
    family = families()[opened.manifest.family]
    rows = [
        (
            name,
            console.in_unit(value, family.metrics[name].unit),
            family.metrics[name].better,
            family.metrics[name].says,
        )
        for name, value in aggregate.items()
        if name in family.metrics
    ]
    title = f"{family.title}, release {opened.version}, as `{variant}` reads the scores"
    if rows:
        console.OUT.print(console.grid(title, ("score", "value", "good is", "what it says"), rows))
    for name, value in aggregate.items():
        if name not in family.metrics and name not in ("details", "variant"):
            console.show_measures(name.replace("_", " "), value)
    console.OUT.print("The counts behind each figure, and every plan's own scores: --json")

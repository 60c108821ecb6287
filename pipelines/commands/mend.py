"""`tripwright mend`: the recipe that rebuilds an opened folder's tasks, certified."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_release
from schemas.errors import ExpectedError
from schemas.recipe_values import MAX_SEED
from warehouse.home import Home


def mend(
    release: ReleaseArgument,
    recipe: Annotated[Path, typer.Argument(help="The recipe to write; must not be there yet.")],
    seed: Annotated[int, typer.Option(help="Chooses among equally small repairs.", min=0, max=MAX_SEED)] = 0,
    world: Annotated[
        Path | None,
        typer.Option(help="A recipe in whose world the tasks are rebuilt, where the folder's own says too little."),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a recipe that rebuilds the tasks of an opened folder: kept where they can be solved, mended where not.

    Example: `tripwright mend 4c1f0a mended.toml`. Then `tripwright build mended.toml` builds them. A task is kept with
    its query if the folder's own places satisfy it; any other is changed by the fewest edits, and each change stands in
    the task's `repairs`. What is built is certified like any release. A TripCraft folder does not say where restaurants
    and stays lie: `--world recipes/omaha.toml` rebuilds its tasks among the places of that recipe.
    """
    from pydantic import TypeAdapter, ValidationError

    from assets.families import families
    from pipelines.mending import mending_recipe
    from pipelines.written_recipe import write_whole
    from schemas.recipe_values import Slug

    with errors_told(as_json):
        try:
            TypeAdapter(Slug).validate_python(recipe.stem)
        except ValidationError:
            raise ExpectedError(
                f"{recipe}: the recipe is named after its file; expected small letters, digits and single hyphens, "
                "such as mended.toml"
            ) from None
        if recipe.exists():
            raise ExpectedError(f"{recipe} is there already; name a file that is not")
        text = mending_recipe(find_release(Home(home), release), recipe.stem, recipe.parent.resolve(), seed, world)
        write_whole(recipe, text, families())
    if as_json:
        console.print_json({"recipe": str(recipe)})
    else:
        console.OUT.print(console.Text(f"{recipe} is written; build it: tripwright build {recipe}"), soft_wrap=True)

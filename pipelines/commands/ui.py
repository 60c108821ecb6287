"""`tripwright ui`: Dagster's page and daemon over a home."""

from __future__ import annotations

from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import Stop, errors_told, say
from pipelines.commands.shared import HomeOption, JsonOption
from warehouse.home import Home


def ui(
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="Where the page is; default 3000, else a free one.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start Dagster's page and daemon over this home, print its address, and stop both at Ctrl-C.

    The page shows the graph of steps in the order of the flow, what was built of which city, with rows, rejections,
    maps and checks, and starts builds; schedules and sensors are switched on there. Dagster keeps its records in
    $DAGSTER_HOME, else in the home; what `build` and `refresh` do is shown too.

    Examples: `tripwright ui` · `tripwright ui --port 3333`.
    """
    from pipelines.orchestrator.ui import free_port, serve

    def ready(address: str) -> None:
        if as_json:
            console.print_json({"address": address})
        else:
            console.OUT.print(f"Dagster's page: {address}  (Ctrl-C stops it and its daemon)", soft_wrap=True)

    with errors_told(as_json):
        code = serve(Home(home), port or free_port(), ready, say)
    raise Stop(1 if code else 0)

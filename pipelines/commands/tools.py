"""`tripwright tools`: a release's tools, listed, called once, or served to an agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, Stop, errors_told, find_release
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.release.reading import OpenedRelease
    from assets.release.sandbox import Sandbox
    from assets.tools import Reply


def tools(
    release: ReleaseArgument,
    list_: Annotated[bool, typer.Option("--list", help="Print the tools and their parameters.")] = False,
    call: Annotated[
        tuple[str, str] | None,
        typer.Option("--call", metavar="NAME JSON", help="Call one tool and print its answer; exit 1 if it errs."),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="An exported sandbox_cache folder: recorded calls are replayed, the others are noted in it."),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve a release's tools to an agent, over the Model Context Protocol on standard input and output.

    The tools are the published ones of the release's family, answered from its tables alone; no network, no key.

    Examples: `tripwright tools 4c1f0a --list` ·
    `tripwright tools 4c1f0a --call search_poi '{"keywords": "museum", "city": "Helsinki"}'`.

    For an agent, give its MCP client the command `tripwright` with the arguments `tools 4c1f0a`. Plans that it makes
    are scored: one JSON object a line, `{"task_id": …, "plan": …}`, then `tripwright score 4c1f0a plans.jsonl`.
    """
    if as_json and not (list_ or call):
        raise typer.BadParameter("--json goes with --list or --call; the server speaks its own protocol on stdout")
    from assets.release.sandbox import open_sandbox

    with errors_told(as_json):
        opened = find_release(Home(home), release)
        sandbox = open_sandbox(opened, cache)
        if list_:
            _show_tools(sandbox, opened, as_json)
        elif call:
            reply = _call_once(sandbox, opened, *call, as_json=as_json)
            sandbox.save_missed()
            raise Stop(1 if reply.has_error else 0)
        else:
            from pipelines.tool_server import serve

            serve(f"tripwright {opened.manifest.family}", list(sandbox.tools.values()), sandbox.call)
            sandbox.save_missed()


def _call_once(sandbox: Sandbox, release: OpenedRelease, name: str, arguments: str, *, as_json: bool) -> Reply:
    """Print the reply to one call, with the source rows behind it under `--json`, and return it."""
    from assets.release.sandbox import source_rows
    from assets.tools import ToolError, error_reply, read_arguments

    try:
        reply = sandbox.call(name, read_arguments(arguments))
    except ToolError as error:
        reply = error_reply(str(error))
    if as_json:
        console.print_json({**reply.published, "rows": source_rows(release, reply.rows)})
    else:
        typer.echo(reply.result)
    return reply


def _show_tools(sandbox: Sandbox, release: OpenedRelease, as_json: bool) -> None:
    listed = list(sandbox.tools.values())
    if as_json:
        shown = [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in listed]
        console.print_json({"tools": shown})
    else:
        table = [(t.name, ", ".join(_parameters(t.parameters)), t.description) for t in listed]
        console.OUT.print(console.grid(f"Tools of {release.version}", ("tool", "parameters", "what for"), table))


def _parameters(schema: dict[str, Any]) -> list[str]:
    return [name if name in schema["required"] else f"[{name}]" for name in schema["properties"]]

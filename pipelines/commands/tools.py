"""`tripwright tools`: a release's tools, listed, called once, or served to an agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines import console
from pipelines.commands.errors import Stop, errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_whole
from warehouse.home import Home

if TYPE_CHECKING:
    from assets.core.tools import Reply
    from assets.release.call_cache import Embed, Example
    from assets.release.reading import OpenedRelease
    from assets.release.sandbox import Sandbox


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
    embedding: Annotated[
        str | None,
        typer.Option(
            help="With --cache, the model that says which recorded calls are most like another (--json: `similar`): a "
            "folder, or a name on the hub, that is on this machine; nothing is downloaded. Without one, TF-IDF does."
        ),
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
    if embedding is not None and cache is None:
        raise typer.BadParameter("--embedding goes with --cache, whose calls it compares")
    from assets.release.sandbox import open_sandbox

    with errors_told(as_json):
        opened = find_whole(Home(home), release, "searched")
        sandbox = open_sandbox(opened, cache, embed=_model(embedding))
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


def _model(embedding: str | None) -> Embed | None:
    if embedding is None:
        return None
    from sources.services.embedding import Embedding

    return Embedding(embedding)


def _call_once(sandbox: Sandbox, release: OpenedRelease, name: str, arguments: str, *, as_json: bool) -> Reply:
    """Print the reply to one call, and return it.

    Under `--json` with the source rows behind it and, for a call that is not recorded, the recorded ones most like it.
    """
    from assets.core.tools import ToolError, error_reply, read_arguments
    from assets.release.sandbox import source_rows

    alike: list[Example] = []
    try:
        parsed_arguments = read_arguments(arguments)
        reply = sandbox.call(name, parsed_arguments)
        if as_json and not (reply.cache_hit or reply.has_error):
            alike = sandbox.examples(name, parsed_arguments)
    except ToolError as error:
        reply = error_reply(str(error))
    if as_json:
        console.print_json({**reply.published, "rows": source_rows(release, reply.rows), "similar": alike})
    else:
        typer.echo(reply.result)
    return reply


def _show_tools(sandbox: Sandbox, release: OpenedRelease, as_json: bool) -> None:
    listed = list(sandbox.tools.values())
    if as_json:
        descriptions = [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in listed]
        console.print_json({"tools": descriptions})
    else:
        table = [(t.name, ", ".join(_parameters(t.parameters)), t.description) for t in listed]
        console.OUT.print(console.grid(f"Tools of {release.version}", ("tool", "parameters", "what for"), table))


def _parameters(schema: dict[str, Any]) -> list[str]:
    return [name if name in schema["required"] else f"[{name}]" for name in schema["properties"]]

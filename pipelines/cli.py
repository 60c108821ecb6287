"""The command line: every command of `pipelines/commands`, in the order that a new user meets them.

A command's module is imported when it is called: help and completion of names need none of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

try:
    import typer
    from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

    from assets.core.garbage import look_seldom
    from pipelines.streams import OutputError, prepare
except KeyboardInterrupt:  # of who gave a wrong command: loading takes long enough
    sys.exit(INTERRUPTED)

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "build:demo",
        "Build the demonstration: three invented cities, no key; OSRM is fetched once from the package index.",
    ),
    "new": (
        "new:new",
        "Make a benchmark of cities: find them, bind the files, write a recipe, build it, and say what it is made of.",
    ),
    "init": (
        "init:init",
        "Write a commented recipe for cities, ready to build.",
    ),
    "extract": (
        "extract:extract",
        "Download a city's streets, places and stops from OpenStreetMap into a file that a recipe can bind.",
    ),
    "build": ("build:build_command", "Build what is stale of a recipe and release its families."),
    "refresh": (
        "refresh:refresh_command",
        "Ask for a recipe's sources again, build what changed, release what differs, and say what changed and why.",
    ),
    "audit": ("audit:audit", "Follow a task, or every task of a release, to the source bytes."),
    "diff": (
        "diff:diff",
        "Say which tasks and rows differ between two releases of one recipe and family, field by field, and why.",
    ),
    "review": (
        "review:review",
        "Write a sheet for checking a release by hand (task, wording, witness, links), or read the filled one back.",
    ),
    "tables": (
        "tables:tables",
        "List the tables that a recipe's builds made, with their rows and files; or copy them out.",
    ),
    "export": (
        "export:export",
        "Write a release in its family's published on-disk shape, which the original harness reads unchanged.",
    ),
    "publish": (
        "publish:publish_command",
        "Say what publishing a release would send, how much, and under which licence; with --yes, send and verify it.",
    ),
    "complete": (
        "complete:complete_command",
        "Put back what a public edition leaves out, from the same source files: equal to the whole release in "
        "every byte.",
    ),
    "open": (
        "open:open_command",
        "Open a published folder as a read-only release, to be scored, inspected, shown and compared by its version.",
    ),
    "mend": (
        "mend:mend",
        "Write a recipe that rebuilds the tasks of an opened folder: kept where they can be solved, mended where not.",
    ),
    "report": (
        "report:report",
        "Write the page of a release: flow, maps, distributions, every task with its witness and provenance, licences.",
    ),
    "extract-plans": (
        "extract_plans:extract_plans",
        "Read planners' texts as the family's plans: as JSON, by a grammar or a layout, else by a model.",
    ),
    "score": ("score:score", "Score a planner's output with the family's published metrics."),
    "run": (
        "run:run_command",
        "Run a planner on a release's tasks in their published setting, and score what it hands in.",
    ),
    "judge": (
        "judge:judge",
        "Rate a run's conversations by the published five questions; `calibrate` and `run` then show the score.",
    ),
    "calibrate": (
        "calibrate:calibrate",
        "Score runs again and say how hard each task is, how well it tells planners apart, and who leads.",
    ),
    "tools": (
        "tools:tools",
        "Serve a release's tools to an agent, over the Model Context Protocol on standard input and output.",
    ),
    "inspect": ("inspect:inspect", "Audit somebody else's published benchmark: every measurable defect, by its id."),
    "sources": (
        "catalogue:sources",
        "List every source: what it is, its licence, which files it reads, how to get them.",
    ),
    "schema": ("catalogue:schema", "Print the JSON Schema of a recipe, for editors that complete and check TOML."),
    "dictionary": (
        "catalogue:dictionary",
        "Print the data dictionary: every table and column, with type, unit and constraint, in Markdown.",
    ),
    "ledger": (
        "ledger:ledger_command",
        "Show what the recorded model calls cost, by model, revision and job, and how many each recipe's builds saved.",
    ),
    "ui": ("ui:ui", "Start Dagster's page and daemon over this home, print its address, and stop both at Ctrl-C."),
    "doctor": ("doctor:doctor", "Say what this machine has, what is missing, and the one command that mends it."),
    "gc": (
        "gc:gc",
        "Say what the home keeps that no release and no recipe's lock points at; with `--delete`, free it.",
    ),
}
"""Each command's function, as module of `pipelines.commands` and name, and the first line of its help."""


class _Loaded(Mapping[str, Any]):
    """The commands by name, each imported when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


EXAMPLES = re.compile(r"(Examples?:) (`[^`]+`(?: · `[^`]+`)*)\. ?(.*)")


def _listed(help_text: str) -> str:
    """Return a help text with its examples on a line each, to be copied whole."""
    paragraphs = []
    for paragraph in help_text.split("\n\n"):
        if match := EXAMPLES.fullmatch(" ".join(paragraph.split())):
            paragraphs += [match[1], "\n".join(f"- {example}" for example in match[2].split(" · ")), match[3]]
        else:
            paragraphs.append(paragraph)
    return "\n\n".join(filter(None, paragraphs))


def _without_types(params: list[Any]) -> list[Any]:
    """Return the parameters, flags without a type: behind a flag it stands as if it took a value."""
    for param in params:
        if isinstance(param, TyperOption) and param.is_flag:
            param.metavar = ""
    return params


class PlainCommand(TyperCommand):
    """A command whose help shows no type where none is given, and each example on a line of its own."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, its examples listed."""
        help_text = self.help
        self.help = _listed(help_text or "")
        try:
            super().format_help(ctx, formatter)
        finally:
            self.help = help_text

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, flags without a type, and each of several values by the type of one."""
        params = _without_types(super().get_params(ctx))
        for param in params:
            if isinstance(param, TyperArgument) and param.metavar is None:
                param.metavar = (param.name or "").upper()
            elif isinstance(param, TyperOption) and param.metavar is None and param.multiple:
                param.metavar = "<path>" if "path" in param.bare_type().lower() else "<str>"
        return params


class LazyGroup(TyperGroup):
    """The group of all commands, of which only the one that is called is imported."""

    _only_named = False
    _as_json = False

    def __init__(self, **options: Any) -> None:
        """Make the group; its commands are those of `COMMANDS`."""
        super().__init__(**options)
        self.commands = _Loaded()  # pyright: ignore[reportAttributeAccessIssue]

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, flags without a type."""
        return _without_types(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the command; while help is printed, only its name and first line."""
        if cmd_name not in COMMANDS:
            return None
        if self._only_named:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name][1])
        return self.commands[cmd_name]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember whether one JSON object is asked for, before anything of the words is understood."""
        self._as_json = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named; under `--json` a fault of usage is an object on stdout too."""
        from typer.exceptions import TyperException

        try:
            return super().invoke(ctx)
        except TyperException as error:
            if self._as_json:
                from pipelines import console

                console.print_json({"error": error.format_message()})
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the group, for which no command is imported."""
        self._only_named = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._only_named = False


def _command(name: str) -> Any:
    from pipelines.commands.errors import tell_errors

    module, _, function = COMMANDS[name][0].partition(":")
    alone = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="markdown", add_completion=False)
    command = getattr(import_module(f"pipelines.commands.{module}"), function)
    alone.command(name, cls=PlainCommand, context_settings=CONTEXT)(tell_errors(command))
    return typer.main.get_command(alone)


CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings=CONTEXT,
    help="Builds travel-planning benchmarks for any city: certified, traceable, reproducible.\n\n"
    "Start with `tripwright demo`, then `tripwright build recipes/demo.toml`.",
)


def _version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"tripwright {version('tripwright')}")
        raise typer.Exit


@app.callback()
def _all(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


def main() -> None:
    """Run the command line."""
    try:
        prepare()
        look_seldom()
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OutputError as error:  # of help or a version: a command tells its own
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()

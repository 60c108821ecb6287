"""The command line: every command of `pipelines/commands`, in the order that a new user meets them."""

from __future__ import annotations

import typer

from pipelines.commands.audit import audit
from pipelines.commands.build import build_command, demo
from pipelines.commands.catalogue import dictionary, schema, sources
from pipelines.commands.complete import complete_command
from pipelines.commands.diff import diff
from pipelines.commands.doctor import doctor
from pipelines.commands.export import export
from pipelines.commands.extract import extract
from pipelines.commands.extract_plans import extract_plans
from pipelines.commands.gc import gc
from pipelines.commands.init import init
from pipelines.commands.inspect import inspect
from pipelines.commands.ledger import ledger_command
from pipelines.commands.new import new
from pipelines.commands.publish import publish_command
from pipelines.commands.refresh import refresh_command
from pipelines.commands.report import report
from pipelines.commands.review import review
from pipelines.commands.score import score
from pipelines.commands.tables import tables
from pipelines.commands.tools import tools
from pipelines.commands.ui import ui

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Builds travel-planning benchmarks for any city: certified, traceable, reproducible.\n\n"
    "Start with `tripwright demo`, then `tripwright build recipes/demo.toml`.",
)

app.command("demo")(demo)
app.command("new")(new)
app.command("init")(init)
app.command("extract")(extract)
app.command("build")(build_command)
app.command("refresh")(refresh_command)
app.command("audit")(audit)
app.command("diff")(diff)
app.command("review")(review)
app.command("tables")(tables)
app.command("export")(export)
app.command("publish")(publish_command)
app.command("complete")(complete_command)
app.command("report")(report)
app.command("extract-plans")(extract_plans)
app.command("score")(score)
app.command("tools")(tools)
app.command("inspect")(inspect)
app.command("sources")(sources)
app.command("schema")(schema)
app.command("dictionary")(dictionary)
app.command("ledger")(ledger_command)
app.command("ui")(ui)
app.command("doctor")(doctor)
app.command("gc")(gc)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()

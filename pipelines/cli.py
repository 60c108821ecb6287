"""The command line: every command of `pipelines/commands`, in the order that a new user meets them."""

from __future__ import annotations

import typer

from pipelines.commands.audit import audit
from pipelines.commands.build import build_command, demo
from pipelines.commands.catalogue import dictionary, schema, sources
from pipelines.commands.complete import complete_command
from pipelines.commands.diff import diff
from pipelines.commands.doctor import doctor
from pipelines.commands.errors import told
from pipelines.commands.export import export
from pipelines.commands.extract import extract
from pipelines.commands.extract_plans import extract_plans
from pipelines.commands.gc import gc
from pipelines.commands.init import init
from pipelines.commands.inspect import inspect
from pipelines.commands.ledger import ledger_command
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

app.command("demo")(told(demo))
app.command("init")(told(init))
app.command("extract")(told(extract))
app.command("build")(told(build_command))
app.command("refresh")(told(refresh_command))
app.command("audit")(told(audit))
app.command("diff")(told(diff))
app.command("review")(told(review))
app.command("tables")(told(tables))
app.command("export")(told(export))
app.command("publish")(told(publish_command))
app.command("complete")(told(complete_command))
app.command("report")(told(report))
app.command("extract-plans")(told(extract_plans))
app.command("score")(told(score))
app.command("tools")(told(tools))
app.command("inspect")(told(inspect))
app.command("sources")(told(sources))
app.command("schema")(told(schema))
app.command("dictionary")(told(dictionary))
app.command("ledger")(told(ledger_command))
app.command("ui")(told(ui))
app.command("doctor")(told(doctor))
app.command("gc")(told(gc))


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()

"""`tripwright publish`: a release to a folder, an object store, or the Hugging Face Hub."""

from __future__ import annotations

from typing import Annotated

import typer

from pipelines import console
from pipelines.commands.errors import errors_told
from pipelines.commands.shared import HomeOption, JsonOption, ReleaseArgument, find_release
from pipelines.walk.progress import Progress
from schemas.counts import counted
from warehouse.home import Home


def publish_command(
    release: ReleaseArgument,
    target: Annotated[str, typer.Argument(help="A folder, `s3://bucket/path`, or `hf://datasets/USER/NAME`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Send it; else only say what would be sent.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what publishing a release would send, how much, and under which licence; with --yes, send and verify it.

    Examples: `tripwright publish 4c1f0a ../public/demo` · `tripwright publish 4c1f0a hf://datasets/me/demo --yes`.

    The manifest goes last; what a broken transfer left is continued; every file is compared with its hash afterwards.
    The Hub's token is read from $HF_TOKEN. A release that holds what a licence forbids to share is refused (exit code
    1): publish its public edition.
    """
    from pipelines.releases.publish import open_target, publish

    with Progress() as progress, errors_told(as_json):
        opened, snapshots = find_release(Home(home), release), Home(home).snapshots
        progress.say(f"asking {target} what is there")
        sending = publish(opened, open_target(target), target, snapshots, do=yes, say=progress.say)
    if as_json:
        console.print_json(sending.as_json())
        return
    target_names = set(sending.already_there)
    rows = [(name, f"{size:,}", "there" if name in target_names else "") for name, size in sending.files.items()]
    console.OUT.print(console.grid(f"{sending.release} to {target}", ("file", "bytes", ""), rows))
    outcome = (
        f"Published: {counted(len(sending.sent), 'file')} sent, all {len(rows)} verified there"
        if sending.is_done
        else f"It would send {sending.bytes_to_send:,} bytes; nothing was sent. Add --yes to send it"
    )
    console.OUT.print(console.Text(f"Licence: {sending.licence}. {outcome}."), soft_wrap=True)

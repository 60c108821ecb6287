"""Progress of long work on stderr: each step as it runs, how fast it was, and about how long the rest takes."""

from __future__ import annotations

import time
from statistics import fmean

from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from pipelines.console import ERR
from pipelines.walk.walked import Event

TOLD_EVERY_S = 10.0
"""How often the time that is left is told where lines cannot be drawn over."""


class Progress:
    """Shows each step as it runs and what it gave: a live line on a terminal, plain lines elsewhere.

    The time that is left is a guess from this very run: a step takes as long in the next city as in those before it,
    and one that has not run yet as long as the others on average.
    """

    def __init__(self) -> None:
        self._started = self._told = time.monotonic()
        self._kept = 0
        self._total = 0
        self._ahead: set[tuple[str, str]] = set()
        self._seconds: dict[str, list[float]] = {}
        self._running, self._since = "", self._started
        self._spinner = Spinner("dots")
        self._live: Live | None = None
        if ERR.is_terminal:
            self._live = Live(get_renderable=self._line, console=ERR, transient=True, refresh_per_second=8)

    def __enter__(self) -> Progress:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()
        if self._kept:
            ERR.print(f"[dim]{self._kept} steps already built[/dim]")

    def say(self, text: str) -> None:
        """Show a line of its own."""
        ERR.print(Text(text))

    def waiting(self) -> None:
        """Say that something else holds the home."""
        ERR.print("another command is using this home; waiting for it to finish …")

    def __call__(self, event: Event) -> None:
        """Show one event of the walk."""
        where = f"{event.step} {event.scope}".rstrip()
        if event.status == "ahead":
            self._ahead.add((event.step, event.scope))
            self._total = len(self._ahead)
        elif event.status == "running":
            self._running, self._since = where, time.monotonic()
        elif event.status == "damaged":
            ERR.print(Text(f"  ! {where}: {event.reason}", style="yellow"))
        elif event.status == "blocked":
            self._ahead = {one for one in self._ahead if one[1] != event.scope}
            ERR.print(Text(f"  ✗ {where}: {event.reason}", style="red"))
        else:
            self._ahead.discard((event.step, event.scope))
            self._seconds.setdefault(event.step, []).append(event.seconds if event.status == "built" else 0.0)
            if event.status == "kept":
                self._kept += 1
            else:
                ERR.print(Text(f"  ✓ {where}: {_outcome(event)}{self._told_left()}"))

    def left(self) -> str:
        """Return which step this is of how many and about how long the rest takes; empty if nothing is known."""
        ran = [seconds for found in self._seconds.values() for seconds in found]
        if not self._ahead or not ran:
            return ""
        mean = fmean(ran)
        rest = sum(fmean(self._seconds.get(step, [mean])) for step, _ in self._ahead)
        return f"{self._total - len(self._ahead)} of {self._total} steps, about {duration(rest)} left"

    def _told_left(self) -> str:
        """Return what is left, if nothing has told it for a while."""
        left, now = self.left(), time.monotonic()
        if self._live or not left or now - self._told < TOLD_EVERY_S:
            return ""
        self._told = now
        return f"  ({left})"

    def _line(self) -> Spinner | Text:
        if not self._running:
            return Text("")
        now = time.monotonic()
        parts = [
            f"{self._running}, {duration(now - self._since)}",
            self.left() or f"{duration(now - self._started)} since start",
        ]
        self._spinner.update(text=Text(" · ".join(parts)))
        return self._spinner


def duration(seconds: float) -> str:
    """Return a time as a person says it: `8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _outcome(event: Event) -> str:
    rejected = f", {event.rejected:,} rejected" if event.rejected else ""
    rate = f" ({event.rows / event.seconds:,.0f} rows/s)" if event.seconds >= 1 and event.rows >= event.seconds else ""
    return f"{event.rows:,} rows{rejected} in {event.seconds:.1f} s{rate}"

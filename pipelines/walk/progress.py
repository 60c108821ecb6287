"""Progress of long work on stderr: each step as it runs, how fast it was, and about how long the rest takes.

A terminal shows a few lines that change, and a log file keeps all; a pipe gets every line, whole.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from pathlib import Path

from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text as RichText

from pipelines.console import ERR, Text, spinner
from pipelines.walk.listener import Listener
from pipelines.walk.walk_report import Event
from schemas.counts import counted

TOLD_EVERY_S = 10.0
"""How often the time that is left is told where lines cannot be drawn over."""


LINES_SHOWN = 17
"""Finished steps that a terminal shows; with what runs, and what is left, fewer than twenty lines."""


class Progress:
    """Shows each step as it runs and what it gave: lines that change on a terminal, every line elsewhere.

    The time that is left is a guess from this very run: a step takes as long in the next city as in those before it,
    and one that has not run yet as long as the others on average.
    """

    def __init__(self, log: Path | None = None) -> None:
        """Show progress; a terminal's lines are also kept in the file `log`, where one is given."""
        self._started = self._told = time.monotonic()
        self._kept = 0
        self._total = 0
        self._ahead: dict[str, set[str]] = {}
        self._ran: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._running, self._since = "", self._started
        self._spinner = Spinner(spinner(ERR))
        self._live: Live | None = None
        self._built = 0
        self._shown: deque[RichText] = deque(maxlen=LINES_SHOWN)
        self._log_path, self._log = log, None
        if ERR.is_terminal:
            self._live = Live(get_renderable=self._lines, console=ERR, transient=True, refresh_per_second=8)

    def __enter__(self) -> Progress:
        if self._live:
            self._live.start()
            if self._log_path is not None:
                self._log_path.parent.mkdir(parents=True, exist_ok=True)
                self._log = self._log_path.open("w", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()
            if self._built:
                log_note = f"; every line: {self._log_path}" if self._log else ""
                took = duration(time.monotonic() - self._started)
                ERR.print(Text(f"{counted(self._built, 'step')} built in {took}{log_note}"), soft_wrap=True)
        if self._log:
            self._log.close()
        if self._kept:
            ERR.print(Text(f"{counted(self._kept, 'step')} already built", style="dim"), soft_wrap=True)

    @property
    def listener(self) -> Listener:
        """Return who hears of a build by what is shown here."""
        return Listener(self, self.say, self.waiting)

    def say(self, text: str) -> None:
        """Show a line of its own."""
        ERR.print(Text(text), soft_wrap=True)

    def waiting(self) -> None:
        """Say that something else holds the home."""
        ERR.print("another command is using this home; waiting for it to finish …")

    def __call__(self, event: Event) -> None:
        """Show one event of the walk."""
        where = f"{event.step} {event.scope}".rstrip()
        if event.status == "ahead":
            self._ahead.setdefault(event.step, set()).add(event.scope)
            self._total = self._count()
        elif event.status == "running":
            self._running, self._since = where, time.monotonic()
        elif event.status == "damaged":
            ERR.print(Text(f"  ! {where}: {event.reason}", style="yellow"))
        elif event.status == "blocked":
            for scopes in self._ahead.values():
                scopes.discard(event.scope)
            self._keep(line := Text(f"  ✗ {where}: {event.reason}", style="red"))
            ERR.print(line, soft_wrap=True)
        else:
            self._ahead.get(event.step, set()).discard(event.scope)
            self._ran[event.step] += 1
            self._seconds[event.step] += event.seconds if event.status == "built" else 0.0
            if event.status == "kept":
                self._kept += 1
            else:
                self._built += 1
                self._keep(line := Text(f"  ✓ {where}: {_outcome(event)}{self._told_left()}"))
                if self._live:
                    self._shown.append(line)
                else:
                    ERR.print(line, soft_wrap=True)
                if event.reason:
                    self._keep(line := Text(f"  ! {where}: {event.reason}", style="yellow"))
                    ERR.print(line, soft_wrap=True)

    def _keep(self, line: RichText) -> None:
        if self._log:
            self._log.write(line.plain + "\n")
            self._log.flush()

    def remaining_text(self) -> str:
        """Return which step this is of how many and about how long the rest takes; empty if nothing is known."""
        count = self._count()
        if not count or not self._ran:
            return ""
        mean = sum(self._seconds.values()) / self._ran.total()
        remaining_s = 0.0
        for step, scopes in self._ahead.items():
            remaining_s += len(scopes) * (self._seconds[step] / self._ran[step] if step in self._ran else mean)
        return f"{self._total - count} of {self._total} steps, about {duration(remaining_s)} left"

    def _count(self) -> int:
        """Return how many steps are ahead, each scope counted."""
        return sum(map(len, self._ahead.values()))

    def _told_left(self) -> str:
        """Return what is left, if nothing has told it for a while."""
        remaining_text, now = self.remaining_text(), time.monotonic()
        if self._live or not remaining_text or now - self._told < TOLD_EVERY_S:
            return ""
        self._told = now
        return f"  ({remaining_text})"

    def _lines(self) -> Group:
        """Return the steps that finished last, no line longer than the terminal is wide, and the one that runs."""
        lines = [line.copy() for line in self._shown]
        for line in lines:
            line.truncate(ERR.width, overflow="ellipsis")
        return Group(*lines, self._line())

    def _line(self) -> Spinner | RichText:
        if not self._running:
            return Text("")
        now = time.monotonic()
        parts = [
            f"{self._running}, {duration(now - self._since)}",
            self.remaining_text() or f"{duration(now - self._started)} since start",
        ]
        self._spinner.update(text=Text(" · ".join(parts)))
        return self._spinner


def duration(seconds: float) -> str:
    """Return a time as a person says it: `8 s`, `3 min 20 s`, `2 h 5 min`."""
    whole_s = round(seconds)
    if whole_s < 60:
        return f"{whole_s} s"
    if whole_s < 3600:
        return f"{whole_s // 60} min {whole_s % 60} s"
    return f"{whole_s // 3600} h {whole_s % 3600 // 60} min"


def _outcome(event: Event) -> str:
    rejected = f", {event.rejected:,} rejected" if event.rejected else ""
    rate = f" ({event.rows / event.seconds:,.0f} rows/s)" if event.seconds >= 1 and event.rows >= event.seconds else ""
    return f"{counted(event.rows, 'row')}{rejected} in {event.seconds:.1f} s{rate}"

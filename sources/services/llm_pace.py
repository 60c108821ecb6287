"""How fast calls go out: a gate that narrows when the server is overrun, and limits per minute."""

from __future__ import annotations

import asyncio
import time
from collections import deque

NARROWED_TO = 0.5
"""Additive increase, multiplicative decrease (Chiu and Jain 1989), as in TCP's congestion control."""
SETTLING_S = 1.0
"""Failures within this time of a narrowing come of the width before it, and narrow no further."""
BURST_S = 1.0
"""A limit per minute may be used ahead by this much, so that short work is not slowed."""


class Gate:
    """Lets at most `width` calls through at once; it halves on a failure and grows by one a round of successes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.width = float(most)
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._narrowed_at = -SETTLING_S

    def restart(self) -> None:
        """Forget the calls of an event loop that has ended; keep the width that was found."""
        self._inside = 0
        self._waiting.clear()

    async def __aenter__(self) -> None:
        while self._inside >= max(1, int(self.width)):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._wake()
                raise
        self._inside += 1

    async def __aexit__(self, *_: object) -> None:
        self._inside -= 1
        self._wake()

    def narrow(self) -> None:
        """Let fewer calls through from now on."""
        now = time.monotonic()
        if now - self._narrowed_at >= SETTLING_S:
            self._narrowed_at = now
            self.width = max(1.0, self.width * NARROWED_TO)

    def widen(self) -> None:
        """Let a little more through."""
        self.width = min(float(self._most), self.width + 1 / self.width)
        self._wake()

    def _wake(self) -> None:
        free = max(1, int(self.width)) - self._inside
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1


class Pace:
    """Spreads amounts over time so that no minute takes more than its limit; None limits nothing."""

    def __init__(self, per_minute: int | None) -> None:
        self._seconds_each = 60 / per_minute if per_minute else 0.0
        self._free_at = 0.0

    async def take(self, amount: int) -> None:
        """Wait until the amount may be used."""
        if not self._seconds_each:
            return
        now = time.monotonic()
        starts = max(self._free_at, now - BURST_S)
        self._free_at = starts + amount * self._seconds_each
        if starts > now:
            await asyncio.sleep(starts - now)

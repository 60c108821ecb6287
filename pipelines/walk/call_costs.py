"""What model calls need and cost: as estimated before they are made, and as charged after."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.counts import counted
from schemas.engines import Prices
from sources.services.llm import ModelError

MILLION = 1_000_000


class SpendingLimitError(ModelError):
    """The next call could cost more than the recipe allows; nothing that was paid for is lost."""


@dataclass
class Needed:
    """The calls that a step still needs, and what they will use, as estimated."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


@dataclass
class Spent:
    """What a build asked of the ledger and of an endpoint.

    `estimated` is the part of `cost` that no endpoint told: of replies without their tokens, and of sendings without
    a reply that may be charged all the same.
    """

    cached: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    estimated: float = 0.0
    reserved: float = field(default=0.0, repr=False)

    @property
    def has_asked(self) -> bool:
        """Return whether anything was asked, or is charged: a sending that is lost costs, and is no call."""
        return bool(self.calls or self.cached or self.cost)

    def in_words(self) -> str:
        """Return what was asked and what that cost, as a line."""
        estimate = f", {self.estimated:,.4f} of it by our estimate" if self.estimated else ""
        tokens = f"{self.prompt_tokens:,} + {self.completion_tokens:,} tokens"
        calls_text = f"{counted(self.calls, 'call')} ({tokens}, cost {self.cost:,.4f}{estimate})"
        return f"model: {calls_text}, {counted(self.cached, 'answer')} from the ledger"

    def __add__(self, other: Spent) -> Spent:
        return Spent(**{name: value + getattr(other, name) for name, value in vars(self).items()})


def cost_of(prices: Prices | None, prompt_tokens: int, completion_tokens: int) -> float:
    """Return what so many tokens cost, 0 where no prices are known."""
    if prices is None:
        return 0.0
    return (prices.input * prompt_tokens + prices.output * completion_tokens) / MILLION

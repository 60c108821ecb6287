"""Shortest orders kept from one build to the next: what was sought before from the same numbers is not again.

Only a build recalls them, and only those that this user sought on this machine: by a longer order that somebody wrote a
longer tour would be the shortest. An audit seeks all anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from assets.core.shortest import Orders, recall, shortest_orders
from assets.promises.executed_code import unheard
from warehouse.own_key import is_signed, signature
from warehouse.store import Store

Given = ParamSpec("Given")
Said = TypeVar("Said")

VERDICTS_KEY = "verdicts"
"""Where a home keeps what judges found; to lose it costs time."""


@dataclass(frozen=True)
class KeptOrders:
    """The shortest orders of visits that a home keeps of those who sought them before, for the code that seeks them.

    Any process of the user that reads the home can recall them. Judges recall what judges sought, and nothing that
    others say.
    """

    home_url: str
    by: str
    code: str

    @classmethod
    def of(cls, store: Store, by: str, hash_of: Callable[[Callable[..., Any]], str]) -> KeptOrders:
        """Return those of a home that are named after who seeks them; `hash_of` gives the hash of a function's code."""
        return cls(store.url, by, hash_of(shortest_orders))

    @contextmanager
    def recall(self) -> Iterator[None]:
        """Have them found again inside the `with`, and keep what is sought there as one more file."""
        folder = f"{VERDICTS_KEY}/orders/{self.by}/{self.code}"
        orders: Orders = {}
        with unheard():
            store = Store(self.home_url)
            for key in store.keys(folder):
                data = store.read_if_there(key)
                if data is not None and is_signed(folder, data, key.rpartition("/")[2].encode()):
                    orders |= {name: [(t, tuple(o)) for t, o in trips] for name, trips in json.loads(data).items()}
        with recall(orders) as new:
            yield
            if new:
                data = json.dumps(new, sort_keys=True).encode()
                with unheard():
                    if (own := signature(folder, data)) is not None:
                        store.put(f"{folder}/{own}", data, synced=False)


class Recalls(Protocol):
    """A job that may be given the orders that those who did it before have sought."""

    @property
    def orders(self) -> KeptOrders | None:
        """Return them; None where all of them are to be sought."""


Recalling = TypeVar("Recalling", bound=Recalls)


def recalling(judge: Callable[Concatenate[Recalling, Given], Said]) -> Callable[Concatenate[Recalling, Given], Said]:
    """Return the judge as it recalls the orders that its job is given."""

    @wraps(judge)
    def judge_recalling(job: Recalling, *given: Given.args, **named: Given.kwargs) -> Said:
        with job.orders.recall() if job.orders is not None else nullcontext():
            return judge(job, *given, **named)

    return judge_recalling

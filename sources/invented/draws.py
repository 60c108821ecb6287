"""Drawing from what is listed, by generators that depend on nothing but their seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Option = TypeVar("Option")


def one_of(rng: Random, options: Sequence[Option]) -> Option:
    """Return one of the options, each as likely, for one number of the generator."""
    return options[int(rng.random() * len(options))]

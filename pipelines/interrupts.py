"""Ctrl-C where a library raises an error of its own in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

QUERY_INTERRUPTED = "Query interrupted"
"""What DuckDB raises a RuntimeError of in the place of KeyboardInterrupt, which it drops."""


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Raise KeyboardInterrupt in the place of an error that came of it inside the `with`.

    An import, a class that is being made and a database tell an interrupt as an error of what they were at, which would
    be told as a fault of that, or block a city for it.
    """
    try:
        yield
    except Exception as error:
        if _came_of_interrupt(error):
            raise KeyboardInterrupt from error
        raise


def _came_of_interrupt(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, KeyboardInterrupt) or (type(error), str(error)) == (RuntimeError, QUERY_INTERRUPTED):
            return True
        error = error.__cause__ or error.__context__
    return False

"""The base of every error that people meet because of their data, their recipe, their machine or somebody's server."""

from __future__ import annotations


class ExpectedError(ValueError):
    """Something that people meet and can mend: says what was found, what was expected and what to do.

    Whatever else a command raises is a fault of ours, and is told as one.
    """


def in_words(error: Exception) -> str:
    """Return what an error says; of one that was not expected, with its type."""
    return str(error) if isinstance(error, ExpectedError) else f"{type(error).__name__}: {error}"

"""Standard streams of a command: there, whole in what they take, and told where they take no more."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any

SPELLED = "tripwright.spelled"
"""The name by which Python knows how a stream writes what its encoding has no character for."""

MARKS = {
    "✓": "+", "•": "*", "✗": "x", "–": "-", "—": "-", "→": "->", "←": "<-", "·": "|", "…": "...", "×": "x",
    "≥": ">=", "≤": "<=", "©": "(c)", "“": '"', "”": '"', "‘": "'", "’": "'",
    "¦": "|", "‹": "<", "›": ">", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip
"""Our own marks in ASCII; names in other scripts are spelled out by their numbers, from which they can be had back."""


class OutputError(OSError):
    """Standard output took not all that a command says; the command itself is done, or failed for its own reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"standard output took not all of the answer: {reason}. Free space there, or direct the output elsewhere, "
            "and give the command again"
        )


def prepare() -> None:
    """Open what was closed before this process began, and have standard output say where it takes no more.

    Otherwise the first file that is opened would get a closed stream's number, and what a child process prints would go
    into it. Where Python writes unbuffered (PYTHONUNBUFFERED), an answer of which a full disk takes a part would be cut
    in silence. Of a full standard error nothing can be said: it is dropped. What a stream's encoding has no character
    for (LANG of ISO-8859-1, PYTHONIOENCODING) is written in marks that stand for it, else by its number.
    """
    codecs.register_error(SPELLED, _spelled)
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  (for all its life)
        elif name != "stdin" and stream is getattr(sys, f"__{name}__"):  # not what others have put in its place
            setattr(sys, name, _Output(stream, is_answer=name == "stdout"))


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """Return what is written in the place of characters that an encoding lacks, and where to go on."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(MARKS.get(one) or one.encode("ascii", "backslashreplace").decode() for one in lacking), error.end


class _Output(io.TextIOWrapper):
    """Standard output. Raises OutputError where it takes no more, BrokenPipeError where its reader went away."""

    def __init__(self, stream: Any, *, is_answer: bool) -> None:
        buffer = io.BufferedWriter(stream.buffer) if isinstance(stream.buffer, io.RawIOBase) else stream.buffer
        super().__init__(buffer, stream.encoding, SPELLED, line_buffering=not is_answer or stream.isatty())
        self._is_answer = is_answer

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self._give_up(error)
        return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Drop what is left, so that Python does not fail with it again at its end, and raise what is to be told."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        if isinstance(error, BrokenPipeError | OutputError):
            raise error
        if self._is_answer:
            raise OutputError(error.strerror or str(error)) from None

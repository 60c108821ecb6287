"""Labelled sentences as a source: MAMS-ACSA's XML, by its own split, read as hostile input.

    <sentences><sentence><text>…</text><aspectCategories>
      <aspectCategory category="food" polarity="positive"/>… </aspectCategories></sentence>…</sentences>

What the categories mean to our attributes is declared in `schemas/reviews.py`; learning from them belongs in
`assets/reviews/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn
from xml.parsers.expat import ExpatError, ParserCreate

from schemas.reviews import LABELLED_CATEGORIES, POLARITIES
from schemas.source import Source, SourceError, SourceFile
from sources.formats.unpacking import RawInput, unpacked

SOURCE = Source(
    name="labelled",
    title="MAMS: restaurant sentences with labelled aspects",
    homepage="https://github.com/siat-nlp/MAMS-for-ABSA",
    licence_id="Apache-2.0",
    attribution="Jiang, Chen, Xu, Ao and Yang: A Challenge Dataset and Effective Models for ABSA (EMNLP 2019)",
    files=(
        SourceFile("train", "XML: MAMS-ACSA train.xml, sentences with categories and polarities"),
        SourceFile("val", "XML: MAMS-ACSA val.xml, which the reader's quality is measured on"),
    ),
    how_to_get='Take raw/train.xml and raw/val.xml of the folder MAMS-ACSA. Then set [engines] reviews = "learned".',
)

MAX_BYTES = 64 << 20
MAX_SENTENCES = 200_000
MAX_SENTENCE_CHARACTERS = 4_000
MAX_LABELS = 32
MAX_PROBLEMS = 12
CHUNK_BYTES = 1 << 16
PATHS = {
    "sentences",
    "sentences/sentence",
    "sentences/sentence/text",
    "sentences/sentence/aspectCategories",
    "sentences/sentence/aspectCategories/aspectCategory",
}
"""Every element that the format has, by its path; anything else is refused, which bounds the depth too."""


@dataclass(frozen=True)
class LabelledSentence:
    """One sentence, its (category, polarity) labels in the file's order, and the pointer to it."""

    text: str
    labels: tuple[tuple[str, str], ...]
    source_row: str


def read_sentences(file: RawInput) -> list[LabelledSentence]:
    """Return the file's sentences in order. Raises SourceError with every problem found.

    A document type, an entity of its own or an element that the format does not have is refused unread.
    """
    reader = _Sentences(file.snapshot.pointer)
    size = 0
    try:
        with unpacked(file) as stream:
            while chunk := stream.read(CHUNK_BYTES):
                size += len(chunk)
                if size > MAX_BYTES:
                    reader.refuse(f"more than {MAX_BYTES} bytes")
                reader.parser.Parse(chunk, False)
            reader.parser.Parse(b"", True)
    except ExpatError as error:
        reader.problems.append(f"not well-formed XML: {error}")
    except _RefusedError:
        pass
    if not reader.sentences and not reader.problems:
        reader.problems.append("no sentence")
    if reader.problems:
        raise SourceError(
            f"{file.snapshot.location}: {'; '.join(reader.problems[:MAX_PROBLEMS])}. "
            "Expected the MAMS-ACSA XML as published."
        )
    return reader.sentences


def raw_sentences(file: RawInput, locators: set[str]) -> dict[str, str]:
    """Return the sentences at `sentence[3]` as JSON."""
    sentences = {sentence.source_row.partition("#")[2]: sentence for sentence in read_sentences(file)}
    return {
        locator: json.dumps({"text": sentences[locator].text, "labels": sentences[locator].labels}, ensure_ascii=False)
        for locator in locators
        if locator in sentences
    }


class _RefusedError(Exception):
    """Reading ends here; the problem is told."""


class _Sentences:
    """A parser's handlers, and what they gathered."""

    def __init__(self, pointer: Callable[[str | int], str]) -> None:
        self._pointer = pointer
        self.sentences: list[LabelledSentence] = []
        self.problems: list[str] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._labels: list[tuple[str, str]] = []
        self.parser = ParserCreate(encoding="utf-8")
        self.parser.StartDoctypeDeclHandler = lambda *_: self.refuse("a document type declaration")
        self.parser.EntityDeclHandler = lambda *_: self.refuse("an entity declaration")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def refuse(self, what: str) -> NoReturn:
        self.problems.append(f"found {what}, which is not read")
        raise _RefusedError

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        path = "/".join(self._path)
        if path not in PATHS:
            self.refuse(f"the element {path[:80]!r}")
        if name == "sentence":
            if len(self.sentences) >= MAX_SENTENCES:
                self.refuse(f"more than {MAX_SENTENCES} sentences")
            self._text, self._labels = [], []
        elif name == "aspectCategory":
            self._labels.append((attributes.get("category", ""), attributes.get("polarity", "")))
            if len(self._labels) > MAX_LABELS:
                self.refuse(f"more than {MAX_LABELS} labels of a sentence")

    def _characters(self, text: str) -> None:
        if self._path[-1:] == ["text"]:
            self._text.append(text)
            if sum(map(len, self._text)) > MAX_SENTENCE_CHARACTERS:
                self.refuse(f"a sentence of more than {MAX_SENTENCE_CHARACTERS} characters")

    def _end(self, name: str) -> None:
        self._path.pop()
        if name == "sentence":
            number = len(self.sentences)
            text = "".join(self._text)
            self.problems += [f"sentence[{number}]: {problem}" for problem in _problems(text, self._labels)]
            self.sentences.append(LabelledSentence(text, tuple(self._labels), self._pointer(f"sentence[{number}]")))
            if len(self.problems) >= MAX_PROBLEMS:
                raise _RefusedError


def _problems(text: str, labels: list[tuple[str, str]]) -> Iterator[str]:
    if not text.strip():
        yield "no text"
    for category, polarity in labels:
        if category not in LABELLED_CATEGORIES:
            yield f"category {category[:40]!r}, expected one of {', '.join(sorted(LABELLED_CATEGORIES))}"
        if polarity not in POLARITIES:
            yield f"polarity {polarity[:40]!r}, expected one of {', '.join(POLARITIES)}"

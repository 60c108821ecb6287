"""Sentences of a Wikivoyage page, labelled by hand, kept as hash, place in the file and label, not as text.

`sentences` cuts the page into sentences without markup; `drawn` takes those that were labelled: 300 of the sections
that describe what to see, do, buy, eat and drink, by their hash, and all of the section on sleeping. In
`labels/boston.csv` stands what a reader said of each: the orientations that it describes, the subjects of restaurants
that it speaks of and how, and those of stays; in `labels/boston_second.csv` what a second one said, who had not seen
the first one's labels. On 84 of them a third one decided by a written rule (`labels/README.md`,
`labels/boston_third.csv`): `adjudicated` gives what two of three say. Run `python -m perf.labelled_prose PAGE
--agreement` to see how far they agree (Cohen's kappa, Educational and Psychological Measurement 20, 1960) and each with
what two of three say, `--sheet` for a sheet to label once more.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

LABELS = Path(__file__).with_name("labels") / "boston.csv"
SECOND_LABELS = LABELS.with_name("boston_second.csv")
THIRD_LABELS = LABELS.with_name("boston_third.csv")
SECTIONS = ("See", "Do", "Buy", "Eat", "Drink")
STAY_SECTION = "Sleep"
DRAWN, SEED = 300, "boston 17 "
LEAST_CHARACTERS, MOST_CHARACTERS = 30, 400
ORIENTATIONS = {"F": "family", "H": "history", "A": "activity", "N": "nature", "E": "food", "S": "shopping"}
SUBJECTS = {"f": "food", "s": "service", "r": "room", "v": "value"}
STAY_SUBJECTS = {"q": "quality", "l": "location", "s": "service", "y": "safety"}
POLARITIES = {"+": "positive", "0": "neutral", "-": "negative"}

_HEADING = re.compile(r"(=+)\s*(.*?)\s*\1\s*$")
_SKIPPED = re.compile(r"\s*(\{\||\||\{\{(?!lead)|!|\[\[(File|Image)|<|\}\}|__)")
_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]+")
_MARKUP = (
    (re.compile(r"\{\{[^{}]*\}\}"), ""),
    (re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]"), r"\1"),
    (re.compile(r"\[https?://\S+\s*([^\]]*)\]"), r"\1"),
    (re.compile(r"'{2,}"), ""),
    (re.compile(r"<[^<>]*>"), ""),
)


@dataclass(frozen=True)
class Prose:
    """One sentence without markup: its section, and its characters in the file."""

    section: str
    start: int
    end: int
    text: str

    @property
    def digest(self) -> str:
        """Return the first 16 digits of the text's sha256."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Labelled:
    """What one reader says of one sentence."""

    sentence: Prose
    reader: str
    orientations: frozenset[str]
    subjects: dict[str, str]


def sentences(page: str) -> Iterator[Prose]:
    """Yield the page's sentences of running text, in order."""
    section, at = "", 0
    for line in page.splitlines(keepends=True):
        heading = _HEADING.match(line)
        if heading:
            section = heading[2] if len(heading[1]) == 2 else section
        elif not _SKIPPED.match(line):
            for found in _SENTENCE.finditer(line):
                start = at + found.end() - len(found[0].lstrip())
                text = page[start : at + found.end()]
                for pattern, plain in _MARKUP:
                    text = pattern.sub(plain, text)
                text = text.strip("*#: \n")
                if LEAST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
                    yield Prose(section, start, at + found.end(), text)
        at += len(line)


def drawn(page: str) -> list[Prose]:
    """Return the sentences that are labelled: DRAWN by their hash, and all of the section on sleeping."""
    every = list(sentences(page))
    ordered = sorted(
        (one for one in every if one.section in SECTIONS),
        key=lambda one: hashlib.sha256((SEED + one.text).encode()).hexdigest(),
    )
    return [
        *sorted(ordered[:DRAWN], key=lambda one: one.start),
        *(one for one in every if one.section == STAY_SECTION),
    ]


def labelled(page: str, rows: Iterable[dict[str, str]]) -> list[Labelled]:
    """Return the labels with their sentences. Raises ValueError where a sentence is not where its label says."""
    by_start = {one.start: one for one in drawn(page)}
    found = []
    for row in rows:
        sentence = by_start.get(int(row["start"]))
        if sentence is None or sentence.digest != row["sha256"] or sentence.end != int(row["end"]):
            raise ValueError(
                f"labels: no sentence {row['sha256']} at {row['start']}; expected the page they were made of"
            )
        names = STAY_SUBJECTS if sentence.section == STAY_SECTION else SUBJECTS
        pairs = [row["subjects"][n : n + 2] for n in range(0, len(row["subjects"]), 2)]
        found.append(
            Labelled(
                sentence,
                row["reader"],
                frozenset(ORIENTATIONS[letter] for letter in row["orientations"]),
                {names[subject]: POLARITIES[polarity] for subject, polarity in pairs},
            )
        )
    return found


def read_labels(path: Path = LABELS) -> list[dict[str, str]]:
    """Return the rows of a file of labels: sha256, start, end, reader, orientations, subjects."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def agreement(first: Sequence[Labelled], second: Sequence[Labelled]) -> Iterator[tuple[str, int, int, int, float]]:
    """Yield each label with how many sentences have it by the first, the second and both readers, and Cohen's kappa.

    A subject's label is that it is spoken of, in whatever way; one that neither gave is left out.
    """
    from sklearn.metrics import cohen_kappa_score

    pairs = {one.sentence.start: one for one in second}
    both = [(one, pairs[one.sentence.start]) for one in first if one.sentence.start in pairs]
    for stays, name, of in _labels():
        mine = [pair for pair in both if (pair[0].sentence.section == STAY_SECTION) is stays]
        told = [(name in of(a), name in of(b)) for a, b in mine]
        if any(a or b for a, b in told):
            kappa = float(cohen_kappa_score([a for a, _ in told], [b for _, b in told], labels=[False, True]))
            what = f"{'stays: ' if stays else ''}{name}"
            yield what, sum(a for a, _ in told), sum(b for _, b in told), sum(a and b for a, b in told), kappa


def adjudicated(first: Sequence[Labelled], second: Sequence[Labelled], third: Sequence[Labelled]) -> list[Labelled]:
    """Return the first reader's sentences with the subjects that two of three readers found.

    A subject's polarity is what most of those say who found it; where they are even the third reader's, or the first's
    if the third did not find it. Where the first two say the same, it stands. Orientations stay the first reader's.
    Raises ValueError where two readers differ and the third has not read the sentence.
    """
    others = {one.sentence.start: one.subjects for one in second}
    deciding = {one.sentence.start: one.subjects for one in third}
    decided = []
    for one in first:
        start, subjects = one.sentence.start, one.subjects
        if subjects != others[start]:
            if start not in deciding:
                raise ValueError(
                    f"labels: two readers differ on the sentence at {start}, and no third one has read it; expected "
                    f"a row of it in {THIRD_LABELS.name}: label it by the rule of {LABELS.parent.name}/README.md"
                )
            subjects = _of_two(subjects, others[start], deciding[start])
        decided.append(replace(one, reader="two of three", subjects=subjects))
    return decided


def _of_two(first: dict[str, str], second: dict[str, str], third: dict[str, str]) -> dict[str, str]:
    found = {}
    for subject in SUBJECTS.values():
        ways = Counter(labels[subject] for labels in (third, first, second) if subject in labels)
        if ways.total() >= 2:
            # Of equal counts the first met comes first: the third reader's.
            found[subject] = ways.most_common(1)[0][0]
    return found


def f1(truth: Sequence[Labelled], other: Sequence[Labelled], subjects: Container[str]) -> float:
    """Return F1 of finding these subjects in the sentences that both have; 0 where neither finds any."""
    readings = {one.sentence.start: one.subjects for one in other}
    pairs = [(one.subjects, readings[one.sentence.start]) for one in truth if one.sentence.start in readings]
    both = sum(subject in subjects for t, o in pairs for subject in t.keys() & o.keys())
    sides = sum(subject in subjects for pair in pairs for labels in pair for subject in labels)
    return 2 * both / max(1, sides)


def _labels() -> Iterator[tuple[bool, str, Callable[[Labelled], Container[str]]]]:
    yield from ((False, name, lambda one: one.orientations) for name in ORIENTATIONS.values())
    yield from ((False, name, lambda one: one.subjects) for name in SUBJECTS.values())
    yield from ((True, name, lambda one: one.subjects) for name in STAY_SUBJECTS.values())


def same_way(first: Sequence[Labelled], second: Sequence[Labelled]) -> tuple[int, int]:
    """Return how many subjects both readers found in a sentence, and of how many they gave the same polarity."""
    pairs = {one.sentence.start: one.subjects for one in second}
    told = [
        (way, pairs[one.sentence.start][subject])
        for one in first
        for subject, way in one.subjects.items()
        if subject in pairs.get(one.sentence.start, {})
    ]
    return len(told), sum(a == b for a, b in told)


def _print_f1(readers: Sequence[Sequence[Labelled]]) -> None:
    """Print F1 of finding restaurants' subjects: each two of three readers, and each beside what two of them say."""
    first, second, third = readers
    truth = adjudicated(first, second, third)
    pairs = {
        "first and second": (first, second),
        "first and third": (first, third),
        "second and third": (second, third),
        "two of three and first": (truth, first),
        "two of three and second": (truth, second),
    }
    for name, (one, other) in pairs.items():
        told = "  ".join(f"{subject} {f1(one, other, (subject,)):.3f}" for subject in SUBJECTS.values())
        print(f"F1 of {name:24} {told}  all {f1(one, other, tuple(SUBJECTS.values())):.3f}")


def main() -> None:
    """Print a sheet to label the drawn sentences by, one row a sentence, or how far two readers' labels agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--sheet", action="store_true")
    what.add_argument("--agreement", action="store_true")
    args = parser.parse_args()
    page = args.page.read_text(encoding="utf-8")
    if args.agreement:
        readers = [labelled(page, read_labels(path)) for path in (LABELS, SECOND_LABELS, THIRD_LABELS)]
        for name, one, other, both, kappa in agreement(*readers[:2]):
            print(f"{name:17} first {one:3}  second {other:3}  both {both:3}  kappa {kappa:.2f}")
        found, same = same_way(*readers[:2])
        print(f"of {found} subjects that both found, {same} with the same polarity")
        _print_f1([[one for one in reader if one.sentence.section != STAY_SECTION] for reader in readers])
        return
    writer = csv.writer(sys.stdout)
    writer.writerow(["sha256", "start", "end", "reader", "orientations", "subjects", "section", "text"])
    for one in drawn(page):
        writer.writerow([one.digest, one.start, one.end, "", "", "", one.section, one.text])


if __name__ == "__main__":
    main()

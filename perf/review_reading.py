"""How the rules and the learned reader read real labelled sentences: `python -m perf.review_reading --split val`.

Learns from MAMS's `train` sentences and reads those of another split: `val` to choose by, `test` once, at the end. Then
ordinary sentences, of one subject or none: those of the Boston page labelled by hand (`perf/labels`), and those that
the invented world's guests write, one sentence at a time, with their planted subject. Prints, by reader and subject,
precision, recall and F1 of finding; of the found praise and complaints the share judged the right way by the sign of
the score, be it ever so unsure, and the same of those that are judged, which are what a rating counts; and the recall
of praise less that of complaints, over all and as the mean of the subjects' differences, with 95 % bootstrap intervals
over sentences. Last the orientations that the rules find in the page.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from assets.reviews.labels import labelled_subjects
from assets.reviews.labels import read_by_rules as rules_grades
from assets.reviews.learned.reader import find
from assets.reviews.learned.training import learn
from assets.reviews.learned.weights import Weights
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import read_review
from assets.step import RawFile
from perf.labelled_prose import STAY_SECTION, labelled, read_labels
from schemas.reviews import SUBJECTS
from schemas.source import Snapshot
from sources.invented.phrases.bank import PHRASES
from sources.labelled.sentences import LabelledSentence, read_sentences

DATA = Path("../shared/data")
SAMPLES, SEED = 2_000, 17
DISHES = ("pasta", "pork belly", "clam chowder", "tacos", "mushroom risotto", "curry")

Truth = Mapping[str, str]
"""Polarity by subject."""
Reading = Mapping[str, float]
"""By subject that is found: a grade less the middle one, or UNSURE times a sign where it is not judged."""
UNSURE = 0.01


def by_rules(text: str) -> dict[str, float]:
    """Return what the rules judge in a sentence."""
    return {subject: grade - 3 for subject, grade in rules_grades(text).items() if grade is not None}


def by_weights(text: str, weights: Weights) -> dict[str, float]:
    """Return what the learned reader finds in a sentence, by the sign of its score where it does not judge."""
    found: dict[str, list[float]] = {}
    for one in find(text, weights, lexicon("restaurant")):
        way = UNSURE * one.sign if one.value is None or one.value == 3 else one.value - 3
        found.setdefault(one.subject, []).append(way)
    return {subject: sum(ways) / len(ways) for subject, ways in found.items()}


def table(truths: Sequence[Truth], readings: Sequence[Reading]) -> None:
    """Print the measures of one reader, by subject and over all."""
    counts = {subject: _counts(truths, readings, subject) for subject in SUBJECTS}
    for subject, (right, found, true) in counts.items():
        print(f"  {subject:8} {_f1(right, found, true)}   {_judging(truths, readings, (subject,))}   sentences {true}")
    right, found, true = (sum(one[n] for one in counts.values()) for n in range(3))
    print(f"  {'all':8} {_f1(right, found, true)}   {_judging(truths, readings, tuple(SUBJECTS))}")
    for name, lean in (("over all", _lean), ("mean of the subjects", _mean_lean)):
        low, middle, high = leaning(truths, readings, lean)
        print(f"  recall of praise less that of complaints, {name}: {middle:+.3f} ({low:+.3f} to {high:+.3f})")


def leaning(
    truths: Sequence[Truth], readings: Sequence[Reading], lean: Callable[[Sequence[tuple[Truth, Reading]]], float]
) -> tuple[float, float, float]:
    """Return the recall of praise less that of complaints: lower end of the 95 % interval, estimate, upper end."""
    rng = random.Random(SEED)
    pairs = list(zip(truths, readings, strict=True))
    drawn = sorted(lean([pairs[rng.randrange(len(pairs))] for _ in pairs]) for _ in range(SAMPLES))
    return drawn[int(0.025 * SAMPLES)], lean(pairs), drawn[int(0.975 * SAMPLES)]


def _lean(pairs: Sequence[tuple[Truth, Reading]]) -> float:
    recall = {}
    for polarity in ("positive", "negative"):
        mine = [subject in reading for truth, reading in pairs for subject in truth if truth[subject] == polarity]
        recall[polarity] = sum(mine) / len(mine) if mine else 0.0
    return recall["positive"] - recall["negative"]


def _mean_lean(pairs: Sequence[tuple[Truth, Reading]]) -> float:
    differences = []
    for subject in SUBJECTS:
        recall = {}
        for polarity in ("positive", "negative"):
            mine = [subject in reading for truth, reading in pairs if truth.get(subject) == polarity]
            recall[polarity] = sum(mine) / len(mine) if mine else None
        if recall["positive"] is not None and recall["negative"] is not None:
            differences.append(recall["positive"] - recall["negative"])
    return sum(differences) / len(differences) if differences else 0.0


def _judging(truths: Sequence[Truth], readings: Sequence[Reading], subjects: tuple[str, ...]) -> str:
    every = _judged(truths, readings, subjects)
    sure = [{s: way for s, way in reading.items() if abs(way) > UNSURE} for reading in readings]
    return f"right by sign {_share(every)}, of the judged {_share(_judged(truths, sure, subjects))}"


def _counts(truths: Sequence[Truth], readings: Sequence[Reading], subject: str) -> tuple[int, int, int]:
    pairs = [(subject in truth, subject in reading) for truth, reading in zip(truths, readings, strict=True)]
    return sum(t and r for t, r in pairs), sum(r for _, r in pairs), sum(t for t, _ in pairs)


def _judged(truths: Sequence[Truth], readings: Sequence[Reading], subjects: tuple[str, ...]) -> list[bool]:
    return [
        reading[subject] != 0 and (reading[subject] > 0) == (truth[subject] == "positive")
        for truth, reading in zip(truths, readings, strict=True)
        for subject in subjects
        if subject in reading and truth.get(subject) in ("positive", "negative")
    ]


def _f1(right: int, found: int, true: int) -> str:
    precision, recall = right / max(1, found), right / max(1, true)
    return f"precision {precision:.3f}  recall {recall:.3f}  F1 {2 * right / max(1, found + true):.3f}"


def _share(hits: Sequence[bool]) -> str:
    return f"{sum(hits) / len(hits):.3f} of {len(hits):4}" if hits else "none       "


def planted() -> list[tuple[str, Truth]]:
    """Return the invented guests' sentences about restaurants, each with the subject it was written of."""
    rng = random.Random(SEED)
    found = []
    of = {attribute: subject for subject, attributes in SUBJECTS.items() for attribute in attributes}
    for attribute, by_grade in PHRASES["restaurant"].items():
        for grade, lines in by_grade.items():
            for line in lines.strip().splitlines():
                text = line.replace("{dish}", rng.choice(DISHES))
                while choice := re.search(r"\[([^\[\]]*)\]", text):
                    text = text.replace(choice[0], rng.choice(choice[1].split("|")), 1)
                polarity = "positive" if grade > 3 else "negative" if grade < 3 else "neutral"
                found.append((f"{text[0].upper()}{text[1:]}.", {of[attribute]: polarity}))
    return found


def orientations(page: str) -> None:
    """Print how the rules find the hand-labelled orientations of the page's sentences."""
    rows = [one for one in labelled(page, read_labels()) if one.sentence.section != STAY_SECTION]
    readings = [
        {mention.attribute for mention in read_review(one.sentence.text, lexicon("attraction")) if mention.value >= 1}
        for one in rows
    ]
    totals = [0, 0, 0]
    for name in lexicon_orientations():
        pairs = [(name in one.orientations, name in reading) for one, reading in zip(rows, readings, strict=True)]
        counted = sum(t and r for t, r in pairs), sum(r for _, r in pairs), sum(t for t, _ in pairs)
        totals = [a + b for a, b in zip(totals, counted, strict=True)]
        print(f"  {name:8} {_f1(*counted)}   sentences {counted[2]}")
    print(f"  {'all':8} {_f1(*totals)}")


def lexicon_orientations() -> tuple[str, ...]:
    """Return the orientations in the order of the tables."""
    from schemas.reviews import ATTRACTION_ORIENTATIONS

    return ATTRACTION_ORIENTATIONS


def raw(path: Path) -> RawFile:
    """Return a file of labelled sentences as a step gets it."""
    snapshot = Snapshot(
        source="labelled", role="train", location=path.name, sha256="0" * 64, size_bytes=0, licence_id="Apache-2.0"
    )
    return RawFile(snapshot, path)


def mams(split: str) -> list[LabelledSentence]:
    """Return the sentences of one of MAMS's splits."""
    return read_sentences(raw(DATA / "reviews" / f"mams_{split}.xml"))


@cache
def weights_of(table: Path | None) -> Weights:
    """Return the weights of a build's `review_reader` table; learned anew from MAMS's `train` if None."""
    if table is None:
        return Weights.of(learn(mams("train")))
    import pyarrow.parquet as pq

    return Weights.of(pq.read_table(table).to_pylist())


def main() -> None:
    """Print the tables of both readers on a split of MAMS and on ordinary sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("val", "test"), default="val")
    parser.add_argument("--weights", type=Path, help="The `review_reader` table of a build, instead of learning anew.")
    args = parser.parse_args()
    started = time.process_time()
    weights = weights_of(args.weights)
    print(f"learned or read in {time.process_time() - started:.1f} s of processor time")
    held_out = [(one.text, labelled_subjects(one)) for one in mams(args.split)]
    page = (DATA / "wikivoyage" / "Boston.wikitext").read_text(encoding="utf-8")
    prose = [
        (one.sentence.text, one.subjects)
        for one in labelled(page, read_labels())
        if one.sentence.section != STAY_SECTION
    ]
    readers: dict[str, Callable[[str], Reading]] = {
        "rules": by_rules,
        "learned": partial(by_weights, weights=weights),
    }
    for title, pairs in ((f"MAMS {args.split}", held_out), ("Boston page", prose), ("planted", planted())):
        for name, read in readers.items():
            print(f"{title}, {len(pairs)} sentences, {name}")
            table([truth for _, truth in pairs], [read(text) for text, _ in pairs])
    print("orientations of the Boston page, rules")
    orientations(page)


if __name__ == "__main__":
    main()

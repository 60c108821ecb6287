"""How the learned reader reads sentences of one subject or none, as most are: `python -m perf.review_ordinary`.

MAMS's sentences were chosen to have two aspects or more, so what is measured on them says little of ordinary ones. Read
here are those of `train` and `val` that speak of at most one of our subjects (their other aspects are a menu, a place,
or neither), by weights learned from the other two thirds, each weighed so that the subjects are as frequent as SHARES
declares; then the sentences of the Boston page on eating and drinking, which are what the reader is for, and all of the
page's. Of these two readers gave labels, and a third decided where they differ (`perf/labels/README.md`): the truth is
what two of three say, and printed is how far each of the two agrees with it, and the reader's measures where both say
the same; and the orientations of attractions that the page describes, which rules read. The rules are the baseline.
Last stands one line a set: F1, and the share of judgements that are right with its 95 % interval (Wilson), beside the
marks of issue 13 and, where a set has several labellers, what the first two reach. MAMS's sentences have another aspect
of another polarity even where one of our subjects stands alone, so judging them is harder than judging ordinary ones;
the last line says how far somebody who read 150 of them judges as the labels do. What another reader finds in those of
`val` stands beside the labels too: MAMS calls tables, crowds and noise a place, and a price mostly what is called so.
`--weights` is the `review_reader` table of a build: then only `val` is read.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path

from assets.reviews.labels import labelled_subjects
from assets.reviews.learned.training import learn
from assets.reviews.learned.weights import Weights
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import read_review
from perf.labelled_prose import (
    LABELS,
    POLARITIES,
    SECOND_LABELS,
    STAY_SECTION,
    THIRD_LABELS,
    Labelled,
    adjudicated,
    labelled,
    read_labels,
)
from perf.review_evidence import FOLDS, fold
from perf.review_reading import DATA, UNSURE, Reading, Truth, by_rules, by_weights, mams, planted, weights_of
from schemas.reviews import ATTRACTION_ORIENTATIONS, SUBJECTS
from sources.labelled.sentences import LabelledSentence

NONE = "none"
SHARES = {"food": 0.40, "service": 0.20, "room": 0.14, "value": 0.10, NONE: 0.36}
"""A declared prior of ordinary restaurant sentences: near what is reported of SemEval-2014's task 4, and not MAMS's."""
MEALS = ("Eat", "Drink")
LEAST_F1, LEAST_RIGHT = 0.84, 0.93
ALL = "all"
SECOND_JUDGEMENTS = LABELS.with_name("mams_second.csv")
SECOND_SUBJECTS = LABELS.with_name("mams_subjects_second.csv")

Read = Callable[[str], Reading]
Pairs = Sequence[tuple[Truth, Reading]]


def measures(pairs: Pairs, weights: Sequence[float] | None = None, keep: Sequence[set[str]] | None = None) -> str:
    """Return F1 by subject and over all, and the share of grades that are right; `keep` are the subjects counted."""
    weighed = weights or [1.0] * len(pairs)
    kept = keep or [set(SUBJECTS)] * len(pairs)
    told = []
    for subject in SUBJECTS:
        mine = [(t, r, w) for (t, r), w, k in zip(pairs, weighed, kept, strict=True) if subject in k]
        right = sum(w for t, r, w in mine if subject in t and subject in r)
        sides = sum(w * ((subject in t) + (subject in r)) for t, r, w in mine)
        told.append(f"{subject} {2 * right / sides:.3f}" if sides else f"{subject} -")
    graded = grades(pairs, weighed, kept)
    right = sum(w for is_right, w in graded if is_right)
    judged = f"{right / sum(w for _, w in graded):.3f} of {len(graded)}" if graded else "none"
    return f"F1 {'  '.join(told)}  all {micro_f1(pairs, weighed, kept):.3f}   graded right {judged}"


def micro_f1(pairs: Pairs, weighed: Sequence[float], kept: Sequence[set[str]]) -> float:
    """Return F1 of finding over all subjects that are counted."""
    right = sides = 0.0
    for (truth, reading), weight, subjects in zip(pairs, weighed, kept, strict=True):
        right += weight * sum(subject in truth and subject in reading for subject in subjects)
        sides += weight * sum((subject in truth) + (subject in reading) for subject in subjects)
    return 2 * right / max(1e-9, sides)


def grades(pairs: Pairs, weighed: Sequence[float], kept: Sequence[set[str]]) -> list[tuple[bool, float]]:
    """Return whether each grade of a subject that is praised or complained of is right, and its weight."""
    return [
        ((reading[subject] > 0) == (truth[subject] == "positive"), weight)
        for (truth, reading), weight, subjects in zip(pairs, weighed, kept, strict=True)
        for subject in SUBJECTS
        if subject in subjects
        and truth.get(subject) in ("positive", "negative")
        and abs(reading.get(subject, 0)) > UNSURE
    ]


def in_short(name: str, pairs: Pairs, labellers: Sequence[Pairs] = ()) -> str:
    """Return one line on a set: F1 and judgements right, beside the labellers', and whether the marks are met."""
    even, every = [1.0] * len(pairs), [set(SUBJECTS)] * len(pairs)
    found, hits = micro_f1(pairs, even, every), [is_right for is_right, _ in grades(pairs, even, every)]
    low, high = wilson(sum(hits), len(hits))
    share = sum(hits) / max(1, len(hits))
    told = f"{name:34} F1 {found:.3f} {_met(found, LEAST_F1)}   judged right {share:.3f} {_met(share, LEAST_RIGHT)}"
    told += f" ({low:.3f} to {high:.3f}) of {len(hits):3}"
    reached = " and ".join(f"{micro_f1(one, even, every):.3f}" for one in labellers)
    return f"{told}   labellers' F1 {reached}" if reached else told


def wilson(hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    if not n:
        return 0.0, 1.0
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half


def _met(share: float, least: float) -> str:
    return f"(>= {least}: {'yes' if share >= least else 'no'})"


def weights_by_share(truths: Sequence[Truth]) -> list[float]:
    """Return each sentence's weight: 0 of those of several subjects, else what gives its subject its share."""
    kinds = [next(iter(truth), NONE) if len(truth) <= 1 else "" for truth in truths]
    counts = Counter(kinds)
    return [SHARES[kind] / counts[kind] if kind else 0.0 for kind in kinds]


def held_out(weights: Weights | None) -> list[tuple[Truth, dict[str, Reading]]]:
    """Return MAMS's sentences with what each reader reads in them, the learned one by weights of other sentences."""
    every = mams("val") if weights else [*mams("train"), *mams("val")]
    by_fold = [weights or Weights.of(learn([one for one in every if fold(one) != n])) for n in range(FOLDS)]
    return [
        (
            labelled_subjects(one),
            {"rules": by_rules(one.text), "learned": by_weights(one.text, by_fold[fold(one)])},
        )
        for one in every
    ]


def all_labels(sections: Sequence[str] | None = None) -> list[list[Labelled]]:
    """Return what each of three readers said of the page's sentences of some sections, None for all but stays."""
    page = (DATA / "wikivoyage" / "Boston.wikitext").read_text(encoding="utf-8")
    return [
        [
            one
            for one in labelled(page, read_labels(path))
            if one.sentence.section != STAY_SECTION and (not sections or one.sentence.section in sections)
        ]
        for path in (LABELS, SECOND_LABELS, THIRD_LABELS)
    ]


def boston(readers: Mapping[str, Read], sections: Sequence[str] | None) -> str:
    """Print the measures on the page's sentences of some sections, None for all but stays; return the last in short."""
    first, second, third = all_labels(sections)
    truths = [one.subjects for one in adjudicated(first, second, third)]
    ways = {"positive": 1.0, "negative": -1.0}
    human = [
        [
            (truth, {subject: ways.get(way, UNSURE / 2) for subject, way in one.subjects.items()})
            for truth, one in zip(truths, labels, strict=True)
        ]
        for labels in (first, second)
    ]
    agreed = [
        {s for s in SUBJECTS if (s in one.subjects) == (s in other.subjects)}
        for one, other in zip(first, second, strict=True)
    ]
    title, pairs = f"Boston, {', '.join(sections) if sections else 'all sections'}", human[0]
    print(f"{title}: {len(first)} sentences, held to what two of three readers say")
    print(f"  first reader  {measures(human[0])}")
    print(f"  second reader {measures(human[1])}")
    for name, read in readers.items():
        readings = [read(one.sentence.text) for one in first]
        pairs = list(zip(truths, readings, strict=True))
        print(f"  {name:13} {measures(pairs)}")
        print(f"  {name:13} {measures(pairs, keep=agreed)}   where the first two readers agree")
        of_first = [(one.subjects, reading) for one, reading in zip(first, readings, strict=True)]
        print(f"  {name:13} {measures(of_first)}   held to the first reader's labels")
    return in_short(title, pairs, human)


def in_second_reading(sentences: Sequence[LabelledSentence]) -> str:
    """Return how far a second reader's judgements of labelled sentences agree with their labels: no reader gets beyond.

    Raises ValueError where a sentence is not among those given.
    """
    with SECOND_JUDGEMENTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    by_digest = {hashlib.sha256(one.text.encode()).hexdigest()[:16]: labelled_subjects(one) for one in sentences}
    unknown = [row["sha256"] for row in rows if row["sha256"] not in by_digest]
    if unknown:
        raise ValueError(
            f"{SECOND_JUDGEMENTS.name}: {len(unknown)} sentences such as {unknown[0]} are not among those given; "
            "expected MAMS's train and val"
        )
    told = [
        (row["is_sure"] == "yes", by_digest[row["sha256"]][row["subject"]] == POLARITIES[row["polarity"]])
        for row in rows
    ]
    shares = []
    for name, hits in (("sure", [is_right for is_sure, is_right in told if is_sure]), ("all", [r for _, r in told])):
        low, high = wilson(sum(hits), len(hits))
        shares.append(f"{name} {sum(hits) / len(hits):.3f} ({low:.3f} to {high:.3f}) of {len(hits)}")
    return f"a second reader of MAMS's, at most one subject: judged as labelled {', '.join(shares)}"


def second_subjects(readers: Mapping[str, Read], sentences: Sequence[LabelledSentence]) -> None:
    """Print how another reader, who did not see the labels, finds subjects beside them, and the readers beside both."""
    with SECOND_SUBJECTS.open(encoding="utf-8", newline="") as file:
        others = {row["sha256"]: row["subjects"].split() for row in csv.DictReader(file)}
    read = [one for one in sentences if hashlib.sha256(one.text.encode()).hexdigest()[:16] in others]
    if len(read) != len(others):
        raise ValueError(
            f"{SECOND_SUBJECTS.name}: {len(read)} of its {len(others)} sentences are given; expected MAMS's val"
        )
    labels = [dict.fromkeys(labelled_subjects(one), "neutral") for one in read]
    second = [dict.fromkeys(others[hashlib.sha256(one.text.encode()).hexdigest()[:16]], "neutral") for one in read]
    print(f"MAMS val, {len(read)} sentences of at most one subject as labelled, read by another reader too")
    found = [dict.fromkeys(truth, UNSURE) for truth in second]
    print(f"  another reader, held to the labels  {measures(list(zip(labels, found, strict=True)))}")
    for name, by in readers.items():
        readings = [by(one.text) for one in read]
        for whose, truths in (("the labels", labels), ("the other reader", second)):
            print(f"  {name}, held to {whose}  {measures(list(zip(truths, readings, strict=True)))}")


def orientations() -> None:
    """Print how the rules, and the second reader, find what the first one says that the page is oriented to."""
    first, second, _ = all_labels()
    truths, others = [one.orientations for one in first], [one.orientations for one in second]
    readings = [
        frozenset(m.attribute for m in read_review(one.sentence.text, lexicon("attraction")) if m.value >= 1)
        for one in first
    ]
    print(f"orientations described in Boston, all sections: {len(first)} sentences")
    for name in (*ATTRACTION_ORIENTATIONS, ALL):
        names = set(ATTRACTION_ORIENTATIONS if name == ALL else (name,))
        agreed = [{o for o in names if (o in t) == (o in other)} for t, other in zip(truths, others, strict=True)]
        told = {
            "second labeller": _counted(truths, others, [names] * len(first)),
            "rules": _counted(truths, readings, [names] * len(first)),
            "rules, where both agree": _counted(truths, readings, agreed),
        }
        print(f"  {name:9}" + "".join(f"  {reader} {_told(*counts)}" for reader, counts in told.items()))


def _counted(
    truths: Sequence[AbstractSet[str]], readings: Sequence[AbstractSet[str]], kept: Sequence[AbstractSet[str]]
) -> tuple[int, int, int]:
    """Return how many labels are found rightly, in excess and not at all."""
    rows = list(zip(truths, readings, kept, strict=True))
    right = sum(len(t & r & k) for t, r, k in rows)
    return right, sum(len((r - t) & k) for t, r, k in rows), sum(len((t - r) & k) for t, r, k in rows)


def _told(right: int, excess: int, missed: int) -> str:
    return (
        f"F1 {2 * right / max(1, 2 * right + excess + missed):.3f} ({right} right, {excess} too many, {missed} missed)"
    )


def main() -> None:
    """Print the measures on each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path)
    args = parser.parse_args()
    weights = weights_of(args.weights)
    sentences = held_out(weights if args.weights else None)
    share = weights_by_share([truth for truth, _ in sentences])
    brief = []
    few = [(one, w) for one, w in zip(sentences, share, strict=True) if w]
    print(f"MAMS, {len(few)} sentences of at most one subject, {sum(not t for (t, _), _ in few)} of none")
    for name in ("rules", "learned"):
        pairs = [(truth, by_reader[name]) for (truth, by_reader), _ in few]
        print(f"  {name:13} {measures(pairs, [w for _, w in few])}   by declared shares")
        print(f"  {name:13} {measures(pairs)}   as they are")
        brief = [in_short("MAMS, at most one subject", pairs)]
    readers: dict[str, Read] = {"rules": by_rules, "learned": partial(by_weights, weights=weights)}
    brief += [boston(readers, MEALS), boston(readers, None)]
    print("the invented guests' sentences")
    for name, read in readers.items():
        pairs = [(truth, read(text)) for text, truth in planted()]
        print(f"  {name:13} {measures(pairs)}")
    brief.append(in_short("the invented guests' sentences", pairs))
    second_subjects(readers, mams("val"))
    orientations()
    brief.append(in_second_reading([*mams("train"), *mams("val")]))
    print("\n".join(["the learned reader in short", *brief]))


if __name__ == "__main__":
    main()

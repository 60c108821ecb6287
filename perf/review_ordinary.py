"""How the learned reader reads sentences of one subject or none, as most are: `python -m perf.review_ordinary`.

MAMS's sentences were chosen to have two aspects or more, so what is measured on them says little of ordinary ones. Read
here are those of `train` and `val` that speak of at most one of our subjects (their other aspects are a menu, a place,
or neither), by weights learned from the other two thirds, each weighed so that the subjects are as frequent as SHARES
declares; then the sentences of the Boston page on eating and drinking, which are what the reader is for, and all of the
page's. Of these two readers gave labels: printed is how far the second agrees with the first, which nobody can be
asked to surpass, and the reader's measures where both say the same. The rules are the baseline. `--weights` is the
`review_reader` table of a build: then only `val` is read, by those.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from assets.reviews.labels import labelled_subjects
from assets.reviews.learned.training import learn
from assets.reviews.learned.weights import Weights
from perf.labelled_prose import SECOND_LABELS, STAY_SECTION, labelled, read_labels
from perf.review_evidence import FOLDS, fold
from perf.review_reading import DATA, UNSURE, Reading, Truth, by_rules, by_weights, mams, planted, weights_of
from schemas.reviews import SUBJECTS

NONE = "none"
SHARES = {"food": 0.40, "service": 0.20, "room": 0.14, "value": 0.10, NONE: 0.36}
"""A declared prior of ordinary restaurant sentences: near what is reported of SemEval-2014's task 4, and not MAMS's."""
MEALS = ("Eat", "Drink")

Read = Callable[[str], Reading]
Pairs = Sequence[tuple[Truth, Reading]]


def measures(pairs: Pairs, weights: Sequence[float] | None = None, keep: Sequence[set[str]] | None = None) -> str:
    """Return F1 by subject and over all, and the share of grades that are right; `keep` are the subjects counted."""
    weighed = weights or [1.0] * len(pairs)
    kept = keep or [set(SUBJECTS)] * len(pairs)
    told, total = [], [0.0, 0.0]
    for subject in SUBJECTS:
        mine = [(t, r, w) for (t, r), w, k in zip(pairs, weighed, kept, strict=True) if subject in k]
        right = sum(w for t, r, w in mine if subject in t and subject in r)
        sides = sum(w * ((subject in t) + (subject in r)) for t, r, w in mine)
        told.append(f"{subject} {2 * right / sides:.3f}" if sides else f"{subject} -")
        total = [total[0] + 2 * right, total[1] + sides]
    graded = [
        ((r[s] > 0) == (t[s] == "positive"), w)
        for (t, r), w, k in zip(pairs, weighed, kept, strict=True)
        for s in k
        if t.get(s) in ("positive", "negative") and abs(r.get(s, 0)) > UNSURE
    ]
    right = sum(w for is_right, w in graded if is_right)
    judged = f"{right / sum(w for _, w in graded):.3f} of {len(graded)}" if graded else "none"
    return f"F1 {'  '.join(told)}  all {total[0] / max(1e-9, total[1]):.3f}   graded right {judged}"


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


def boston(readers: Mapping[str, Read], sections: Sequence[str] | None) -> None:
    """Print the measures on the page's sentences of some sections, None for all but stays."""
    page = (DATA / "wikivoyage" / "Boston.wikitext").read_text(encoding="utf-8")
    first, second = (
        [
            one
            for one in labelled(page, read_labels(*path))
            if one.sentence.section != STAY_SECTION and (not sections or one.sentence.section in sections)
        ]
        for path in ((), (SECOND_LABELS,))
    )
    truths = [one.subjects for one in first]
    others = [one.subjects for one in second]
    ways = {"positive": 1.0, "negative": -1.0}
    human = [
        (t, {s: ways.get(p, UNSURE / 2) for s, p in other.items()}) for t, other in zip(truths, others, strict=True)
    ]
    agreed = [{s for s in SUBJECTS if (s in t) == (s in o)} for t, o in zip(truths, others, strict=True)]
    print(f"Boston, {', '.join(sections) if sections else 'all sections'}: {len(first)} sentences")
    print(f"  second reader {measures(human)}")
    for name, read in readers.items():
        pairs = [(t, read(one.sentence.text)) for t, one in zip(truths, first, strict=True)]
        print(f"  {name:13} {measures(pairs)}")
        print(f"  {name:13} {measures(pairs, keep=agreed)}   where both readers agree")


def main() -> None:
    """Print the measures on each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path)
    args = parser.parse_args()
    weights = weights_of(args.weights)
    sentences = held_out(weights if args.weights else None)
    share = weights_by_share([truth for truth, _ in sentences])
    few = [(one, w) for one, w in zip(sentences, share, strict=True) if w]
    print(f"MAMS, {len(few)} sentences of at most one subject, {sum(not t for (t, _), _ in few)} of none")
    for name in ("rules", "learned"):
        pairs = [(truth, by_reader[name]) for (truth, by_reader), _ in few]
        print(f"  {name:13} {measures(pairs, [w for _, w in few])}   by declared shares")
        print(f"  {name:13} {measures(pairs)}   as they are")
    readers: dict[str, Read] = {"rules": by_rules, "learned": partial(by_weights, weights=weights)}
    boston(readers, MEALS)
    boston(readers, None)
    print("the invented guests' sentences")
    for name, read in readers.items():
        print(f"  {name:13} {measures([(truth, read(text)) for text, truth in planted()])}")


if __name__ == "__main__":
    main()

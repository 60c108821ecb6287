"""Passages that the learned reader cites of real sentences, for somebody to read who did not write the reader.

`python -m perf.review_evidence --sheet sheet.csv` draws 200 passages by a fixed seed and writes them with their
sentence and what the reader claims of them; a person fills `verdict` with yes, no or unsure and `reader` with a name.
`--read sheet.csv` counts the verdicts and prints the rows to keep: hash, place, claim and verdict, without the text.

Drawn from are MAMS's `train` and `val` sentences, cut in FOLDS by their hash; each fold is read by weights that were
learned from the others. Printed is how many passages there were to draw from, and the share that the labels bear out.
`perf/labels/evidence_cited.csv` is that sheet, read; `evidence.csv` was drawn by seed 17 of `val` alone, when every
passage was cited.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from assets.reviews.labels import SUBJECT_OF, labelled_subjects, way
from assets.reviews.learned.reader import read_learned
from assets.reviews.learned.training import learn
from assets.reviews.learned.weights import Weights
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import Mention
from perf.review_reading import mams
from sources.labelled.sentences import LabelledSentence

PASSAGES, SEED, FOLDS = 200, 1_723, 3
VERDICTS = ("yes", "no", "unsure")
KEPT: list[str] = ["sha256", "start", "end", "attribute", "claim", "verdict", "reader"]
MIDDLE = 3.0


def drawn(labelled: Sequence[LabelledSentence]) -> tuple[list[dict[str, str]], str]:
    """Return the drawn passages, each with its sentence and the claim, in the order of the sentences, and a count."""
    passages, is_borne_out = [], []
    for part in range(FOLDS):
        weights = Weights.of(learn([one for one in labelled if fold(one) != part]))
        for one in labelled:
            if fold(one) != part:
                continue
            truth = labelled_subjects(one)
            for mention in read_learned(one.text, weights, lexicon("restaurant")):
                if mention.is_cited:
                    passages.append(_row(one.text, mention))
                    is_borne_out.append(truth.get(SUBJECT_OF[mention.attribute]) == way(mention.value))
    chosen = random.Random(SEED).sample(range(len(passages)), min(PASSAGES, len(passages)))
    told = f"{len(passages)} cited in {len(labelled)} sentences, {sum(is_borne_out)} as the labels say"
    return [passages[n] for n in sorted(chosen)], told


def fold(one: LabelledSentence) -> int:
    """Return which of the parts that are held out in turn a sentence is in."""
    return int(hashlib.sha256(one.text.encode()).hexdigest()[:8], 16) % FOLDS


def _row(text: str, mention: Mention) -> dict[str, str]:
    return {
        "sha256": hashlib.sha256(text.encode()).hexdigest()[:16],
        "start": str(mention.start),
        "end": str(mention.end),
        "attribute": mention.attribute,
        "claim": "good" if mention.value > MIDDLE else "bad" if mention.value < MIDDLE else "middling",
        "verdict": "",
        "reader": "",
        "passage": text[mention.start : mention.end],
        "sentence": text,
    }


def counted(rows: list[dict[str, str]]) -> str:
    """Return the share of passages that say what is claimed, with its 95 % interval (Wilson). Raises ValueError."""
    bad = [str(n) for n, row in enumerate(rows, 2) if row["verdict"] not in VERDICTS or not row["reader"].strip()]
    if bad:
        raise ValueError(f"lines {', '.join(bad[:10])}: expected a verdict ({', '.join(VERDICTS)}) and a reader")
    counts = Counter(row["verdict"] for row in rows)
    n, share, z = len(rows), counts["yes"] / len(rows), 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    interval = f"{middle - half:.1%} to {middle + half:.1%}"
    return f"{counts['yes']} of {n} say what is claimed: {share:.1%} ({interval}); {dict(counts)}"


def main() -> None:
    """Write a sheet, or count a filled one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--read", type=Path)
    args = parser.parse_args()
    if args.read:
        with args.read.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        print(counted(rows), file=sys.stderr)
        writer = csv.DictWriter(sys.stdout, KEPT, extrasaction="ignore", lineterminator="\n")
    else:
        rows, told = drawn([*mams("train"), *mams("val")])
        print(told, file=sys.stderr)
        writer = csv.DictWriter(args.sheet.open("w", encoding="utf-8", newline=""), [*KEPT, "passage", "sentence"])
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()

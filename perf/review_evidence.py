"""Passages that the learned reader cites of real sentences, for somebody to read who did not write the reader.

`python -m perf.review_evidence --sheet sheet.csv` draws 200 passages of MAMS's `val` sentences by a fixed seed and
writes them with their sentence and what the reader claims of them; a person fills `verdict` with yes, no or unsure and
`reader` with a name. `--read sheet.csv` counts the verdicts and prints the rows to keep: hash, place, claim
and verdict, without the text. `--weights` takes the `review_reader` table of a build instead of learning anew.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
import random
import sys
from collections import Counter
from pathlib import Path

from assets.reviews.learned.reader import read_learned
from assets.reviews.learned.weights import Weights
from assets.reviews.lexicon import lexicon
from perf.review_reading import mams, weights_of

PASSAGES, SEED = 200, 17
VERDICTS = ("yes", "no", "unsure")
KEPT: list[str] = ["sha256", "start", "end", "attribute", "claim", "verdict", "reader"]
MIDDLE = 3.0


def drawn(weights: Weights) -> list[dict[str, str]]:
    """Return the drawn passages, each with its sentence and the claim, in the order of the file."""
    passages = []
    for one in mams("val"):
        for mention in read_learned(one.text, weights, lexicon("restaurant")):
            claim = "good" if mention.value > MIDDLE else "bad" if mention.value < MIDDLE else "middling"
            passages.append(
                {
                    "sha256": hashlib.sha256(one.text.encode()).hexdigest()[:16],
                    "start": str(mention.start),
                    "end": str(mention.end),
                    "attribute": mention.attribute,
                    "claim": claim,
                    "verdict": "",
                    "reader": "",
                    "passage": one.text[mention.start : mention.end],
                    "sentence": one.text,
                }
            )
    chosen = random.Random(SEED).sample(range(len(passages)), min(PASSAGES, len(passages)))
    return [passages[n] for n in sorted(chosen)]


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
    parser.add_argument("--weights", type=Path)
    args = parser.parse_args()
    if args.read:
        with args.read.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        print(counted(rows), file=sys.stderr)
        writer = csv.DictWriter(sys.stdout, KEPT, extrasaction="ignore", lineterminator="\n")
    else:
        rows = drawn(weights_of(args.weights))
        writer = csv.DictWriter(args.sheet.open("w", encoding="utf-8", newline=""), [*KEPT, "passage", "sentence"])
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()

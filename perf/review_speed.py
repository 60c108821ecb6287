"""Reviews a second that the learned reader and the rules read: `python -m perf.review_speed --weights TABLE.parquet`.

The text is MAMS's training sentences cut into reviews of 100 words, which judge more than ordinary reviews do: seven
passages a review. `--weights` is the `review_reader` table of a build; without it the weights are learned anew. Both
readers read all reviews in turn, each three times; printed are reviews a second of processor time and the ratio.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path

from assets.reviews.learned.reader import read_learned
from assets.reviews.lexicon import lexicon
from assets.reviews.reading import read_review
from perf.review_reading import mams, weights_of

WORDS, RUNS = 100, 3


def main() -> None:
    """Print how many reviews a second each reader reads, and the peak of memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path)
    args = parser.parse_args()
    weights, words = weights_of(args.weights), lexicon("restaurant")
    told = " ".join(one.text for one in mams("train")).split()
    reviews = [" ".join(told[n : n + WORDS]) for n in range(0, len(told) - WORDS, WORDS)]
    readers: dict[str, Callable[[str], object]] = {
        "rules": lambda text: read_review(text, words),
        "learned": lambda text: read_learned(text, weights, words),
    }
    best = dict.fromkeys(readers, 0.0)
    for _ in range(RUNS):
        for name, read in readers.items():
            started = time.process_time()
            for text in reviews:
                read(text)
            best[name] = max(best[name], len(reviews) / (time.process_time() - started))
    for name, speed in best.items():
        print(f"{name:8} {speed:,.0f} reviews/s")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"ratio {best['rules'] / best['learned']:.1f}, peak {peak_mb} MB")


if __name__ == "__main__":
    main()

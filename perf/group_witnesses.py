"""Whom the published checker accepts, in a real town: `python -m perf.group_witnesses DATA [--tasks N]`.

Draws 20 groups of each difficulty (N) for Helsinki's centre, in English and in Chinese, finds their plans, exports
them and asks the published checker. Each plan is then spoilt in four ways by which a planner would gain (an invented
place, moves of a minute, a meal more, ten minutes at a sight), and `ours` has to refuse it for that. Exit 1 where any
is not so.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import get_args

from assets.grouptravel.difficulty import DIFFICULTIES, Difficulty
from assets.grouptravel.vocabulary import Language
from tests.assets.grouptravel.real_town import HELSINKI, town
from tests.assets.grouptravel.test_published_witnesses import SPOILS, judged


def main() -> int:
    """Print how many are accepted and refused, and exit 1 where not all are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--tasks", type=int, default=20)
    args = parser.parse_args()
    wrong = 0
    for language in get_args(Language):
        counts: dict[Difficulty, int] = dict.fromkeys(DIFFICULTIES, int(args.tasks))
        release = town(HELSINKI, args.data, language, counts).release
        n, refused, unpublished, unrefused = judged(release, language)
        print(
            f"{language}: the published checker accepts {n - len(unpublished)} of {n}, ours {n - len(refused)} of {n}"
        )
        for name, spoil in SPOILS.items():
            missed = [task for task, check in unrefused if check == name]
            print(f"  {spoil.__name__}: ours refuses {n - len(missed)} of {n}, by `{name}`")
        wrong += len(refused) + len(unpublished) + len(unrefused)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

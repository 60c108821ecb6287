"""A release's published files in the published repository's own tree: `Dataset/`, and the witnesses as a planner's."""

from __future__ import annotations

from collections.abc import Mapping

from assets.itinbench.published.checker import WITNESSES

TASK = "filteredDataRouteOP"

README = f"""# A release in ItinBench's own tree

Copy what is here into a clone of ItinBench's repository: its scripts open `Dataset/` and `Output/` from its root, and
nothing in them has to be changed. The witnesses stand where a planner's extracted plans do; score them by

    python evaluation.py --model witness --task {TASK} --numPlan PLANS

with as many PLANS as `Dataset/evals.jsonl` has lines. Of a release of several cities, each city's folder is such a
tree: the published scripts know one city.
"""


def upstream(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the exported files, by path, under the published paths, with a README that says how to use them."""
    published_files = {"README.md": README.encode()}
    for path, data in files.items():
        city, slash, name = path.rpartition("/")
        inner = f"Output/witness/evals/{TASK}.jsonl" if name == WITNESSES else f"Dataset/{name}"
        published_files[f"{city}{slash}{inner}"] = data
    return published_files

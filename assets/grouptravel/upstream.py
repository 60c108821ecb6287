"""A release's published files in the published repository's own tree, which the export has already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assets.grouptravel.published.published_folder import PLACES, TASKS, WITNESSES

README = f"""# A release in GroupTravelBench's own tree

Copy what is here into a clone of GroupTravelBench's repository: `{TASKS[0]}`, `{PLACES}` and the caches of its tools
replace its own. The witnesses stand in `{WITNESSES}`, in the shape of a planner's plans.
"""


def upstream(files: Mapping[str, bytes | Iterable[bytes]]) -> dict[str, bytes | Iterable[bytes]]:
    """Return the exported files as they are, with a README that says where they go."""
    return {"README.md": README.encode(), **files}

"""Verdicts kept from one gate to the next: what was judged before by the same code, of the same plans, is not again.

Only the gate reads them. An audit judges everything anew, so that a verdict which somebody wrote is found out.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from assets.family import Family
from assets.promises.certified import JobVerdict
from assets.promises.kept_orders import VERDICTS_KEY, KeptOrders
from assets.release.reading import OpenedRelease
from schemas.stable import content_hash
from warehouse.store import Store

JUDGED = ("tasks", "certificates", "lineage")
"""Released tables that verdicts are of, beside those of the family's world."""

SETS = ("refused_by", "said_in_words")
"""What of a verdict is a set of names."""


@dataclass(frozen=True)
class KeptVerdicts:
    """The verdicts of a home, for the code whose hash is given: the checker's, and all that it is tried with."""

    store: Store
    code: str
    orders: KeptOrders | None = None
    """What judges recall of orders, where the set as a whole has to be judged again."""

    def get(self, name: str) -> JobVerdict | None:
        """Return the verdict of that name; None if there is none, or none that can be read."""
        data = self.store.read_if_there(f"{VERDICTS_KEY}/{name}")
        if data is None:
            return None
        try:
            verdict = json.loads(data)
            uses = {task_id: {(table, key) for table, key in rows} for task_id, rows in verdict["uses"].items()}
            offered, *names = Counter(verdict["offered"]), *(set(verdict[name]) for name in SETS)
            return JobVerdict(int(verdict["accepted"]), offered, dict(verdict["fields"]), uses, [], *names)
        except (ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str, verdict: JobVerdict) -> None:
        """Keep a verdict that found nothing wrong; what is wrong is mended, and judged again."""
        if verdict.problems:
            return
        uses = {task_id: sorted(rows) for task_id, rows in sorted(verdict.uses.items())}
        body = {"accepted": verdict.accepted, "offered": verdict.offered, "fields": verdict.fields}
        body |= {name: sorted(getattr(verdict, name)) for name in SETS} | {"uses": uses}
        self.store.put(f"{VERDICTS_KEY}/{name}", json.dumps(body, sort_keys=True).encode())

    def name_of(self, release: OpenedRelease, family: Family) -> str:
        """Return the name of the verdict on a release's tasks: the hash of all that it rests on, by its files.

        Files are as the manifest says: whoever lays out a candidate compares their bytes with that.
        """
        world = {table.table_name() for table in (*family.world_tables, *family.context)}
        judged = {f"{name}.parquet" for name in (*JUDGED, *world)}
        files = sorted((file.path, file.sha256) for file in release.manifest.files if file.path in judged)
        return content_hash([self.code, files, release.manifest.section])

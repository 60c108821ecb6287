"""Verdicts kept from one gate to the next: what was judged before by the same code, of the same plans, is not again.

Only the gate reads them, and only those that this user wrote on this machine: who else can write in a home could call
a witness accepted that is not. An audit judges everything anew.
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
from warehouse.own_key import is_signed, signature
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
        """Return the verdict of that name; None if there is none, or none that this user signed."""
        data = self.store.read_if_there(f"{VERDICTS_KEY}/{name}")
        stated, _, body = (data or b"").partition(b"\n")
        if not is_signed(name, body, stated):
            return None
        try:
            verdict = json.loads(body)
            uses = {task_id: {(table, key) for table, key in rows} for task_id, rows in verdict["uses"].items()}
            offered, *names = Counter(verdict["offered"]), *(set(verdict[name]) for name in SETS)
            return JobVerdict(int(verdict["accepted"]), offered, dict(verdict["fields"]), uses, [], *names)
        except (ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str, verdict: JobVerdict) -> None:
        """Keep a verdict that found nothing wrong, signed; what is wrong is mended, and judged again."""
        if verdict.problems:
            return
        uses = {task_id: sorted(rows) for task_id, rows in sorted(verdict.uses.items())}
        fields = {"accepted": verdict.accepted, "offered": verdict.offered, "fields": verdict.fields}
        fields |= {name: sorted(getattr(verdict, name)) for name in SETS} | {"uses": uses}
        body = json.dumps(fields, sort_keys=True).encode()
        if (own := signature(name, body)) is not None:
            self.store.put(f"{VERDICTS_KEY}/{name}", own.encode() + b"\n" + body)

    def name_of(self, release: OpenedRelease, family: Family) -> str:
        """Return the name of the verdict on a release's tasks: the hash of all that it rests on, by its files.

        Files are as the manifest says: whoever lays out a candidate compares their bytes with that.
        """
        world = {table.table_name() for table in (*family.world_tables, *family.context)}
        judged = {f"{name}.parquet" for name in (*JUDGED, *world)}
        files = sorted((file.path, file.sha256) for file in release.manifest.files if file.path in judged)
        return content_hash([self.code, files, release.manifest.section])

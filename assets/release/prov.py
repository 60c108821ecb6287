"""The provenance of a release or of some of its tasks as W3C PROV-JSON (the member submission of 24 April 2013).

Raw files, table rows, model calls, tasks and certificates are entities; drafting and certifying a task are activities;
the rules and recipe keys that they followed are plans, the tripwright project and the models are agents.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import quote

from assets.promises.cells import CellIndex, index_of
from assets.promises.values import edges_by_task, parsed_pointer
from assets.release.reading import OpenedRelease, require_ours
from schemas.source import Binding, Snapshot

PREFIXES = {
    "tw": "urn:tripwright:",
    "sha256": "urn:sha256:",
    "prov": "http://www.w3.org/ns/prov#",
    "dct": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
AGENT = "tw:tripwright"


def prov_json(release: OpenedRelease, task_ids: Collection[str] | None = None) -> bytes:
    """Return the document for the given tasks, all of them if None. Raises ReleaseError for an opened folder."""
    require_ours(release, "audited")
    document = _Document()
    manifest = release.manifest
    release_entity = document.entity(
        f"release/{release.version}", {"dct:title": manifest.title, "dct:identifier": release.version}
    )
    document.add("agent", AGENT, {"prov:type": {"$": "prov:SoftwareAgent", "type": "prov:QUALIFIED_NAME"}})
    edges_by_id = edges_by_task(release.rows("lineage"))
    index = index_of(release, edges_by_id)
    files = {s.binding: s for s in manifest.inputs}
    calls = {row["generation_id"]: row for row in release.table("generations").to_dict("records")}
    for task_id, edges in sorted(edges_by_id.items()):
        if task_ids is not None and task_id not in task_ids:
            continue
        task = document.entity(f"task/{task_id}", {"dct:identifier": task_id})
        making = document.activity(f"making/{task_id}")
        document.relate("wasGeneratedBy", {"prov:entity": task, "prov:activity": making})
        document.relate("wasAssociatedWith", {"prov:activity": making, "prov:agent": AGENT})
        document.relate("hadMember", {"prov:collection": release_entity, "prov:entity": task})
        for name, edge in sorted(edges.items()):
            value = document.entity(f"task/{task_id}#{name}", {"dct:title": name})
            document.relate("hadMember", {"prov:collection": task, "prov:entity": value})
            document.relate("wasGeneratedBy", {"prov:entity": value, "prov:activity": making})
            for kind, ref in edge.refs:
                source = _entity_of(document, kind, ref, index, files, calls, manifest.rules)
                document.relate("wasDerivedFrom", {"prov:generatedEntity": value, "prov:usedEntity": source})
                document.relate("used", {"prov:activity": making, "prov:entity": source})
    return (json.dumps(document.whole(), indent=1, ensure_ascii=False) + "\n").encode()


class _Document:
    """A PROV-JSON document that grows; what is said twice stands there once."""

    def __init__(self) -> None:
        self._parts: dict[str, dict[str, Any]] = {}
        self._said: dict[tuple[str, ...], str] = {}

    def add(self, part: str, name: str, attributes: dict[str, Any]) -> bool:
        """Put a record under its name; return whether it is new."""
        records = self._parts.setdefault(part, {})
        is_new = name not in records
        records.setdefault(name, {key: value for key, value in attributes.items() if value not in (None, "")})
        return is_new

    def entity(self, name: str, attributes: dict[str, Any]) -> str:
        full = f"tw:{quote(name, safe='/')}"
        self.add("entity", full, attributes)
        return full

    def activity(self, name: str) -> str:
        full = f"tw:{quote(name, safe='/')}"
        self.add("activity", full, {})
        return full

    def relate(self, relation: str, ends: dict[str, str]) -> None:
        relation_and_ends = (relation, *ends.values())
        if relation_and_ends not in self._said:
            self._said[relation_and_ends] = f"_:r{len(self._said)}"
            self.add(relation, self._said[relation_and_ends], ends)

    def whole(self) -> dict[str, Any]:
        return {"prefix": {k: v for k, v in PREFIXES.items() if k not in ("prov", "xsd")}, **self._parts}


def _entity_of(
    document: _Document,
    kind: str,
    ref: str,
    index: CellIndex,
    files: dict[Binding, Snapshot],
    calls: dict[str, dict[str, Any]],
    rules: dict[str, str],
) -> str:
    """Return the entity that an edge of the lineage names, put in with all that it came from itself."""
    if kind == "generation":
        return _call_entity(document, ref, calls.get(ref, {}))
    plan = {"prov:type": {"$": "prov:Plan", "type": "prov:QUALIFIED_NAME"}}
    if kind != "row":
        return document.entity(f"{kind}/{ref}", {**plan, "dct:description": rules.get(ref)})
    row = document.entity(f"row/{ref}", {"dct:title": ref})
    for pointer in filter(None, map(parsed_pointer, index.pointers(ref))):
        if pointer.binding not in files:
            continue
        file = files[pointer.binding]
        document.add("entity", f"sha256:{file.sha256}", dict(_said_of_file(file)))
        record = document.entity(f"record/{pointer.sha256}#{pointer.locator}", {"prov:location": pointer.locator})
        document.relate("wasDerivedFrom", {"prov:generatedEntity": row, "prov:usedEntity": record})
        document.relate("hadMember", {"prov:collection": f"sha256:{file.sha256}", "prov:entity": record})
    for call in index.calls(ref):
        call_entity = _call_entity(document, call, calls.get(call, {}))
        document.relate("wasDerivedFrom", {"prov:generatedEntity": row, "prov:usedEntity": call_entity})
    return row


def _call_entity(document: _Document, ref: str, call: dict[str, Any]) -> str:
    name = document.entity(f"generation/{ref}", {"dct:title": call.get("job")})
    if call:
        model = "tw:" + quote(f"model/{call['model']}@{call['revision']}", safe="/")
        document.add("agent", model, {"dct:title": call["model"], "dct:hasVersion": call["revision"]})
        document.relate("wasAttributedTo", {"prov:entity": name, "prov:agent": model})
    return name


def _said_of_file(file: Snapshot) -> Iterator[tuple[str, Any]]:
    yield "dct:title", f"{file.source}.{file.role}"
    yield "prov:location", file.url or file.location
    yield "dct:license", file.licence_id
    yield "dct:rightsHolder", file.attribution
    yield "dct:date", file.retrieved_at

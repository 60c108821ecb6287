"""A region's extract cut to cities: every way that enters a city's box, whole, and what it takes to place it.

As `osmium extract` with complete ways cuts (all nodes inside, ways with one of them and all of their nodes, relations
with a member inside), in one reading for all cities and with memory by the cities' size, not by the region's. What is
cut is sorted and has a header with its box, whatever the region's file lacks.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from schemas.recipe_values import Box
from schemas.source import SourceError
from sources.osm import pbf
from sources.osm.blocks import (
    RANKS,
    UNITS,
    Ids,
    as_blocks,
    blocks,
    nodes_of,
    packed_fields,
    readable_region,
    rewritten,
    ways_of,
)

CLIP_VERSION = "1"
"""Raised when a cut holds something else than before."""


RANK_NAMES = {1: "node", 2: "way", 3: "relation"}


@dataclass
class _Cut:
    """One city's part while it is found: the ids of its nodes and ways, and the file that its blocks go to.

    The region is read instead of it where that is in order and at most the share `spared` of its nodes lies outside.
    """

    box: Box
    folder: Path
    spared: float
    inside: Ids = field(default_factory=Ids)
    needed: Ids = field(default_factory=Ids)
    ways: Ids = field(default_factory=Ids)
    nodes: int = 0
    nodes_outside: int = 0
    is_sorted: bool = True

    @property
    def is_whole(self) -> bool:
        return self.is_sorted and self.nodes_outside <= self.spared * self.nodes

    def holds(self, lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
        south, west, north, east = (round(edge * UNITS) for edge in _edges(self.box))
        across = (lon >= west) | (lon <= east) if west > east else (lon >= west) & (lon <= east)
        return (lat >= south) & (lat <= north) & across

    def write(self, kind: str, block: bytes) -> None:
        packed = zlib.compress(block, 1)
        with (self.folder / kind).open("ab") as file:
            file.write(_blob(b"OSMData", len(block), packed))


def cut(
    region: Path, boxes: Sequence[Box], targets: Sequence[Path], name: str = "", outside: float = 0.0
) -> list[bool]:
    """Write the region's part in each box to its target, and return for which the region itself is to be read instead.

    These are not written: parts of a region that is in order, of whose nodes at most the share `outside` lies outside
    the box. Errors call the region by the `name` given. Raises SourceError if it cannot be read.
    """
    with (
        readable_region(name or region.name),
        tempfile.TemporaryDirectory(prefix=".cut-", dir=targets[0].parent) as work,
    ):
        cuts = [_Cut(box, Path(work) / str(n), outside) for n, box in enumerate(boxes)]
        for part in cuts:
            part.folder.mkdir()
        is_sorted = _read_any(region, Path(work), name or region.name, cuts)
        for part, target in zip(cuts, targets, strict=True):
            if not part.is_whole:
                _finish(part, target, is_sorted=is_sorted)
        return [part.is_whole for part in cuts]


def _read_any(region: Path, work: Path, name: str, cuts: list[_Cut]) -> bool:
    """Fill the cuts' folders from a file of any format; return whether it is in order."""
    source = as_blocks(region, work, name)
    return _read(source, list(pbf.blobs(source)), cuts, name)


def _read(source: Path, blobs: Sequence[pbf.Blob], cuts: list[_Cut], name: str) -> bool:
    """Fill the cuts' folders from the blocks; return whether nodes came before ways before relations, ids ascending."""
    is_sorted, latest = True, (0, -(1 << 63))
    previous = latest
    spans: dict[int, tuple[int, int]] = {}
    late: dict[str, list[pbf.Blob]] = {"ways": [], "relations": []}
    seen_ways = seen_relations = nodes_late = ways_late = False
    for blob, block in blocks(source, [b for b in blobs if b.kind == b"OSMData"]):
        for kind, start, end in block.groups:
            rank = RANKS[kind]
            if rank == 1:
                nodes_late |= seen_ways or seen_relations
                ids, lat, lon = nodes_of(block, kind, start, end)
                low, high = spans.get(blob.offset, (1 << 62, -(1 << 62)))
                spans[blob.offset] = (min(low, int(ids.min(initial=low))), max(high, int(ids.max(initial=high))))
                for part in cuts:
                    mask = part.holds(lat, lon)
                    part.inside.add(ids[mask])
                    part.nodes += len(ids)
                    part.nodes_outside += len(ids) - int(np.count_nonzero(mask))
            elif rank == 2:
                seen_ways = True
                ways_late |= seen_relations
                ids = _ways(block, start, end, cuts)
                late["ways"].append(blob)
            else:
                seen_relations = True
                ids = _relations(block, start, end, cuts)
                late["relations"].append(blob)
            if (least := int(ids.min(initial=1))) < 1:
                raise SourceError(
                    f"{name}: found an element with the id {least}, as what was never uploaded has; expected ids of "
                    "OpenStreetMap, from 1 up. Number them with `osmium sort`, then `osmium renumber`."
                )
            first, last = (int(ids[0]), int(ids[-1])) if len(ids) else latest[::-1]
            if len(ids) and ((rank, first) == previous or not np.diff(ids).all()):
                raise SourceError(
                    f"{name}: found {RANK_NAMES[rank]} {_repeated(ids, first)} twice in a row, as a history of "
                    "versions has it; expected one state. Cut one with osmium time-filter."
                )
            is_sorted &= (rank, first) > latest and bool((np.diff(ids) > 0).all()) if len(ids) else True
            latest, previous = max(latest, (rank, last)), (rank, last)
    for part in cuts:
        part.is_sorted = is_sorted
    if nodes_late:
        _again(source, late["ways"], cuts, pbf.WAYS)
    if nodes_late or ways_late:
        _again(source, late["relations"], cuts, pbf.RELATIONS)
    _write_nodes(source, [blob for blob in blobs if blob.offset in spans], spans, cuts)
    return is_sorted


def _repeated(ids: np.ndarray, first: int) -> int:
    """Return an id that follows itself, the `first` if that follows one of the same before the group."""
    twice = np.flatnonzero(np.diff(ids) == 0)
    return int(ids[twice[0]]) if len(twice) else first


def _again(source: Path, late: list[pbf.Blob], cuts: list[_Cut], group_kind: int) -> None:
    """Read ways or relations again, now that all that they are made of is known."""
    name, group_reader = ("ways", _ways) if group_kind == pbf.WAYS else ("relations", _relations)
    for part in cuts:
        (part.folder / name).unlink(missing_ok=True)
    for _, block in blocks(source, list(dict.fromkeys(late))):
        for kind, start, end in block.groups:
            if kind == group_kind:
                group_reader(block, start, end, cuts)


def _ways(block: pbf.Block, start: int, end: int, cuts: list[_Cut]) -> np.ndarray:
    """Write each cut's ways of the group, note what nodes they need, and return the ids of all."""
    starts, ends = pbf.message_extents(block.data, start, end, pbf.WAYS)
    ids, refs, counts = ways_of(block, start, end)
    owner = np.repeat(np.arange(len(ids)), counts)
    for part in cuts:
        rows = np.unique(owner[part.inside.has(refs)])
        if not len(rows):
            continue
        is_kept = np.zeros(len(ids), dtype=bool)
        is_kept[rows] = True
        part.needed.add(refs[is_kept[owner]])
        part.ways.add(ids[rows])
        part.write("ways", _with_messages(block, pbf.WAYS, starts[rows], ends[rows]))
    return ids


def _relations(block: pbf.Block, start: int, end: int, cuts: list[_Cut]) -> np.ndarray:
    """Write each cut's relations of the group, and return the ids of all."""
    data = np.frombuffer(block.data, dtype=np.uint8)
    starts, ends = pbf.message_extents(block.data, start, end, pbf.RELATIONS)
    columns = pbf.columns(data, starts, ends, (1, 9, 10))
    ids = columns.numbers[1].astype(np.int64)
    deltas, counts = pbf.packed_lists(data, columns.first[9], columns.length[9])
    kinds, kind_counts = pbf.packed_lists(data, columns.first[10], columns.length[10])
    if not np.array_equal(counts, kind_counts):
        raise pbf.DamagedError("a relation whose members and their kinds differ in number")
    members = pbf.summed(pbf.unzigzagged(deltas), counts)
    owner = np.repeat(np.arange(len(ids)), counts)
    for part in cuts:
        is_member_inside = ((kinds == 0) & part.inside.has(members)) | ((kinds == 1) & part.ways.has(members))
        rows = np.unique(owner[is_member_inside])
        if len(rows):
            part.write("relations", _with_messages(block, pbf.RELATIONS, starts[rows], ends[rows]))
    return ids


def _write_nodes(source: Path, blobs: list[pbf.Blob], spans: dict[int, tuple[int, int]], cuts: list[_Cut]) -> None:
    """Write each cut's nodes: those inside, and those of ways that lead out."""
    ids_by_cut = [(part, np.union1d(part.inside.all(), part.needed.all())) for part in cuts if not part.is_whole]
    for part, ids in ids_by_cut:
        part.needed = Ids()
        part.needed.add(ids)

    def has_some(ids: np.ndarray, span: tuple[int, int]) -> bool:
        return bool(np.searchsorted(ids, span[0]) < np.searchsorted(ids, span[1], side="right"))

    reading = [blob for blob in blobs if any(has_some(ids, spans[blob.offset]) for _, ids in ids_by_cut)]
    for _, block in blocks(source, reading):
        for kind, start, end in block.groups:
            if kind in (pbf.NODES, pbf.DENSE):
                for part, _ in ids_by_cut:
                    _write_group(block, kind, start, end, part)


def _write_group(block: pbf.Block, kind: int, start: int, end: int, part: _Cut) -> None:
    if kind == pbf.NODES:
        starts, ends = pbf.message_extents(block.data, start, end, pbf.NODES)
        columns = pbf.columns(np.frombuffer(block.data, dtype=np.uint8), starts, ends, (1,))
        rows = np.flatnonzero(part.needed.has(pbf.unzigzagged(columns.numbers[1])))
        if len(rows):
            part.write("nodes", _with_messages(block, pbf.NODES, starts[rows], ends[rows]))
        return
    (differences,) = packed_fields(block.data, start, end, (1,))
    ids = np.cumsum(differences)
    rows = np.flatnonzero(part.needed.has(ids))
    if not len(rows):
        return
    lat, lon = (np.cumsum(d) for d in packed_fields(block.data, start, end, (8, 9)))
    message = b"".join(
        _field(number, pbf.packed_varints(pbf.zigzagged(np.diff(values[rows], prepend=0))))
        for number, values in ((1, ids), (8, lat), (9, lon))
    )
    tags = _dense_tags(block.data, start, end, len(ids), rows)
    group = _field(pbf.DENSE, message + (_field(10, tags) if tags else b""))
    part.write("nodes", _frame(block) + _field(2, group))


def _dense_tags(data: bytes, start: int, end: int, count: int, rows: np.ndarray) -> bytes:
    """Return the packed keys and values of the nodes that are kept; none if no node of the block has any."""
    packed = next((data[s:e] for number, wire, _, s, e in pbf.fields(data, start, end) if number == 10), b"")
    if not packed:
        return b""
    values = pbf.varints(np.frombuffer(packed, dtype=np.uint8))
    last = np.flatnonzero(values == 0)
    if len(last) != count:
        raise pbf.DamagedError("dense nodes whose tags are of another number of nodes")
    first = np.concatenate([[0], last[:-1] + 1])
    length = (last - first + 1)[rows]
    begins = np.cumsum(length) - length
    return pbf.packed_varints(values[np.arange(int(length.sum())) + np.repeat(first[rows] - begins, length)])


def _with_messages(block: pbf.Block, kind: int, starts: np.ndarray, ends: np.ndarray) -> bytes:
    """Return the block with these messages alone: their bytes, which name strings of the block's table."""
    group = b"".join(_field(kind, block.data[s:e]) for s, e in zip(starts.tolist(), ends.tolist(), strict=True))
    return _frame(block) + _field(2, group)


def _frame(block: pbf.Block) -> bytes:
    return b"".join(block.data[start:end] for start, end in block.frame)


def _field(number: int, content: bytes) -> bytes:
    return _number(number << 3 | pbf.BYTES) + _number(len(content)) + content


def _number(value: int) -> bytes:
    varint = bytearray()
    while value > 127:
        varint.append(value & 127 | 128)
        value >>= 7
    varint.append(value)
    return bytes(varint)


def _blob(kind: bytes, size: int, packed: bytes) -> bytes:
    blob = _number(2 << 3) + _number(size) + _field(3, packed)
    header = _field(1, kind) + _number(3 << 3) + _number(len(blob))
    return len(header).to_bytes(4, "big") + header + blob


def _header(box: Box) -> bytes:
    """Return a header block: the cut's box, what reading it takes, and that it is sorted."""
    edges = {number: round(edge * 1_000_000_000) for number, edge in zip((4, 1, 3, 2), _edges(box), strict=True)}
    bbox = b"".join(_number(number << 3) + _number(edges[number] << 1 ^ edges[number] >> 63) for number in (1, 2, 3, 4))
    features = _field(4, b"OsmSchema-V0.6") + _field(4, b"DenseNodes") + _field(5, b"Sort.Type_then_ID")
    block = _field(1, bbox) + features + _field(16, b"tripwright")
    return _blob(b"OSMHeader", len(block), zlib.compress(block))


def _edges(box: Box) -> tuple[float, float, float, float]:
    return box.south, box.west, box.north, box.east


def _finish(part: _Cut, target: Path, *, is_sorted: bool) -> None:
    """Join the part's blocks, let osmium write them anew (its own blocks and strings), and put our header before."""
    joined = part.folder / "joined.osm.pbf"
    with joined.open("wb") as file:
        file.write(_header(part.box))
        for kind in ("nodes", "ways", "relations"):
            if (part.folder / kind).exists():
                _append(file, part.folder / kind)
    rewritten_extract = rewritten(joined, part.folder / "written.osm.pbf", is_sorted=is_sorted)
    draft = part.folder / "draft"
    with draft.open("wb") as file, rewritten_extract.open("rb") as source:
        file.write(_header(part.box))
        first = next(pbf.blobs(rewritten_extract))
        source.seek(first.offset + first.size)
        while piece := source.read(1 << 20):
            file.write(piece)
    draft.replace(target)


def _append(file: BinaryIO, part: Path) -> None:
    with part.open("rb") as source:
        while piece := source.read(1 << 20):
            file.write(piece)

"""An extract of any size as a stream of decoded blocks: sets of ids, nodes' positions, and files made readable first.

What a block's bytes mean is `pbf.py`; what is cut out of a region, `clip.py`; where a town ends, `outline.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from schemas.source import SourceError
from sources.osm import pbf
from sources.osm.file import ASK_OVERPASS, osm_format, require_what_is_there, unreadable

RANKS = {pbf.NODES: 1, pbf.DENSE: 1, pbf.WAYS: 2, pbf.RELATIONS: 3}
"""The order of kinds of groups in a file that is in order."""

UNITS = 10_000_000
"""Units of a coordinate in a degree."""

HISTORY = b"HistoricalInformation"
READ_FEATURES = frozenset({b"OsmSchema-V0.6", b"DenseNodes"})

AHEAD = 8
"""Blocks unpacked before they are needed."""

SAMPLED_REFS = 100_000
"""Of ways' nodes, about so many are looked for in a file that is not from a mirror."""

MOST_SIEVE_BITS, SIEVE_BITS_AN_ID = 24, 6
"""An id's lowest bits say at once of most ids that they are not among those wanted: 64 places for each that is."""


class Ids:
    """A set of ids that grows, and answers for many at once."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray] = []
        self._sorted = np.empty(0, dtype=np.int64)
        self._sieve: np.ndarray | None = None

    def add(self, ids: np.ndarray) -> None:
        """Put ids into the set."""
        if len(ids):
            self._parts.append(np.unique(ids))

    def all(self) -> np.ndarray:
        """Return the ids, ascending."""
        if self._parts:
            self._sorted = np.unique(np.concatenate([self._sorted, *self._parts]))
            self._parts, self._sieve = [], None
        return self._sorted

    def has(self, ids: np.ndarray) -> np.ndarray:
        """Return for each id whether it is in the set."""
        all_ids = self.all()
        if not len(all_ids) or not len(ids):
            return np.zeros(len(ids), dtype=bool)
        if self._sieve is None:
            bits = min(len(all_ids).bit_length() + SIEVE_BITS_AN_ID, MOST_SIEVE_BITS)
            self._sieve = np.zeros(1 << bits, dtype=bool)
            self._sieve[all_ids & (len(self._sieve) - 1)] = True
        is_member = self._sieve[ids & (len(self._sieve) - 1)]
        maybe = np.flatnonzero(is_member)
        place = np.searchsorted(all_ids, ids[maybe])
        is_member[maybe] = all_ids[np.minimum(place, len(all_ids) - 1)] == ids[maybe]
        return is_member


@contextmanager
def readable_region(name: str) -> Iterator[None]:
    """Yield nothing; what decoding finds wrong with the bytes of the file of that name is raised as SourceError."""
    import osmium

    reader_errors = (RuntimeError, ValueError, osmium.InvalidLocationError)
    try:
        yield
    except (pbf.DamagedError, pbf.CompressionError, *reader_errors) as error:
        if isinstance(error, SourceError):
            raise
        raise unreadable(name, error) from None


def as_blocks(region: Path, work: Path, name: str) -> Path:
    """Return the file, or a copy in `work`, as .osm.pbf whose blocks can be decoded.

    Raises SourceError for XML that lacks what it should hold, as answers of Overpass do.
    """
    source = region
    form = osm_format(region, name)
    if form != "osm.pbf":
        require_what_is_there(region, name)
        source = rewritten(region, work / "region.osm.pbf", is_sorted=True)
        _require_nodes(source, name)
    first = next((blob for blob in pbf.blobs(source) if blob.kind == b"OSMData"), None)
    try:
        _require_one_state(source, name)
        if first is not None:
            with source.open("rb") as file:
                pbf.unpacked_blob(file, first)
    except pbf.CompressionError:
        source = rewritten(region, work / "zlib.osm.pbf", is_sorted=True)
    return source


def _require_one_state(source: Path, name: str) -> None:
    """Refuse what a cut would not keep: a history of versions, and features of the format that nobody knew."""
    with source.open("rb") as file:
        header = next((pbf.unpacked_blob(file, blob) for blob in pbf.blobs(source) if blob.kind == b"OSMHeader"), b"")
    needed = {header[s:e] for number, wire, _, s, e in pbf.fields(header, 0, len(header)) if (number, wire) == (4, 2)}
    if HISTORY in needed:
        raise SourceError(f"{name}: found a history of versions; expected one state. Cut one with osmium time-filter.")
    if needed - READ_FEATURES:
        raise SourceError(
            f"{name}: found an extract that needs {', '.join(map(repr, sorted(needed - READ_FEATURES)))} to be read; "
            f"expected {', '.join(map(repr, sorted(READ_FEATURES)))} alone. Write it anew with `osmium cat`."
        )


def _require_nodes(source: Path, name: str) -> None:
    """Refuse a file most of whose ways lead nowhere: every place and street on them would be lost one by one."""
    refs = Ids()
    count = 0
    data = [blob for blob in pbf.blobs(source) if blob.kind == b"OSMData"]
    for _, block in blocks(source, data):
        for kind, start, end in block.groups:
            if kind == pbf.WAYS and count < SAMPLED_REFS:
                _, of_ways, _ = ways_of(block, start, end)
                refs.add(of_ways)
                count += len(of_ways)
    missing = refs.all()
    for _, block in blocks(source, data) if len(missing) else ():
        for kind, start, end in block.groups:
            if kind in (pbf.NODES, pbf.DENSE):
                missing = np.setdiff1d(missing, nodes_of(block, kind, start, end)[0])
    if len(missing) > len(refs.all()) / 2:
        raise SourceError(
            f"{name}: found ways of whose nodes it lacks {len(missing):,} of {len(refs.all()):,}; expected an extract "
            f"with the nodes of its ways. {ASK_OVERPASS}."
        )


def ways_of(block: pbf.Block, start: int, end: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ways' ids, the ids of their nodes one way after another, and how many each way has."""
    raw = np.frombuffer(block.data, dtype=np.uint8)
    starts, ends = pbf.message_extents(block.data, start, end, pbf.WAYS)
    columns = pbf.columns(raw, starts, ends, (1, 8))
    deltas, counts = pbf.packed_lists(raw, columns.first[8], columns.length[8])
    return columns.numbers[1].astype(np.int64), pbf.summed(pbf.unzigzagged(deltas), counts), counts


def blocks(source: Path, blobs: Iterable[pbf.Blob]) -> Iterator[tuple[pbf.Blob, pbf.Block]]:
    """Yield the blocks in order, a few of them unpacked ahead on the other cores."""

    def unpack(blob: pbf.Blob) -> bytes:
        with source.open("rb") as file:
            return pbf.unpacked_blob(file, blob)

    waiting = iter(blobs)
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        ahead = [(blob, pool.submit(unpack, blob)) for blob in islice(waiting, AHEAD)]
        while ahead:
            blob, data = ahead.pop(0)
            block = pbf.block_of(data.result())
            ahead += [(following, pool.submit(unpack, following)) for following in islice(waiting, 1)]
            yield blob, block


def nodes_of(block: pbf.Block, kind: int, start: int, end: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ids and positions in ten-millionths of a degree."""
    data = np.frombuffer(block.data, dtype=np.uint8)
    if kind == pbf.DENSE:
        ids, lat, lon = (np.cumsum(part) for part in packed_fields(block.data, start, end, (1, 8, 9)))
    else:
        starts, ends = pbf.message_extents(block.data, start, end, pbf.NODES)
        columns = pbf.columns(data, starts, ends, (1, 8, 9))
        ids, lat, lon = (pbf.unzigzagged(columns.numbers[number]) for number in (1, 8, 9))
    if not len(ids) == len(lat) == len(lon):
        raise pbf.DamagedError("nodes without positions")
    return (
        ids,
        (block.lat_offset + block.granularity * lat) // 100,
        (block.lon_offset + block.granularity * lon) // 100,
    )


def is_in_order(source: Path) -> bool:
    """Return whether nodes come before ways before relations in a .osm.pbf, each once and by ascending id."""
    latest = (0, 0)
    for _, block in blocks(source, [blob for blob in pbf.blobs(source) if blob.kind == b"OSMData"]):
        for kind, start, end in block.groups:
            rank, ids = RANKS[kind], _ids_of(block, kind, start, end)
            if len(ids) and ((rank, int(ids[0])) <= latest or not (np.diff(ids) > 0).all()):
                return False
            latest = (rank, int(ids[-1])) if len(ids) else latest
    return True


def _ids_of(block: pbf.Block, kind: int, start: int, end: int) -> np.ndarray:
    if kind == pbf.DENSE:
        (differences,) = packed_fields(block.data, start, end, (1,))
        return np.cumsum(differences)
    starts, ends = pbf.message_extents(block.data, start, end, kind)
    numbers = pbf.columns(np.frombuffer(block.data, dtype=np.uint8), starts, ends, (1,)).numbers[1]
    return pbf.unzigzagged(numbers) if kind == pbf.NODES else numbers.astype(np.int64)


def packed_fields(data: bytes, start: int, end: int, field_numbers: tuple[int, ...]) -> list[np.ndarray]:
    """Return packed signed fields of a DenseNodes message, as differences."""
    parts: dict[int, tuple[int, int]] = dict.fromkeys(field_numbers, (0, 0))
    for number, wire, _, first, last in pbf.fields(data, start, end):
        if number in parts and wire == pbf.BYTES:
            parts[number] = first, last
    raw = np.frombuffer(data, dtype=np.uint8)
    return [pbf.unzigzagged(pbf.varints(raw[first:last])) for first, last in parts.values()]


def rewritten(source: Path, target: Path, *, is_sorted: bool) -> Path:
    """Return the target, holding what the source holds as .osm.pbf, sorted by type and id where it was not."""
    import osmium
    import osmium.io

    writer = osmium.WriteHandler(str(target))
    try:
        file = osmium.io.File(str(source), osm_format(source))
        if is_sorted:
            osmium.apply(osmium.io.Reader(file), writer)
        else:
            link = target.with_name(f"unsorted.{osm_format(source)}")  # it goes by the name's end
            link.symlink_to(source.resolve())
            merged = osmium.MergeInputReader()
            merged.add_file(str(link))
            merged.apply(writer)
    finally:
        writer.close()
    return target

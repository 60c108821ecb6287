"""Blocks of an .osm.pbf file, decoded as arrays: what cutting a region by its nodes' positions needs, and no more.

libosmium reads whole elements, one at a time as Python sees them, and keeps a set of ids as bits: 1.5 GB for a city's
nodes, whose ids lie all over. Here a block of some 8,000 elements is decoded at once, and ids are sorted numbers.
The format is that of the OpenStreetMap wiki, "PBF Format" (fileformat.proto and osmformat.proto).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from schemas.counts import counted

MAX_HEADER = 64 << 10
MAX_BLOCK = 32 << 20
"""The format's own limits, in bytes: of a blob's header, and of a blob before it is compressed."""

NODES, DENSE, WAYS, RELATIONS = 1, 2, 3, 4
"""Fields of a PrimitiveGroup."""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types of protocol buffers."""


class DamagedError(ValueError):
    """The bytes are not what the format allows."""


@dataclass(frozen=True)
class Blob:
    """Where a block's blob stands in its file, and of which type it is: OSMHeader or OSMData."""

    kind: bytes
    offset: int
    size: int


@dataclass(frozen=True)
class Block:
    """One PrimitiveBlock: its bytes but for the groups, and each group's field and extent."""

    data: bytes
    frame: tuple[tuple[int, int], ...]
    groups: tuple[tuple[int, int, int], ...]
    granularity: int
    lat_offset: int
    lon_offset: int


def blobs(path: Path) -> Iterator[Blob]:
    """Yield every blob of the file in order, without reading its data. Raises DamagedError."""
    size = path.stat().st_size
    with path.open("rb") as file:
        at = 0
        while at < size:
            file.seek(at)
            length = int.from_bytes(file.read(4), "big")
            if not 0 < length <= MAX_HEADER:
                raise DamagedError(
                    f"byte {at}: a blob header of {counted(length, 'byte')}; the format allows {MAX_HEADER}"
                )
            kind, data_size = b"", -1
            header = file.read(length)
            for field, wire, value, start, end in fields(header, 0, len(header)):
                if field == 1 and wire == BYTES:
                    kind = header[start:end]
                elif field == 3 and wire == VARINT:
                    data_size = value
            at += 4 + length
            if not 0 <= data_size <= MAX_BLOCK or at + data_size > size:
                raise DamagedError(
                    f"byte {at}: a blob of {counted(data_size, 'byte')}, of which the file holds {size - at}"
                )
            yield Blob(kind, at, data_size)
            at += data_size


def unpacked_blob(file: BinaryIO, blob: Blob) -> bytes:
    """Return the blob's data. Raises DamagedError, or CompressionError for one packed otherwise than by zlib."""
    file.seek(blob.offset)
    packed = file.read(blob.size)
    for field, wire, _, start, end in fields(packed, 0, len(packed)):
        if wire != BYTES:
            continue
        if field == 1:
            return packed[start:end]
        if field == 3:
            unpacker = zlib.decompressobj()
            try:
                data = unpacker.decompress(packed[start:end], MAX_BLOCK)
            except zlib.error as error:
                raise DamagedError(f"byte {blob.offset}: {error}") from None
            if unpacker.unconsumed_tail:
                raise DamagedError(f"byte {blob.offset}: a block of more than {MAX_BLOCK} bytes")
            if not unpacker.eof:
                raise DamagedError(f"byte {blob.offset}: the block ends early")
            return data
        raise CompressionError(f"byte {blob.offset}: a block packed by another method than zlib")
    raise DamagedError(f"byte {blob.offset}: a blob without data")


class CompressionError(ValueError):
    """A block is packed by another method than zlib: osmium unpacks LZ4, and says so of LZMA and Zstandard."""


def block_of(data: bytes) -> Block:
    """Return where the groups of a PrimitiveBlock are, and how its numbers become degrees."""
    frame: list[tuple[int, int]] = []
    groups: list[tuple[int, int, int]] = []
    granularity, lat_offset, lon_offset, before = 100, 0, 0, 0
    for field, wire, value, start, end in fields(data, 0, len(data)):
        if field == 2 and wire == BYTES:
            groups += _group(data, start, end)
        else:
            frame.append((before, end))
            if field == 17:
                granularity = value
            elif field == 19:
                lat_offset = _signed(value)
            elif field == 20:
                lon_offset = _signed(value)
        before = end
    return Block(data, tuple(frame), tuple(groups), granularity, lat_offset, lon_offset)


def _group(data: bytes, start: int, end: int) -> list[tuple[int, int, int]]:
    """Return the kind and extent of a group's elements: the format allows one kind a group."""
    if start == end:
        return []
    kind = data[start] >> 3
    if kind == DENSE:
        return [(DENSE, s, e) for field, wire, _, s, e in fields(data, start, end) if (field, wire) == (DENSE, BYTES)]
    return [(kind, start, end)] if kind in (NODES, WAYS, RELATIONS) else []


def fields(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield a message's fields in order: number, wire type, value of a varint, and the extent of its content."""
    at = start
    while at < end:
        key, at = _varint(data, at, end)
        wire, value, first = key & 7, 0, at
        if wire == VARINT:
            value, at = _varint(data, at, end)
        elif wire == BYTES:
            length, first = _varint(data, at, end)
            at = first + length
        elif wire in (FIXED32, FIXED64):
            at += 4 if wire == FIXED32 else 8
        else:
            raise DamagedError(f"wire type {wire} at {at}")
        if at > end:
            raise DamagedError(f"a field of {counted(at - first, 'byte')}, of which {end - first} are there")
        yield key >> 3, wire, value, first, at


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise DamagedError(f"a number that does not end at {at}")


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def varints(packed: np.ndarray) -> np.ndarray:
    """Return the numbers of a packed field (uint8) as uint64."""
    last = np.flatnonzero(packed < 128)
    if len(packed) and (not len(last) or last[-1] != len(packed) - 1):
        raise DamagedError("a packed field whose last number does not end")
    if len(last) == len(packed):
        return packed.astype(np.uint64)
    first = np.empty_like(last)
    first[0], first[1:] = 0, last[:-1] + 1
    length = last - first + 1
    longest = int(length.max())
    if longest > 10:
        raise DamagedError("a number of more than ten bytes")
    low = (packed & 127).astype(np.uint64)
    values = low[first]
    for byte in range(1, longest):
        more = np.flatnonzero(length > byte)
        values[more] |= low[first[more] + byte] << np.uint64(7 * byte)
    return values


def unzigzagged(values: np.ndarray) -> np.ndarray:
    """Return the signed numbers (int64) of zigzag ones."""
    return (values >> np.uint64(1)).astype(np.int64) ^ -(values & np.uint64(1)).astype(np.int64)


def packed_varints(values: np.ndarray) -> bytes:
    """Return uint64 numbers as a packed field."""
    length = np.ones(len(values), dtype=np.int64)
    high_bits = values >> np.uint64(7)
    while high_bits.any():
        length += high_bits > 0
        high_bits = high_bits >> np.uint64(7)
    first = np.cumsum(length) - length
    packed = np.zeros(int(length.sum()), dtype=np.uint8)
    for byte in range(int(length.max(initial=0))):
        rows = np.flatnonzero(length > byte)
        part = ((values[rows] >> np.uint64(7 * byte)) & np.uint64(127)).astype(np.uint8)
        packed[first[rows] + byte] = part | ((length[rows] > byte + 1).astype(np.uint8) << 7)
    return packed.tobytes()


def zigzagged(values: np.ndarray) -> np.ndarray:
    """Return signed numbers as zigzag ones (uint64)."""
    return ((values << 1) ^ (values >> 63)).astype(np.uint64)


def message_extents(data: bytes, start: int, end: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where each message of a group starts and ends, shape (n,) each. Raises DamagedError."""
    starts, ends = [], []
    key, at = kind << 3 | BYTES, start
    while at < end:
        if data[at] != key:
            raise DamagedError(f"a group of elements of kind {kind} with a field of key {data[at]}")
        length, shift, byte = 0, 0, 128
        at += 1
        while byte & 128:
            if at >= end or shift > 28:
                raise DamagedError("a group that ends within a length")
            byte = data[at]
            length |= (byte & 127) << shift
            shift += 7
            at += 1
        starts.append(at)
        at += length
        ends.append(at)
    if at != end:
        raise DamagedError("a group whose last element ends outside it")
    return np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)


@dataclass
class Columns:
    """Of each of n messages: the numbers of its varint fields, and where its packed fields are; 0 where absent."""

    numbers: dict[int, np.ndarray]
    first: dict[int, np.ndarray]
    length: dict[int, np.ndarray]


def columns(data: np.ndarray, starts: np.ndarray, ends: np.ndarray, field_numbers: tuple[int, ...]) -> Columns:
    """Return the wanted fields of all messages at once: every message is read a field further in each round."""
    n = len(starts)
    field_columns = Columns(
        {field: np.zeros(n, dtype=np.uint64) for field in field_numbers},
        {field: np.zeros(n, dtype=np.int64) for field in field_numbers},
        {field: np.zeros(n, dtype=np.int64) for field in field_numbers},
    )
    at = starts.copy()
    rows = np.flatnonzero(at < ends)
    while len(rows):
        key, at_value = _numbers_at(data, at[rows], ends[rows])
        value, after = _numbers_at(data, at_value, ends[rows])
        wire, field = key & 7, key >> 3
        if not np.isin(wire, (VARINT, BYTES)).all():
            raise DamagedError("an element with a field of fixed width")
        is_bytes = wire == BYTES
        following = np.where(is_bytes, after + value.astype(np.int64), after)
        if (following > ends[rows]).any() or (following < after).any():
            raise DamagedError("an element with a field that ends outside it")
        for number in field_numbers:
            has_field = field == number
            varint, packed = has_field & ~is_bytes, has_field & is_bytes
            field_columns.numbers[number][rows[varint]] = value[varint]
            field_columns.first[number][rows[packed]] = after[packed]
            field_columns.length[number][rows[packed]] = value[packed].astype(np.int64)
        at[rows] = following
        rows = rows[following < ends[rows]]
    return field_columns


def _numbers_at(data: np.ndarray, at: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the varints at the positions, and the positions after them."""
    value, open_rows, shift = np.zeros(len(at), dtype=np.uint64), np.arange(len(at)), 0
    at = at.copy()
    while len(open_rows):
        if (at[open_rows] >= ends[open_rows]).any() or shift > 63:
            raise DamagedError("an element that ends within a number")
        byte = data[at[open_rows]]
        value[open_rows] |= (byte & 127).astype(np.uint64) << np.uint64(shift)
        at[open_rows] += 1
        open_rows = open_rows[byte >= 128]
        shift += 7
    return value, at


def packed_lists(data: np.ndarray, first: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of all messages' packed fields in one row, and how many each message has."""
    total = int(length.sum())
    begins = np.cumsum(length) - length
    where = np.arange(total) + np.repeat(first - begins, length)
    packed = data[where]
    ends_number = np.concatenate([[0], np.cumsum(packed < 128)])
    counts = ends_number[begins + length] - ends_number[begins]
    return varints(packed), counts


def summed(deltas: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the sums of differences that begin anew in each list."""
    total = np.cumsum(deltas)
    begins = np.cumsum(counts) - counts
    is_filled = counts > 0
    base = np.zeros(len(counts), dtype=np.int64)
    base[is_filled] = total[begins[is_filled]] - deltas[begins[is_filled]]
    return total - np.repeat(base, counts)

"""Damage done to provider files, seeded: the same seed and number give the same bytes."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable

Damage = Callable[[bytes, random.Random], bytes]

EXTREMES = (
    b"1e999",
    b"-1e999",
    b"NaN",
    b"-0",
    b"9" * 400,
    b"-1",
    b"0x10",
    b"1e-320",
    b'""',
    b"null",
    b"[]",
    b"{}",
    b"true",
)
NUMBER = re.compile(rb"-?[0-9]+(\.[0-9]+)?")
BOMB_BYTES = 64 << 20


def _spots(content: bytes, rng: random.Random, most: int = 6) -> list[int]:
    return sorted(rng.randrange(max(1, len(content))) for _ in range(rng.randint(1, most)))


def flipped(content: bytes, rng: random.Random) -> bytes:
    """Return the bytes with some changed."""
    changed = bytearray(content)
    for at in _spots(content, rng, 30):
        if changed:
            changed[at] = rng.randrange(256)
    return bytes(changed)


def cut(content: bytes, rng: random.Random) -> bytes:
    """Return the beginning."""
    return content[: rng.randrange(len(content) + 1)]


def beheaded(content: bytes, rng: random.Random) -> bytes:
    """Return the end."""
    return content[rng.randrange(len(content) + 1) :]


def swapped_parts(content: bytes, rng: random.Random) -> bytes:
    """Return the bytes with two parts exchanged."""
    a, b = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    return content[b:] + content[a:b] + content[:a]


def inserted(*parts: bytes) -> Damage:
    """Return damage that puts some of the parts at random places."""

    def damage(content: bytes, rng: random.Random) -> bytes:
        for at in reversed(_spots(content, rng)):
            content = content[:at] + rng.choice(parts) + content[at:]
        return content

    return damage


def recoded(encoding: str, *, mark: bytes = b"") -> Damage:
    """Return damage that writes the text in another encoding."""

    def damage(content: bytes, rng: random.Random) -> bytes:
        return mark + content.decode("utf-8", "replace").encode(encoding, "replace")

    return damage


def replaced(old: bytes, new: bytes, *, share: float = 1.0) -> Damage:
    """Return damage that replaces a share of the places where some bytes stand."""

    def damage(content: bytes, rng: random.Random) -> bytes:
        return re.sub(re.escape(old), lambda found: new if rng.random() < share else found[0], content)

    return damage


def extreme_numbers(content: bytes, rng: random.Random) -> bytes:
    """Return the text with some numbers replaced by extremes."""
    return NUMBER.sub(lambda found: rng.choice(EXTREMES) if rng.random() < 0.03 else found[0], content)


def lines_shuffled(content: bytes, rng: random.Random) -> bytes:
    """Return the lines in another order, some of them twice, some not at all."""
    lines = content.split(b"\n")
    return b"\n".join(rng.choices(lines, k=len(lines)))


def packed(content: bytes, rng: random.Random) -> bytes:
    """Return the file as gzip."""
    return gzip.compress(content, mtime=0)


def packed_and_cut(content: bytes, rng: random.Random) -> bytes:
    """Return a gzip file that ends too soon."""
    whole = gzip.compress(content, mtime=0)
    return whole[: rng.randrange(2, len(whole))]


def packed_and_flipped(content: bytes, rng: random.Random) -> bytes:
    """Return a gzip file with bytes changed after its header."""
    whole = gzip.compress(content, mtime=0)
    return whole[:10] + flipped(whole[10:], rng)


def bomb(content: bytes, rng: random.Random) -> bytes:
    """Return the file, packed, and after it 2 GB of one byte; its end, which no reader should reach, is missing."""
    start = zlib.compressobj(9, wbits=31)
    packed_content = start.compress(content) + start.flush(zlib.Z_FULL_FLUSH)
    byte = rng.choice([b" ", b"\n", b"[", b"x", b'"', b"\0"])
    part = zlib.compressobj(9, wbits=-15)
    block = part.compress(byte * (1 << 20)) + part.flush(zlib.Z_FULL_FLUSH)
    return packed_content + block * 2048


def endless_line(content: bytes, rng: random.Random) -> bytes:
    """Return the file with a line of 20 MB in it."""
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice([b"x", b" ", b'"', b"[", b"\xff"]) * (20 << 20) + content[at:]


def deep(content: bytes, rng: random.Random) -> bytes:
    """Return the file with brackets nested 200,000 deep in the place of a value, or of everything."""
    nested = rng.choice([b"[" * 200_000, b'{"a":' * 200_000, b"[" * 200_000 + b"]" * 200_000])
    places = [found.span() for found in NUMBER.finditer(content[:200_000])]
    if not places or rng.random() < 0.2:
        return nested
    start, end = rng.choice(places)
    return content[:start] + nested + content[end:]


def other_types(content: bytes, rng: random.Random) -> bytes:
    """Return JSON with values of other types; text that is no JSON with fields emptied."""
    others = [None, True, -1, 1e308, "", "\ud800", "\u202e\x1b[2J", [], {}, [[]], "x" * 10_000, 10**30]

    def spoilt(value):
        if rng.random() < 0.02:
            return rng.choice(others)
        if isinstance(value, dict):
            return {k: spoilt(v) for k, v in value.items() if rng.random() > 0.01}
        return [spoilt(v) for v in value] if isinstance(value, list) else value

    try:
        return json.dumps(spoilt(json.loads(content))).encode()
    except ValueError:
        pass
    lines = []
    for line in content.split(b"\n"):
        try:
            lines.append(json.dumps(spoilt(json.loads(line))).encode())
        except ValueError:
            lines.append(re.sub(rb",[^,]*,", lambda f: b",," if rng.random() < 0.05 else f[0], line))
    return b"\n".join(lines)


def another_kind(content: bytes, rng: random.Random) -> bytes:
    """Return another file altogether."""
    page = b"<!doctype html><html><body>Sign in</body></html>"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as z:
        z.writestr("x.csv", "a,b\n1,2\n")
    return rng.choice(
        [
            b"",
            b"\n\n\n",
            page,
            archive.getvalue(),
            b"\x89PNG\r\n\x1a\n" + bytes(999),
            b"[]",
            b"{}",
            b"7",
            b"a,b\n1,2\n" * 9,
        ]
    )


TEXT: dict[str, Damage] = {
    "flipped": flipped,
    "cut": cut,
    "beheaded": beheaded,
    "swapped_parts": swapped_parts,
    "nulls": inserted(b"\0", b"\0" * 100),
    "quotes": inserted(b'"', b'""', b"'"),
    "line_ends": inserted(b"\n", b"\r", b"\r\n", "\u2028".encode()),
    "commas": inserted(b",", b";", b"\t"),
    "high_bytes": inserted(b"\xff", b"\xc3", b"\xed\xa0\x80"),
    "escapes": inserted(b"\x1b[2J", "\u202e".encode(), b"\\u0000", b"\\ud800"),
    "marks": inserted(b"\xef\xbb\xbf", b"\xff\xfe"),
    "utf_8_with_mark": recoded("utf-8-sig"),
    "utf_16": recoded("utf-16"),
    "utf_16_le": recoded("utf-16-le"),
    "utf_16_be": recoded("utf-16-be"),
    "utf_32": recoded("utf-32"),
    "latin_1": recoded("latin-1"),
    "utf_16_lie": recoded("utf-8", mark=b"\xff\xfe"),
    "returns": replaced(b"\n", b"\r"),
    "both": replaced(b"\n", b"\r\n"),
    "some_returns": replaced(b"\n", b"\r", share=0.1),
    "no_line_ends": replaced(b"\n", b""),
    "quotes_gone": replaced(b'"', b"", share=0.05),
    "colons": replaced(b":", b"", share=0.02),
    "extremes": extreme_numbers,
    "shuffled": lines_shuffled,
    "packed": packed,
    "packed_and_cut": packed_and_cut,
    "packed_and_flipped": packed_and_flipped,
    "bomb": bomb,
    "endless_line": endless_line,
    "deep": deep,
    "types": other_types,
    "another_kind": another_kind,
}


def _rezipped(content: bytes, change: Callable[[list[tuple[zipfile.ZipInfo, bytes]]], None]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(zipfile.ZipInfo(info.filename), archive.read(info)) for info in archive.infolist()]
    change(members)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in members:
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return target.getvalue()


def renamed(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with a member whose name leads out of it."""
    names = ["../stops.txt", "/etc/passwd", "C:\\stops.txt", "a/../../b.txt", "stops.txt\0.png", "..\\..\\x"]
    return _rezipped(content, lambda members: members.append((zipfile.ZipInfo(rng.choice(names)), b"x")))


def linked(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with a member that is a symbolic link."""

    def change(members):
        info = zipfile.ZipInfo(rng.choice(["stops.txt", "trips.txt", "extra.txt"]))
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        members[:] = [m for m in members if m[0].filename != info.filename] + [(info, b"/etc/passwd")]

    return _rezipped(content, change)


def doubled(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with one member twice."""
    return _rezipped(content, lambda members: members.append(rng.choice(members)))


def locked(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with a member that says it is encrypted."""
    changed = bytearray(content)
    heads = [found.start() for found in re.finditer(b"PK\x01\x02", content)]
    changed[rng.choice(heads) + 8] |= 1
    return bytes(changed)


def lying(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with a member of another size than it says."""
    changed = bytearray(content)
    heads = [found.start() for found in re.finditer(b"PK\x01\x02", content)]
    at = rng.choice(heads) + 24
    changed[at : at + 4] = struct.pack("<L", rng.choice([0, 1, 2**31, 2**32 - 1]))
    return bytes(changed)


def zip_bomb(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with 64 MB of one byte after a member."""
    which = rng.randrange(5)

    def change(members):
        info, data = members[which % len(members)]
        members[which % len(members)] = (
            zipfile.ZipInfo(info.filename),
            data + rng.choice([b" ", b"\n", b"1", b","]) * BOMB_BYTES,
        )

    return _rezipped(content, change)


def member_damaged(content: bytes, rng: random.Random) -> bytes:
    """Return the archive with a member damaged as text files are."""
    small = [name for name in TEXT if name not in ("bomb", "packed", "packed_and_cut", "packed_and_flipped")]
    name = rng.choice(small)

    def change(members):
        at = rng.randrange(len(members))
        members[at] = (members[at][0], TEXT[name](members[at][1], rng))

    return _rezipped(content, change)


def member_gone(content: bytes, rng: random.Random) -> bytes:
    """Return the archive without some members."""
    return _rezipped(content, lambda members: members.__delitem__(rng.randrange(len(members))))


ZIP: dict[str, Damage] = {
    "flipped": flipped,
    "cut": cut,
    "beheaded": beheaded,
    "another_kind": another_kind,
    "packed": packed,
    "renamed": renamed,
    "linked": linked,
    "doubled": doubled,
    "locked": locked,
    "lying": lying,
    "zip_bomb": zip_bomb,
    "member_gone": member_gone,
    **{f"member_damaged_{n}": member_damaged for n in range(20)},
}
"""Damage of archives."""

BINARY: dict[str, Damage] = {
    "flipped": flipped,
    "flipped_again": flipped,
    "cut": cut,
    "beheaded": beheaded,
    "swapped_parts": swapped_parts,
    "another_kind": another_kind,
    "nulls": inserted(b"\0" * 50),
    "high_bytes": inserted(b"\xff\xfe"),
    "packed": packed,
    "packed_and_cut": packed_and_cut,
    "bomb": bomb,
    **{f"flipped_{n}": flipped for n in range(8)},
    **{f"cut_{n}": cut for n in range(4)},
}
"""Damage of maps."""


def kinds_of(content: bytes) -> dict[str, Damage]:
    """Return the damage that can be done to a file."""
    if content.startswith(b"PK"):
        return ZIP
    return BINARY if b"OSMHeader" in content[:64] else TEXT

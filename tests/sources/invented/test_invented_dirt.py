"""Planting dirt in a file of lines: where it stands, and that the list says so."""

from __future__ import annotations

from pathlib import Path

from sources.invented.dirt import Dirt, LineFile, PlantedLine


def test_planted_lines_stand_among_the_others_and_the_tail_ends_the_file(tmp_path: Path) -> None:
    planted = [PlantedLine("junk", b"x", "id-x"), PlantedLine("empty_line", b""), PlantedLine("junk", b"y")]
    tail = [PlantedLine("truncated_at_the_end", b"{cut")]
    with LineFile(tmp_path / "some.json", planted, tail, gap=2) as file:
        file.add(b"a")
        file.add(b"b", "name_comma", "id-b")
        file.add(b"c")
        file.add(b"d")
        file.add(b"e")
    assert (tmp_path / "some.json").read_bytes() == b"a\nb\nx\nc\nd\n\ne\ny\n{cut"
    assert file.dirt == [
        Dirt("name_comma", "some.json", 2, "id-b"),
        Dirt("junk", "some.json", 3, "id-x"),
        Dirt("empty_line", "some.json", 6, ""),
        Dirt("junk", "some.json", 8, ""),
        Dirt("truncated_at_the_end", "some.json", 9, ""),
    ]

"""The lines of a feed, in the order of their points, and none where there are none."""

from __future__ import annotations

import io
import zipfile

from sources.gtfs.shapes import read_shapes

HEADER = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"


def feed(shapes: str | None) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,A,1,2\n")
        if shapes is not None:
            archive.writestr("shapes.txt", HEADER + shapes)
    return packed.getvalue()


def test_points_stand_in_their_order_whatever_the_rows(raw_file):
    rows = "b,1,2,10\na,5,6,2\na,3,4,1\nb,1,3,9\na,7,8,11\n"
    lines = [line.tolist() for line in read_shapes(raw_file("gtfs", "feed", feed(rows)))]
    assert lines == [[[4, 3], [6, 5], [8, 7]], [[3, 1], [2, 1]]]


def test_what_is_no_number_is_left_out_and_a_line_of_one_point_is_none(raw_file):
    rows = "a,1,2,1\na,x,3,2\na,1,4,3\nb,1,2,1\nc,nan,2,1\nc,1,2,2\n"
    lines = [line.tolist() for line in read_shapes(raw_file("gtfs", "feed", feed(rows)))]
    assert lines == [[[2, 1], [4, 1]]]


def test_a_feed_without_shapes_has_no_lines(raw_file):
    assert read_shapes(raw_file("gtfs", "feed", feed(None))) == []

"""An OpenStreetMap extract of cities' boxes, asked by osmnx from an Overpass server. Opens the network.

osmnx words the questions, cuts a large box into parts and waits for the server's free slot; what the server answered
is kept as an extract file, which is then pinned and read like any other (`sources/osm/`, the routing engines). The
extract holds what those read: streets, places and stops, the ground that maps are drawn from, and the towns' nodes,
with all their nodes. Of boundaries it holds those that are asked for by number: all that cross a box bring half a
continent. It holds no buildings, which are most of what a city's map weighs; an extract from a mirror has both.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.counts import counted
from schemas.recipe_values import Box
from schemas.source import SourceError
from sources.osm.basemap import GROUND_TAGS, LINE_TAGS, SPOT_TAGS
from sources.osm.city_extract import MARGIN_M, widened
from sources.osm.tags import RULES, STOP_TAGS
from sources.services.fetch import words_of

if TYPE_CHECKING:
    import requests

PUBLIC_ENDPOINT = "https://overpass-api.de/api"
USER_AGENT = "tripwright (travel-planning benchmarks)"
QUERY_SECONDS = 300
MAX_ANSWER_BYTES = 2 * 1024**3
MAX_BOX_DEGREES2 = 4.0
"""Largest box asked for, in square degrees: beyond it a regional extract is kinder to the public server."""
ATTEMPTS = 5
BUSY = (429, 504)
"""Answers of a busy server, after which osmnx waits and asks again, for ever if nobody counts."""
FORMATS = (".osm.pbf", ".osm")
KINDS = ("node", "way", "relation")


def download_extract(
    boxes: Sequence[Box], destination: Path, *, outlines: Collection[str] = (), endpoint: str = PUBLIC_ENDPOINT
) -> int:
    """Return the number of elements of an extract, written to `destination` as its name ends.

    It is of the boxes, the 5 km around them that a build reads, and these outlines (`relation/5`, `way/7`), whole.
    Raises SourceError if a box is too large, the server stays busy, refuses, cannot be reached, runs out of time or
    memory, or answers anything but elements; then `destination` is as it was.
    """
    if not destination.name.endswith(FORMATS):
        raise SourceError(f"{destination}: expected a file name that ends in {' or '.join(FORMATS)}")
    widened_boxes = [widened(box, MARGIN_M) for box in boxes]
    for box in widened_boxes:
        area = box.width * (box.north - box.south)
        if area > MAX_BOX_DEGREES2:
            raise SourceError(
                f"{endpoint}: the box covers {area:.1f} square degrees; expected at most {MAX_BOX_DEGREES2:g}. Draw "
                "the city's box smaller, or bind a regional extract from a mirror."
            )
    answers = _Answers(endpoint)
    for box in widened_boxes:
        halves = [(box.west, box.east)] if box.west <= box.east else [(box.west, 180.0), (-180.0, box.east)]
        for west, east in halves:
            _ask(answers, (west, box.south, east, box.north))
    if not any(number for kind, number in answers.elements if kind == "way"):
        raise SourceError(f"{endpoint}: found no way in the box; expected a city's streets. Check the city's box.")
    for kind in ("relation", "way"):
        if numbers := sorted(int(number) for of, _, number in (o.partition("/") for o in outlines) if of == kind):
            _ask_for(answers, f"{kind}(id:{','.join(map(str, numbers))});>;")
    _write(answers.elements, destination)
    return len(answers.elements)


def asked_tags() -> dict[str, list[str]]:
    """Return the values of each key that make an element a place, a stop or ground, as osmnx asks for features."""
    values_by_key: dict[str, set[str]] = {}
    for rule in RULES:
        values_by_key.setdefault(rule.key, set()).update(rule.values)
    for key, value in (*STOP_TAGS, *GROUND_TAGS):
        values_by_key.setdefault(key, set()).add(value)
    return {key: sorted(values) for key, values in sorted(values_by_key.items())}


def asked_lines() -> list[str]:
    """Return the filters of ways that are asked for as lines: every street, and what maps draw as lines."""
    values: dict[str, set[str]] = {}
    for key, value in LINE_TAGS:
        values.setdefault(key, set()).add(value)
    del values["highway"]
    return ['["highway"]', *(f'["{key}"~"^({"|".join(sorted(of))})$"]' for key, of in sorted(values.items()))]


class _Answers:
    """The elements of every answer, by kind and id, and the judge of what a server sends."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.elements: dict[tuple[str, int], dict[str, Any]] = {}
        self._busy = 0
        self._bytes = 0

    def take(self, response: requests.Response, **_: Any) -> None:
        """Keep an answer's elements; a busy server is left to osmnx, but counted. Raises SourceError for the rest."""
        if response.request.method != "POST":
            return  # osmnx asks for the server's free slots
        if response.status_code in BUSY:
            self._busy += 1
            if self._busy >= ATTEMPTS:
                raise self.error(
                    f"status {response.status_code}, {counted(self._busy, 'time')}", "Try later, or name another."
                )
            return
        if response.status_code != 200:
            raise self.error(f"status {response.status_code}", "Name another Overpass server.")
        self._bytes += len(response.content)
        if self._bytes > MAX_ANSWER_BYTES:
            raise self.error(f"more than {MAX_ANSWER_BYTES:,} bytes", "Draw the city's box smaller.")
        try:
            answer = response.json()
            elements = {(e["type"], int(e["id"])): e for e in answer["elements"] if e["type"] in KINDS}
        except (ValueError, TypeError, KeyError) as error:
            begins = f"an answer that begins with {response.content[:60]!r} ({type(error).__name__})"
            raise self.error(begins, "Name another Overpass server.") from None
        if "remark" in answer:  # so Overpass says, with status 200, that it stopped half-way
            raise self.error(f"the remark {str(answer['remark'])[:300]!r}", "Try later, or draw the box smaller.")
        self.elements |= elements

    def error(self, reply: str, remedy: str) -> SourceError:
        return SourceError(
            f"{self.endpoint}: found {reply}; expected an extract of the box. {remedy} Or bind an extract downloaded "
            "from a mirror."
        )


def _ask(answers: _Answers, bbox: tuple[float, float, float, float]) -> None:
    """Ask for the lines, features and spots of west, south, east, north; every answer goes through `take`."""
    import osmnx
    from osmnx._errors import CacheOnlyInterruptError

    for ask in (
        lambda: osmnx.graph_from_bbox(bbox, custom_filter=asked_lines(), truncate_by_edge=True, retain_all=True),
        lambda: osmnx.features_from_bbox(bbox, dict(asked_tags())),
    ):
        with _told_if_broken(answers), osmnx_settings(overpass_url=answers.endpoint, hook=answers.take):
            try:
                ask()
            except CacheOnlyInterruptError:
                continue  # everything was asked; no graph or frame is wanted
    west, south, east, north = bbox
    keys: dict[str, list[str]] = {}
    for key, value in SPOT_TAGS:
        keys.setdefault(key, []).append(value)
    _ask_for(
        answers,
        "".join(f'node["{key}"~"^({"|".join(of)})$"]({south},{west},{north},{east});' for key, of in keys.items()),
    )


def _ask_for(answers: _Answers, elements: str) -> None:
    """Ask for elements in the server's own language, of which osmnx words no part: some nodes, relations by number."""
    from osmnx import _overpass

    with _told_if_broken(answers), osmnx_settings(overpass_url=answers.endpoint, hook=answers.take):
        _overpass._overpass_request(OrderedDict(data=f"{_overpass._make_overpass_settings()};({elements});out;"))


@contextmanager
def _told_if_broken(answers: _Answers) -> Iterator[None]:
    import requests

    try:
        yield
    except requests.RequestException as error:
        raise answers.error(f"no whole answer ({words_of(error)})", "Try later.") from None


@contextmanager
def osmnx_settings(*, hook: Callable[..., None], **urls: str) -> Iterator[None]:
    """Set osmnx, whose settings are the module's, to ask these addresses and show `hook` each answer; set it back."""
    from osmnx import settings

    overrides = {
        **{name: url.rstrip("/") for name, url in urls.items()},
        "requests_timeout": QUERY_SECONDS,
        "requests_kwargs": {"hooks": {"response": hook}},
        "http_user_agent": USER_AGENT,
        "doh_url_template": None,
        "use_cache": False,
        "cache_only_mode": True,
    }
    before = {name: getattr(settings, name) for name in overrides}
    try:
        for name, value in overrides.items():
            setattr(settings, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)


def _write(elements: dict[tuple[str, int], dict[str, Any]], destination: Path) -> None:
    """Write nodes, ways and relations, each by id, beside the destination, and move them there once they are whole."""
    import osmium
    from osmium.osm.mutable import Node, Relation, Way

    ending = next(ending for ending in FORMATS if destination.name.endswith(ending))
    partial = destination.with_name(f"{destination.name.removesuffix(ending)}.part{ending}")
    destination.parent.mkdir(exist_ok=True)
    try:
        with osmium.SimpleWriter(str(partial), overwrite=True) as writer:
            for kind, number in sorted(elements, key=lambda key: (KINDS.index(key[0]), key[1])):
                element = elements[kind, number]
                tags = {str(key): str(value) for key, value in element.get("tags", {}).items()}
                if kind == "node":
                    writer.add_node(Node(id=number, location=(element["lon"], element["lat"]), tags=tags))
                elif kind == "way":
                    writer.add_way(Way(id=number, nodes=element.get("nodes", []), tags=tags))
                else:
                    members = [(m["type"][0], m["ref"], m.get("role", "")) for m in element.get("members", [])]
                    writer.add_relation(Relation(id=number, members=members, tags=tags))
        partial.replace(destination)
    finally:
        partial.unlink(missing_ok=True)

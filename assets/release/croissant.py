"""The Croissant description of a release: its files, columns, provenance and responsible-AI notes as JSON-LD.

Croissant 1.1 with its RAI vocabulary (docs.mlcommons.org/croissant); provenance by W3C PROV-O. Made with mlcroissant,
which refuses what its own validator would.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from typing import Any

from assets.release.card import MAKERS, authors, citation, is_destination, language, limits
from assets.release.licences import computed_licence
from schemas.counts import counted
from schemas.release import CANARY, Manifest, ReleasedFile
from schemas.source import LICENCES, Snapshot
from schemas.table import Column, Table

FILE_NAME = "croissant.json"
_PROV = "http://www.w3.org/ns/prov#"


def croissant(manifest: Manifest, tables: Mapping[str, type[Table]], files: Iterable[ReleasedFile]) -> bytes:
    """Return `croissant.json` of a release whose Parquet `files` hold the `tables` of the same names."""
    import mlcroissant as mlc

    conforms_to: Any = "http://mlcommons.org/croissant/1.1"  # mlcroissant's own type for it is private
    ctx = mlc.Context(conforms_to=conforms_to)
    parquet = [file for file in files if file.path in tables]
    metadata = mlc.Metadata(
        ctx=ctx,
        name=f"{manifest.recipe}-{manifest.family}",
        description=description(manifest),
        license=[*_licence(manifest)],
        creators=[mlc.Person(ctx=ctx, name=name) for name in authors(manifest)]
        or [mlc.Organization(ctx=ctx, name=MAKERS)],
        in_language=[text_language] if (text_language := language(manifest)) else None,
        keywords=["travel planning", "benchmark", manifest.title, CANARY],
        date_published=_newest(manifest.inputs),
        version="1.0.0",
        cite_as=citation(manifest),
        distribution=[
            mlc.FileObject(
                ctx=ctx,
                id=file.path,
                name=file.path,
                content_url=file.path,
                content_size=f"{file.size_bytes} B",
                encoding_formats=["application/x-parquet"],
                sha256=file.sha256,
            )
            for file in parquet
        ],
        record_sets=[_record_set(ctx, file.path, tables[file.path]) for file in parquet],
        **_responsible_ai(manifest),
    )
    document = metadata.to_json()
    document["@context"]["prov"] = _PROV
    document["prov:wasDerivedFrom"] = [_derived_from(snapshot) for snapshot in manifest.inputs]
    return (json.dumps(document, indent=1, ensure_ascii=False, default=str) + "\n").encode()


def description(manifest: Manifest) -> str:
    """Return what the release is, in a sentence or two of plain text."""
    cities = ", ".join(city["name"] for city in manifest.cities if is_destination(city))
    origins = ", ".join(city["name"] for city in manifest.cities if not is_destination(city))
    cities += f" (people set out from {origins})" if origins else ""
    return (
        f"{counted(manifest.counts['tasks'], 'travel-planning task')} of the {manifest.family} family about "
        f"{cities}, each certified solvable by a witness plan that an independent checker accepted, with every value "
        "traceable to its source."
    )


def _licence(manifest: Manifest) -> list[str]:
    """Return the licence of the whole, as the card has it; the sources' own only where there is no one licence.

    Of several licences a reader may take the one that he likes best.
    """
    licence = LICENCES.get(computed_licence(manifest))
    return (
        [licence.url]
        if licence and licence.url
        else [entry["url"] or entry["licence_id"] for entry in manifest.licences]
    )


def _record_set(ctx: Any, path: str, table: type[Table]) -> Any:
    import mlcroissant as mlc

    name = path.removesuffix(".parquet")
    return mlc.RecordSet(
        ctx=ctx,
        id=name,
        name=name,
        description=" ".join([(table.__doc__ or "").strip().splitlines()[0], *_nested(table)]),
        key=[f"{name}/{column}" for column in table.key()],
        fields=[_field(ctx, path, name, column) for column in table.columns() if not column.shape.is_nested],
    )


def _nested(table: type[Table]) -> list[str]:
    """Return a sentence about the columns that Croissant's loader cannot read: those of nested values."""
    names = [column.name for column in table.columns() if column.shape.is_nested]
    return [f"Nested columns, read from the Parquet file itself: {', '.join(names)}."] if names else []


def _field(ctx: Any, path: str, name: str, column: Column) -> Any:
    import mlcroissant as mlc

    kinds = {
        str: mlc.DataType.TEXT,
        int: mlc.DataType.INTEGER,
        float: mlc.DataType.FLOAT,
        bool: mlc.DataType.BOOL,
        dt.date: mlc.DataType.DATE,
    }
    return mlc.Field(
        ctx=ctx,
        id=f"{name}/{column.name}",
        name=column.name,
        description=column.constraint.description,
        data_types=[kinds[column.item or column.type]],
        is_array=True if column.item else None,
        array_shape="-1" if column.item else None,
        source=mlc.Source(ctx=ctx, file_object=path, extract=mlc.Extract(ctx=ctx, column=column.name)),
    )


def _responsible_ai(manifest: Manifest) -> dict[str, Any]:
    """Return the RAI properties, each computed from the manifest."""
    sources = sorted({snapshot.source for snapshot in manifest.inputs})
    return {
        "data_collection": f"Compiled by the tripwright pipeline from files of {', '.join(sources)}, pinned by sha256.",
        "data_collection_type": ["Secondary Data Analysis", "Software Collection"],
        "data_collection_raw_data": "Every input file is listed with its hash, date and licence in manifest.json.",
        "data_preprocessing_protocol": [
            f"{entry['step']}: {entry['rows_out']} {'row' if entry['rows_out'] == 1 else 'rows'} out, "
            f"{sum(entry['rejected'].values())} rejected"
            for entry in manifest.accounting
        ],
        "data_annotation_protocol": "Texts by "
        + ", ".join(f"{job}: {engine}" for job, engine in sorted(manifest.engines.items()))
        + "; every task's witness plan was accepted by a checker written apart from the solver.",
        "data_use_cases": ["Evaluating travel planners; not for training, so that scores stay meaningful."],
        "data_limitations": limits(manifest),
        "data_biases": ["Places are those that the sources list: popular and central ones are over-represented."],
        "personal_sensitive_information": ["None: names and ids of reviewers and hosts are dropped on reading."],
        "data_release_maintenance_plan": "Rebuilt by its recipe; a release's version is the hash of its content.",
    }


def _derived_from(snapshot: Snapshot) -> dict[str, Any]:
    """Return a source file as a PROV entity, named by its hash."""
    entity = {
        "@id": f"urn:sha256:{snapshot.sha256}",
        "@type": "prov:Entity",
        "prov:label": f"{snapshot.source}.{snapshot.role}",
        "prov:atLocation": snapshot.url or snapshot.location,
        "prov:generatedAtTime": snapshot.retrieved_at,
        "license": snapshot.licence_id,
    }
    return {name: value for name, value in entity.items() if value is not None}


def _newest(inputs: Iterable[Snapshot]) -> dt.datetime | None:
    """Return the day of the newest input: a release has no clock of its own."""
    dates = [snapshot.retrieved_at for snapshot in inputs if snapshot.retrieved_at]
    return dt.datetime.fromisoformat(max(dates)[:10]) if dates else None

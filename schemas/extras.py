"""The parts of the installation that only some commands need, and what is said where one of them is missing.

What every build needs is installed at once; these are the extras of pyproject.toml, asked for by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from schemas.errors import ExpectedError


@dataclass(frozen=True)
class Extra:
    """One extra: what it is for, and its distributions by the module of each that we import."""

    purpose: str
    modules: dict[str, str]


EXTRAS = {
    "dask": Extra("building and auditing on a Dask cluster", {"distributed": "distributed"}),
    "embedding": Extra(
        "scores that compare texts by an embedding model on this machine",
        {"onnxruntime": "onnxruntime", "tokenizers": "tokenizers", "huggingface_hub": "huggingface-hub"},
    ),
    "hub": Extra("publishing to the Hugging Face Hub", {"huggingface_hub": "huggingface-hub"}),
    "mcp": Extra("serving a release's tools to an agent", {"mcp": "mcp"}),
    "models": Extra("asking a language model", {"httpx2": "httpx2", "openai": "openai", "tokenizers": "tokenizers"}),
    "postgres": Extra("Dagster's records in PostgreSQL", {"dagster_postgres": "dagster-postgres"}),
    "s3": Extra("homes and targets in a bucket", {"s3fs": "s3fs"}),
    "ui": Extra("Dagster's web page", {"dagster_webserver": "dagster-webserver"}),
}
"""The extras of pyproject.toml by name."""


class MissingExtraError(ExpectedError):
    """A part of the installation is missing; says which, what for, and the command that adds it."""


def remedy(extra: str) -> str:
    """Return the command that adds an extra to what is installed."""
    return f"uv sync --locked --inexact --extra {extra}"


def require(extra: str) -> None:
    """Return if the extra's modules can be imported. Raises MissingExtraError, naming those that are not installed."""
    missing = [package for module, package in EXTRAS[extra].modules.items() if find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"{EXTRAS[extra].purpose} needs {' and '.join(missing)}, not installed here; add with: {remedy(extra)}"
        )


def is_installed(extra: str) -> bool:
    """Return whether every module of the extra can be imported."""
    return all(find_spec(module) is not None for module in EXTRAS[extra].modules)


def distribution_of(module: str) -> str | None:
    """Return the distribution of a top-level module that an extra brings; None of every other."""
    return next((extra.modules[module] for extra in EXTRAS.values() if module in extra.modules), None)

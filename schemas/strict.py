"""What every section of a recipe is made of: keys that are declared, and no others, which nothing changes."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """A part of a recipe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

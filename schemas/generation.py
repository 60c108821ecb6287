"""Generation: one model call, as the ledger keeps it and a release ships it."""

from __future__ import annotations

from schemas.table import Field, Table


class Generation(Table):
    """One recorded model call that a release's values rest on."""

    generation_id: str = Field("sha256 of the exact request bytes and the model revision.", key=True)
    model: str = Field("The model's name, as asked for.")
    revision: str = Field("The revision that the endpoint reported.")
    request_json: str = Field("The request body, byte for byte; never holds a key or header.")
    answer: str = Field("The model's answer as text.")
    verdict: str = Field("What post-validation said of it.")

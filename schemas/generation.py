"""Generation: one model call, as a release ships it; the client is `sources/services/llm.py`, the ledger keeps it."""

from __future__ import annotations

from schemas.stable import call_hash
from schemas.table import Field, Table

ACCEPTED = "accepted"


class Generation(Table):
    """One recorded model call that a release's values rest on."""

    generation_id: str = Field("sha256 of the exact request bytes and the model revision.", key=True)
    job: str = Field(
        "What it was asked for: `reviews`, `wording`, `reading` (a query back) or `preferences`.", holds="ours"
    )
    model: str = Field("The model's name, as asked for.", holds="ours")
    revision: str = Field("The revision that the endpoint reported.", holds="ours")
    request: str = Field("The request body as text, byte for byte; never holds a key or header.")
    answer: str = Field("The model's answer as text.")
    verdict: str = Field("What post-validation said of it.")
    prompt_tokens: int = Field("Tokens of the request, as the endpoint counted them.", ge=0, holds="ours")
    completion_tokens: int = Field("Tokens of the answer, as the endpoint counted them.", ge=0, holds="ours")


def generation_id(request: bytes, revision: str) -> str:
    """Return the id of a call, which anybody can compute again from the released row."""
    return call_hash(request, revision)

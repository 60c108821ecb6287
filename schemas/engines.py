"""Engines: who reads and writes language, and the model that is asked where rules do not do it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field as Key
from pydantic import model_validator

from schemas.strict import Strict

BY_RULES = "rules"
"""Who worded a task where no model did."""

WORDING, READING = "wording", "reading"
JOBS = ("reviews", WORDING, "preferences")
"""What rules or a model do, and, where another model is asked to, the reading back of what a model worded."""

Engine = Literal["rules", "openai"]
ReviewEngine = Literal["rules", "learned", "openai"]


class Prices(Strict):
    """What an endpoint charges, in one currency of your choice, per million tokens."""

    input: float = Key(ge=0, allow_inf_nan=False, description="Of a million tokens of a prompt.")
    output: float = Key(ge=0, allow_inf_nan=False, description="Of a million tokens of an answer.")


class ModelEndpoint(Strict):
    """An OpenAI-compatible endpoint and a model of it: what is asked of whom, how fast, and for how much at most."""

    base_url: str = Key(
        pattern=r"^https?://[^\s@?#]+$", description="Such as http://localhost:8000/v1; never holds a key."
    )
    model: str = Key(min_length=1, description="The model's name, as the endpoint knows it.")
    api_key_env: str | None = Key(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="Environment variable that holds the key."
    )
    temperature: Annotated[float, Key(ge=0, le=2)] | Literal["default"] = Key(
        default=0.0, description="`default` sends none, for models that allow no other than their own."
    )
    seed: int | None = Key(default=None, description="Sent along, for endpoints that sample by it.")
    context_tokens: int = Key(
        default=32_000, ge=2_000, description="What the model reads at once; longer sets are split."
    )
    reviews_per_call: int = Key(
        default=1,
        ge=1,
        le=40,
        description="How many reviews of a place are read in one call. Of one, none can speak for another, whatever a "
        "model is talked into; more is cheaper, and gives that up.",
    )
    corrections: int = Key(
        default=2, ge=0, le=10, description="How often an answer is asked again with its errors shown."
    )
    concurrency: int = Key(default=16, ge=1, le=1024, description="Calls at once, at most.")
    requests_per_minute: int | None = Key(default=None, ge=1, description="The endpoint's limit; none by default.")
    tokens_per_minute: int | None = Key(default=None, ge=1, description="The endpoint's limit; none by default.")
    deadline_s: float = Key(default=120.0, gt=0, le=3600, description="The longest that one call may take.")
    retries: int = Key(default=6, ge=0, le=50, description="How often a call is sent again after a transient failure.")
    prices: Prices | None = Key(default=None, description="What the endpoint charges; without them cost is unknown.")
    max_cost: float | None = Key(default=None, ge=0, description="The most that one build may spend, by `prices`.")
    tokenizer: str | None = Key(default=None, description="Path of the model's tokenizer.json, to count tokens by.")
    allow_mixed_revisions: bool = Key(default=False, description="Allow a release of several revisions of the model.")

    @model_validator(mode="after")
    def _limit_has_prices(self) -> ModelEndpoint:
        if self.max_cost is not None and self.prices is None:
            raise ValueError("max_cost needs prices: { input = …, output = … } per million tokens")
        return self

    def identity(self) -> dict[str, Any]:
        """Return what the answers depend on: not speed, limits, prices or keys."""
        names = {"base_url", "model", "temperature", "seed", "context_tokens", "corrections", "reviews_per_call"}
        return self.model_dump(mode="json", include=names)


def shown_variable(name: str) -> str:
    """Return the name of a variable that is not set as an error may print it: some put the key itself there."""
    return f"${name}" if name.isupper() else "the variable that api_key_env names (not shown, since it may be a key)"


class Engines(Strict):
    """Who reads and writes language, job by job: `rules`, the deterministic default, or a model."""

    reviews: ReviewEngine = Key(
        default="rules",
        description="Reads ratings of places from their reviews; `learned` learns it from the source `labelled`.",
    )
    wording: Engine = Key(default="rules", description="Writes each task's query.")
    preferences: Engine = Key(
        default="rules", description="Invents what each member of a group wants, and words their opening messages."
    )
    openai: ModelEndpoint | None = Key(default=None, description="The model that jobs with the engine `openai` ask.")
    reader: ModelEndpoint | None = Key(
        default=None,
        description="Another model, which reads back every query that the first words, without its record; by default "
        "rules alone read it.",
    )

    @model_validator(mode="after")
    def _reader_is_another(self) -> Engines:
        if self.reader is not None and self.wording != "openai":
            raise ValueError('reader: it reads back what a model words; set wording = "openai", or leave it out')
        if self.reader and self.openai and self.reader.model == self.openai.model:
            raise ValueError(f"reader: {self.reader.model} words the queries; expected another model to read them back")
        return self

    @model_validator(mode="after")
    def _model_is_given(self) -> Engines:
        asking = [job for job in JOBS if getattr(self, job) == "openai"]
        if asking and self.openai is None:
            raise ValueError(
                f"{', '.join(asking)}: engine `openai` needs a table [engines.openai] with base_url and model"
            )
        return self

    def endpoint(self, job: str) -> ModelEndpoint | None:
        """Return the model that does a job, None where rules do it."""
        return self.openai if getattr(self, job) == "openai" else None

    def as_released(self) -> dict[str, str]:
        """Return, for each job, `rules`, `learned` or the model's name: what a manifest says; no address, no limit."""
        endpoint_by_job = {job: self.endpoint(job) for job in JOBS}
        read_back = {READING: self.reader.model} if self.reader else {}
        return {
            job: endpoint.model if endpoint else getattr(self, job) for job, endpoint in endpoint_by_job.items()
        } | read_back

"""What one run of a step asks by, and the records of its calls, for the release's generations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from assets.language.asking import Answer, Prompt, Unanswered
from schemas.generation import ACCEPTED, generation_id

if TYPE_CHECKING:
    from pipelines.walk.asking import Asker


class StepAsk:
    """What a step calls. Keeps the record of each call, for the release's generations."""

    def __init__(self, asker: Asker, job: str, reader: StepAsk | None = None) -> None:
        self._asker, self._job, self.reader = asker, job, reader
        self._keys: dict[str, str] = {}
        self.model = asker.endpoint.model
        self.context_tokens = asker.endpoint.context_tokens
        self.reviews_per_call = asker.endpoint.reviews_per_call
        self.spent = asker.spent

    def __call__(self, prompts: Iterable[Prompt]) -> list[Answer | Unanswered]:
        """Return what came of each prompt, in order."""
        answers: list[Answer | Unanswered] = []
        for prompt, value, problem, record in self._asker.ask(prompts, self._job):
            if problem:
                answers.append(Unanswered(prompt.row, problem))
                continue
            key = generation_id(record["request"].encode(), record["revision"])
            self._keys[key] = record["key"]
            answers.append(Answer(prompt.row, value, key))
        return answers

    def generations(self, generation_ids: Iterable[str]) -> list[dict[str, Any]]:
        """Return rows of `Generation` for the calls that a step says its rows rest on, those of its reader too."""
        rows = []
        others = set(generation_ids) - self._keys.keys()
        if self.reader is not None and others:
            rows = self.reader.generations(others)
        elif others:
            raise KeyError(f"{len(others)} generations are of no call of this step, such as {min(others)}")
        for key in sorted(set(generation_ids) - others):
            record = self._asker.ledger.find(self._keys[key])
            assert record is not None
            field_names = ("model", "revision", "answer", "prompt_tokens", "completion_tokens")
            rows.append(
                {
                    "generation_id": key,
                    "job": self._job,
                    "request": record["request"],
                    "verdict": ACCEPTED,
                    **{name: record[name] for name in field_names},
                }
            )
        return rows

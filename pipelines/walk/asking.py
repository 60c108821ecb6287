"""Answers for steps: read from the ledger, else asked of the endpoint, recorded, checked, and within the limits."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from assets.language.asking import (
    MODES,
    REJECTED_REQUEST,
    Answer,
    Later,
    Message,
    Prompt,
    Unanswered,
    dialogue,
    estimated_tokens,
    request_bytes,
    value_or_problem,
)
from pipelines.walk.call_costs import Needed, SpendingLimitError, Spent, cost_of
from pipelines.walk.step_ask import StepAsk
from schemas.counts import counted
from schemas.engines import ModelEndpoint
from schemas.extras import require
from schemas.generation import ACCEPTED, generation_id
from schemas.source import SourceError
from sources.services.llm import EndpointError, ModelClient, ModelError, NoReplyError, RefusedRequestError, Reply
from warehouse.ledger import Ledger

if TYPE_CHECKING:
    from pathlib import Path

MOST_LOST = 10
"""So many calls in a row without a reply, each sent again and again, mean that the endpoint is gone."""
AT_ONCE_IN_MEMORY = 4096
"""Prompts and replies that are in memory at once, however many a step has."""
RESERVED_DIGITS = 12
"""Digits after the point of a sum that is set aside: what is taken off again leaves nothing behind."""
READING = "reading"
"""The job of reading a wording back."""


class MissingAnswers(Exception):  # noqa: N818  (no error: the end of what can be planned)
    """A step was only counted: its answers are not all in the ledger."""

    def __init__(self, needed: Needed) -> None:
        super().__init__("waits for a model's answers")
        self.needed = needed


class Asker:
    """One model for all steps of a build: its connections, its limits, and what it has cost."""

    def __init__(self, ledger: Ledger, endpoint: ModelEndpoint, folder: Path, *, planning: bool = False) -> None:
        """Paths in the endpoint are relative to `folder`, the recipe's. With `planning` nothing is sent."""
        self.ledger, self.endpoint, self.spent = ledger, endpoint, Spent()
        self._folder, self._planning = folder, planning
        self._mode = 0
        self._has_replied = False
        self._under_way: dict[bytes, asyncio.Future[None]] = {}
        self._counted: set[str] = set()
        """The keys of requests that a plan has counted: of equal ones, only the first will be sent."""

    def for_step(self, job: str, reader: Asker | None = None) -> StepAsk:
        """Return the `ask` of one run of a step, with the model that reads back what it words, if there is one."""
        return StepAsk(self, job, reader.for_step(READING) if reader else None)

    def tokens(self, text: str) -> int:
        """Return the text's tokens, by the model's tokenizer where the recipe names it, else the declared estimate."""
        if self._tokenizer is None:
            return estimated_tokens(text)
        return len(self._tokenizer.encode(text).ids)

    def ask(self, prompts: Iterable[Prompt], job: str) -> Iterator[tuple[Prompt, Any, str, dict[str, Any]]]:
        """Yield each prompt with its value, its problem and its last record, in order; so many at once are in memory.

        Raises MissingAnswers with everything that is missing where nothing is to be sent.
        """
        coming, needed = iter(prompts), Needed()
        while together := list(islice(coming, AT_ONCE_IN_MEMORY)):
            results = self._results(together, job, needed)
            if not needed.calls:
                yield from ((prompt, *result) for prompt, result in zip(together, results, strict=True))
        if needed.calls:
            raise MissingAnswers(needed)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Open the connections that `answer` uses, once for all that is asked in one event loop."""
        self.ledger.refresh()
        async with self._client.opened():
            yield

    async def answer(self, prompt: Prompt, job: str) -> Answer | Unanswered:
        """Return what came of one prompt, asked beside others; of the ledger, or of calls that it keeps.

        Raises what `ModelClient.send` raises, and SpendingLimitError.
        """
        outcome, is_begun = self._recorded(prompt, None)
        self.spent.cached += outcome is not None
        if outcome is None:
            outcome = await self._talk(self._client, prompt, job, [], is_begun)
        assert outcome is not None
        value, problem, record = outcome
        if problem:
            return Unanswered(prompt.row, problem)
        return Answer(prompt.row, value, generation_id(record["request"].encode(), record["revision"]))

    def paid_for(self, prompt: Prompt) -> float:
        """Return what the answers to a prompt cost when they were asked for, its corrections among them."""
        talk, cost = dialogue(prompt, self.endpoint.corrections), 0.0
        messages = next(talk)
        try:
            while (record := self._find(messages, prompt)) is not None:
                cost += record.get("cost", 0.0)
                messages = talk.send(record)
        except StopIteration:
            pass
        return cost

    def _results(self, prompts: list[Prompt], job: str, needed: Needed) -> list[Any]:
        """Return the prompts' values, problems and last records; when planning, None for what is added to `needed`."""
        self.ledger.refresh()
        results: list[Any] = [None] * len(prompts)
        pending: dict[int, bool] = {}
        for number, prompt in enumerate(prompts):
            results[number], is_begun = self._recorded(prompt, needed if self._planning else None)
            if results[number] is None:
                pending[number] = is_begun
        self.spent.cached += len(prompts) - len(pending)
        if pending and not self._planning:
            asyncio.run(self._ask_all(prompts, pending, results, job))
        return results

    def _recorded(self, prompt: Prompt, needed: Needed | None) -> tuple[tuple[Any, str, dict[str, Any]] | None, bool]:
        """Return what the ledger alone gives, or None if a call is missing, and whether it holds any.

        The missing call is added to `needed`.
        """
        talk = dialogue(prompt, self.endpoint.corrections)
        messages, record = next(talk), None
        try:
            while True:
                reply = self._find(messages, prompt)
                if reply is None:
                    if needed is not None:
                        self._count(messages, prompt, needed)
                    return None, record is not None
                record = reply
                messages = talk.send(record)
        except StopIteration as end:
            assert record is not None
            return (*end.value, record), True

    def _count(self, messages: list[Message], prompt: Prompt, needed: Needed) -> None:
        """Add a call, and those that its answer leads to, as if this model gave them all."""
        first = Later(1, self._estimated(messages), prompt.answer_tokens)
        key = self.ledger.key(request_bytes(self.endpoint, messages, prompt.shape, MODES[0]), self.endpoint.base_url)
        for call in prompt.later if key in self._counted else (first, *prompt.later):
            needed.calls += call.calls
            needed.prompt_tokens += call.calls * call.prompt_tokens
            needed.completion_tokens += call.calls * call.answer_tokens
        self._counted.add(key)
        needed.cost = cost_of(self.endpoint.prices, needed.prompt_tokens, needed.completion_tokens)

    def _find(self, messages: list[Message], prompt: Prompt) -> dict[str, Any] | None:
        for mode in MODES:
            request = request_bytes(self.endpoint, messages, prompt.shape, mode)
            record = self.ledger.known_call(self.ledger.key(request, self.endpoint.base_url))
            if record is not None:
                return record
        return None

    async def _ask_all(self, prompts: list[Prompt], pending: dict[int, bool], results: list[Any], job: str) -> None:
        """Fill the pending results. The first fatal error stops new calls; those under way are finished and kept.

        `pending` says of each number whether the ledger holds the beginning of its dialogue.
        """
        queue = iter(pending.items())
        fatal: list[Exception] = []
        lost: list[NoReplyError] = []
        lost_in_a_row = 0

        async def work() -> None:
            nonlocal lost_in_a_row
            for number, is_begun in queue:
                if fatal:
                    return
                try:
                    results[number] = await self._talk(client, prompts[number], job, fatal, is_begun)
                    lost_in_a_row = 0
                except NoReplyError as error:
                    lost.append(error)
                    lost_in_a_row += 1
                    if lost_in_a_row >= MOST_LOST:
                        fatal.append(error)
                except Exception as error:
                    fatal.append(error)

        client = self._client
        async with client.opened():
            await asyncio.gather(*(work() for _ in range(min(self.endpoint.concurrency, len(pending)))))
        missing = sum(1 for number in pending if results[number] is None)
        if missing:
            first = (fatal or lost)[0]
            ledger_state = f"{len(pending) - missing} of {counted(len(pending), 'answer')} are in the ledger"
            text = f"{first}. {ledger_state}; build again for the others"
            raise type(first)(text) if isinstance(first, ModelError) else first

    async def _talk(
        self, client: ModelClient, prompt: Prompt, job: str, fatal: list[Exception], is_begun: bool
    ) -> tuple[Any, str, dict[str, Any]] | None:
        """Return the value, problem and last record of a prompt; None if a fatal error elsewhere ended the talk."""
        talk = dialogue(prompt, self.endpoint.corrections)
        messages, attempt, record = next(talk), 1, None
        try:
            while True:
                record = self._find(messages, prompt) if attempt > 1 or is_begun else None
                if record is None:
                    if fatal:
                        return None
                    record = await self._once(client, messages, prompt, job, attempt)
                messages, attempt = talk.send(record), attempt + 1
        except StopIteration as end:
            assert record is not None
            return (*end.value, record)

    async def _once(
        self, client: ModelClient, messages: list[Message], prompt: Prompt, job: str, attempt: int
    ) -> dict[str, Any]:
        """Return the record of a new call; of equal requests, under way at once or not, only the first is sent."""
        request = request_bytes(self.endpoint, messages, prompt.shape, MODES[0])
        while (sent := self._under_way.get(request)) is not None:
            await asyncio.wait([sent])
        if (record := self._find(messages, prompt)) is not None:
            return record
        self._under_way[request] = asyncio.get_running_loop().create_future()
        try:
            return await self._call(client, messages, prompt, job, attempt, request)
        finally:
            self._under_way.pop(request).set_result(None)

    async def _call(
        self, client: ModelClient, messages: list[Message], prompt: Prompt, job: str, attempt: int, strictest: bytes
    ) -> dict[str, Any]:
        """Return the record of a new call, in the strictest output mode that the endpoint takes."""
        tokens = self._estimated(messages)
        reserved = self._reserve(tokens, prompt.answer_tokens)

        def charge_lost() -> None:
            self._charge(cost_of(self.endpoint.prices, tokens, prompt.answer_tokens), is_estimated=True)
            self._require_left(0.0)

        try:
            for level in range(self._mode, len(MODES)):
                lax = request_bytes(self.endpoint, messages, prompt.shape, MODES[level]) if level else b""
                request = lax or strictest
                try:
                    reply = await client.send(request, tokens=tokens + prompt.answer_tokens, on_lost=charge_lost)
                except RefusedRequestError as error:
                    if level + 1 < len(MODES):
                        continue
                    if not self._has_replied:
                        raise EndpointError(f"{self.endpoint.base_url} refuses our requests: {error}") from None
                    facts = {"finish_reason": REJECTED_REQUEST, "is_refusal": False, "revision": self.endpoint.model}
                    return await self._keep(request, str(error), prompt, job, attempt, MODES[level], facts, 0.0)
                self._mode, self._has_replied = level, True
                facts = {name: value for name, value in vars(reply).items() if name != "answer"}
                facts["revision"] = reply.revision or self.endpoint.model
                cost = self._charge_reply(reply, tokens, prompt.answer_tokens)
                return await self._keep(request, reply.answer, prompt, job, attempt, MODES[level], facts, cost)
        finally:
            self.spent.reserved = max(0.0, round(self.spent.reserved - reserved, RESERVED_DIGITS))
        raise AssertionError("the last mode ends in a record or an error")

    async def _keep(
        self,
        request: bytes,
        answer: str,
        prompt: Prompt,
        job: str,
        attempt: int,
        mode: str,
        facts: dict[str, Any],
        cost: float,
    ) -> dict[str, Any]:
        """Return the ledger's record of a reply; its tokens are 0 where the endpoint did not tell them."""
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "system_fingerprint": "", "latency_s": 0.0, "tries": 1}
        usage |= {name: value for name, value in facts.items() if value is not None}
        _, problem = value_or_problem({"answer": answer, **usage}, prompt)
        self.spent.calls += 1
        self.spent.prompt_tokens += usage["prompt_tokens"]
        self.spent.completion_tokens += usage["completion_tokens"]
        add = partial(
            self.ledger.add,
            request=request,
            endpoint=self.endpoint.base_url,
            answer=answer,
            model=self.endpoint.model,
            job=job,
            row=prompt.row,
            mode=mode,
            attempt=attempt,
            verdict=problem or ACCEPTED,
            cost=round(cost, 9),
            answered_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            **usage,
        )
        return await asyncio.to_thread(add) if self.ledger.is_remote else add()

    def _reserve(self, prompt_tokens: int, answer_tokens: int) -> float:
        """Return what a call may cost, set aside. Raises SpendingLimitError if that is more than is left."""
        if self.endpoint.max_cost is None:
            return 0.0
        cost = cost_of(self.endpoint.prices, prompt_tokens, answer_tokens)
        self._require_left(cost)
        self.spent.reserved += cost
        return cost

    def _require_left(self, cost: float) -> None:
        """Raise SpendingLimitError where that much more, with what calls under way may cost, is more than is left."""
        most, spent = self.endpoint.max_cost, self.spent
        if most is not None and spent.cost + spent.reserved + cost > most:
            estimate = (
                f", {spent.estimated:.4f} of it as estimated, since the endpoint did not tell"
                if spent.estimated
                else ""
            )
            raise SpendingLimitError(
                f"the next call could bring this build's spending to more than max_cost = {most:g} "
                f"({spent.cost:.4f} is spent in {counted(spent.calls, 'call')}{estimate}). Raise max_cost to go on"
            )

    def _charge_reply(self, reply: Reply, prompt_tokens: int, answer_tokens: int) -> float:
        """Return what a reply cost, charged: by the tokens that the endpoint tells, else as was set aside for it.

        An answer that is longer than was expected is charged by its length.
        """
        used, completion_tokens = reply.prompt_tokens, reply.completion_tokens
        if used is None:
            used = prompt_tokens
        if completion_tokens is None:
            completion_tokens = max(answer_tokens, self.tokens(reply.answer))
        cost = cost_of(self.endpoint.prices, used, completion_tokens)
        self._charge(cost, is_estimated=None in (reply.prompt_tokens, reply.completion_tokens))
        return cost

    def _charge(self, cost: float, *, is_estimated: bool) -> None:
        self.spent.cost += cost
        self.spent.estimated += cost if is_estimated else 0.0

    def _estimated(self, messages: list[Message]) -> int:
        return sum(self.tokens(message["content"]) for message in messages)

    @cached_property
    def _client(self) -> ModelClient:
        names = ("api_key_env", "concurrency", "requests_per_minute", "tokens_per_minute", "deadline_s", "retries")
        return ModelClient(self.endpoint.base_url, **{name: getattr(self.endpoint, name) for name in names})

    @cached_property
    def _tokenizer(self) -> Any:
        if self.endpoint.tokenizer is None:
            return None
        require("models")
        from tokenizers import Tokenizer

        path = self._folder / self.endpoint.tokenizer
        try:
            return Tokenizer.from_file(str(path))
        except Exception as error:
            raise SourceError(f"{path}: no tokenizer.json that can be read ({error})") from None

"""What asking costs: equal prompts are paid for once, limits stop in time, and what was answered is kept."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest

from assets.language.asking import Answer
from pipelines.walk import asking
from pipelines.walk.asking import Asker, MissingAnswers
from pipelines.walk.call_costs import SpendingLimitError
from schemas.engines import ModelEndpoint
from sources.services import llm
from tests.model_server import FAULTS, KEY, MODEL, ModelServer, at_first, mixed
from tests.pipelines.doubling import asker, brain, prompt
from warehouse.ledger import Ledger
from warehouse.store import Store, StoreError


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("STANDIN_KEY", KEY)
    monkeypatch.setattr(llm.ModelClient.__init__, "__kwdefaults__", {"first_pause_s": 0.01})


def test_a_ledger_in_a_bucket_is_written_while_other_calls_go_on_and_listed_seldom(tmp_path, monkeypatch):
    puts, listed, two = [], [], threading.Barrier(2, timeout=600)
    put, keys = Store.put, Store.keys

    def slow_put(store, *given):
        puts.append(1)
        if len(puts) <= 2:
            two.wait()  # the first is not done before the second is begun
        put(store, *given)

    monkeypatch.setattr(Store, "put", slow_put)
    monkeypatch.setattr(Store, "keys", lambda store, *given: listed.append(1) or keys(store, *given))
    store = Store(f"memory://asked-{tmp_path.name}-{time.time_ns()}")
    with ModelServer(brain) as server:
        endpoint = ModelEndpoint(base_url=server.url, model=MODEL, api_key_env="STANDIN_KEY", concurrency=8)
        asked = Asker(Ledger(store), endpoint, tmp_path)
        assert len(asked.for_step("wording")([prompt(n) for n in range(40)])) == 40
        asked.ledger.close()
    assert len(puts) > 40 and len(listed) == 1
    assert sorted(int(record["row"]) for record in Ledger(store).records()) == list(range(40))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_the_ledger_stops_the_asking_and_keeps_what_was_recorded(tmp_path, monkeypatch):
    with ModelServer(brain) as server:
        asker(server, tmp_path).for_step("wording")([prompt(n) for n in range(5)])
        full = asker(server, tmp_path, concurrency=4)
        full.ledger.add(request=b"{}", endpoint="", answer="")  # opens this process's own file
        monkeypatch.setattr(full.ledger._lines, "_own_fd", os.open("/dev/full", os.O_WRONLY))
        with pytest.raises(StoreError, match=r"No space left on device.*free space on its disk and build again"):
            full.for_step("wording")([prompt(n) for n in range(40)])
        assert sum(server.paid.values()) <= 5 + 4
        monkeypatch.undo()
        monkeypatch.setenv("STANDIN_KEY", KEY)
        told = asker(server, tmp_path).for_step("wording")([prompt(n) for n in range(40)])
        assert [t.value.double for t in told if isinstance(t, Answer)] == [2 * n for n in range(40)]


def test_equal_prompts_are_paid_for_once_also_at_the_same_time(tmp_path):
    with ModelServer(brain, latency_s=0.05) as server:
        told = asker(server, tmp_path).for_step("wording")([prompt(3)] * 8)
        assert [t.value.double for t in told if isinstance(t, Answer)] == [6] * 8
        assert sum(server.paid.values()) == 1


def test_an_equal_prompt_later_in_the_queue_is_not_paid_for_again_nor_counted_by_a_plan(tmp_path):
    prompts = [prompt(n % 5) for n in range(40)]
    with ModelServer(brain, modes=("json_object", "text"), latency_s=0.01) as server:
        with pytest.raises(MissingAnswers) as planned:
            asker(server, tmp_path, planning=True).for_step("wording")(prompts)
        assert planned.value.needed.calls == 5
        told = asker(server, tmp_path, concurrency=2).for_step("wording")(prompts)
        assert [t.value.double for t in told if isinstance(t, Answer)] == [2 * (n % 5) for n in range(40)]
        assert sorted(server.paid.values()) == [1] * 5


def test_the_spending_limit_stops_before_it_is_passed_and_loses_nothing(tmp_path):
    limits = {"prices": {"input": 1e6, "output": 1e6}, "concurrency": 4}
    with ModelServer(brain) as server:
        first = asker(server, tmp_path, max_cost=400.0, **limits)
        with pytest.raises(SpendingLimitError, match=r"max_cost = 400 .*Raise max_cost.*in the ledger"):
            first.for_step("wording")([prompt(n) for n in range(100)])
        assert 200 < sum(server.tokens) <= 400
        assert first.spent.cost == pytest.approx(sum(server.tokens))
        assert (first.spent.prompt_tokens, first.spent.completion_tokens) == tuple(server.tokens)
        second = asker(server, tmp_path, max_cost=1e9, **limits)
        assert all(isinstance(t, Answer) for t in second.for_step("wording")([prompt(n) for n in range(100)]))
        assert set(server.paid.values()) == {1}
        assert second.spent.cached == first.spent.calls > 5


def test_nothing_stays_set_aside_once_all_calls_are_answered(tmp_path):
    with ModelServer(brain) as server:
        asked = asker(server, tmp_path, concurrency=8, prices={"input": 0.07, "output": 0.3}, max_cost=1.0)
        asked.for_step("wording")([prompt(n) for n in range(100)])
        assert asked.spent.reserved == 0.0


def test_a_soak_with_faults_of_every_kind_pays_for_nothing_twice_and_counts_every_token(tmp_path):
    hang_free = tuple(f for f in FAULTS if f != "hang")
    with ModelServer(brain, mixed(0.2, hang_free)) as server:
        asked = asker(
            server, tmp_path, concurrency=64, corrections=5, deadline_s=60, prices={"input": 2.0, "output": 8.0}
        )
        told = asked.for_step("wording")([prompt(n) for n in range(600)])
        assert [t.value.double for t in told if isinstance(t, Answer)] == [2 * n for n in range(600)]
        assert set(server.paid.values()) == {1}
        assert (asked.spent.prompt_tokens, asked.spent.completion_tokens) == tuple(server.tokens)
        assert sum(server.faults[f] for f in FAULTS) > 60
    records = list(Ledger(Store(str(tmp_path))).records())
    assert sum(r["prompt_tokens"] for r in records) == server.tokens[0]
    # A connection that is cut, or half a body, may be charged for: it counts as spent, by estimate.
    assert sum(r["cost"] for r in records) == pytest.approx(asked.spent.cost - asked.spent.estimated)
    assert asked.spent.estimated > 0


def test_a_planning_asker_counts_what_is_missing_and_sends_nothing(tmp_path):
    with ModelServer(brain) as server:
        asker(server, tmp_path).for_step("wording")([prompt(n) for n in range(5)])
        before = sum(server.seen.values())
        with pytest.raises(MissingAnswers) as planned:
            asker(server, tmp_path, planning=True).for_step("wording")([prompt(n) for n in range(12)])
        assert planned.value.needed.calls == 7
        assert planned.value.needed.completion_tokens == 70
        assert 70 < planned.value.needed.prompt_tokens < 200
        assert sum(server.seen.values()) == before
        planned_ask = asker(server, tmp_path, planning=True).for_step("wording")
        assert len(planned_ask([prompt(n) for n in range(5)])) == 5


def test_generations_are_those_that_the_rows_rest_on(tmp_path):
    with ModelServer(brain, at_first("wrong_shape")) as server:
        ask = asker(server, tmp_path).for_step("wording")
        told = [t for t in ask([prompt(1), prompt(2)]) if isinstance(t, Answer)]
    rows = ask.generations([told[0].generation_id])
    assert [r["answer"] for r in rows] == ['{"double": 2}']
    assert rows[0]["verdict"] == "accepted"
    assert KEY not in json.dumps(rows)


def test_prompts_are_taken_so_many_at_a_time_and_planned_all_together(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "AT_ONCE_IN_MEMORY", 3)
    taken: list[int] = []
    most_ahead = 0

    def answered(messages: list[dict[str, str]]) -> str:
        nonlocal most_ahead
        most_ahead = max(most_ahead, len(taken) - int(messages[1]["content"].split()[-1].rstrip(".")))
        return brain(messages)

    def prompts():
        for number in range(8):
            taken.append(number)
            yield prompt(number)

    with ModelServer(answered) as server:
        with pytest.raises(MissingAnswers) as planned:
            asker(server, tmp_path, planning=True).for_step("wording")(prompts())
        taken.clear()
        told = asker(server, tmp_path).for_step("wording")(prompts())
    assert planned.value.needed.calls == 8
    assert [one.value.double for one in told if isinstance(one, Answer)] == [2 * n for n in range(8)]
    assert most_ahead == 3

"""Asking a model that fails in every way that servers do: a retried success, a named problem, or one clear error."""

from __future__ import annotations

import json
import logging
import socket

import pytest

from assets.language.answers import PROBLEMS, Shape, parsed
from assets.language.asking import Answer, Unanswered
from sources.services import llm
from sources.services.llm import EndpointError, NoReplyError
from sources.services.llm_wire import Scrub
from tests.hostile.wire_server import WireServer
from tests.model_server import FAULTS, KEY, TRANSPORT_FAULTS, ModelServer, always, at_first
from tests.pipelines.doubling import asker, brain, everything_written, prompt
from warehouse.ledger import Ledger
from warehouse.store import Store


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("STANDIN_KEY", KEY)
    monkeypatch.setattr(llm.ModelClient.__init__, "__kwdefaults__", {"first_pause_s": 0.01})


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_fails_once_costs_a_retry_and_no_wrong_value(fault, tmp_path):
    with ModelServer(brain, at_first(fault)) as server:
        ask = asker(server, tmp_path, deadline_s=1 if fault == "hang" else 120).for_step("wording")
        told = ask([prompt(n) for n in range(6)])
        assert [t.value.double for t in told if isinstance(t, Answer)] == [0, 2, 4, 6, 8, 10]
        assert server.faults[fault] >= 6
        assert set(server.paid.values()) == {1}
    records = list(asker(server, tmp_path).ledger.records())
    assert len(records) == 6 if fault in TRANSPORT_FAULTS else 12
    assert {r["verdict"] == "accepted" for r in records} == ({True} if fault in TRANSPORT_FAULTS else {True, False})


NAMED = {
    "invalid_json": "invalid_json",
    "wrong_shape": "wrong_shape",
    "language": "invalid_json",
    "empty": "empty",
    "refusal": "refused",
    "refusal_text": "invalid_json",
    "truncated": "truncated",
    "filtered": "refused",
    "duplicate_keys": "duplicate_keys",
    "many": "invalid_json",
}


@pytest.mark.parametrize("fault", [f for f in FAULTS if f not in TRANSPORT_FAULTS])
def test_a_model_that_never_gives_a_usable_answer_is_a_named_problem_paid_for_once(fault, tmp_path):
    with ModelServer(brain, always(fault)) as server:
        told = asker(server, tmp_path, corrections=2).for_step("wording")([prompt(7)])
        assert isinstance(told[0], Unanswered)
        assert told[0].problem.split(":")[0] == NAMED[fault] in PROBLEMS
        paid = sum(server.paid.values())
        assert paid == 3
        again = asker(server, tmp_path, corrections=2).for_step("wording")([prompt(7)])
        assert again == told
        assert sum(server.paid.values()) == paid
    kept = [r["verdict"].split(":")[0] for r in asker(server, tmp_path).ledger.records()]
    assert kept == [NAMED[fault]] * 3


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```", "Sure! Here it is:\n```\n{}\n```\nAnything else?", "Here is the answer: {} Enjoy.",
        "<think>\nHm, {{double}}: is it {{\"double\": 3}}?\n</think>\n\n{}", "So {{2}}. Yes.</think>{}", "\ufeff{}",
    ],
)  # fmt: skip
def test_what_models_write_around_an_answer_costs_no_call(around, tmp_path):
    with ModelServer(lambda messages: around.format(brain(messages))) as server:
        (told,) = asker(server, tmp_path).for_step("wording")([prompt(7)])
        assert isinstance(told, Answer) and told.value.double == 14
        assert sum(server.paid.values()) == 1


class Text(Shape):
    """A text."""

    text: str


def test_what_an_answer_itself_says_of_thoughts_is_its_own():
    said = "So: </think> {7}"
    assert parsed(json.dumps({"text": said}), Text) == (Text(text=said), "")


@pytest.mark.parametrize("fault", TRANSPORT_FAULTS)
def test_a_server_that_never_replies_is_one_error_and_leaves_no_answer(fault, tmp_path):
    with ModelServer(brain, always(fault)) as server:
        with pytest.raises(NoReplyError, match=r"gave no reply to a request sent 2 times.*build again") as error:
            asker(server, tmp_path, retries=1, deadline_s=0.2).for_step("wording")([prompt(1), prompt(2)])
        assert KEY not in str(error.value)
    assert list(Ledger(Store(str(tmp_path))).records()) == []


def test_a_wrong_answer_is_asked_again_with_its_problem_shown(tmp_path):
    seen = []

    def wrong_at_first(messages):
        seen.append(messages)
        return brain(messages) if len(messages) > 2 else '{"double": 3}'

    with ModelServer(wrong_at_first) as server:
        told = asker(server, tmp_path).for_step("wording")([prompt(4)])
    assert isinstance(told[0], Answer) and told[0].value.double == 8
    assert seen[1][2] == {"role": "assistant", "content": '{"double": 3}'}
    assert "3 is not twice 4" in seen[1][3]["content"]


def test_a_dialogue_that_was_cut_off_goes_on_where_it_ended(tmp_path):
    with ModelServer(brain, lambda body, nth: "503" if b'"role":"assistant"' in body else "wrong_shape") as server:
        with pytest.raises(NoReplyError):
            asker(server, tmp_path, retries=0).for_step("wording")([prompt(4)])
        server.fault = at_first("")
        told = asker(server, tmp_path).for_step("wording")([prompt(4)])
        assert isinstance(told[0], Answer) and told[0].value.double == 8
        assert list(server.paid.values()) == [1, 1]


def test_no_server_at_all_is_one_clear_error(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(EndpointError, match="Is the server running, and is base_url right"):
        asker(f"http://127.0.0.1:{port}/v1", tmp_path, retries=1).for_step("wording")([prompt(1)])


def test_a_wrong_key_an_unset_key_and_an_unknown_model_are_one_clear_error_each(tmp_path, monkeypatch):
    with ModelServer(brain) as server:
        with pytest.raises(EndpointError, match=r"knows no such model.*no model other"):
            asker(server, tmp_path, model="other").for_step("wording")([prompt(1)])
        monkeypatch.setenv("STANDIN_KEY", "sk-wrong-and-secret")
        with pytest.raises(EndpointError, match=r"refuses the key in \$STANDIN_KEY \(status 401\)") as error:
            asker(server, tmp_path).for_step("wording")([prompt(n) for n in range(20)])
        assert "secret" not in str(error.value) + everything_written(tmp_path)
        assert sum(server.seen.values()) <= 1 + 16
        monkeypatch.delenv("STANDIN_KEY")
        with pytest.raises(EndpointError, match="STANDIN_KEY is not set"):
            asker(server, tmp_path).for_step("wording")([prompt(1)])
        with pytest.raises(EndpointError, match="it may be a key\\) is not set") as error:
            asker(server, tmp_path, api_key_env="gsk_pasted").for_step("wording")([prompt(1)])
        assert "pasted" not in str(error.value)


@pytest.mark.parametrize("key", ["sk-long\u201d", "sk-lo\u200bng", "sk-a\nsk-b", "sk a"])
def test_a_key_that_no_header_carries_is_said_before_anything_is_sent(key, tmp_path, monkeypatch):
    monkeypatch.setenv("STANDIN_KEY", key)
    with ModelServer(brain) as server:
        with pytest.raises(EndpointError, match=r"key in \$STANDIN_KEY holds at place \d a character") as error:
            asker(server, tmp_path).for_step("wording")([prompt(1)])
        assert not server.seen
    assert key not in str(error.value)


@pytest.mark.parametrize(
    ("key", "is_kept"),
    [("EMPTY", True), ("double", True), ("2", True), ("x", True), ("abc123", False), ("sk-no-key", False)],
)
def test_a_word_that_servers_without_keys_are_given_is_not_taken_out_of_answers(key, is_kept):
    text = f'{{"double": "an {key} room"}}'
    assert (Scrub(key)(text) == text) == is_kept


def test_what_a_server_forbids_is_told_as_it_says(tmp_path):
    forbidden = pytest.raises(EndpointError, match=r"refuses .*\(status 403\): .*your country.*\[key\]")
    with ModelServer(brain, always("403")) as server, forbidden:
        asker(server, tmp_path).for_step("wording")([prompt(1)])


def test_a_server_that_echoes_the_key_does_not_get_it_written_anywhere(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    with ModelServer(lambda messages: f'{{"double": "{KEY}"}}') as server:
        told = asker(server, tmp_path, corrections=1).for_step("wording")([prompt(1)])
    assert isinstance(told[0], Unanswered)
    assert KEY not in everything_written(tmp_path) + told[0].problem + caplog.text
    assert "[key]" in everything_written(tmp_path)
    assert "Authorization" not in everything_written(tmp_path)


@pytest.mark.parametrize("modes", [("json_object", "text"), ("text",)])
def test_a_server_without_structured_output_is_asked_in_words_and_that_is_recorded(modes, tmp_path):
    with ModelServer(brain, modes=modes) as server:
        told = asker(server, tmp_path).for_step("wording")([prompt(n) for n in range(4)])
        assert all(isinstance(t, Answer) for t in told)
        before = sum(server.seen.values())
        asker(server, tmp_path).for_step("wording")([prompt(n) for n in range(4)])
        assert sum(server.seen.values()) == before
    records = list(Ledger(Store(str(tmp_path))).records())
    assert {r["mode"] for r in records} == {modes[0]}
    assert all('"double"' in json.loads(r["request"])["messages"][0]["content"] for r in records)


def test_requests_that_are_refused_in_every_mode_are_one_clear_error(tmp_path):
    refused = pytest.raises(EndpointError, match=r"refuses our requests: status 400.*not supported")
    with ModelServer(brain, modes=()) as server, refused:
        asker(server, tmp_path).for_step("wording")([prompt(1)])
    assert list(Ledger(Store(str(tmp_path))).records()) == []


def test_a_wait_that_the_server_asks_for_is_kept_to_and_one_too_long_is_an_error(tmp_path):
    with ModelServer(brain, at_first("429"), retry_after="0.4") as server:
        asker(server, tmp_path).for_step("wording")([prompt(1)])
        record = next(asker(server, tmp_path).ledger.records())
        assert record["tries"] == 2
    too_long = pytest.raises(EndpointError, match="asks for a pause of 100000 s")
    with ModelServer(brain, at_first("503"), retry_after="100000") as server, too_long:
        asker(server, tmp_path).for_step("wording")([prompt(2)])


def test_the_number_of_calls_at_once_falls_when_the_server_is_overrun(tmp_path):
    with ModelServer(brain, at_first("429"), latency_s=0.01) as server:
        asked = asker(server, tmp_path, concurrency=32)
        asked.for_step("wording")([prompt(n) for n in range(200)])
        assert server.most_at_once <= 32
        assert asked._client._gate.width < 32


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [
        ("redirect", r"redirects to http://127.0.0.1:9/v1 \(status 307\), where no key is sent; set base_url"),
        ("error_with_status_200", r"it is an error: .*no provider has room"),
    ],
)
def test_what_a_gateway_does_instead_of_an_answer_is_told(behaviour, says, tmp_path):
    with WireServer() as server, pytest.raises(llm.ModelError, match=says) as error:
        asker(f"{server.url}/{behaviour}/small/v1", tmp_path, retries=0).for_step("wording")([prompt(1)])
    assert KEY not in str(error.value)

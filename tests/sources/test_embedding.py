"""Embeddings by a model on this machine: a small one made on the spot; one that is not here is never fetched."""

from __future__ import annotations

import json
import socket

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from schemas.source import SourceError
from sources.services.embedding import Embedding

WORDS = {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2, "museum": 3, "park": 4, "nature": 5}
STATES = np.random.default_rng(7).normal(size=(len(WORDS), 4)).astype(np.float32)


def make_model(folder, *, inputs=("input_ids", "attention_mask"), output=("batch", "tokens", 4)):
    """Write a model whose last hidden states are its word vectors, and its tokenizer."""
    folder.mkdir(exist_ok=True)
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 1)])
    tokenizer.save(str(folder / "tokenizer.json"))
    table = helper.make_tensor("table", TensorProto.FLOAT, STATES.shape, STATES.flatten().tolist())
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["states"], axis=0)]
    if len(output) == 2:
        nodes.append(helper.make_node("ReduceMean", ["states"], ["pooled"], axes=[1], keepdims=0))
    graph = helper.make_graph(
        nodes,
        "words",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, output)],
        [table],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    return str(folder)


def test_a_text_is_the_mean_of_its_last_hidden_states_special_tokens_included(tmp_path):
    rows = Embedding(make_model(tmp_path / "m"))(["museum park", "nature", ""])
    for row, tokens in zip(rows, ([0, 3, 4, 1], [0, 5, 1], [0, 1]), strict=True):
        np.testing.assert_allclose(row, STATES[tokens].mean(axis=0), rtol=1e-6)


def test_a_text_s_row_does_not_depend_on_the_others(tmp_path):
    embed = Embedding(make_model(tmp_path / "m"))
    np.testing.assert_array_equal(embed(["park", "museum nature park"])[0], embed(["park"])[0])


def test_a_model_that_is_not_here_is_named_and_no_connection_is_opened(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
    with pytest.raises(SourceError, match=r"nobody/such-model: not on this machine.*hf download nobody/such-model"):
        Embedding("nobody/such-model")
    with pytest.raises(SourceError, match="not on this machine"):
        Embedding("../../no such model!")


def test_a_folder_that_holds_no_model_is_named(tmp_path):
    with pytest.raises(SourceError, match=r"found no tokenizer\.json and model\.onnx"):
        Embedding(str(tmp_path))
    (tmp_path / "tokenizer.json").write_text(json.dumps({"no": "tokenizer"}))
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with pytest.raises(SourceError, match="cannot be read"):
        Embedding(str(tmp_path))


@pytest.mark.parametrize(
    ("shape", "problem"),
    [({"inputs": ("input_ids", "pixels")}, "asks for pixels"), ({"output": ("batch", 4)}, "the first output is 1 × 4")],
)
def test_a_model_of_another_kind_is_named(tmp_path, shape, problem):
    with pytest.raises(SourceError, match=problem):
        Embedding(make_model(tmp_path / "m", **shape))(["park"])

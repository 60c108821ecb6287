"""Embeddings of texts by a model that lies on this machine, run by ONNX Runtime. Nothing is ever downloaded here.

A model is a folder, or a name on the Hugging Face hub whose files were fetched before, with `tokenizer.json` and
`model.onnx` (or `onnx/model.onnx`). TripCraft's paper uses `google-bert/bert-base-uncased`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.extras import require
from schemas.source import SourceError

if TYPE_CHECKING:
    import numpy as np

MODELS = ("model.onnx", "onnx/model.onnx")
TOKENIZER = "tokenizer.json"
MOST_TOKENS = 512
"""Longer texts are cut: BERT has no more positions."""


class Embedding:
    """One model; called with texts it returns a row each: the mean of the last hidden states, special tokens included.

    Raises SourceError if the model is not on this machine, or is none that embeds texts.
    """

    def __init__(self, name: str) -> None:
        """Load the model of that name or in that folder."""
        folder = _folder(name)
        model = next((folder / path for path in MODELS if (folder / path).is_file()), None)
        if model is None or not (folder / TOKENIZER).is_file():
            raise SourceError(f"{name}: found no {TOKENIZER} and {' or '.join(MODELS)} in {folder}. {_advice(name)}")
        require("embedding")
        import onnxruntime
        from tokenizers import Tokenizer

        try:
            self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
            self._session: Any = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
        except Exception as error:  # both libraries raise errors of their own, without a common base
            raise SourceError(f"{name}: the model cannot be read: {str(error)[:200]}") from error
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._inputs = [model_input.name for model_input in self._session.get_inputs()]
        self._name = name

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return one row for each text, each text alone in its batch so that nothing is padded."""
        import numpy as np

        return np.array([self._row(text) for text in texts], dtype=np.float64)

    def _row(self, text: str) -> np.ndarray:
        import numpy as np

        coded = self._tokenizer.encode(text)
        inputs = {"input_ids": coded.ids, "attention_mask": coded.attention_mask, "token_type_ids": coded.type_ids}
        unknown = [name for name in self._inputs if name not in inputs]
        if unknown:
            raise SourceError(f"{self._name}: the model asks for {', '.join(unknown)}; expected {', '.join(inputs)}")
        input_feed = {name: np.array([inputs[name]], dtype=np.int64) for name in self._inputs}
        states = self._session.run(None, input_feed)[0]
        if states.ndim != 3 or states.shape[:2] != (1, len(coded.ids)):
            shape = " × ".join(map(str, states.shape))
            raise SourceError(
                f"{self._name}: the first output is {shape}; expected 1 × {len(coded.ids)} tokens × width"
            )
        return states[0].mean(axis=0)


def _folder(name: str) -> Path:
    if Path(name).is_dir():
        return Path(name)
    require("embedding")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise SourceError(f"{name}: not on this machine, and nothing is downloaded unasked. {_advice(name)}") from error


def _advice(name: str) -> str:
    return f"Fetch it with `hf download {name} {TOKENIZER} {MODELS[0]}`, or name a folder that holds both."

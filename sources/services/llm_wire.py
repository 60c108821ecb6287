"""What a model server's response is, before anything of it is used: read within bounds, checked, and without our key.

When to ask again, and what an answer must be, belongs elsewhere.
"""

from __future__ import annotations

import json
import re
import zlib
from asyncio import Lock
from collections.abc import AsyncIterator
from typing import Any

MAX_REPLY_BYTES = 8 << 20
"""Longest body that is read, unpacked. The longest answer that is asked for is some 10 kB."""
FREE_BYTES = 1 << 18
"""As much of a body is read at once for every call; of longer ones only one at a time, so that memory stays bounded."""
MAX_ANSWER_CHARACTERS = 300_000
"""More of an answer is not kept: more than is ever taken for one (`assets/language/answers.py`)."""
MAX_NAME_CHARACTERS = 200
"""More of a revision, a fingerprint or a reason is not kept."""
MOST_TOKENS = 1 << 40
MOST_BRACKETS = 500_000
"""A body with more of them would take many times its own bytes when it is read as JSON."""

PACKINGS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
ACCEPTED_PACKINGS = "gzip, deflate"
_PLACEHOLDER = re.compile(r"[^\W\d_]{1,7}|\d{1,7}|.{1,3}")
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


class ReplyError(ValueError):
    """A response that is no chat completion, whatever its status says."""


class Scrub:
    """Takes a key out of text that came from outside, in whatever way JSON may spell it.

    A short word or number (`EMPTY`, `none`, `1`) is no secret but what a server without keys is given: it stays, for
    answers hold it as a word of theirs.
    """

    def __init__(self, key: str) -> None:
        if _PLACEHOLDER.fullmatch(key):
            key = ""
        # A character stands for itself, or for its escape in JSON, which stands within JSON that is itself a text.
        spelled = (rf"\\{{0,4}}(?:{re.escape(c)}|u{ord(c):04x})" for c in key)
        self._key = re.compile("".join(spelled), re.IGNORECASE) if key else None

    def __call__(self, text: str) -> str:
        """Return the text without the key, and with a sign in the place of each half of a surrogate pair."""
        valid_text = text if text.isascii() else _HALF_A_PAIR.sub("\ufffd", text)
        return self._key.sub("[key]", valid_text) if self._key else valid_text


async def read_body(raw: AsyncIterator[bytes], packing: str, turn: Lock) -> str:
    """Return a response's text. Raises ReplyError for one too long, badly packed, or not in UTF-8.

    `packing` is its Content-Encoding. `turn` is held while a body of more than `FREE_BYTES` is read.
    """
    packing = packing.strip().lower()
    if packing not in ("", "identity", *PACKINGS):
        raise ReplyError(f"its body is packed as {packing[:40]!r}, expected {ACCEPTED_PACKINGS} or none")
    unpack = zlib.decompressobj(PACKINGS[packing]) if packing in PACKINGS else None
    body = bytearray()
    is_long = False
    try:
        async for packed in raw:
            while packed:
                chunk = unpack.decompress(packed, FREE_BYTES) if unpack else packed
                packed = unpack.unconsumed_tail if unpack else b""
                if len(body) + len(chunk) > MAX_REPLY_BYTES:
                    raise ReplyError(f"its body is longer than {MAX_REPLY_BYTES >> 20} MB")
                body += chunk
                if not is_long and len(body) > FREE_BYTES:
                    await turn.acquire()
                    is_long = True
        return body.decode()
    except zlib.error as error:
        raise ReplyError(f"its body is not {packing} ({error})") from None
    except UnicodeDecodeError as error:
        raise ReplyError(f"its body is not UTF-8 ({error.reason})") from None
    finally:
        if is_long:
            turn.release()


def completion(text: str, scrub: Scrub) -> dict[str, Any]:
    """Return what a chat completion's body says: answer, finish_reason, is_refusal, revision, system_fingerprint.

    And prompt_tokens and completion_tokens, each None where the server gives no whole number that can be true. All
    text is scrubbed. Raises ReplyError for a body that is no chat completion.
    """
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise ReplyError(f"its body holds more than {MOST_BRACKETS:,} brackets")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReplyError(f"{type(error).__name__}: {str(error)[:100]}") from None
    problem = _of(body, dict, "body").get("error")
    if problem and not body.get("choices"):  # some gateways report what failed behind them so, with status 200
        raise ReplyError(f"it is an error: {json.dumps(problem, ensure_ascii=False)[:200]}")
    choices = _of(body.get("choices"), list, "choices")
    if not choices:
        raise ReplyError("choices: found none")
    choice = _of(choices[0], dict, "choices[0]")
    message = _of(choice.get("message"), dict, "message")
    content, refusal = _content(message.get("content")), _text(message.get("refusal"), "message.refusal")
    usage = _of(body.get("usage") or {}, dict, "usage")
    prompt_tokens, completion_tokens = (_tokens(usage.get(f"{name}_tokens")) for name in ("prompt", "completion"))
    names = (
        ("finish_reason", choice.get("finish_reason")),
        ("revision", body.get("model")),
        ("system_fingerprint", body.get("system_fingerprint")),
    )
    return {
        "answer": scrub(refusal or content)[:MAX_ANSWER_CHARACTERS],
        "is_refusal": bool(refusal),
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        **{name: scrub(_text(value, name))[:MAX_NAME_CHARACTERS] for name, value in names},
    }


def _content(value: Any) -> str:
    """Return a message's content, which some servers give as parts: the texts of these; thoughts are no answer."""
    if not isinstance(value, list):
        return _text(value, "message.content")
    parts = [_of(part, dict, "part of message.content") for part in value]
    return "".join(_text(part.get("text"), "text of message.content") for part in parts if part.get("type") == "text")


def _of(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise ReplyError(f"{name} is of type {type(value).__name__}, expected {kind.__name__}")
    return value


def _text(value: Any, name: str) -> str:
    return _of(value, str, name) if value is not None else ""


def _tokens(value: Any) -> int | None:
    """Return a count that can be true: no request has no token."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and 0 < value < MOST_TOKENS else None

"""Text that reaches people: on a terminal, in Markdown, nothing of it acts; names keep what they hold."""

from __future__ import annotations

import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pipelines import console
from pipelines.console import print_json
from schemas.shown import shown, shown_in_markdown
from sources.formats.fields import decoded, optional_text

ACTING = "\x1b[2J\x1b]0;x\x07", "\u202eevil", "\u2066x\u2069", "a\rb", "\x9b2J", "\x7f", "\ud800", "\u2028"


@pytest.mark.parametrize("text", ACTING)
def test_nothing_that_acts_is_left(text):
    safe = shown(text)
    assert safe.isprintable()
    assert shown(safe) == safe


@given(st.text())
def test_what_is_shown_is_printable_and_plain_text_stays(text):
    assert not set(shown(text, keep="")) & {chr(n) for n in [*range(32), 127, *range(128, 160), 0x202E, 0x2066]}
    if text.isascii() and text.isprintable():
        assert shown(text) == text


@pytest.mark.parametrize("text", ["Ünï 🚋 café", "東京; Tower", "مطعم", "a\tb\nc"])
def test_names_of_all_scripts_stay(text):
    assert shown(text) == text


@pytest.mark.parametrize("text", ACTING)
def test_a_table_and_a_line_on_the_terminal(text, monkeypatch):
    screen = io.StringIO()
    out = Console(file=screen, width=200, force_terminal=False)
    out.print(console.grid(text, ("a",), [[text]]))
    out.print(console.Text(text))
    assert not set(screen.getvalue()) & set("\x1b\x07\u202e\u2066\x9b\x7f\u2028\r")


@pytest.mark.parametrize(
    "text",
    ["[x](javascript:1)", "![i](http://e/x.png)", "<script>", "# head\n\n- item", "a|b", "`code`", "*b* _i_ ~s~ $m$"],
)
def test_a_title_in_markdown_is_one_line_of_nothing_but_text(text):
    line = shown_in_markdown(text)
    assert "\n" not in line
    for mark in "[]<>|`*_~$#!":
        assert line.count(mark) == line.count(f"\\{mark}")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Tom &amp; Jerry&#39;s", "Tom & Jerry's"),
        ("Fish &amp;amp; Chips", "Fish &amp; Chips"),
        ("AT&T; Bell", "AT&T; Bell"),
        ("A &copy B; C", "A &copy B; C"),
        ("&eacute;t&#xE9;", "été"),
        ("bell&#7;&#x1b;", "bell&#7;&#x1b;"),
        ("a;b;c", "a;b;c"),
        ("&unknown;", "&unknown;"),
    ],
)
def test_entities_are_decoded_once_and_semicolons_stay(text, read):
    assert decoded(text) == read
    assert optional_text({"name": text}, "name") == read


@pytest.mark.parametrize(
    "value",
    [
        {"a": "\ud800"},
        {"a": "\x9b2J\x7f"},
        {"\u202eb": ["\u2028", "\u2066"]},
        {"a": "é😀\x1b[2J"},
        {"a": [None, 1.5, True]},
    ],
)
def test_what_json_prints_is_what_it_was_given_and_acts_on_no_terminal(value, capsysbinary):
    print_json(value)
    printed = capsysbinary.readouterr().out.decode()
    assert json.loads(printed) == value
    assert shown(printed) == printed


def test_a_number_that_json_has_no_word_for_is_null(capsys):
    print_json({"a": [math.inf, {"b": math.nan}], "c": 1.5})
    assert json.loads(capsys.readouterr().out) == {"a": [None, {"b": None}], "c": 1.5}

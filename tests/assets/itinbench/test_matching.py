"""Entity matching: the golden case, the published rules, and where `ours` is stricter."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.itinbench.checks.matching import (
    MIN_NAME_RATIO,
    MIN_TOTAL_RATIO,
    MISSING,
    OUT_OF_POOL,
    VARIANTS,
    Matcher,
    ratio,
)

POOL = pd.DataFrame(
    [
        ("restaurant", "r1", "Dim Sum House", "3939 Chestnut St, Fl 2"),
        ("restaurant", "r2", "Dim Sum House", "1930 Chestnut St"),
        ("restaurant", "r3", "Amis", "412 S 13th St"),
        ("attraction", "a1", "Comcast", "1701 John F Kennedy Blvd"),
        ("attraction", "a2", "Comcast", "1500 Market St"),
        ("stay", "s1", "Alexander Inn", "301 S 12th St"),
    ],
    columns=["kind", "place_id", "name", "address"],
)


def test_golden_match(golden_case, philadelphia):
    case = golden_case("IB-MATCH-1")
    native = dict(zip(philadelphia["place_id"], philadelphia["native_id"], strict=True))
    for variant in VARIANTS:
        matcher = Matcher(philadelphia, variant)
        for name, expected in case["expected"].items():
            found = matcher.resolve("restaurant", *case["input"][name])
            assert (native[found] if isinstance(found, str) else found) == expected, (variant, name)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("kind", "name", "address", "expected"),
    [
        ("restaurant", "-", "-", MISSING),
        ("restaurant", "amis", "412 S 13TH ST, Philadelphia, PA", "r3"),
        ("restaurant", "Amis Trattoria", "412 S 13th St", "r3"),
        ("restaurant", "Amis", "-", OUT_OF_POOL),
        ("restaurant", "Alexander Inn", "301 S 12th St", OUT_OF_POOL),
        ("stay", "The Alexander Inn", "301 South 12th St", "s1"),
        ("attraction", "Comcast", "1500 Market St", "a2"),
        ("attraction", "Zzyzx", "1 Nowhere Ln", OUT_OF_POOL),
    ],
)
def test_published_rules(variant, kind, name, address, expected):
    assert Matcher(POOL, variant).resolve(kind, name, address) == expected


@pytest.mark.parametrize(
    ("kind", "name", "address", "released", "ours"),
    [
        ("restaurant", "Simba", "412 S 13th St", "r3", OUT_OF_POOL),  # the street alone names no place
        ("restaurant", "Dim Sum House", "3939 Chestnut St, Fl 2", "r2", "r1"),  # cut at the comma it is the other's
        ("attraction", "Comcast", "1500 Market Street", "a1", "a2"),  # a chain: the name alone says too little
    ],
)
def test_ours_is_stricter_in_three_points(kind, name, address, released, ours):
    pool = POOL.assign(address=POOL["address"].replace({"1930 Chestnut St": "3939 Chestnut"}))
    assert Matcher(pool, "released").resolve(kind, name, address) == released
    assert Matcher(pool, "ours").resolve(kind, name, address) == ours


texts = st.text("abc 1st-", min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(texts, texts, st.sampled_from(["released", "ours"]))
def test_the_quick_bound_changes_nothing(name, address, variant):
    """The obvious way: difflib against every place of the pool."""
    pool = POOL.assign(name=["ab c", "abc 1", "bca", "x", "y", "cab"], address=["1 st", "a st", "b", "x", "y", "c"])
    rows = pool[pool["kind"] == "restaurant"]
    street = address.split(",")[0]
    scored = [
        (ratio(name, n), ratio(street, a), p)
        for n, a, p in zip(rows["name"], rows["address"], rows["place_id"], strict=True)
    ]
    exact = [
        p
        for n, a, p in scored
        if n == a == 100 and (name, street) in set(zip(rows["name"], rows["address"], strict=True))
    ]
    words = dict(zip(rows["place_id"], (set(n.split()) for n in rows["name"]), strict=True))
    mine = set(name.split())
    allowed = [
        (n + a, p)
        for n, a, p in scored
        if n + a >= MIN_TOTAL_RATIO
        and (variant != "ours" or n >= MIN_NAME_RATIO or (mine and (mine <= words[p] or words[p] <= mine)))
    ]
    best = max((total for total, _ in allowed), default=0)
    expected = exact[0] if len(exact) == 1 else next((p for total, p in allowed if total == best), OUT_OF_POOL)
    if (name, address) != ("-", "-"):
        assert Matcher(pool, variant).resolve("restaurant", name, address) == expected


def test_row_order_changes_nothing():
    back = POOL.iloc[::-1].reset_index(drop=True)
    for variant in VARIANTS:
        for name, address in [("Dim Sum House", "Chestnut St"), ("Comcast", "-")]:
            for kind in ("restaurant", "attraction"):
                assert Matcher(POOL, variant).resolve(kind, name, address) == Matcher(back, variant).resolve(
                    kind, name, address
                )

"""Weights of the repairs: fitted so that a city's set keeps the published variety as far as its places allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assets.family import Series, Slot
from assets.itinbench.repairs.nominal import BLOCK, nominal
from assets.itinbench.repairs.repair import EDIT_COST, options
from assets.itinbench.repairs.space import FIELDS, SHAPE, VALUES, cell_of
from assets.itinbench.section import COUNTS, ItinbenchSection
from schemas.reviews import RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES

SIMULATED = 24 * BLOCK
"""Nominal drafts that the fit looks at: 1,008, the same for every city, seed and number of tasks."""

STEP = 0.05
"""Weights are rounded to this, so that a change too small to matter changes no weight."""

STIFF, FIRM, SOFT = 1000.0, 200.0, 15.0
"""How hard a distribution is held to its target: a share that is off by x gets the log weight -x times this. Measured
on the published tables: stiffer cuisines cost the rarer preferences (service) their share, softer ones let US grow."""


LEAST_SHARE, ROUNDS = 0.58, 8
"""A value whose expected share is less than this of its target is held twice as hard, so many times at most: in a set
of some hundred no value shall have less than half of its target, if the city has places for it."""


@dataclass(frozen=True)
class Marginal:
    """One distribution over a set: the record's field that it is read from, its values, and who holds which."""

    name: str
    axis: int
    values: tuple
    holds: np.ndarray  # (values of the field, values of the marginal): 1 where the first has the second
    stiffness: float


def _marginals() -> tuple[Marginal, ...]:
    marginals = [
        Marginal(f, axis, VALUES[f], np.eye(len(VALUES[f])), FIRM if f == "cuisine" else STIFF)
        for axis, f in enumerate(FIELDS[:4])
    ]
    for axis, attributes in ((4, RESTAURANT_ATTRIBUTES), (5, STAY_ATTRIBUTES)):
        field, sets = FIELDS[axis], VALUES[FIELDS[axis]]
        counts = np.array([[float(len(s) == n) for n in COUNTS] for s in sets])
        stated = np.array([[float(a in s) for a in attributes] for s in sets])
        marginals.append(Marginal(f"{field}_count", axis, COUNTS, counts, STIFF))
        marginals.append(Marginal(f"{field}_preference", axis, attributes, stated, SOFT))
    return tuple(marginals)


MARGINALS = _marginals()
"""The distributions that a set is held to. Where a city's places cannot have them all, which preferences are stated
gives way first, then the cuisines, then days, price, orientation and the numbers of preferences."""


def published_shares(section: ItinbenchSection) -> dict[str, np.ndarray]:
    """Return the section's share of every marginal's values; for preferences, the share of records that state each."""
    counts = _shares(section.preference_counts, COUNTS)
    mean = float(counts @ np.array(COUNTS))
    return {
        "days": _shares(section.days, VALUES["days"]),
        "price": _shares(section.prices, VALUES["price"]),
        "orientation": _shares(section.orientations, VALUES["orientation"]),
        "cuisine": _shares(section.cuisines, VALUES["cuisine"]),
        "restaurant_count": counts,
        "restaurant_preference": np.full(len(RESTAURANT_ATTRIBUTES), mean / len(RESTAURANT_ATTRIBUTES)),
        "hotel_count": counts,
        "hotel_preference": np.full(len(STAY_ATTRIBUTES), mean / len(STAY_ATTRIBUTES)),
    }


def weighted_records(section: ItinbenchSection) -> np.ndarray:
    """Return which of all records the section gives any weight."""
    shares = published_shares(section)
    has_weight = np.ones(SHAPE, dtype=bool)
    for marginal in MARGINALS:
        weighty = marginal.holds @ shares[marginal.name] > 0
        has_weight &= weighty.reshape([-1 if axis == marginal.axis else 1 for axis in range(len(SHAPE))])
    return has_weight


def target_shares(section: ItinbenchSection, satisfiable: np.ndarray) -> dict[str, np.ndarray]:
    """Return the published shares over the values that some satisfiable record has, scaled to the same total."""
    targets = {}
    for marginal in MARGINALS:
        others = tuple(axis for axis in range(len(SHAPE)) if axis != marginal.axis)
        reachable = satisfiable.any(axis=others).astype(float) @ marginal.holds > 0
        share = published_shares(section)[marginal.name]
        targets[marginal.name] = share * reachable * share.sum() / (share * reachable).sum()
    return targets


def fit(section: ItinbenchSection, satisfiable: np.ndarray) -> dict[str, np.ndarray]:
    """Return the log weight of every marginal's values, rounded to `STEP`.

    Method: a fixed simulation of nominal drafts, each with its repairs. A draft takes repair y with probability
    proportional to exp(-EDIT_COST * edits(y) + the weights of y's values). The weights are the multipliers that bring
    the expected shares over all drafts to their targets, softened by a quadratic penalty (they minimise the convex dual
    sum of log partition functions - targets . weights + sum of weights^2 / (2 stiffness)): raking as in Deming and
    Stephan (1940), with targets that may be missed where they contradict each other. The weights depend on what is
    satisfiable and on the section, on nothing else. What comes too short is held harder (`LEAST_SHARE`). One thread:
    sums are added in one order, and threads for so few weights only wait for each other.
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    slots = (Slot(f"{n:05d}", n, "", Series("", SIMULATED), 0) for n in range(SIMULATED))
    drafts = [cell_of(nominal(section, slot)) for slot in slots]
    repairs = [options(cell, satisfiable) for cell in drafts]
    repairs = [pair for pair in repairs if len(pair[0])]
    starts = np.concatenate([[0], np.cumsum([len(flat) for flat, _ in repairs])[:-1]])
    sizes = np.array([len(flat) for flat, _ in repairs])
    at = np.unravel_index(np.concatenate([flat for flat, _ in repairs]), SHAPE)
    base = -EDIT_COST * np.concatenate([edits for _, edits in repairs])
    target = np.concatenate(list(target_shares(section, satisfiable).values()))
    stiffness = np.concatenate([np.full(len(m.values), m.stiffness) for m in MARGINALS])

    def dual(weights: np.ndarray) -> tuple[float, np.ndarray]:
        score = base + log_weight(split(weights), at)
        top = np.maximum.reduceat(score, starts)
        chance = np.exp(score - np.repeat(top, sizes))
        total = np.add.reduceat(chance, starts)
        chance /= np.repeat(total, sizes) * len(repairs)
        shares = np.concatenate([np.bincount(at[m.axis], chance, SHAPE[m.axis]) @ m.holds for m in MARGINALS])
        value = np.mean(top + np.log(total)) - target @ weights + np.sum(weights**2 / stiffness) / 2
        return float(value), shares - target + weights / stiffness

    weights = np.zeros(len(target))
    for _ in range(1 + ROUNDS):
        with threadpool_limits(limits=1):
            answer = minimize(dual, weights, jac=True, method="L-BFGS-B", options={"maxiter": 500, "gtol": 1e-7})
        weights = answer.x
        is_low = target - weights / stiffness < LEAST_SHARE * target  # at the optimum the share is target less this
        if not is_low.any():
            break
        stiffness[is_low] *= 2
    return split(np.round(weights / STEP) * STEP)


def split(weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return one long array of weights as one array a marginal."""
    bounds = np.cumsum([len(m.values) for m in MARGINALS])[:-1]
    return {m.name: part for m, part in zip(MARGINALS, np.split(weights, bounds), strict=True)}


def log_weight(weights: dict[str, np.ndarray], at: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return the log weight of each record, given as one array of positions per field."""
    total = np.zeros(len(at[0]))
    for marginal in MARGINALS:
        total += (marginal.holds @ weights[marginal.name])[at[marginal.axis]]
    return total


def shares_of(cells: np.ndarray) -> dict[str, np.ndarray]:
    """Return the share of every marginal's values among records, given as rows of positions."""
    return {m.name: m.holds[cells[:, m.axis]].mean(axis=0) for m in MARGINALS}


def _shares(weights: dict[Any, float], values: tuple) -> np.ndarray:
    shares = np.array([float(weights.get(value, 0.0)) for value in values])
    return shares / shares.sum()

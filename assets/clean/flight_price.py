"""What a flight costs where no source says: a declared model, seeded by the flight, never passed off as observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schemas.stable import stable_hash
from schemas.travel import KM_PER_MILE


@dataclass(frozen=True)
class FareModel:
    """A price per kilometre flown, drawn evenly between two bounds, whole amounts of a currency.

    The 313 distinct flights of TravelPlanner's 45 released reference sets cost 0.198 to 0.497 USD a mile whatever the
    distance, evenly spread (quartiles 0.257, 0.349, 0.423): hence 0.20 to 0.50.
    """

    low_per_km: float = 0.20 / KM_PER_MILE
    high_per_km: float = 0.50 / KM_PER_MILE
    currency: str = "USD"


def modelled_prices(distance_km: np.ndarray, flight_hash: np.ndarray, seed: int, fares: FareModel) -> np.ndarray:
    """Return each flight's price, at least 1: a function of its distance, its 64-bit hash and the seed alone."""
    share = mixed(flight_hash, np.uint64(stable_hash("flight price", seed))) / 2.0**64
    per_km = fares.low_per_km + (fares.high_per_km - fares.low_per_km) * share
    return np.maximum(1, np.rint(distance_km * per_km)).astype(np.int64)


def mixed(values: np.ndarray, salt: np.uint64) -> np.ndarray:
    """Return a 64-bit hash of each value and the salt: the finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    mix = values.astype(np.uint64) ^ salt
    mix = mix + np.uint64(0x9E3779B97F4A7C15)
    mix = (mix ^ (mix >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mix = (mix ^ (mix >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mix ^ (mix >> np.uint64(31))

"""What a flight or a night costs where no source says: declared models, seeded, never passed off as observed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from assets.clean.flight_number import salted_hashes
from assets.tripcraft.facts.money import FareModel, NightModel
from schemas.stable import stable_hash


def modelled_prices(distance_km: np.ndarray, numbers: np.ndarray, seed: int, fares: FareModel) -> np.ndarray:
    """Return each flight's price, at least 1, in the model's currency.

    It is a function of the distance, the flight's number (the seven digits) and the seed alone.
    """
    share = salted_hashes(numbers, np.uint64(stable_hash("flight price", seed))) / 2.0**64
    per_km = fares.low_per_km + (fares.high_per_km - fares.low_per_km) * share
    return np.maximum(1, np.rint(distance_km * per_km)).astype(np.int64)


def modelled_nights(place_ids: Iterable[str], seed: int, night: NightModel) -> list[int]:
    """Return what a night costs at each place, at least 1, in the model's currency: a function of its id and seed."""
    shares = [stable_hash("night price", seed, place_id) / 2.0**64 for place_id in place_ids]
    return [max(1, round(night.low + (night.high - night.low) * share)) for share in shares]

"""What currencies are worth by our own declaration: official pegs, and rough rates of no source.

Rough rates are of two significant digits, of late 2025: they keep a modelled or invented price ordinary in currencies
that no open file here quotes. What a table of sources says counts before them (`assets/clean/exchange.py`).
"""

from __future__ import annotations

PEGS: dict[str, tuple[str, float]] = {
    "AWG": ("USD", 1.79), "BAM": ("EUR", 1.95583), "BBD": ("USD", 2.0), "BGN": ("EUR", 1.95583), "BMD": ("USD", 1.0),
    "BND": ("SGD", 1.0), "BSD": ("USD", 1.0), "BTN": ("INR", 1.0), "BZD": ("USD", 2.0), "CUP": ("USD", 24.0),
    "CVE": ("EUR", 110.265), "DJF": ("USD", 177.721), "ERN": ("USD", 15.0), "FKP": ("GBP", 1.0), "GIP": ("GBP", 1.0),
    "KMF": ("EUR", 491.96775), "KYD": ("USD", 0.8333), "LSL": ("ZAR", 1.0), "MOP": ("HKD", 1.03), "NAD": ("ZAR", 1.0),
    "NPR": ("INR", 1.6), "PAB": ("USD", 1.0), "SHP": ("GBP", 1.0), "STN": ("EUR", 24.5), "SZL": ("ZAR", 1.0),
    "TMT": ("USD", 3.5), "XAF": ("EUR", 655.957), "XCD": ("USD", 2.7), "XCG": ("USD", 1.79), "XOF": ("EUR", 655.957),
    "XPF": ("EUR", 119.3317),
}  # fmt: skip
"""Units for one of the anchor, as the issuing banks fix it."""

ROUGH: dict[str, float] = {
    "AED": 3.7, "ARS": 1400, "AUD": 1.5, "AZN": 1.7, "BHD": 0.38, "BRL": 5.4, "CAD": 1.4, "CHF": 0.8, "CLP": 900,
    "CNY": 7.0, "COP": 3800, "CRC": 500, "CZK": 21, "DKK": 6.4, "EGP": 47, "EUR": 0.86, "GBP": 0.75, "GTQ": 7.7,
    "HKD": 7.8, "HNL": 26, "HUF": 330, "IDR": 17_000, "ILS": 3.2, "INR": 90, "JOD": 0.71, "JPY": 160, "KRW": 1500,
    "KWD": 0.31, "LBP": 90_000, "MDL": 17, "MXN": 18, "MYR": 4.1, "NIO": 37, "NOK": 10, "NZD": 1.7, "OMR": 0.38,
    "PEN": 3.4, "PHP": 59, "PKR": 280, "PLN": 3.6, "QAR": 3.6, "RON": 4.4, "SAR": 3.8, "SEK": 9.2, "SGD": 1.3,
    "THB": 31, "TRY": 43, "TWD": 32, "UAH": 44, "UYU": 39, "VES": 340, "VND": 26_000, "ZAR": 16,
    "AFN": 66, "ALL": 83, "AMD": 380, "AOA": 910, "BDT": 120, "BIF": 2900, "BOB": 6.9, "BWP": 14, "BYN": 3.0,
    "CDF": 2300, "DOP": 63, "DZD": 130, "ETB": 150, "FJD": 2.3, "GEL": 2.7, "GHS": 11, "GMD": 73, "GNF": 8700,
    "GYD": 210, "HTG": 130, "IQD": 1300, "IRR": 1_100_000, "ISK": 130, "JMD": 160, "KES": 130, "KGS": 87, "KHR": 4000,
    "KPW": 900, "KZT": 510, "LAK": 22_000, "LKR": 310, "LRD": 180, "LYD": 5.4, "MAD": 9.2, "MGA": 4500, "MKD": 53,
    "MMK": 2100, "MNT": 3600, "MRU": 40, "MUR": 46, "MVR": 15, "MWK": 1700, "MZN": 64, "NGN": 1500, "PGK": 4.3,
    "PYG": 7000, "RSD": 100, "RUB": 80, "RWF": 1500, "SBD": 8.2, "SCR": 14, "SDG": 600, "SLE": 23, "SOS": 570,
    "SRD": 38, "SSP": 4700, "SYP": 11_000, "TJS": 9.3, "TND": 2.9, "TOP": 2.4, "TTD": 6.8, "TZS": 2500, "UGX": 3600,
    "UZS": 12_000, "VUV": 120, "WST": 2.7, "YER": 240, "ZMW": 23, "ZWG": 26,
}  # fmt: skip
"""Units for one US dollar, our own estimate; the first ones count only where no index is bound."""

ROUGH_DATE = "2025-12-01"
"""The day that rough rates, and pegs to them, are given as of."""


def declared_rate(currency: str) -> float | None:
    """Return units of the currency for one US dollar, by its peg or roughly; None where nothing is declared."""
    anchor, units = PEGS.get(currency, (currency, 1.0))
    rate = 1.0 if anchor == "USD" else ROUGH.get(anchor)
    return None if rate is None else rate * units

"""Small numbers in words, months and signs of money, for requests and remarks."""

from __future__ import annotations

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
"""What people write for a currency before the amount, where that means no other."""

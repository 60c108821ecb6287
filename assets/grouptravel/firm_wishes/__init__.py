"""Wishes of a group that bind a plan, and which of them clash."""

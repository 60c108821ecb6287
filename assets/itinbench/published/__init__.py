"""The published folder read for an inspection."""

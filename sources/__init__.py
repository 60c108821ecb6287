"""Everything outside: bytes in, rows out. Knows nothing of how rows are kept or used."""

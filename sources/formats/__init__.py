"""What providers share: CSV, JSON, zips, hours, numbers, encodings."""

"""One vocabulary for every provider: covered, filtered, deduplicated places and their reviews."""

"""How a witness is found: places that meet a record, days, meals, tours."""

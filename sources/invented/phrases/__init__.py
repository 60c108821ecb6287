"""The sentences that invented reviews are made of, one module for each kind of place."""

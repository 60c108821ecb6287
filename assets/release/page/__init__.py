"""The page of a release: what a person opens to see what was built, from what, and whether to trust it."""

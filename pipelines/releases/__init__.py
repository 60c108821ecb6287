"""Making, refreshing, completing and publishing releases."""

"""The words of requests and of the published files."""

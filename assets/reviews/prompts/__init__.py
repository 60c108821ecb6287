"""What a model is told, in files of their own: read by `importlib.resources`, hashed with whoever imports this."""

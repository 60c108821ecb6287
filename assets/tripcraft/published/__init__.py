"""The published files and rules: databases, reference information, the released behaviour."""

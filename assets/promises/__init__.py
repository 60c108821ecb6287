"""The promises and who holds families to them: the gate before a release exists, and the audit of one that does."""

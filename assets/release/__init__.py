"""The release: licences computed, files described, and the audit that a stranger can run on them."""

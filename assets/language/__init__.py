"""Language: asking a model, untrusted text, wording and reading back, planners' texts."""

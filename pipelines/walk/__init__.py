"""The walk: inputs, fingerprints, steps in order, answers of models, progress and spending."""

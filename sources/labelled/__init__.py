"""Sentences of real reviews in which people labelled what is spoken of, and how."""

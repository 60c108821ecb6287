"""Reading restaurant reviews by weights that were learned from labelled sentences, with what the rules know."""

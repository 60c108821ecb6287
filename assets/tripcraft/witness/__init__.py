"""How a witness is found: ways, stays and visits chosen, then timed, then explained."""

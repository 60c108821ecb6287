"""How the best plan is found: slots, what can fill them, teams and concessions."""

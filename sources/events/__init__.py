"""Events, from Ticketmaster and its exports."""

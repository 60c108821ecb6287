"""What is asked, not read: addresses, routers, models, Overpass. The only way to the network."""

"""What groups travel by: places with their hours, fares, calendars, people."""

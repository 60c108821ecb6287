"""People's corrections of rows."""

"""Goes on the path of the functions whose walk is recorded."""

"""JSON, read strictly and written canonically: the ground that everything stands on."""

"""Statistics that compare a judge with human labels, standard library only."""

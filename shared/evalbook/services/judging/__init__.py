"""A case judged: prepared, asked, aggregated, published."""

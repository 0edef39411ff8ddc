"""Family structured: json_schema, numeric_tolerance, required_fields, required_artifacts."""

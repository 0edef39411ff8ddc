"""What everything is said in: cases, spans, outcomes, results, parameters, versions, errors."""

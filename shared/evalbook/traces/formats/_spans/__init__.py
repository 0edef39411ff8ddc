"""The span engine: containers of spans to records, vocabularies as data, and one call joined from its many records."""

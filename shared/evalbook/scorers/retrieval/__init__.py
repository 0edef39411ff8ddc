"""Family retrieval: retrieval_relevance and citation_support."""

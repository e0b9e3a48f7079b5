"""ACORD: contract clause retrieval with graded relevance (the paper's benchmark, whole)."""

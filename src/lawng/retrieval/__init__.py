"""A corpus in, an index out; a query in, scored passages, descriptions and cases out."""

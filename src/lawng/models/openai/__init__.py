"""Models behind any OpenAI-compatible endpoint: embeddings, and language models that judge clauses."""

"""Rankings of clauses: features, the untrained sum of them, the trained model and re-ranking."""

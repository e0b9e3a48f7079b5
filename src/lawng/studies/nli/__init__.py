"""How good a stance model is: predictions, scores, tables."""

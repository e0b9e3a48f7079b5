"""Predictions to measures, intervals and tests; runs and judgements are stored before they are scored."""

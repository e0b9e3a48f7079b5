"""Predictions to measures, intervals and tests."""

"""The models and numbers that LawngNLI names for its retrieval study; its tables stand in `paper.toml`."""

from __future__ import annotations

ENCODERS = (
    "sentence-transformers/all-distilroberta-v1",
    "sentence-transformers/all-mpnet-base-v2",
    "sentence-transformers/nli-distilroberta-base-v2",
    "sentence-transformers/msmarco-distilroberta-base-v2",
)
"""The four bi-encoders of the panel, by their names on the Hub."""
POOL_ENCODER = "sentence-transformers/all-mpnet-base-v2"
POOL = 1000
"""The cited opinion and 999 others."""
RERANKED = 100
KS = (1, 10, 100)
N = 1322
"""Queries of each stance."""

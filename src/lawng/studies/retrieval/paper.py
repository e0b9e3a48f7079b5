"""What LawngNLI prints of its retrieval study, and the models that it names: another corpus, so for orientation."""

from __future__ import annotations

ENCODERS = (
    "sentence-transformers/all-distilroberta-v1",
    "sentence-transformers/all-mpnet-base-v2",
    "sentence-transformers/nli-distilroberta-base-v2",
    "sentence-transformers/msmarco-distilroberta-base-v2",
)
"""The four bi-encoders of the panel, by their names on the Hub."""
POOL_ENCODER = "sentence-transformers/all-mpnet-base-v2"
RELEVANCE = "cross-encoder/ms-marco-MiniLM-L-6-v2"
POOL = 1000
"""The cited opinion and 999 others."""
RERANKED = 100
KS = (1, 10, 100)
N = 1322
"""Queries of each stance."""

TABLE_17: dict[str, dict[tuple[str, str], tuple[str, str, str]]] = {
    "entail": {
        ("all-distilroberta-v1", "long"): ("0.039+/-0.012", "0.108+/-0.018", "0.262+/-0.025"),
        ("all-distilroberta-v1", "five"): ("0.075+/-0.016", "0.219+/-0.023", "0.505+/-0.027"),
        ("all-mpnet-base-v2", "long"): ("0.042+/-0.012", "0.115+/-0.018", "0.224+/-0.023"),
        ("all-mpnet-base-v2", "five"): ("0.083+/-0.016", "0.219+/-0.023", "0.433+/-0.027"),
        ("nli-distilroberta-base-v2", "long"): ("0.005+/-0.006", "0.035+/-0.011", "0.132+/-0.019"),
        ("nli-distilroberta-base-v2", "five"): ("0.014+/-0.008", "0.063+/-0.014", "0.243+/-0.024"),
        ("msmarco-distilroberta-base-v2", "long"): ("0.02+/-0.009", "0.053+/-0.013", "0.152+/-0.021"),
        ("msmarco-distilroberta-base-v2", "five"): ("0.045+/-0.013", "0.14+/-0.02", "0.359+/-0.027"),
        ("BM25", "long"): ("0.138+/-0.02", "0.281+/-0.025", "0.447+/-0.027"),
        ("BM25", "five"): ("0.158+/-0.021", "0.308+/-0.026", "0.458+/-0.027"),
    },
    "contradict": {
        ("all-distilroberta-v1", "long"): ("0.037+/-0.012", "0.1+/-0.017", "0.263+/-0.025"),
        ("all-distilroberta-v1", "five"): ("0.069+/-0.015", "0.22+/-0.023", "0.486+/-0.027"),
        ("all-mpnet-base-v2", "long"): ("0.039+/-0.012", "0.112+/-0.018", "0.222+/-0.023"),
        ("all-mpnet-base-v2", "five"): ("0.078+/-0.016", "0.215+/-0.023", "0.43+/-0.027"),
        ("nli-distilroberta-base-v2", "long"): ("0.006+/-0.006", "0.03+/-0.011", "0.13+/-0.019"),
        ("nli-distilroberta-base-v2", "five"): ("0.01+/-0.007", "0.063+/-0.014", "0.238+/-0.024"),
        ("msmarco-distilroberta-base-v2", "long"): ("0.018+/-0.009", "0.054+/-0.014", "0.151+/-0.02"),
        ("msmarco-distilroberta-base-v2", "five"): ("0.04+/-0.012", "0.143+/-0.02", "0.359+/-0.027"),
        ("BM25", "long"): ("0.141+/-0.02", "0.267+/-0.025", "0.429+/-0.027"),
        ("BM25", "five"): ("0.145+/-0.02", "0.286+/-0.025", "0.452+/-0.027"),
    },
}
"""Recall@1, 10 and 100 by system and view, as printed."""

TABLE_6: dict[str, dict[str, tuple[str, str, str]]] = {
    "entail": {
        "albert-xxlarge-v2_anli-LawngNLI-retrieval": ("0.138+/-0.018", "0.321+/-0.019", "0.505+/-0.003"),
        "albert-xxlarge-v2_anli": ("0.09+/-0.016", "0.262+/-0.02", "0.505+/-0.003"),
        "albert-xxlarge-v2_ConTRoL-dataset": ("0.034+/-0.011", "0.144+/-0.018", "0.505+/-0.003"),
        "albert-xxlarge-v2_DocNLI": ("0.067+/-0.014", "0.226+/-0.02", "0.505+/-0.003"),
        "all-mpnet-base-v2": ("0.09+/-0.016", "0.228+/-0.02", "0.505+/-0.003"),
        "cross-encoder_ms-marco-MiniLM-L-6-v2": ("0.019+/-0.009", "0.116+/-0.017", "0.505+/-0.003"),
        "BM25": ("0.016+/-0.008", "0.061+/-0.014", "0.505+/-0.003"),
    },
    "contradict": {
        "albert-xxlarge-v2_anli-LawngNLI-retrieval": ("0.1+/-0.016", "0.271+/-0.019", "0.486+/-0.003"),
        "albert-xxlarge-v2_anli": ("0.07+/-0.014", "0.174+/-0.019", "0.486+/-0.003"),
        "albert-xxlarge-v2_ConTRoL-dataset": ("0.048+/-0.012", "0.177+/-0.019", "0.486+/-0.003"),
        "albert-xxlarge-v2_DocNLI": ("0.008+/-0.006", "0.083+/-0.015", "0.486+/-0.003"),
        "all-mpnet-base-v2": ("0.076+/-0.015", "0.219+/-0.019", "0.486+/-0.003"),
        "cross-encoder_ms-marco-MiniLM-L-6-v2": ("0.013+/-0.008", "0.123+/-0.017", "0.486+/-0.003"),
        "BM25": ("0.008+/-0.006", "0.052+/-0.013", "0.486+/-0.003"),
    },
}
"""Recall@1, 10 and 100 after re-ranking the first 100 of all-distilroberta-v1 on five paragraphs, as printed."""

"""What ACORD prints (arXiv:2501.06582), to stand beside what is measured here: for comparison only on its test split.

Five numbers each: NDCG@5, NDCG@10, and precision@5 of 3, 4 and 5 stars. Tables 3, D-4 and D-5 print them in %, the
others as shares; "nan" is the paper's "NaN".
"""

from __future__ import annotations

from typing import NamedTuple

BM25, MINILM = "BM25", "Bi-Encoder-MiniLM"
SMALL, LARGE = "OpenAI embeddings (small)", "OpenAI embeddings (large)"
NONE, CROSS, TUNED = "None", "Cross-Encoder-MiniLM", "Cross-Encoder-MiniLM, fine-tuned"
GPT4O, MINI, LLAMA_1B, LLAMA_3B = "GPT4o", "GPT4o-mini", "Llama-1B", "Llama-3B"
PAIRWISE = "pairwise"

Values = tuple[str, str, str, str, str]
"""As printed."""


class System(NamedTuple):
    """A retriever and what re-ranks it, as the paper names them."""

    retriever: str
    reranker: str = NONE


def _values(printed: str) -> Values:
    one, two, three, four, five = printed.split()
    return one, two, three, four, five


TABLE_3: dict[System, Values] = {
    System(SMALL): _values("55.1 55.8 50.5 34.7 8.3"),
    System(LARGE): _values("62.1 64.1 58.6 38.9 11.0"),
    System(BM25): _values("52.5 54.0 50.9 38.9 9.0"),
    System(BM25, CROSS): _values("59.3 60.9 60.0 43.5 6.2"),
    System(BM25, GPT4O): _values("76.9 79.7 81.1 60.0 17.2"),
    System(BM25, MINI): _values("75.2 78.2 78.6 58.2 18.6"),
    System(BM25, LLAMA_1B): _values("13.8 14.4 13.0 10.5 4.1"),
    System(BM25, LLAMA_3B): _values("62.6 65.3 63.9 48.1 9.7"),
}
"""In %."""

TABLE_D3: dict[System, Values] = {
    System(SMALL): _values("0.551 0.558 0.505 0.347 0.083"),
    System(LARGE): _values("0.621 0.641 0.586 0.389 0.110"),
    System(BM25): _values("0.525 0.540 0.509 0.389 0.090"),
    System(BM25, CROSS): _values("0.593 0.609 0.600 0.435 0.062"),
    System(BM25, GPT4O): _values("0.769 0.797 0.811 0.600 0.172"),
    System(BM25, MINI): _values("0.752 0.782 0.786 0.582 0.186"),
    System(BM25, LLAMA_1B): _values("0.138 0.144 0.130 0.105 0.041"),
    System(BM25, LLAMA_3B): _values("0.626 0.653 0.639 0.481 0.097"),
    System(MINILM): _values("0.571 0.572 0.498 0.358 0.076"),
    System(MINILM, CROSS): _values("0.601 0.610 0.586 0.428 0.069"),
    System(MINILM, GPT4O): _values("0.791 0.812 0.814 0.621 0.172"),
    System(MINILM, MINI): _values("0.763 0.790 0.775 0.586 0.200"),
    System(MINILM, LLAMA_1B): _values("0.200 0.205 0.147 0.119 0.048"),
    System(MINILM, LLAMA_3B): _values("0.628 0.657 0.628 0.481 0.110"),
}

SIZES: dict[System, str] = {
    System(SMALL): "N/A",
    System(LARGE): "N/A",
    System(BM25): "0M",
    System(BM25, CROSS): "66M",
    System(BM25, GPT4O): "1.8T",
    System(BM25, MINI): "8B",
    System(BM25, LLAMA_1B): "1.23B",
    System(BM25, LLAMA_3B): "3.21B",
    System(MINILM): "66M",
    System(MINILM, CROSS): "132M",
    System(MINILM, GPT4O): "1.8T",
    System(MINILM, MINI): "8B",
    System(MINILM, LLAMA_1B): "1.29B",
    System(MINILM, LLAMA_3B): "3.27B",
}
"""Table D-3. Its text gives the cross-encoder 22.7M parameters (4.1); all-MiniLM-L6-v2 has as many."""

TABLE_D1: dict[str, Values] = {
    "Limitation of Liability": _values("0.750 0.785 0.771 0.557 0.200"),
    "Indemnification": _values("0.763 0.803 0.800 0.600 0.178"),
    "Affirmative Covenants": _values("0.930 0.910 1.000 0.867 0.000"),
    "Restrictive Covenants": _values("0.682 0.662 0.850 0.650 0.200"),
    "Term": _values("0.912 0.936 1.000 0.600 nan"),
    "Governing Law": _values("0.805 0.868 0.800 0.500 0.200"),
    "Liquidated Damages": _values("0.812 0.788 0.800 0.600 nan"),
    "Third-party beneficiary": _values("1.000 0.974 1.000 1.000 nan"),
    "IP ownership/license": _values("0.764 0.787 0.867 0.600 0.067"),
}
"""BM25, re-ranked by GPT-4o."""

TABLE_D2: dict[str, dict[str, Values]] = {
    CROSS: {
        "Limitation of Liability": _values("0.541 0.565 0.507 0.364 0.043"),
        "Indemnification": _values("0.721 0.727 0.743 0.529 0.089"),
        "Affirmative Covenants": _values("0.605 0.571 0.667 0.533 0.000"),
        "Restrictive Covenants": _values("0.566 0.539 0.750 0.500 0.000"),
        "Term": _values("0.558 0.684 0.400 0.200 nan"),
        "Governing Law": _values("0.517 0.544 0.600 0.500 0.200"),
        "Liquidated Damages": _values("0.838 0.765 1.000 0.600 nan"),
        "Third-party beneficiary": _values("0.887 0.941 1.000 0.800 nan"),
        "IP ownership/license": _values("0.382 0.458 0.333 0.333 0.067"),
    },
    TUNED: {
        "Limitation of Liability": _values("0.642 0.694 0.598 0.448 0.138"),
        "Indemnification": _values("0.678 0.735 0.638 0.500 0.081"),
        "Affirmative Covenants": _values("0.373 0.403 0.444 0.222 0.133"),
        "Restrictive Covenants": _values("0.565 0.509 0.717 0.567 0.067"),
        "Term": _values("0.447 0.583 0.200 0.133 nan"),
        "Governing Law": _values("0.655 0.768 0.633 0.367 0.200"),
        "Liquidated Damages": _values("0.245 0.328 0.333 0.133 nan"),
        "Third-party beneficiary": _values("0.841 0.859 0.933 0.533 nan"),
        "IP ownership/license": _values("0.424 0.499 0.422 0.222 0.067"),
    },
}
"""BM25, re-ranked by the cross-encoder before and after fine-tuning."""

TABLE_D4: dict[System, Values] = {
    System(BM25, CROSS): _values("59.3 60.9 60.0 43.5 6.2"),
    System(MINILM, CROSS): _values("60.1 61.0 58.6 42.8 6.9"),
    System(BM25, TUNED): _values("61.3 66.3 59.4 43.3 11.3"),
    System(MINILM, TUNED): _values("64.7 68.1 61.6 44.9 12.2"),
}
"""In %."""

TABLE_D5: dict[System, Values] = {
    System(BM25, GPT4O): _values("76.9 79.7 81.1 60.0 17.2"),
    System(BM25, MINI): _values("75.2 78.2 78.6 58.2 18.6"),
    System(BM25, LLAMA_1B): _values("13.8 14.4 13.0 10.5 4.1"),
    System(BM25, LLAMA_3B): _values("62.6 65.3 63.9 48.1 9.7"),
    System(BM25, f"{GPT4O} {PAIRWISE}"): _values("58.0 59.1 56.1 43.9 13.1"),
    System(BM25, f"{MINI} {PAIRWISE}"): _values("57.4 58.5 55.4 43.5 12.4"),
    System(BM25, f"{LLAMA_1B} {PAIRWISE}"): _values("52.1 54.3 50.2 37.9 9.0"),
    System(BM25, f"{LLAMA_3B} {PAIRWISE}"): _values("52.8 54.4 50.5 38.9 9.0"),
}
"""In %, pointwise and pairwise."""

TABLE_E2: dict[tuple[System, str, str], Values] = {
    (System(BM25), "Change of control", "short"): _values("0.914 0.856 0.800 0.600 0.200"),
    (System(BM25), "Change of control", "medium"): _values("0.887 0.794 1.000 0.600 0.200"),
    (System(BM25), "Change of control", "long"): _values("0.470 0.470 0.200 0.200 0.200"),
    (System(BM25), "'as-is'", "short"): _values("0.000 0.000 0.000 0.000 0.000"),
    (System(BM25), "'as-is'", "medium"): _values("0.683 0.660 0.400 0.400 0.200"),
    (System(BM25), "'as-is'", "long"): _values("0.284 0.297 0.200 0.200 0.000"),
    (System(BM25, GPT4O), "Change of control", "short"): _values("0.775 0.821 1.000 0.400 0.200"),
    (System(BM25, GPT4O), "Change of control", "medium"): _values("0.449 0.561 0.600 0.000 0.000"),
    (System(BM25, GPT4O), "Change of control", "long"): _values("0.835 0.850 1.000 0.200 0.200"),
    (System(BM25, GPT4O), "'as-is'", "short"): _values("0.102 0.068 0.000 0.000 0.000"),
    (System(BM25, GPT4O), "'as-is'", "medium"): _values("1.000 0.954 1.000 1.000 0.000"),
    (System(BM25, GPT4O), "'as-is'", "long"): _values("1.000 0.917 1.000 0.800 0.000"),
    (System(BM25, CROSS), "Change of control", "short"): _values("0.832 0.770 0.800 0.600 0.200"),
    (System(BM25, CROSS), "Change of control", "medium"): _values("0.590 0.707 0.400 0.200 0.000"),
    (System(BM25, CROSS), "Change of control", "long"): _values("0.629 0.717 0.400 0.400 0.000"),
    (System(BM25, CROSS), "'as-is'", "short"): _values("0.000 0.000 0.000 0.000 0.000"),
    (System(BM25, CROSS), "'as-is'", "medium"): _values("0.887 0.794 1.000 0.600 0.200"),
    (System(BM25, CROSS), "'as-is'", "long"): _values("0.518 0.641 0.600 0.200 0.000"),
}
E2_QUERIES = {"Change of control": "changeofcontrol", "'as-is'": "asisclause"}
"""The queries of table E-2 by their letters."""

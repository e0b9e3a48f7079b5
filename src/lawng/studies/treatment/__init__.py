"""The study of treatments: labelled pairs of cases against what lawng, and language models, say of them."""

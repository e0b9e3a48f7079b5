"""Texts to vectors, pairs of texts to label probabilities, and training; it alone knows transformers and ONNX."""

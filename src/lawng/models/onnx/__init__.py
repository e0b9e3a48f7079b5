"""Models by ONNX Runtime, for searches: a process that only asks one loads neither torch nor transformers."""

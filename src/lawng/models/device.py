"""Where models compute."""

from __future__ import annotations


def device() -> str:
    """`cuda` where there is a GPU, else `cpu`."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"

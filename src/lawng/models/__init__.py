"""Models behind protocols: encoders of texts, judges of text pairs, relevance models, and their training."""

from __future__ import annotations

from lawng.models.find import OFFLINE, default_stance_folder, find_model, offline_model

__all__ = ["OFFLINE", "default_stance_folder", "find_model", "offline_model"]

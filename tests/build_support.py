"""A build whose models are names, for tests that load none."""

from __future__ import annotations

from pathlib import Path

from lawng.config import load_config
from lawng.lawngnli.build import context_of
from lawng.pipeline import Model

ROLES = ("negation", "verifier", "embedder", "tokenizer")
MODELS = {role: Model(role, role, f"/models/{role}", "1") for role in ROLES}
DIGESTS = {"cases": "c", "opinions": "o"}
BASE = context_of(Path("corpus"), Path("build"), load_config(given={}), DIGESTS, MODELS)

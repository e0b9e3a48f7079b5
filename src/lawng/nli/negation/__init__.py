"""Pivotal negation and the contradiction algorithm (LawngNLI, A.1.3 and A.1.5)."""

from __future__ import annotations

from lawng.nli.negation.constituents import BeneparConstituents, Constituents
from lawng.nli.negation.negator import Negator
from lawng.nli.negation.results import Negated, Refusal

__all__ = ["BeneparConstituents", "Constituents", "Negated", "Negator", "Refusal"]

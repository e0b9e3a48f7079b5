"""Pivotal negation and the contradiction algorithm (LawngNLI, A.1.3 and A.1.5)."""

from __future__ import annotations

from lawng.lawngnli.negation.constituents import BeneparConstituents, Constituents
from lawng.lawngnli.negation.negator import Negator
from lawng.lawngnli.negation.results import Negated
from lawng.lawngnli.records import Refusal

__all__ = ["BeneparConstituents", "Constituents", "Negated", "Negator", "Refusal"]

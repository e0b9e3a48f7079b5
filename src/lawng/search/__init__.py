"""An argument in, supporting and refuting cases out."""

from lawng.search.answer import Answer, DescriptionHit, Hit, PassageHit, Stance
from lawng.search.engine import Searcher, search
from lawng.search.settings import SearchSettings

__all__ = ["Answer", "DescriptionHit", "Hit", "PassageHit", "SearchSettings", "Searcher", "Stance", "search"]

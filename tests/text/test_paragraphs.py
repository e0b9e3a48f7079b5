"""BM25 and the views of paragraphs (4.1, A.1.9), compared with gensim."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from floats_support import RELATIVE, close_to
from lawng.text.paragraphs import Bm25, best_paragraphs, bm25_scores, bm25_view, prepended, words

WORDS = ["the", "state", "tax", "income", "void", "duty", "a", "unconstitutionally", "disproportionately", "§", "é"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def gensim_scores(query: str, documents: list[str]) -> list[float]:
    """The same by gensim 4, whose Dictionary and OkapiBM25Model score as 3.8's BM25 did."""
    from gensim.corpora import Dictionary
    from gensim.models import OkapiBM25Model

    bags = [[word.decode("latin-1") for word in words(document)] for document in documents]
    dictionary = Dictionary(bags)
    model = OkapiBM25Model(dictionary=dictionary)
    asked = dictionary.doc2idx([word.decode("latin-1") for word in words(query)])
    weights = [dict(model[dictionary.doc2bow(bag)]) for bag in bags]
    return [sum(weight.get(word, 0.0) for word in asked) for weight in weights]


@settings(deadline=None, max_examples=60)
@given(TEXT, st.lists(TEXT, min_size=1, max_size=9))
def test_scores_are_those_of_gensim(query: str, documents: list[str]) -> None:
    if not any(words(document) for document in documents):
        assert bm25_scores(query, documents) == [0.0] * len(documents)
    else:
        assert bm25_scores(query, documents) == close_to(gensim_scores(query, documents))


def test_an_index_may_be_asked_again() -> None:
    documents = ["the tax is void", "a duty is owed", "it is so ordered"]
    index = Bm25(documents)
    assert index.scores("tax") == bm25_scores("tax", documents)
    assert index.scores("duty owed") == bm25_scores("duty owed", documents)


def test_words_are_told_apart_by_all_their_letters() -> None:
    long = "internationalization"
    twin = long[:-1] + "m"
    assert bm25_scores(long, [long, twin, "other", "words"])[1] == 0.0


@given(st.integers(1, 24), st.data())
def test_words_that_differ_in_any_of_24_letters_or_in_length_are_two(length: int, data: st.DataObject) -> None:
    word = data.draw(st.text("abcdefgh", min_size=length, max_size=length))
    place = data.draw(st.integers(0, length - 1))
    other = word[:place] + "z" + word[place + 1 :]
    documents = [word, other, word + word[-1], word[:-1], "unrelated"]
    assert [score > 0 for score in bm25_scores(word, documents)] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("documents", "query"),
    [
        pytest.param([], "tax", id="no documents"),
        pytest.param(["", "."], "tax", id="no words"),
        pytest.param(["tax"], "", id="no query"),
    ],
)
def test_nothing_to_score(documents: list[str], query: str) -> None:
    assert bm25_scores(query, documents) == [0.0] * len(documents)


@settings(deadline=None, max_examples=60)
@given(st.lists(TEXT, min_size=1, max_size=9), TEXT, st.integers(1, 6))
def test_best_paragraphs_are_the_best_in_document_order(paragraphs: list[str], query: str, n: int) -> None:
    found = best_paragraphs(paragraphs, query, n)
    assert found == sorted(set(found))
    assert len(found) == min(n, len(paragraphs))
    scores = bm25_scores(query, paragraphs)
    left = [scores[k] for k in range(len(paragraphs)) if k not in found]
    assert not left or max(left) <= (1 + RELATIVE) * min(scores[k] for k in found)


def test_the_view_keeps_paragraphs_whole() -> None:
    premise = "A tax.\n\nNo duty.\n\nThe tax is due.\n\nSo ordered.\n\nReversed."
    assert bm25_view(premise, "tax", n=2) == "A tax.\n\nThe tax is due."


def n_words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("minimum", "put_first"),
    [
        pytest.param(1, ["c c c"], id="one is enough"),
        pytest.param(3, ["c c c"], id="exactly enough"),
        pytest.param(4, ["b b", "c c c"], id="two are needed"),
        pytest.param(99, ["a", "b b", "c c c"], id="the whole has fewer"),
    ],
)
def test_prepended_takes_as_few_as_will_do(minimum: int, put_first: list[str]) -> None:
    premise = "a\n\nb b\n\nc c c"
    assert prepended(premise, n_words, minimum) == "\n\n".join([*put_first, premise])


def test_more_texts_than_a_number_names_are_refused() -> None:
    with pytest.raises(ValueError, match="1,048,577 texts; no more than 1,048,576"):
        bm25_scores("word", [""] * (2**20 + 1))

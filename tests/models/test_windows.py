"""How much a model reads: to the last token that it can take and not one more, and what was cut is said."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from floats_support import close_as_a_whole
from lawng.errors import InputError
from lawng.models.encoder import embedder
from lawng.models.folder import window_of
from lawng.models.pairs import pair_model
from lawng.models.protocols import Embedder
from models_support import tiny_encoder, tiny_model

LIMIT = 64
"""Tokens that the tiny models read, special ones included."""


def config(model_type: str, positions: int | None, pad: int | None = 0) -> SimpleNamespace:
    return SimpleNamespace(model_type=model_type, max_position_embeddings=positions, pad_token_id=pad)


@pytest.mark.parametrize(
    ("told", "made", "window", "why"),
    [
        (512, config("bert", 512), 512, "both say the same"),
        (10**30, config("bert", 512), 512, "the tokenizer knows no limit"),
        (256, config("bert", 512), 256, "the tokenizer's limit is the shorter one"),
        (512, config("roberta", 514, 1), 512, "positions begin after the padding's"),
        (10**30, config("xlm-roberta", 514, 1), 512, "RoBERTa's kin"),
        (10**30, config("camembert", 514, 1), 512, "RoBERTa's kin by another name"),
        (10**30, config("mpnet", 514, 1), 512, "MPNet counts as RoBERTa does"),
        (10**30, config("luke", 514, 1), 512, "so does LUKE"),
        (10**30, config("roberta", 514, None), 513, "no padding is number 0"),
        (10**30, config("deberta-v2", None), 8192, "no positions and no limit: ours"),
        (10**30, config("modernbert", 8193), 8192, "ours is the shorter one"),
    ],
)
def test_the_window_is_the_shortest_of_all_limits(told: int, made: SimpleNamespace, window: int, why: str) -> None:
    assert window_of(SimpleNamespace(model_max_length=told), made) == window, why


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "XLMRoberta", "Camembert", "Data2VecText", "IBert"])
@pytest.mark.parametrize("pad", [0, 1, 3])
def test_a_model_reads_its_window_and_breaks_one_token_after(kind: str, pad: int) -> None:
    import torch
    import transformers

    made = getattr(transformers, f"{kind}Config")(
        vocab_size=9, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4,
        max_position_embeddings=20, pad_token_id=pad,
    )  # fmt: skip
    model = getattr(transformers, f"{kind}Model")(made).eval()
    window = window_of(SimpleNamespace(model_max_length=10**30), made)
    with torch.inference_mode():
        model(torch.full((1, window), 5))
        with pytest.raises((IndexError, RuntimeError)):
            model(torch.full((1, window + 1), 5))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """A tiny sentence-transformers model that means over `LIMIT` tokens."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    folder = tmp_path_factory.mktemp("encoder")
    bare = Transformer(str(tiny_encoder(folder / "bare")), max_seq_length=LIMIT)
    SentenceTransformer(modules=[bare, Pooling(32)], device="cpu").save(str(folder / "made"))
    return embedder(str(folder / "made"))


@pytest.mark.parametrize(("word", "blank"), [("tax", " "), (".", ""), (".", " ")], ids=["words", "characters", "dots"])
def test_an_exact_fit_is_read_whole_and_one_token_more_is_flagged(encoder: Embedder, word: str, blank: str) -> None:
    fits = LIMIT - 2  # [CLS] and [SEP]
    texts = [blank.join([word] * n) for n in (1, fits - 1, fits, fits + 1, 2 * fits)]
    assert [encoder.count_tokens(text) for text in texts] == [3, LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT - 2]
    assert encoder.encode(texts).truncated == [False, False, False, True, True]


def test_what_is_flagged_was_not_read_and_what_is_not_was(encoder: Embedder) -> None:
    whole, other, longer = encoder.encode(
        [" ".join(["tax"] * 61 + last) for last in (["river"], ["dog"], ["river", "dog"])]
    ).vectors
    assert not np.allclose(whole, other, rtol=1e-3), "the last word that fits is read"
    assert longer == close_as_a_whole(whole), "the word after it is not"


def test_an_argument_may_leave_room_for_one_token_and_not_for_none(tmp_path: Path) -> None:
    model = pair_model(str(tiny_model(tmp_path / "model", ["entailment", "neutral", "contradiction"], limit=LIMIT)))
    fits = LIMIT - 3 - 1  # [CLS], two [SEP], one token of the premise
    judged = model.judge(["tax river", "tax"], ["dog " * fits] * 2)
    assert judged.read == [0.5, 1.0]
    assert judged.log_probs[0] == close_as_a_whole(judged.log_probs[1]), "the second token was not read"
    with pytest.raises(InputError, match=rf"leave no room for a passage, the model reads {LIMIT} of both"):
        model.judge(["tax"], ["dog " * (fits + 1)])


def test_a_search_has_more_of_a_passage_read_than_a_few_tokens(tmp_path: Path) -> None:
    place = str(tiny_model(tmp_path / "model", ["entailment", "neutral", "contradiction"], limit=LIMIT))
    model = pair_model(place, least_room=5)
    assert model.judge(["tax " * 9], ["dog " * (LIMIT - 3 - 5)]).read == [5 / 9]
    assert model.judge(["tax " * 2], ["dog " * (LIMIT - 3 - 2)]).read == [1.0], "all of a short one"
    with pytest.raises(InputError, match=rf"leave too little room for a passage, the model reads {LIMIT} of both"):
        model.judge(["tax", "tax " * 9], ["dog " * (LIMIT - 3 - 4)] * 2)


@pytest.mark.parametrize(("n", "read"), [(29, 1.0), (30, 1.0), (31, 30 / 31)])
def test_a_premise_that_fits_exactly_is_read_whole(tmp_path: Path, n: int, read: float) -> None:
    model = pair_model(str(tiny_model(tmp_path / "model", ["entailment", "neutral", "contradiction"], limit=LIMIT)))
    assert model.judge(["tax " * n], ["dog " * (LIMIT - 3 - 30)]).read == [read]

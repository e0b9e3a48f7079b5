"""What tokens are: codes of texts with tags, their loss against its formula, an encoder that learns them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.special import log_softmax
from transformers import AutoTokenizer

from floats_support import close_to
from lawng.models.onnx.embedder import TAGS
from lawng.models.training.options import RetrieverOptions
from lawng.models.training.retriever import load
from lawng.models.training.tagged import (
    TOKENS,
    TaggedText,
    Tagging,
    coded,
    learn_tags,
    planned_texts,
    tag_loss,
    with_tags,
)
from models_support import tiny_encoder

SETS = (("", "cap", "fraud"), ("said", "excepted"))
TEXTS = (
    TaggedText("the ceiling without lies", ((4, 11, ("cap", "said")), (20, 24, ("fraud", "excepted")))),
    TaggedText("goods (are) delivered", ((7, 10, ("cap", "said")),)),
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("tiny"))


def test_each_token_has_the_code_of_its_stretch(base: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base)
    for tagged in TEXTS:
        notions, senses = np.array(coded(tagged, tokenizer, SETS)).reshape(2, TOKENS)
        places = tokenizer(tagged.text, return_offsets_mapping=True)["offset_mapping"]
        for at, (start, end) in enumerate(places):
            inside = [labels for first, last, labels in tagged.stretches if first <= start < end <= last]
            wanted = (SETS[0].index(inside[0][0]), SETS[1].index(inside[0][1])) if inside else (0, -100)
            assert (notions[at], senses[at]) == ((-100, -100) if start == end else wanted), (tagged.text, start)
        assert set(notions[len(places) :]) == set(senses[len(places) :]) == {-100}


def test_what_lies_behind_the_last_token_that_is_learned_is_left_out(base: Path) -> None:
    long = TaggedText("lies " * 200, ((0, 5 * 200, ("fraud", "said")),))
    notions, _ = np.array(coded(long, AutoTokenizer.from_pretrained(base), SETS)).reshape(2, TOKENS)
    assert len(notions) == TOKENS
    assert (notions[1:-1] == SETS[0].index("fraud")).all()


@pytest.mark.parametrize("tokens", [5, TOKENS + 3], ids=["shorter than the codes", "longer"])
def test_the_loss_is_its_formula(tokens: int) -> None:
    chance = np.random.default_rng(tokens)
    logits, codes = chance.normal(size=(4, tokens, 5)), np.full((4, 2, TOKENS), -100)
    n = min(tokens, TOKENS)
    codes[:, 0, :n], codes[:, 1, :n] = chance.integers(-1, 3, (4, n)), chance.integers(-1, 2, (4, n))
    codes[codes == -1] = -100
    wanted = 0.0
    for row, part in enumerate((logits[:, :, :3], logits[:, :, 3:])):
        logs, own = log_softmax(part, axis=-1), []
        for text, at in np.argwhere(codes[:, row] >= 0):
            own.append(-0.9 * logs[text, at, codes[text, row, at]] - 0.1 * logs[text, at].mean())
        wanted += float(np.mean(own))
    found = tag_loss(torch.tensor(logits), torch.tensor(codes.reshape(4, -1), dtype=torch.float32), SETS)
    assert float(found) == close_to(wanted)
    nothing = torch.full((4, 2 * TOKENS), -100.0)
    assert float(tag_loss(torch.tensor(logits), nothing, SETS)) == 0.0


@pytest.mark.parametrize(("n", "wanted"), [(3, 7), (5, 5), (4, 2)])
def test_each_text_is_read_as_often_as_others(n: int, wanted: int) -> None:
    plan = planned_texts(n, wanted, 0)
    assert len(plan) == wanted
    assert plan == planned_texts(n, wanted, 0)
    counts = [plan.count(place) for place in range(n)]
    assert max(counts) - min(counts) <= 1
    assert planned_texts(40, 40, 0) != planned_texts(40, 40, 1)


@pytest.mark.slow("trains a tiny encoder")
def test_an_encoder_learns_what_tokens_are_and_its_vectors_keep_their_width(base: Path, tmp_path: Path) -> None:
    options = RetrieverOptions(base=str(base), max_length=32, freeze_words=False)
    model = with_tags(load(str(base), options), SETS)
    assert model.get_embedding_dimension() == load(str(base), options).get_embedding_dimension()
    learn_tags(model, Tagging(SETS, TEXTS * 600), options, tmp_path, lambda _: None)
    made = model(model.preprocess([TEXTS[0].text]))
    told = made[TAGS][0].split([3, 2], dim=-1)
    codes = torch.tensor(coded(TEXTS[0], model.tokenizer, SETS)).reshape(2, TOKENS)[:, : len(told[0])].long()
    for logits, own in zip(told, codes, strict=True):
        assert (logits.argmax(dim=-1)[own >= 0] == own[own >= 0]).all()

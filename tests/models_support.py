"""Tiny models made on the fly: BERT with two layers of width 32 over a vocabulary of a few words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lawng.models.training.options import RelevanceOptions

SMALL = RelevanceOptions(batch=16, micro=8, max_length=64, warmup=5, save_steps=4, log_steps=10, list_size=4)
"""Relevance models are trained so here: in seconds."""
WORDS = [
    "the",
    "a",
    "court",
    "held",
    "that",
    "statute",
    "is",
    "not",
    "void",
    "valid",
    "tax",
    "on",
    "income",
    "was",
    "did",
    "levy",
    "road",
    "river",
    "judge",
    "found",
    "no",
    "yes",
    "police",
    "may",
    "search",
    "house",
    "without",
    "warrant",
    "dog",
    "cat",
    "sleeps",
    "runs",
    ".",
    ",",
    "##s",
    "##ed",
    "##ing",
]


def tiny_tokenizer(limit: int = 64) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(lowercase=True), BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        model_max_length=limit,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **names,
    )


def tiny_model(folder: Path, labels: Sequence[str], seed: int = 0, limit: int = 64) -> Path:
    """A classifier with random weights and the given labels, in a folder; scaled up, so that it has opinions."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer(limit)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=limit,
        num_labels=len(labels),  # type: ignore[call-arg]
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
        initializer_range=0.4,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_encoder(folder: Path, seed: int = 0) -> Path:
    """A bare encoder to train from."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer()
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def calm_encoder(place: Path) -> Path:
    """The same without dropout, its weights scaled up: it learns in a hundred updates."""
    from transformers import BertModel

    tiny_encoder(place)
    model = BertModel.from_pretrained(place)
    model.config.hidden_dropout_prob = model.config.attention_probs_dropout_prob = 0.0
    for weight in model.parameters():
        weight.data *= 5 if weight.dim() > 1 else 1
    model.save_pretrained(place)
    return place


def weights(folder: Path) -> bytes:
    """The weights of a model, to compare."""
    return (folder / "model.safetensors").read_bytes()

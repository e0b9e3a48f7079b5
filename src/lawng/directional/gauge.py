"""The gauge: prompt fine-tuning of a language model on pairs of predicates, and the choice of its hyper-parameters.

    draws(n, seed) -> [Draw]                           log-uniform, as in section 3
    Gauge.train(model, prompting, train, labels, draw) -> Gauge    fine-tuned
    gauge.scores(pairs) -> scores                      the surest prompt for minus the surest against

Any masked language model or sentence encoder that transformers reads as a sequence classifier will do: a linear layer
over it says whether the sentences of a pair hold. Source: Schmitt and Schütze 2021b; Li et al. 2022, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawng.directional.prompts import Prompting, pieces, sentences
from lawng.directional.records import PredicatePair
from lawng.models.find import find_model
from lawng.models.folder import device, loading

_BATCH = 128  # sentences that are scored together


@dataclass(frozen=True)
class Ranges:
    """From where hyper-parameters are drawn; the ends are those of the published search.

    Few draws from a rate of 1e-8 to 0.05 are mostly wasted: narrow the range where there is no time for a hundred.
    """

    rate: tuple[float, float] = (1e-8, 5e-2)
    decay: tuple[float, float] = (1e-5, 1e-1)
    accumulation: tuple[int, int] = (1, 17)


@dataclass(frozen=True)
class Draw:
    """The hyper-parameters of one run."""

    rate: float
    decay: float
    accumulation: int
    epochs: float = 3.0
    batch: int = 10
    """Pairs of one step; an update takes `accumulation` steps."""
    seed: int = 0
    bf16: bool = False
    """Trained in mixed precision: half again as fast on a processor that has bfloat16."""


def draws(n: int, seed: int, ranges: Ranges = Ranges(), epochs: float = 3.0, bf16: bool = False) -> list[Draw]:
    """So many hyper-parameters: rate and decay log-uniform, accumulation uniform; the same for a seed.

    >>> [f"{draw.rate:.1e}" for draw in draws(2, seed=1)] == [f"{draw.rate:.1e}" for draw in draws(3, seed=1)][:2]
    True
    """
    made = []
    for number in range(n):
        rng = np.random.default_rng([seed, number])
        rate, decay = (float(np.exp(rng.uniform(*np.log(ends)))) for ends in (ranges.rate, ranges.decay))
        steps = int(rng.integers(ranges.accumulation[0], ranges.accumulation[1] + 1))
        made.append(Draw(rate, decay, steps, epochs, seed=seed + number, bf16=bf16))
    return made


class Gauge:
    """A fine-tuned model, with its tokenizer and what it is shown."""

    def __init__(self, model: Any, tokenizer: Any, prompting: Prompting) -> None:
        self._model, self._tokenizer, self._prompting = model, tokenizer, prompting

    @classmethod
    def train(
        cls, base: str, prompting: Prompting, pairs: Sequence[PredicatePair], labels: Sequence[bool], draw: Draw
    ) -> Gauge:
        """Fine-tune a base, by name or folder, on pairs and the labels that they have in a subset.

        The loss is the mean of the cross-entropies of all sentences. Raises MissingError where there is no such base.
        """
        import torch

        torch.manual_seed(draw.seed)
        gauge = cls(*_load(base, prompting), prompting)
        rows = [(sentences(pair, prompting), label) for pair, label in zip(pairs, labels, strict=True)]
        with TemporaryDirectory() as folder:
            _trainer(gauge._model, rows, gauge._collate, draw, folder).train()
        gauge._model.eval().to(device())
        return gauge

    def scores(self, pairs: Sequence[PredicatePair]) -> NDArray[np.float32]:
        """From -1 to 1 for each pair: its surest sentence for entailment minus its surest against."""
        shown = [sentences(pair, self._prompting) for pair in pairs]
        if not shown:
            return np.zeros(0, np.float32)
        probabilities = self._probabilities([one for row in shown for one in row])
        by_pair = probabilities.reshape(len(pairs), -1, 2)
        return np.asarray(by_pair[:, :, 1].max(axis=1) - by_pair[:, :, 0].max(axis=1))

    def _probabilities(self, texts: list[str]) -> NDArray[np.float32]:
        """Of both labels for each sentence; sentences of a length go together, so that little is padding."""
        import torch

        found = np.zeros((len(texts), 2), np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                places = order[start : start + _BATCH]
                batch = self._encode([texts[at] for at in places]).to(device())
                found[places] = self._model(**batch).logits.softmax(dim=-1).float().cpu().numpy()
        return found

    def _encode(self, texts: list[str]) -> Any:
        return self._tokenizer(texts, truncation=True, padding=True, return_tensors="pt")

    def _collate(self, rows: list[tuple[list[str], bool]]) -> dict[str, Any]:
        import torch

        batch = dict(self._encode([text for texts, _ in rows for text in texts]))
        return batch | {"labels": torch.tensor([int(label) for texts, label in rows for _ in texts])}


def _load(base: str, prompting: Prompting) -> tuple[Any, Any]:
    """The classifier with a new head, and its tokenizer, which knows the pieces of a continuous prompt."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    place = find_model("model", base).place
    with loading(f"the model {base}"):
        tokenizer = AutoTokenizer.from_pretrained(place, model_max_length=512)
        model = AutoModelForSequenceClassification.from_pretrained(place, num_labels=2, ignore_mismatched_sizes=True)
    if prompting is Prompting.CONTINUOUS:
        tokenizer.add_tokens(pieces(), special_tokens=True)
        model.resize_token_embeddings(len(tokenizer))
    return model, tokenizer


def _trainer(model: Any, rows: Any, collate: Any, draw: Draw, folder: str) -> Any:
    """transformers' trainer, silent: AdamW, a rate that falls to 0 in a line."""
    from transformers import Trainer, TrainingArguments
    from transformers.trainer_callback import PrinterCallback

    arguments = TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=draw.batch,
        gradient_accumulation_steps=draw.accumulation,
        learning_rate=draw.rate,
        weight_decay=draw.decay,
        num_train_epochs=draw.epochs,
        seed=draw.seed,
        use_cpu=device() == "cpu",
        bf16=draw.bf16,
        report_to="none",
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
        remove_unused_columns=False,
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=rows, data_collator=collate)
    trainer.remove_callback(PrinterCallback)  # it prints to standard output, which is for data
    return trainer

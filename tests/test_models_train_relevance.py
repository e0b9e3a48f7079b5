"""Training relevance models: what is drawn, losses, runs that are killed, grids, and what the model reads."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from lawng.clauses.meaning.focus import focus
from lawng.clauses.ranking.rerank import FocusedReranker, RerankedRanker, clause_reranker
from lawng.cli import app
from lawng.errors import ConfigError, InputError, LawngError
from lawng.models.folder import NOTE, ONNX
from lawng.models.relevance import read_relevance_model
from lawng.models.rerank import CrossEncoderReranker
from lawng.models.train.relevance_data import GradedText, planned, without_contrast
from lawng.models.train.relevance_options import LOSSES, RelevanceOptions, Run
from lawng.records import Clause
from lawng.studies.acord.data import read_acord
from lawng.studies.acord.fine_tune.choice import fine_tune
from lawng.studies.acord.fine_tune.data import Validation, digest_of, texts_of
from lawng.studies.acord.fine_tune.grid import Cell, TuneSettings, cells_of, chosen, write_grid
from models_support import WORDS, tiny_encoder, tiny_model
from ratings_support import SAMPLE

SMALL = RelevanceOptions(batch=16, micro=8, max_length=64, warmup=5, save_steps=4, log_steps=10, list_size=4)
NOUNS = ["statute", "river", "dog"]


def graded() -> list[GradedText]:
    """Texts whose grade is how often they have the query's one word."""
    rng = np.random.default_rng(3)
    found = []
    for asked in NOUNS * 6:
        rest = [word for word in NOUNS if word != asked]
        for n_shared in (0, 0, 0, 0, 1, 1, 2):
            words = [*[asked] * n_shared, *rng.choice(rest, 3 - n_shared)]
            found.append(GradedText(asked, " ".join(rng.permutation(words)), n_shared, n_shared / 2))
    return found


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_encoder(tmp_path_factory.mktemp("base") / "tiny"))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same without dropout, its weights scaled up: it learns in a hundred updates."""
    from transformers import BertModel

    place = tiny_encoder(tmp_path_factory.mktemp("calm") / "tiny")
    model = BertModel.from_pretrained(place)
    model.config.hidden_dropout_prob = model.config.attention_probs_dropout_prob = 0.0
    for weight in model.parameters():
        weight.data *= 5 if weight.dim() > 1 else 1
    model.save_pretrained(place)
    return str(place)


def train(base: str, options: RelevanceOptions, run: Run, work: Path, judge: object = None) -> list[str]:
    """What a run says."""
    from lawng.models.train.relevance import Hooks, train_relevance

    said: list[str] = []
    work.mkdir(exist_ok=True)
    hooks = Hooks(judge if callable(judge) else (lambda _folder: 0.5), said.append)
    train_relevance(base, graded(), replace(options, base=base), run, work, hooks)
    return said


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


# --- what is drawn ---------------------------------------------------------------------------------------------------


def test_grades_are_equally_frequent_and_none_comes_twice_before_all_came_once() -> None:
    texts = graded()
    plan = planned(texts, SMALL, Run(1e-3, (30,), 0))
    drawn = Counter(texts[place].grade for place in plan)
    assert drawn == {0: 160, 1: 160, 2: 160}
    times = Counter(place for place in plan if texts[place].grade == 2)
    assert set(times) == {place for place, row in enumerate(texts) if row.grade == 2}
    assert max(times.values()) - min(times.values()) <= 1
    assert plan == planned(texts, SMALL, Run(1e-3, (30,), 0)) != planned(texts, SMALL, Run(1e-3, (30,), 1))


def test_a_plan_of_more_updates_begins_with_that_of_fewer() -> None:
    for loss in LOSSES:
        options = replace(SMALL, loss=loss)
        short, long = (planned(graded(), options, Run(1e-3, (n,), 0)) for n in (3, 9))
        assert long[: len(short)] == short
        assert len(long) == 9 * options.batch


def test_micro_batches_have_pairs_of_about_one_length() -> None:
    texts = [GradedText("dog", "cat " * n, n % 2, n % 2 / 4) for n in range(1, 60)]
    plan = planned(texts, SMALL, Run(1e-3, (4,), 0))
    lengths = np.array([len(texts[place].text) for place in plan]).reshape(4, 16)
    assert (np.diff(lengths, axis=1) >= 0).all()


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0, 60), (0.5, 150, 260), (1.0, 320, 320)])
def test_hard_zeros_are_drawn_as_often_as_asked(share: float, least: int, most: int) -> None:
    texts = [GradedText("dog", f"road {n}", 0, 0.0, hard=n < 5) for n in range(50)]
    texts += [GradedText("dog", f"dog {n}", 4, 1.0) for n in range(5)]
    plan = planned(texts, replace(SMALL, hard_zeros=share), Run(1e-3, (40,), 0))
    assert least <= sum(texts[place].hard for place in plan) <= most
    assert sum(texts[place].grade == 0 for place in plan) == 320


def test_lists_and_pairs_are_of_one_query() -> None:
    texts = graded()
    lists = np.array(planned(texts, replace(SMALL, loss="listwise"), Run(1e-3, (10,), 0))).reshape(-1, 4)
    pairs = np.array(planned(texts, replace(SMALL, loss="margin"), Run(1e-3, (10,), 0))).reshape(-1, 2)
    for group in [*lists.tolist(), *pairs.tolist()]:
        assert len({texts[place].query for place in group}) == 1
    assert all(len(set(group)) == 4 and len({texts[place].grade for place in group}) == 3 for group in lists.tolist())
    assert all(texts[better].grade > texts[worse].grade for better, worse in pairs.tolist())


def test_nothing_to_learn_from_is_one_line() -> None:
    alike = [GradedText("q", "a", 0, 0.0), GradedText("p", "b", 1, 0.25)]
    assert without_contrast(alike) == ["q", "p"]
    assert len(planned(alike, SMALL, Run(1e-3, (1,), 0))) == 16
    with pytest.raises(InputError, match="no query has texts of two grades"):
        planned(alike, replace(SMALL, loss="margin"), Run(1e-3, (1,), 0))
    with pytest.raises(InputError, match="all of one grade"):
        planned(alike[:1], SMALL, Run(1e-3, (1,), 0))


# --- losses and runs -------------------------------------------------------------------------------------------------


def test_losses_by_hand() -> None:
    import torch

    from lawng.models.train.relevance_loss import relevance_loss

    scores, targets = torch.tensor([1.0, -1.0, 0.0, 0.0]), torch.tensor([1.0, 0.0, 0.75, 0.25])
    soft = [np.log1p(np.exp(-1.0)), np.log1p(np.exp(-1.0)), np.log(2.0), np.log(2.0)]
    assert float(relevance_loss("soft", scores, targets, 1)) == pytest.approx(np.mean(soft))
    lists = [-np.log(np.exp(1) / (np.exp(1) + np.exp(-1))), np.log(2.0)]
    assert float(relevance_loss("listwise", scores, targets, 2)) == pytest.approx(np.mean(lists))
    assert float(relevance_loss("margin", scores, targets, 2)) == pytest.approx(np.mean([4.0 - 2.0, 2.0 - 0.0]))


@pytest.mark.parametrize("loss", LOSSES)
def test_the_model_learns_shared_words(calm: str, tmp_path: Path, loss: str) -> None:
    run = Run(3e-3, (2, 60), 0)
    said = train(calm, replace(SMALL, loss=loss, batch=32, save_steps=500, log_steps=20), run, tmp_path / "work")
    losses = [float(line.rpartition(" ")[2]) for line in said if "loss" in line]
    assert losses[-1] < 0.7 * losses[0]

    def agreement(folder: Path) -> float:
        model, texts = read_relevance_model(str(folder)), graded()
        scores = np.array(model.score([row.query for row in texts], [row.text for row in texts]))
        pairs = [(one, other) for one, a in enumerate(texts) for other, b in enumerate(texts) if a.query == b.query and a.grade == 2 and b.grade == 0]  # fmt: skip
        return float(np.mean([scores[better] > scores[worse] for better, worse in pairs]))

    assert agreement(tmp_path / "work" / "at-60") > max(0.9, agreement(tmp_path / "work" / "at-2"))


def test_a_killed_run_ends_as_one_that_was_not(base: str, tmp_path: Path) -> None:
    run = Run(1e-3, (3, 10), 0)
    train(base, SMALL, run, tmp_path / "whole")

    def killed(folder: Path) -> float:
        if folder.name.startswith("at-10"):
            raise KeyboardInterrupt
        return 0.25

    with pytest.raises(KeyboardInterrupt):
        train(base, SMALL, run, tmp_path / "killed", killed)
    assert (tmp_path / "killed" / "at-3" / "score.json").is_file()
    assert not (tmp_path / "killed" / "at-10").exists()
    assert "going on from checkpoint-8" in train(base, SMALL, run, tmp_path / "killed")
    assert weights(tmp_path / "killed" / "at-10") == weights(tmp_path / "whole" / "at-10")
    assert not (tmp_path / "killed" / "trainer").exists()


def test_micro_batches_add_up_to_the_batch(base: str, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    for micro in (16, 4):
        train(base, replace(SMALL, micro=micro, dropout=0.0), Run(1e-3, (3,), 0), tmp_path / str(micro))
    one, other = (load_file(tmp_path / str(micro) / "at-3" / "model.safetensors") for micro in (16, 4))
    assert all(np.allclose(one[name], other[name], atol=1e-4) for name in one)


def test_frozen_parts_stay(base: str, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    before = load_file(Path(base) / "model.safetensors")

    def moved(options: RelevanceOptions, name: str) -> set[str]:
        train(base, options, Run(1e-2, (2,), 0), tmp_path / name)
        after = load_file(tmp_path / name / "at-2" / "model.safetensors")
        return {part for part, value in before.items() if not np.array_equal(value, after[f"bert.{part}"])}

    every = moved(SMALL, "none")
    words = moved(replace(SMALL, freeze_words=True), "words")
    layer = moved(replace(SMALL, freeze_layers=1), "layer")
    assert "embeddings.word_embeddings.weight" in every - words
    assert "embeddings.position_embeddings.weight" in words
    assert layer == {name for name in every if not name.startswith(("embeddings.", "encoder.layer.0."))}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (replace(SMALL, max_length=128), "max_length: 128 is more than .* reads, 64 tokens"),
        (replace(SMALL, max_length=16), None),
        (replace(SMALL, freeze_layers=3), "freeze_layers: 3 is more than the 2 layers"),
    ],
)
def test_what_the_base_cannot_do_is_one_line(
    base: str, tmp_path: Path, options: RelevanceOptions, said: str | None
) -> None:
    if said is None:
        assert train(base, options, Run(1e-3, (1,), 0), tmp_path / "work")[-1].startswith("after 1 updates")
        return
    with pytest.raises(ConfigError, match=said):
        train(base, options, Run(1e-3, (1,), 0), tmp_path / "work")


def test_a_query_that_leaves_no_room_is_one_line(base: str, tmp_path: Path) -> None:
    from lawng.models.train.relevance import Hooks, train_relevance

    texts = [GradedText("dog " * 60, "cat", 1, 0.25), GradedText("dog", "road", 0, 0.0)]
    with pytest.raises(ConfigError, match="leaves no room for a text beside the query 'dog dog"):
        train_relevance(base, texts, SMALL, Run(1e-3, (1,), 0), tmp_path, Hooks(lambda _: 0.0, print))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"loss": "hinge"}, "loss 'hinge' is not one of soft, listwise, margin"),
        ({"batch": 20, "micro": 16}, "batch: 20 is not made of micro-batches of 16"),
        ({"batch": 0}, "batch: 0 is not 1 or more"),
        ({"hard_zeros": 2.0}, "hard_zeros: 2.0"),
        ({"dropout": 1.0}, "dropout: 1.0"),
        ({"freeze_layers": -1}, "freeze_layers: -1"),
        ({"max_length": 4}, "max_length: 4"),
    ],
)
def test_wrong_options_are_named(given: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        RelevanceOptions(**given)  # type: ignore[arg-type]


# --- the grid --------------------------------------------------------------------------------------------------------


def test_the_grid_of_the_paper_is_the_default() -> None:
    settings = TuneSettings()
    assert (len(settings.rates), len(settings.updates), settings.runs) == (5, 10, 3)
    assert settings.run(1e-4, 2) == Run(1e-4, settings.updates, 2)
    assert (settings.options.batch, settings.options.loss, settings.depth) == (64, "soft", 100)


def test_the_choice_is_by_the_mean_over_the_runs(tmp_path: Path) -> None:
    found = {1e-4: [{100: 0.5, 200: 0.9}, {100: 0.7, 200: 0.1}], 1e-3: [{100: 0.6, 200: 0.6}, {100: 0.6, 200: 0.62}]}
    cells = cells_of(found)
    assert [(cell.lr, cell.updates) for cell in cells] == [(1e-4, 100), (1e-4, 200), (1e-3, 100), (1e-3, 200)]
    assert chosen(cells) == Cell(1e-3, 200, (0.6, 0.62))
    assert chosen(cells).best_run == 1
    write_grid(tmp_path / "grid.csv", cells, chosen(cells))
    rows = list(csv.DictReader((tmp_path / "grid.csv").open(encoding="utf-8")))
    assert [row["chosen"] for row in rows] == ["", "", "", "yes"]
    assert (rows[1]["lr"], rows[1]["run 1"], rows[1]["mean"], rows[1]["deviation"]) == (
        "0.0001",
        "0.900000",
        "0.500000",
        "0.565685",
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rates": ()}, "--lr: none given"),
        ({"rates": (2.0,)}, "--lr 2.0"),
        ({"updates": (5, 5)}, "--updates: none given, or one twice"),
        ({"updates": (0,)}, "each must be 1 or more"),
        ({"forms": ("wide",)}, "--form wide: not known"),
        ({"targets": "stars"}, "--targets stars: not known"),
        ({"focus": 0}, "--focus 0"),
    ],
)
def test_wrong_settings_are_named(given: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        TuneSettings(**given)  # type: ignore[arg-type]


# --- ACORD's layout --------------------------------------------------------------------------------------------------


def test_targets_are_the_stars() -> None:
    acord = read_acord(SAMPLE, fine=True)
    rough, fine = (texts_of(acord, TuneSettings(targets=targets)) for targets in ("grades", "fine"))
    assert len(rough) == len(fine) == len(acord.of("train"))
    assert all(row.target == row.grade / 4 for row in rough)
    stars = {(acord.queries[query].text, acord.clauses[clause]): value for (query, clause), value in acord.fine.items()}
    for row in fine:
        known = stars.get((row.query, row.text)) if row.grade else None
        assert row.target == pytest.approx(row.grade / 4 if known is None else (known - 1) / 4)
    assert any(row.target != row.grade / 4 for row in fine)
    both = texts_of(acord, TuneSettings(forms=("short", "long")))
    assert len(both) == 2 * len(rough)
    with pytest.raises(InputError, match="no finer scores"):
        texts_of(read_acord(SAMPLE), TuneSettings(targets="fine"))


def test_hard_zeros_are_the_best_of_bm25() -> None:
    acord = read_acord(SAMPLE)
    texts = texts_of(acord, TuneSettings(depth=20))
    hard = Counter(row.query for row in texts if row.hard)
    assert set(hard) == {row.query for row in texts}
    assert max(hard.values()) <= 20
    assert not any(row.hard and row.grade for row in texts)


def test_test_queries_are_not_looked_at(tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(SAMPLE, changed)
    qrels = changed / "qrels" / "test.tsv"
    lines = qrels.read_text(encoding="utf-8").splitlines()
    turned = [f"{line[:-1]}{4 - int(line[-1])}" for line in lines[1:]]
    qrels.write_text("\n".join([lines[0], *turned]) + "\n", encoding="utf-8")
    one, other = read_acord(SAMPLE), read_acord(changed)
    assert one.of("test") != other.of("test")
    texts = texts_of(one, TuneSettings())
    assert texts == texts_of(other, TuneSettings())
    assert digest_of(texts, one) == digest_of(texts, other)


def test_scores_that_are_no_numbers_count_as_0(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    place = tiny_model(tmp_path / "broken", ["relevance"])
    validation = Validation(read_acord(SAMPLE), TuneSettings())
    assert validation(place) > 0.0
    file = place / "model.safetensors"
    broken = {name: torch.full_like(value, torch.nan) for name, value in load_file(file).items()}
    save_file(broken, file, {"format": "pt"})
    assert validation(place) == 0.0


# --- the model that is read ------------------------------------------------------------------------------------------


def clause(name: str, text: str) -> Clause:
    return Clause(name, "contract", "", "", [], 0, 0, len(text), text)


def test_a_focus_in_the_note_is_what_the_model_reads(tmp_path: Path) -> None:
    place = tiny_model(tmp_path / "focused", ["relevance"])
    text = "The dog sleeps. The cat runs. The tax on income was void. The judge found the road."
    plain = clause_reranker(str(place))
    assert type(plain) is CrossEncoderReranker
    (place / NOTE).write_text(json.dumps({"focus": 7}), encoding="utf-8")
    focused = clause_reranker(str(place))
    assert isinstance(focused, FocusedReranker)
    part = focus("tax on income", text, 7)
    assert part != text
    assert focused.rerank("tax on income", [text]) == plain.rerank("tax on income", [part])
    assert focused.rerank("tax on income", [text]) != plain.rerank("tax on income", [text])
    assert focused.state != plain.state
    (place / NOTE).write_text(json.dumps({"focus": "all"}), encoding="utf-8")
    with pytest.raises(InputError, match="focus 'all' is no number of words"):
        clause_reranker(str(place))


class First:
    """Ranks clauses as they stand."""

    name = "first"
    notes: tuple[str, ...] = ("a note",)

    def scores(self, query: str, clauses: Sequence[Clause]) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
        return {"score": -np.arange(len(clauses), dtype=np.float64), "bm25": np.ones(len(clauses))}


class Longest:
    """Ranks the longest text first."""

    name, state = "longest", "1"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def test_a_search_is_ranked_again_at_its_top() -> None:
    clauses = [clause(name, text) for name, text in zip("abcd", ["x", "xxx", "xxx", "xxxxxxxx"], strict=True)]
    columns = RerankedRanker(First(), Longest(), depth=3).scores("q", clauses)
    assert np.argsort(-columns["score"]).tolist() == [1, 2, 0, 3]
    assert columns["rerank"].tolist() == [1.0, 3.0, 3.0, 1.0]
    assert columns["first"].tolist() == [0.0, -1.0, -2.0, -3.0]
    assert all(len(column) == 4 for column in columns.values())
    assert RerankedRanker(First(), Longest()).scores("q", [])["score"].tolist() == []
    with pytest.raises(ConfigError, match="depth: 0"):
        RerankedRanker(First(), Longest(), 0)


# --- the command -----------------------------------------------------------------------------------------------------


def command(base: str, place: Path, *more: str) -> list[str]:
    given = ["train", "relevance", "--data", str(SAMPLE), "-o", str(place), "--base", base, "--max-length", "64"]
    return [*given, "--batch", "16", "--runs", "1", "--depth", "10", "--focus", "30", "--freeze-layers", "1", *more]


def test_the_command_trains_a_grid_and_the_study_uses_its_model(base: str, tmp_path: Path) -> None:
    place = tmp_path / "tuned"
    rates = ("--lr", "1e-4", "--lr", "1e-2", "--updates", "2", "--updates", "6")
    result = CliRunner().invoke(app, command(base, place, *rates))
    assert result.exit_code == 0, result.output
    assert "s an update: 2 runs of 6 updates take about 1 minute" in result.stderr
    assert result.stdout == ""
    note = json.loads((place / NOTE).read_text(encoding="utf-8"))
    rows = list(csv.DictReader((place / "grid.csv").open(encoding="utf-8")))
    assert len(rows) == len(note["grid"]) == 4
    best = max(rows, key=lambda row: float(row["mean"]))
    assert best["chosen"] == "yes" or float(best["mean"]) == pytest.approx(note["chosen"]["mean"], abs=1e-6)
    assert (note["focus"], note["options"]["max_length"], note["base"][0]) == (30, 64, base)
    assert not (place / "work").exists()
    assert not list(tmp_path.glob(".tuned*"))
    assert (place / ONNX).is_file()
    assert note["int8"]["whole"] == pytest.approx(max(scores_of_choice(note)))
    assert "learning rate" in (place / "README.md").read_text(encoding="utf-8")
    study = CliRunner().invoke(
        app,
        [
            "study",
            "acord",
            "--data",
            str(SAMPLE),
            "-o",
            str(tmp_path / "s"),
            "--rerank",
            str(place),
            "--only",
            "bm25+tuned",
        ],
    )
    assert study.exit_code == 0, study.output
    assert "tuned" in study.stdout
    assert "not to be had" not in study.stderr


def scores_of_choice(note: dict[str, Any]) -> list[float]:
    choice = note["chosen"]["lr"], note["chosen"]["updates"]
    [scores] = [cell["scores"] for cell in note["grid"] if (cell["lr"], cell["updates"]) == choice]
    return list(scores)


def test_a_killed_grid_goes_on_and_another_one_begins_anew(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(SMALL, base=base)
    settings = TuneSettings((1e-3, 1e-4), (2, 4), 1, depth=10, int8=False, options=options)
    whole = fine_tune(SAMPLE, tmp_path / "whole", settings, print)
    judged: list[Path] = []
    judge = Validation.__call__

    def breaks(self: Validation, folder: Path, backend: str = "torch") -> float:
        judged.append(folder)
        if len(judged) == 4:
            raise KeyboardInterrupt
        return judge(self, folder, backend)

    monkeypatch.setattr(Validation, "__call__", breaks)
    with pytest.raises(KeyboardInterrupt):
        fine_tune(SAMPLE, tmp_path / "killed", settings, print)
    assert not (tmp_path / "killed").exists()
    left = list((tmp_path / ".killed.partial" / "work").glob("*/at-*/model.safetensors"))
    assert len(left) == 2 + 1  # the best of the finished learning rate, the next one's first, and what was begun
    again = fine_tune(SAMPLE, tmp_path / "killed", settings, print)
    assert len(judged) == 4 + 1
    assert again.cells == whole.cells
    assert weights(tmp_path / "killed") == weights(tmp_path / "whole")
    other = replace(settings, rates=(1e-3,), updates=(1,), seed=5)
    fine_tune(SAMPLE, tmp_path / "killed", other, print)
    assert json.loads((tmp_path / "killed" / NOTE).read_text(encoding="utf-8"))["chosen"]["seed"] == 5


def test_known_errors_of_the_command_are_one_line(base: str, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "letter.txt").write_text("dear", encoding="utf-8")
    for more, said in (
        (("--loss", "hinge"), "loss 'hinge'"),
        (("--updates", "0"), "--updates"),
        (("--max-length", "128", "--updates", "1"), "more than"),
    ):
        result = CliRunner().invoke(app, command(base, tmp_path / "new", *more))
        assert isinstance(result.exception, LawngError), result.output
        assert said in str(result.exception)
        assert "\n" not in str(result.exception)
    result = CliRunner().invoke(app, command(base, taken, "--updates", "1"))
    assert isinstance(result.exception, InputError)
    assert "is no relevance model" in str(result.exception)


def test_the_vocabulary_has_the_nouns() -> None:
    assert set(NOUNS) <= set(WORDS)

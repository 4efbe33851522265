"""From films to two models and a cohort, on a few films of noise: every file is there and fits the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from scipy.ndimage import gaussian_filter

from explorer.analysis.performance import performance_table
from explorer.asking.validation import validation
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest, read_model_manifest
from explorer.metrics.bootstrap import bootstrap
from explorer.simulator.cohort_sampling import (
    SEEN_FINDINGS,
    TEST_SPLIT,
    TRAINING_SPLIT,
    UNSEEN_FINDINGS,
    VALIDATION_SPLIT,
    Split,
    has_finding,
    sample_cases,
)
from explorer.simulator.film_png import simulated_png
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.workshop.lab.phantom_shard import MASK_CELLS, RenderedPixels
from explorer.workshop.lab.phantom_splits import SplitFilms, Splits
from explorer.workshop.shipping.phantom_appearances import appearance_table
from explorer.workshop.shipping.phantom_cohort import ALL_FINDINGS, build_cohort
from explorer.workshop.shipping.phantom_report import EXACT_SOURCE, REPORT_SOURCE
from explorer.workshop.shipping.ship_phantom import ship_phantom_model
from explorer.workshop.shipping.training import vlm
from explorer.workshop.shipping.training.place import trial_folders
from models import load
from models.cards.classifier_card import classifier_card
from models.cards.heat_method import HeatMethod
from models.cards.vlm_card import vlm_card
from models.gate.statistics import gate_statistics
from models.prompts.standard import standard_prompts
from models.radiograph import read_radiograph
from models.training.lab_recipe import LabRecipe
from models.training.network import LINEAR_HEAD
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.shipping.nih.ship import heat_maximum
from models.training.shipping.vlm.heat import vlm_heat_maximum as vlm_heat_maximum

pytestmark = pytest.mark.training
STAGE = TrainingRecipe(size=64, epochs=2, batch=4, loss=RecipePart("bce"), mask_weight=5.0)
TINY = LabRecipe("tiny", "Tiny", "the size", "this test", "", None, LINEAR_HEAD, (STAGE,))


class Letters:
    """Counts letters, to spare the minute that the shipped text tower takes for all captions."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        counts = np.zeros((len(texts), 384), dtype=np.float32)
        for row, text in enumerate(texts):
            for place, letter in enumerate(text):
                counts[row, (ord(letter) * 7 + place % 5) % 384] += 1
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def split(part: Split, films: int) -> SplitFilms:
    chosen = sample_cases(part)[:: len(sample_cases(part)) // films][:films]
    random = np.random.default_rng(films)
    smooth = gaussian_filter(random.normal(size=(films, 64, 64)), (0, 4, 4)) * 1e5 + random.uniform(
        2e4, 4e4, (films, 1, 1)
    )
    exact = smooth.clip(0, 65535).astype(np.uint16)
    wide = np.pad(exact // 257, ((0, 0), (4, 4), (4, 4)), mode="edge").astype(np.uint8)
    boxes = np.array([[0, 2, 0.1, 0.2, 0.3, 0.4], [films - 1, 5, 0.5, 0.5, 0.25, 0.25]], dtype=np.float32)
    masked, masks = np.array([[0, 2], [films - 1, 5]]), np.full((2, MASK_CELLS, MASK_CELLS), 9, dtype=np.uint8)
    return SplitFilms(chosen, RenderedPixels(exact, wide, boxes, masked, masks))


@pytest.fixture(scope="module", autouse=True)
def few_resamples_and_maps() -> Iterator[None]:
    """Of the 1,000 behind every interval: how wide the intervals are is tested with the bootstrap."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.workshop.lab.ranking_figures.bootstrap", partial(bootstrap, resamples=50))
        patch.setattr("explorer.workshop.shipping.training.classifier.heat_maximum", few_maps(heat_maximum))
        patch.setattr("explorer.workshop.shipping.training.vlm.vlm_heat_maximum", few_maps(vlm_heat_maximum))
        yield


def few_maps(measure: Callable[..., float]) -> Callable[..., float]:
    """How warm maps get, by every tenth validation film."""

    def measured(*arguments: object) -> float:
        return measure(
            *(_every_tenth(each) if isinstance(each, np.ndarray) and each.ndim == 1 else each for each in arguments)
        )

    return measured


def _every_tenth(parts: np.ndarray) -> np.ndarray:
    """The parts of films; the others are of none."""
    return np.where(np.arange(len(parts)) % 10 == 0, parts, -1)


@pytest.fixture(autouse=True)
def small_drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    """How findings look is tested with the shipped cohort: a quarter minute of drawing at full size."""
    monkeypatch.setattr(
        "explorer.workshop.shipping.phantom_cohort.appearance_table", partial(appearance_table, size=96)
    )


@pytest.fixture(scope="module")
def splits() -> Splits:
    return Splits(split(TRAINING_SPLIT, 40), split(VALIDATION_SPLIT, 100), split(TEST_SPLIT, 60))


@pytest.fixture(scope="module")
def shipped(splits: Splits, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a trial."""
    run = tmp_path_factory.mktemp("run")
    patch = pytest.MonkeyPatch()
    patch.setattr(vlm, "ShippedTextTower", Letters)
    ship_phantom_model(run, TINY, 0, splits, trial_folders(run / "shipped"), "phantom")
    patch.undo()
    return run / "shipped"


def test_the_classifier_is_one_for_simulated_films(shipped: Path) -> None:
    made = classifier_card(str(shipped / "phantom.toml"))
    assert made.films == "simulated" and made.findings == SEEN_FINDINGS and made.size == 64
    assert sum(each.films for each in made.training) == 40
    assert {*made.operating_points} == {*made.platt} and len(made.operating_points) > 20
    known = gate_statistics(made)
    assert known is not None and known.cut > 0
    assert "the\nrecipe `tiny`" in (shipped / "models" / "weights" / "phantom.md").read_text(encoding="utf-8")
    assert "SIMULATED" in (shipped / "models" / "weights" / "phantom.md").read_text(encoding="utf-8")


def test_its_mask_head_says_nowhere_of_what_has_no_place(shipped: Path, splits: Splits) -> None:
    model = load.network(str(shipped / "phantom.toml"), "cpu")
    film = read_radiograph(simulated_png(splits.test.cases[0].address, 96))
    heat = model.heat(film, ["Mass", "Kyphosis", "Normal"], HeatMethod("MaskHead"))
    assert heat.maps.shape == (3, 4, 4) and 0 < heat.maps[0].min() <= heat.maps[0].max() < 1
    assert heat.maps[1:].max() < 1e-9


def test_a_finished_run_is_not_trained_again(shipped: Path, splits: Splits, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr("explorer.workshop.lab.run.fit_network", never)
    monkeypatch.setattr(vlm, "ShippedTextTower", Letters)
    before = (shipped / "phantom.toml").read_bytes()
    ship_phantom_model(shipped.parent, TINY, 0, splits, trial_folders(shipped), "phantom")
    assert (shipped / "phantom.toml").read_bytes() == before


def test_the_twin_is_told_of_the_seen_alone_and_shares_its_text_tower(shipped: Path) -> None:
    made = vlm_card(str(shipped / "phantom-vlm.toml"))
    assert made.films == "simulated" and made.captions == SEEN_FINDINGS
    assert not {*UNSEEN_FINDINGS} & {*made.operating_points}
    assert made.source == "local-dir:models/weights/nih-mini-vlm"
    assert (shipped / "models" / "weights" / "phantom-vlm.safetensors").stat().st_size < 2_000_000
    films = validation(made)
    assert films is not None and films.findings == ALL_FINDINGS and len(films) == 100
    assert films.cohort.startswith("100 simulated validation films")
    text = (shipped / "models" / "weights" / "phantom-vlm.md").read_text(encoding="utf-8")
    assert "The six unseen" in text and all(f"| {finding} |" in text for finding in UNSEEN_FINDINGS)


def test_the_cohort_is_one_that_the_store_answers_from(shipped: Path, splits: Splits, tmp_path: Path) -> None:
    films = splits.test
    names = (str(shipped / "phantom.toml"), str(shipped / "phantom-vlm.toml"))
    folder = build_cohort(tmp_path, films.cases, films.pixels, *names)
    about = read_manifest(folder.manifest)
    assert about.simulated and about.masks == "simulator" and "SIMULATED" in about.title and about.cases == 60
    assert read_model_manifest(folder.model("phantom")).origins == {"A": "internal", "B": "internal"}
    assert read_model_manifest(folder.model("phantom-vlm")).unit == "margin"
    table = pq.read_table(folder.cases)
    assert table["file"].to_pylist() == [case.address for case in films.cases]
    assert table["weight"].to_pylist() == pytest.approx([case.weight for case in films.cases])
    said = pq.read_table(folder.labels).to_pylist()
    there = {
        (row["case"], row["finding"]) for row in said if (row["label"], row["source"]) == ("present", EXACT_SOURCE)
    }
    assert about.default_source == EXACT_SOURCE and {row["source"] for row in said} == {EXACT_SOURCE, REPORT_SOURCE}
    assert there == {(c.film.case, f) for c in films.cases for f in ALL_FINDINGS if has_finding(c, f)}
    boxes = pq.read_table(folder.boxes).to_pylist()
    assert [(box["case"], box["finding"]) for box in boxes] == [
        (films.cases[0].film.case, "Pleural Effusion"),
        (films.cases[-1].film.case, "Pleural Thickening"),
    ]
    _asked(Folder(folder.path), films)


def _asked(folder: Folder, films: SplitFilms) -> None:
    """The finding table has figures at natural prevalence."""
    store = Store(lambda: [folder])
    for model in ("phantom", "phantom-vlm"):
        table = performance_table.build_performance_table(store, Slice("phantom", model))
        assert {center.name: center.films for center in table.centers} == {
            center: sum(case.film.center == center for case in films.cases) for center in ("A", "B")
        }
        line = next(line for line in table.lines if line.finding == "Cardiomegaly")
        assert line.pooled.natural is not None and line.pooled.natural.value != line.pooled.average_precision
    assert len(store.models("phantom")) == 2
    store.close()


def test_scores_are_those_of_the_model_that_is_loaded(shipped: Path, splits: Splits, tmp_path: Path) -> None:
    films = replace(splits.test.pixels, exact=splits.test.pixels.exact[:3], boxes=np.empty((0, 6), np.float32))
    names = (str(shipped / "phantom.toml"), str(shipped / "phantom-vlm.toml"))
    folder = build_cohort(tmp_path, splits.test.cases[:3], films, *names)
    rows = pq.read_table(folder.predictions("phantom-vlm") / "part-00000.parquet").to_pylist()
    model, twin = load.classifier(names[0], "cpu"), load.vlm(names[1], "cpu")
    boxed = [torch.from_numpy(film.astype(np.float32) / 65535) for film in films.exact]
    asked = standard_prompts(twin.card.templates)
    margin = twin.score(twin.project(model.score_boxed(boxed)[1]), [asked["Goiter"]]).margin[:, 0]
    stored = [row["score"] for row in rows if row["finding"] == "Goiter"]
    np.testing.assert_allclose(stored, margin, atol=2e-3)

"""Left out is left out: labels, captions, outputs and patients; and films go to the tower that has not seen them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from models.training.films import TrainingFilms
from models.training.network import predict, started_backbone
from models.training.nih.dataset import NIH_FINDINGS
from models.training.recipe import TrainingRecipe
from models.training.shipping.vlm import unseen
from models.training.shipping.vlm.blind import last_layer, pass_blind_towers
from models.training.shipping.vlm.captions import caption_pairs, film_captions, taught_phrases
from models.training.shipping.vlm.folder import Projection
from models.training.shipping.vlm.heat import vlm_heat_maximum
from models.training.shipping.vlm.spoken import EncodedCaptions, encode_captions, question_directions
from models.training.start import imagenet_state
from models.training.trained import load_trained

NAMES = list(NIH_FINDINGS.values())
TINY = TrainingRecipe(size=64)


@pytest.fixture(scope="module")
def films() -> TrainingFilms:
    """Sixty films of twenty patients: noise."""
    random = np.random.default_rng(0)
    return TrainingFilms(
        image_ids=tuple(f"{row}" for row in range(60)),
        paths=tuple(Path(f"{row}.png") for row in range(60)),
        pixels=random.integers(0, 256, (60, 64, 64), dtype=np.uint8),
        labels=(random.random((60, 15)) < 0.3).astype(np.float32),
        patients=np.array([f"p{row // 3}" for row in range(60)]),
        folders=np.array(["a", "b"])[np.arange(60) // 30],
        sharp=np.zeros(60, dtype=bool),
        traits=np.full((60, 3), np.nan, dtype=np.float32),
    )


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two untrained towers of different heads."""
    folder = tmp_path_factory.mktemp("towers")
    for part in range(2):
        torch.manual_seed(part)
        save_file(started_backbone(TINY, 18, imagenet_state()).state_dict(), folder / f"{part}.safetensors")
    return [folder / f"{part}.safetensors" for part in range(2)]


class Letters:
    """An encoder that counts letters: enough to tell texts apart."""

    def embed(self, texts: list[str]) -> np.ndarray:
        counts = np.array([[text.count(chr(97 + place)) + 0.1 for place in range(26)] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def said(films: TrainingFilms) -> EncodedCaptions:
    return encode_captions(Letters(), films.labels, NAMES)


def test_every_finding_is_left_out_once_and_normal_never() -> None:
    left = [finding for findings in unseen.GROUPS.values() for finding in findings]
    assert sorted(left) == sorted(set(NAMES) - {"Normal"})
    assert unseen.GROUPS["control"] == ()


def test_halves_are_of_whole_patients(films: TrainingFilms) -> None:
    parts = unseen.patient_halves(films)
    assert set(parts) == {0, 1}
    for patient in np.unique(films.patients):
        assert len(set(parts[films.patients == patient])) == 1


def test_labels_that_are_left_out_are_not_there(films: TrainingFilms) -> None:
    without = unseen.without_findings(films, unseen.GROUPS["third"])
    kept = [k for k, name in enumerate(NAMES) if name not in unseen.GROUPS["third"]]
    np.testing.assert_array_equal(without.labels, films.labels[:, kept])


def test_each_film_is_read_by_the_tower_of_its_part(films: TrainingFilms, checkpoints: list[Path]) -> None:
    parts = (np.arange(60) // 7) % 2
    found = pass_blind_towers(checkpoints, parts, films, TINY)
    for part, path in enumerate(checkpoints):
        rows = np.flatnonzero(parts == part)
        logits = predict(load_trained(path, TINY).network, films.pixels[rows], 15)
        np.testing.assert_allclose(found.logits[rows], logits, atol=1e-4)
        np.testing.assert_array_equal(found.heads[part][1], last_layer(path, 15)[1])
    kept = found.only([2, 5])
    np.testing.assert_array_equal(kept.logits, found.logits[:, [2, 5]])
    np.testing.assert_array_equal(kept.heads[1][0], found.heads[1][0][[2, 5]])


def test_a_films_own_labels_do_not_move_it(
    films: TrainingFilms, checkpoints: list[Path], said: EncodedCaptions
) -> None:
    parts = unseen.patient_halves(films)
    found = pass_blind_towers(checkpoints, parts, films, TINY)
    where = said.directions(range(15))
    before = found.projections(where)
    found.labels[parts == 0] = 1 - found.labels[parts == 0]
    after = found.projections(where)
    found.labels[parts == 0] = 1 - found.labels[parts == 0]
    np.testing.assert_array_equal(before[0].weight, after[0].weight)
    assert not np.array_equal(before[1].weight, after[1].weight), "but they do move the films of the other part"


def test_captions_that_name_what_is_left_out_are_not_learned_from(films: TrainingFilms, said: EncodedCaptions) -> None:
    left = NAMES.index("Pleural Effusion")
    kept = [k for k in range(15) if k != left]
    before = said.directions(kept).findings
    named = np.array([left in (*caption.present, *caption.absent) for caption in said.captions])
    assert named.any()
    said.differences[said.of == left] += 1
    said.vectors[named] += 1
    try:
        np.testing.assert_array_equal(said.directions(kept).findings, before)
        assert not np.allclose(said.directions(range(15)).findings[:, :5], before[:, :5])
    finally:
        said.differences[said.of == left] -= 1
        said.vectors[named] -= 1


def test_pairs_and_captions_are_all_encoded(films: TrainingFilms, said: EncodedCaptions) -> None:
    pairs = [len(caption_pairs(k, name, phrase)) for k, name in enumerate(NAMES) for phrase in taught_phrases(name)]
    assert len(said.of) == sum(pairs) + len(pairs), "every phrasing, and the ensemble that is asked"
    captions = list(film_captions(films.labels, NAMES, np.random.default_rng(0)))
    np.testing.assert_allclose(said.vectors, Letters().embed([caption.text for caption in captions]), atol=1e-6)
    ensemble = said.differences[0]
    np.testing.assert_allclose(ensemble, question_directions(Letters(), [taught_phrases(NAMES[0])[0]])[0], atol=1e-6)


@pytest.mark.slow
def test_heat_is_measured_in_units_of_the_margin(films: TrainingFilms, checkpoints: list[Path]) -> None:
    random = np.random.default_rng(3)
    width = last_layer(checkpoints[0], 15)[0].shape[1]
    projected = Projection(random.normal(size=(8, width)).astype(np.float32), np.zeros(8, np.float32), 1.0)
    directions = random.normal(size=(2, 8)).astype(np.float32)
    folds = np.zeros(60, dtype=np.int64)
    found = vlm_heat_maximum(checkpoints[:1], [projected], folds, films, TINY, directions)
    twice = vlm_heat_maximum(checkpoints[:1], [projected], folds, films, TINY, 2 * directions)
    longer = Projection(3 * projected.weight, projected.bias, 1.0)
    assert found > 0
    assert twice == pytest.approx(2 * found, rel=1e-4)
    assert vlm_heat_maximum(checkpoints[:1], [longer], folds, films, TINY, directions) == pytest.approx(found, rel=1e-4)

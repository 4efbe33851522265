"""A cohort scored by an image-text model: margins of every finding, embeddings that texts rank by, resuming."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from explorer.asking.answer_threshold import UNTESTED_RULE
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.manifest import read_model_manifest
from explorer.core.findings import FINDINGS
from explorer.scoring.card_facts import scoring_vlm
from explorer.scoring.margins import Margins
from explorer.scoring.run import score_cohort
from models import load
from models.cards.card import CardPoint
from models.prompts.standard import standard_prompts
from models.prompts.templates import prompt_set
from models.radiograph import read_radiograph
from models.vlm.model import VLM
from tests.explorer.cli.command import run
from tests.explorer.scoring.cohorts import features_of, scores_of, write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.vlm_builders import write_twin, write_twin_card
from tests.support.wording import Wording

FILMS = 20


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("twin")
    return write_twin_card(folder, write_twin(folder))


@pytest.fixture(scope="module")
def model(twin: Path) -> VLM:
    return load.vlm(str(twin), "cpu")


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    names = write_films(tmp_path / "films", FILMS)
    return write_cohort(Folder(own_cohorts() / "own"), [("north", name) for name in names], tmp_path / "films")


def test_margins_and_embeddings_are_those_of_the_film_alone(cohort: Folder, model: VLM, tmp_path: Path) -> None:
    manifest = score_cohort(cohort, model, Images({"own": tmp_path / "films"}), part=16).manifest
    assert read_model_manifest(cohort.model("twin")) == manifest
    assert (manifest.unit, manifest.scale) == ("margin", model.scale)
    assert set(manifest.findings) == {finding.name for finding in FINDINGS.values()}
    scores, features = scores_of(cohort, "twin"), features_of(cohort, "twin")
    for name in ("0000.png", "0017.png"):
        live = model.embed_images([read_radiograph(tmp_path / "films" / name)])
        assert features[f"north {name}"].astype(np.float32) == pytest.approx(live[0], abs=1e-3)
        for finding in ("Mass", "Pleural Effusion", "Normal"):
            asked = prompt_set(finding.lower(), model.card.templates)
            margin = model.score(live, [asked]).margin[0, 0]
            assert scores[f"north {name}", finding] == pytest.approx(margin, abs=1e-5)


def test_where_no_film_set_a_threshold_it_is_margin_0_and_says_so(
    cohort: Folder, model: VLM, twin: Path, tmp_path: Path
) -> None:
    score_cohort(cohort, model, Images({"own": tmp_path / "films"}))
    points = pq.read_table(cohort.operating_points("twin")).to_pylist()
    assert len(points) == len(FINDINGS)
    assert {(point["threshold"], point["rule"], point["split"]) for point in points} == {(0.0, UNTESTED_RULE, None)}
    assert UNTESTED_RULE in read_model_manifest(cohort.model("twin")).thresholds


def test_a_threshold_of_the_card_is_taken_as_it_is(model: VLM) -> None:
    point = CardPoint(0.02, "Youden's J", 0.8, 0.7, 20, 80)
    points = scoring_vlm(replace(model.card, operating_points={"Mass": point}), model.scale).points
    assert points["Mass"] == (0.02, "Youden's J")
    assert points["Nodule"] == (0.0, UNTESTED_RULE)


def test_a_run_that_was_broken_off_is_taken_up(cohort: Folder, model: VLM, tmp_path: Path) -> None:
    class Broken(Exception):
        pass

    def stop(done: int, of: int) -> None:
        if done > 16:
            raise Broken

    films = Images({"own": tmp_path / "films"})
    with pytest.raises(Broken):
        score_cohort(cohort, model, films, stop, part=16)
    assert not cohort.model("twin").exists()
    assert score_cohort(cohort, model, films, part=16).tried == FILMS - 16
    assert len(scores_of(cohort, "twin")) == FILMS * len(FINDINGS)
    assert len(features_of(cohort, "twin")) == FILMS


def test_margins_of_other_prompts_are_not_mixed(
    cohort: Folder, model: VLM, twin: Path, tmp_path: Path, wording: Wording
) -> None:
    score_cohort(cohort, model, Images({"own": tmp_path / "films"}))
    other = tmp_path / "other.toml"
    other.write_text(twin.read_text() + '\n[[templates]]\npositive = "{}"\nnegative = "no {}"\n')
    with pytest.raises(NoCohort) as caught:
        score_cohort(cohort, load.vlm(str(other), "cpu"), Images({"own": tmp_path / "films"}))
    wording(caught.value, "own", "twin")


def test_the_command_takes_either_kind_of_model(cohort: Folder, twin: Path) -> None:
    result = run("score", "--cohort", "own", "--model", str(twin), "--device", "cpu")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(f"own by twin: {FILMS} tried, {FILMS} scored in total.")
    assert scores_of(cohort, "twin")


def test_a_margin_does_not_depend_on_the_batch(model: VLM) -> None:
    """Embeddings are given: what a network makes of a batch is another matter."""
    reads = Margins(model)
    embeddings = np.random.default_rng(0).standard_normal((40, reads._directions.shape[1])).astype(np.float32)
    reads._embed = lambda films: embeddings[[int(each) for each in films]]  # type: ignore[method-assign, assignment]
    films = [torch.tensor(row) for row in range(40)]
    together, _ = reads.score_boxed(films)
    asked = list(standard_prompts(model.card.templates).values())
    np.testing.assert_array_equal(together, model.score(embeddings, asked).margin)
    for start, stop in ((0, 1), (3, 20), (17, 40)):
        np.testing.assert_array_equal(reads.score_boxed(films[start:stop])[0], together[start:stop])

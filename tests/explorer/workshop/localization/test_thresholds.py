"""By which thresholds `localize` says that a finding is called, and what it says of a model that has none."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.cohorts.chosen_thresholds import (
    ChosenOn,
    ChosenThresholds,
    ThresholdPoint,
    save_thresholds,
    scores_version,
)
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE, cohort_folder
from explorer.tabular.problems import WrongInput
from explorer.workshop.localization.command import Localizer
from explorer.workshop.localization.mapped_model import ClassifierMaps
from explorer.workshop.localization.measured import MeasurementFolder
from explorer.workshop.localization.report import report_text
from explorer.workshop.localization.summary import summarize
from models.cards.heat_method import HeatMethod
from models.radiograph import Radiograph
from tests.support.wording import Wording, line_with

FILM = Radiograph.from_pixels(np.zeros((64, 48), np.float32))


@dataclass
class WithoutThresholds:
    """A classifier as `model new` makes it: its card has no thresholds."""

    findings: tuple[str, ...] = ("Mass", "Nodule")
    card: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(
            name="phantom", sha256="0" * 64, operating_points={}, heat_method=HeatMethod()
        )
    )
    heat = None

    def score(self, films: list[Radiograph]) -> np.ndarray:
        return np.array([[0.4, 0.6]] * len(films), np.float32)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def chosen(split: str | None) -> ChosenThresholds:
    version = scores_version(cohort_folder("phantom"), "phantom")
    about = ChosenOn("youden", "", 9, 9, "2026-11-27", version, {}, {})
    return ChosenThresholds((ThresholdPoint("Nodule", split, 0.5, "youden"),), about)


def localizing() -> Localizer:
    return Localizer(WithoutThresholds(), Images({}), 1, lambda done, of: None)  # type: ignore[arg-type]


def test_a_model_without_thresholds_is_refused_with_the_commands_that_choose_some(wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        localizing().report(cohort_folder("phantom"), (), 0)
    wording(caught.value, "phantom", "thresholds --cohort phantom")


def test_thresholds_that_differ_by_fold_are_refused() -> None:
    save_thresholds(cohort_folder("phantom"), "phantom", chosen("fold 1"))
    with pytest.raises(WrongInput, match="differ between folds"):
        localizing().report(cohort_folder("phantom"), (), 0)


def test_thresholds_chosen_later_are_used_and_measured_anew() -> None:
    model = WithoutThresholds()
    save_thresholds(cohort_folder("phantom"), "phantom", chosen(None))
    assert localizing()._mapped_model(cohort_folder("phantom")).flags(FILM) == {"Nodule": True}  # Mass has none
    at, higher = ClassifierMaps(model, {"Nodule": 0.5}), ClassifierMaps(model, {"Nodule": 0.7})  # type: ignore[arg-type]
    assert (at.flags(FILM), higher.flags(FILM)) == ({"Nodule": True}, {"Nodule": False})
    assert at.sha256 != higher.sha256, "what was measured at other thresholds is not taken for this"


def test_nothing_measured_is_a_sentence(tmp_path: Path, wording: Wording) -> None:
    place = MeasurementFolder(tmp_path, "known", "0", ((),))
    for part in (*place.targets(), *place.found(HeatMethod()), *place.alike(HeatMethod())):
        part.path.parent.mkdir(parents=True, exist_ok=True)
        part.write([], {})
    wording(line_with(report_text(summarize(place, (HeatMethod(),))), "nothing to measure"))

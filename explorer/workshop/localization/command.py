"""Implements `python -m explorer localize`: measures one model's maps on several cohorts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.chosen_thresholds import thresholds_in_force
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.progress import OnProgress
from explorer.tabular.problems import WrongInput
from explorer.workshop.localization.choice import best_method, chosen_card
from explorer.workshop.localization.films import LocatedFilm, located_films
from explorer.workshop.localization.mapped_model import ClassifierMaps, MappedModel, TextMaps
from explorer.workshop.localization.measured import MeasurementFolder
from explorer.workshop.localization.randomization import randomize_layers
from explorer.workshop.localization.report import randomization_text, report_csv, report_text
from explorer.workshop.localization.run import measure_maps
from explorer.workshop.localization.summary import summarize
from models.cards.heat_method import HeatMethod
from models.cards.map_card import map_card_text
from models.classifier.classifier import Classifier
from models.classifier.ensemble import AnyClassifier
from models.vlm.model import VLM
from models.whole_file import check_writable


@dataclass(frozen=True, slots=True)
class LocalizationReport:
    """The printed text, all lines as CSV, and the films that failed, with reasons."""

    text: str
    csv: str
    failures: dict[str, str]


class Localizer:
    """Measures a model's maps on cohorts, using `most` evenly sampled films of each; 0 means all."""

    def __init__(self, model: AnyClassifier | VLM, images: Images, most: int, progress: OnProgress) -> None:
        self._classifier = model if isinstance(model, Classifier) else None
        self._model = model
        self._own = model.card.heat_method
        self._images = images
        self._most = most
        self._progress = progress

    def best(self, validation: Folder, methods: Sequence[HeatMethod]) -> HeatMethod:
        """Return the method that finds the most targets on a cohort's films."""
        methods = self._methods(methods)
        place, _ = self._measured(validation, methods)
        return best_method(summarize(place, methods), methods)

    def report(self, cohort: Folder, methods: Sequence[HeatMethod], randomization: int) -> LocalizationReport:
        """Measure methods on a cohort, and test on `randomization` films whether maps change with randomized layers."""
        methods = self._methods(methods)
        place, failures = self._measured(cohort, methods)
        found = summarize(place, methods)
        randomized_text = self._randomized_text(cohort, methods, randomization) if randomization else ""
        return LocalizationReport(report_text(found) + randomized_text, report_csv(found), failures)

    def card(self, validation: Folder, cohort: Folder, method: HeatMethod) -> str:
        """Return the text of the file that a card names under `maps`."""
        films = {folder.name: len(self._films(folder)) for folder in (validation, cohort)}
        place, _ = self._measured(cohort, [method])
        described = [f"{films[folder.name]:,} films of {folder.name}" for folder in (validation, cohort)]
        return map_card_text(chosen_card(place, method, *described))

    def _mapped_model(self, folder: Folder) -> MappedModel:
        """Return the model with its current thresholds on a cohort. Raises WrongInput if it has none."""
        model = self._model
        if isinstance(model, VLM):
            return TextMaps(model)
        chosen = thresholds_in_force(folder, model.card.name)
        points = {} if chosen is None else {each.finding: each.threshold for each in chosen.points}
        if chosen is not None and any(each.split for each in chosen.points):
            raise WrongInput(
                f"The thresholds chosen for {model.card.name} differ between folds, but maps need a single one for "
                "all films. Choose them again without `--on fold`, or --reset them."
            )
        if not points and not model.card.operating_points:
            raise WrongInput(
                f"{model.card.name} has no thresholds, so it flags no finding whose map could be measured. "
                f"Choose some: `python -m explorer score --cohort {folder.name} --model {model.card.name}`, then "
                f"`python -m explorer thresholds --cohort {folder.name} --model {model.card.name}`."
            )
        return ClassifierMaps(model, points)

    def _methods(self, methods: Sequence[HeatMethod]) -> tuple[HeatMethod, ...]:
        return tuple(dict.fromkeys(methods or (self._own, HeatMethod())))

    def _films(self, folder: Folder) -> list[LocatedFilm]:
        films = located_films(folder, self._images)
        return films if not self._most else films[:: max(1, -(-len(films) // self._most))]

    def _measured(self, folder: Folder, methods: Sequence[HeatMethod]) -> tuple[MeasurementFolder, dict[str, str]]:
        films = self._films(folder)
        place = (folder.overlay if folder.path.parent == CACHE and folder.overlay else folder.path) / "localization"
        place /= f"{len(films)}-films"
        _check_place(place)
        try:
            return measure_maps(films, self._mapped_model(folder), methods, place, self._progress)
        except ValueError as error:
            raise WrongInput(f"{error} Correct --methods.") from error

    def _randomized_text(self, folder: Folder, methods: Sequence[HeatMethod], most: int) -> str:
        """Return the text of the randomization test, run on films with a flagged finding that has a mask."""
        if self._classifier is None:
            raise WrongInput(
                "Only a single classifier's layers can be randomized: omit --randomization, or name a member of the "
                "ensemble."
            )
        chosen, model = [], self._mapped_model(folder)
        for film in self._films(folder):
            radiograph = film.source.radiograph()
            flagged, masked = model.flags(radiograph), film.masks(radiograph.pixels.shape)
            findings = sorted(finding for finding in masked if flagged.get(finding))
            if findings:
                chosen.append((radiograph, findings))
            if len(chosen) == most:
                break
        return "".join(
            f"\n{method}\n" + randomization_text(randomize_layers(self._classifier, chosen, method))
            for method in methods
        )


def _check_place(place: Path) -> None:
    """Raise WrongInput if measurements cannot be stored, before they are computed."""
    try:
        check_writable(place)
    except OSError as error:
        raise WrongInput(
            f"Measurements cannot be stored in {place}: {error.strerror}. Make it writable, with room on its disk, "
            "then "
            "try again."
        ) from error

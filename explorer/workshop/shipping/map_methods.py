"""Chooses and measures the shipped models' heat maps: `python -m explorer.workshop.shipping.map_methods --run RUN`.

The phantom's maps are chosen on its validation films and measured on its test films. Only 38 NIH films have boxes, all
among the models' training films: too few to split, so maps are chosen and measured on the same films. Writes
`models/weights/MODEL.maps.toml` and names it in the models' registry files. An interrupted run resumes where it
stopped.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import cohort_folder
from explorer.simulator.cohort_sampling import TEST_SPLIT, VALIDATION_SPLIT, Split, sample_cases
from explorer.workshop.localization.choice import best_method, chosen_card
from explorer.workshop.localization.films import LocatedFilm, exact_masks, located_films
from explorer.workshop.localization.mapped_model import ClassifierMaps, MappedModel, TextMaps
from explorer.workshop.localization.measured import MeasurementFolder
from explorer.workshop.localization.report import report_text
from explorer.workshop.localization.run import measure_maps
from explorer.workshop.localization.summary import summarize
from explorer.workshop.shipping.training.place import SHIPPED_FOLDERS
from models.cards.classifier_card import classifier_card
from models.cards.heat_method import HeatMethod
from models.cards.map_card import map_card_text
from models.classifier.joined_network import JOINED_ARCHITECTURE, TIMM_PART
from models.load import classifier, vlm
from models.training.nih.members import NIH_CLASSIFIERS
from models.training.shipping.listed_files import write_file_hashes
from models.whole_file import atomic_write

log = logging.getLogger(__name__)

LAYERS = ("blocks.4", "blocks.2+blocks.4")
# A classifier's pass at 224 px takes twice as long as one at 160 px; the first map may take no longer than that.
CLASSIFIER_METHODS = ("GradCAM@last", "LayerCAM@blocks.4", "HiResCAM@blocks.4") + tuple(
    f"HiResCAM@{layers}{size}:contrastive" for layers in LAYERS for size in ("", ":192", ":224")
)
MASK_METHODS = ("MaskHead@last", "MaskHead@last:224")  # for classifiers with a mask head
MASK_ONLY_MODELS = ("lab-class-aware-masks-1",)  # because for `phantom` they were better than all others
# A margin is already a contrast: between a text and its opposite.
IMAGE_TEXT_METHODS = (
    "GradCAM@last",
    *(f"HiResCAM@{layers}{size}" for layers in LAYERS for size in ("", ":192", ":224")),
)


@dataclass(frozen=True, slots=True)
class MappedFilms:
    """Films on which maps are measured; `called` is their description on a card."""

    name: str
    called: str
    films: Sequence[LocatedFilm]


def main() -> None:
    """Choose methods, measure them, and write the results."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.map_methods", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder for measurements")
    parser.add_argument("--nih", type=Path, help="folder of the NIH films; without it, only the phantom's models")
    parser.add_argument("--only", nargs="*", help="models (default: all whose films are available)")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_flush_denormal(True)
    torch.set_num_threads(1)  # films are small, so several threads would only wait for one another
    boxed = None if options.nih is None else _boxed(options.nih)
    validation, test = simulated_split(VALIDATION_SPLIT, 2), simulated_split(TEST_SPLIT, 1)
    for name, chosen_on, measured_on in (
        *((name, validation, test) for name in ("phantom", *MASK_ONLY_MODELS)),
        ("phantom-vlm", validation, simulated_split(TEST_SPLIT, 4)),  # each finding takes a separate pass
        *((name, boxed, boxed) for name in (*NIH_CLASSIFIERS, "nih-mini-vlm")),
    ):
        if chosen_on and measured_on and (not options.only or name in options.only):
            _ship(name, options.run, chosen_on, measured_on)


def simulated_split(split: Split, step: int) -> MappedFilms:
    """Return every `step`th film of a split of the phantom, by case."""
    films = []
    for case in sorted(sample_cases(split), key=lambda each: each.film.case)[::step]:
        source = SimulatedFilm(case.address)
        films.append(LocatedFilm(case.film.case, case.film.case, case.film.center, source, exact_masks(source)))
    return MappedFilms(f"{split.name}-{step}", f"{len(films):,} {split.name} films of the phantom", films)


def _boxed(images: Path) -> MappedFilms:
    films = located_films(cohort_folder("nih-oof"), Images({"nih": images}))
    return MappedFilms("boxes", f"{len(films)} NIH films with boxes, which the model was trained on (in-sample)", films)


def _ship(name: str, run: Path, chosen_on: MappedFilms, measured_on: MappedFilms) -> None:
    text = name.endswith("-vlm")
    model: MappedModel = TextMaps(vlm(name, "cpu")) if text else ClassifierMaps(classifier(name, "cpu"))
    methods = tuple(map(HeatMethod.parse, IMAGE_TEXT_METHODS if text else _classifier_methods(name)))
    found = summarize(_measured(chosen_on, model, methods, run), methods)
    log.info("%s on %s\n%s", name, chosen_on.called, report_text(found))
    chosen = best_method(found, methods)
    place = _measured(measured_on, model, [chosen], run)
    log.info("%s on %s\n%s", name, measured_on.called, report_text(summarize(place, [chosen])))
    with atomic_write(SHIPPED_FOLDERS.weights / f"{name}.maps.toml") as partial:
        card = chosen_card(place, chosen, chosen_on.called, measured_on.called)
        partial.write_text(map_card_text(card), encoding="utf-8")
    _name_maps(SHIPPED_FOLDERS.card(name), f"models/weights/{name}.maps.toml")


def _classifier_methods(name: str) -> tuple[str, ...]:
    if name in MASK_ONLY_MODELS:
        return MASK_METHODS
    card = classifier_card(name)
    if card.architecture == JOINED_ARCHITECTURE:
        return tuple(each.replace("blocks.", f"{TIMM_PART}.blocks.") for each in CLASSIFIER_METHODS)
    return CLASSIFIER_METHODS if card.masks is None else (*CLASSIFIER_METHODS, *MASK_METHODS)


def _name_maps(registry_file: Path, maps: str) -> None:
    """Name the maps file in the model's registry file, with its hash."""
    text = registry_file.read_text(encoding="utf-8")
    if "\nmaps = " not in text:
        with atomic_write(registry_file) as partial:
            partial.write_text(text.replace("\nlicence = ", f'\nmaps = "{maps}"\nlicence = ', 1), encoding="utf-8")
    write_file_hashes(registry_file)


def _measured(films: MappedFilms, model: MappedModel, methods: Sequence[HeatMethod], run: Path) -> MeasurementFolder:
    def report(done: int, of: int) -> None:
        log.info("%s, %s: %d of %d", model.name, films.name, done, of)

    place, failures = measure_maps(films.films, model, methods, run / films.name, report)
    for case, reason in failures.items():
        log.info("%s failed: %s", case, reason)
    return place


if __name__ == "__main__":
    main()

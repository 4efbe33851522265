"""`score --perturb`: score a cohort's films after perturbations."""

from __future__ import annotations

from explorer.cli.loaded_model import loaded_model
from explorer.cli.options import image_folders
from explorer.cli.say import say
from explorer.cli.time_left import time_left
from explorer.cohorts.images import Images
from explorer.cohorts.layout import cohort_folder
from explorer.core.word_lists import quantity
from explorer.settings import Device
from explorer.simulator.perturbations.registry import PHYSICAL, physical_levels
from models.perturbations.film import Level, Scale, levels
from models.perturbations.registry import PERTURBATIONS
from models.refusal import Refusal

ALL, EVERY_PHYSICAL = "all", "physical"


class WrongPerturbation(Refusal):
    """A name that is none of a perturbation: `title` says so, `detail` lists them."""


def score_levels(
    cohort: str, model: str, images: list[str] | None, device: Device, part_films: int, kinds: str, scale: Scale
) -> None:
    """Score the films at every level of these kinds, and say what was done. Raises the refusals of its parts."""
    wanted = levels_named(kinds, scale)
    folder, films = cohort_folder(cohort), Images(dict(image_folders(images or [])))
    from explorer.scoring.perturbed_run import score_perturbed  # torch takes seconds, see `score`

    with time_left("films") as progress:
        done = score_perturbed(folder, loaded_model(model, device), films, wanted, progress, part_films)
    say(
        f"{cohort} by {model}: {quantity(done.tried, 'film')} tried at {quantity(done.levels, 'level')}, and unchanged."
    )
    for case, reason in list(done.failures.items())[:20]:
        say(f"{case}: {reason}")
    if done.failures:
        say(f"{quantity(len(done.failures), 'film')} failed; the next run tries them again.")
    say(f"To compare: python -m explorer robustness --cohort {cohort} --model {model}")


def levels_named(kinds: str, scale: Scale) -> tuple[Level, ...]:
    """Return the levels of kinds that are listed with commas, of all that change pixels, or of all physical ones.

    Raises WrongPerturbation.
    """
    listed = {ALL: list(PERTURBATIONS), EVERY_PHYSICAL: list(PHYSICAL)}
    names = listed.get(kinds) or [name.strip() for name in kinds.split(",")]
    wrong = [name for name in names if name not in PERTURBATIONS and name not in PHYSICAL]
    if wrong:
        known = ", ".join(PERTURBATIONS)
        raise WrongPerturbation(
            f"{wrong[0]!r} is no perturbation",
            f"Choose {ALL}, or of: {known}. For a simulated cohort {EVERY_PHYSICAL}, or of: {', '.join(PHYSICAL)}.",
        )
    of_pixels, of_patient = ([name for name in names if name in kinds] for kinds in (PERTURBATIONS, PHYSICAL))
    found = levels(of_pixels, scale) + (physical_levels(of_patient) if scale == "matched" else ())
    if not found:
        known = ", ".join(name for name, kind in PERTURBATIONS.items() if kind.severities)
        raise WrongPerturbation(f"MedMNIST-C has no severities of {kinds}", f"Choose {ALL}, or of: {known}.")
    return found

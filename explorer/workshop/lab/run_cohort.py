"""Remembers which cohort a run's trainings use, because all of them must use the same films."""

from __future__ import annotations

from pathlib import Path

from explorer.workshop.lab.films import PHANTOM_COHORT
from explorer.workshop.lab.trained import SCORES_FILE, read_trained
from models.training.lab_recipe import WrongRecipe
from models.whole_file import atomic_write, check_writable

COHORT_FILE = "cohort.txt"


def cohort_of_run(run: Path, named: str | None) -> str:
    """Return the cohort on which a run is trained and scored, stored by its first command.

    It is the cohort `named`, or else the one used by the folder's trainings, or else the phantom. Raises WrongRecipe if
    the named one differs from the folder's, or if nothing can be stored there.
    """
    known = _stored_cohort(run)
    if named is not None and known is not None and named != known:
        raise WrongRecipe(f"{run.name} has trainings on films of {known}, not of {named}", "Give another --run.")
    cohort = named or known or PHANTOM_COHORT
    try:
        check_writable(run)
    except OSError as error:
        remedy = f"{error.strerror}. Make it writable, with room on its disk, or give another --run."
        raise WrongRecipe(f"Trainings cannot be stored in {run}", remedy) from error
    if known is None:
        with atomic_write(run / COHORT_FILE) as partial:
            partial.write_text(f"{cohort}\n", encoding="utf-8")
    return cohort


def _stored_cohort(run: Path) -> str | None:
    if (run / COHORT_FILE).exists():
        return (run / COHORT_FILE).read_text(encoding="utf-8").strip()
    made = next(iter(sorted(run.glob(f"*/{SCORES_FILE}"))), None)
    return None if made is None else read_trained(made.parent).cohort

"""Which cohort the trainings in a run's folder are of: a run stays with its films."""

from __future__ import annotations

from pathlib import Path

from explorer.workshop.lab.films import PHANTOM
from explorer.workshop.lab.trained import SAID, read_trained
from models.training.lab_recipe import WrongRecipe
from models.whole_file import atomic_write, check_writable

KNOWN = "cohort.txt"


def cohort_of_run(run: Path, named: str | None) -> str:
    """The cohort whose films a run is trained and scored on, remembered from its first command on.

    It is the one `named`, else that of the trainings in the folder, else the phantom's. Raises WrongRecipe where the
    named one is another than the folder's, or nothing can be kept there.
    """
    known = _known(run)
    if named is not None and known is not None and named != known:
        raise WrongRecipe(f"{run.name} has trainings on films of {known}, not of {named}", "Give another --run.")
    cohort = named or known or PHANTOM
    try:
        check_writable(run)
    except OSError as error:
        remedy = f"{error.strerror}. Make it writable, with room on its disk, or give another --run."
        raise WrongRecipe(f"Trainings cannot be kept in {run}", remedy) from error
    if known is None:
        with atomic_write(run / KNOWN) as partial:
            partial.write_text(f"{cohort}\n", encoding="utf-8")
    return cohort


def _known(run: Path) -> str | None:
    if (run / KNOWN).exists():
        return (run / KNOWN).read_text(encoding="utf-8").strip()
    made = next(iter(sorted(run.glob(f"*/{SAID}"))), None)
    return None if made is None else read_trained(made.parent).cohort

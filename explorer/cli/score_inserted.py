"""`score --insert`: score a cohort's films without findings with simulated ones put into them."""

from __future__ import annotations

from explorer.cli.loaded_model import loaded_model
from explorer.cli.options import image_folders
from explorer.cli.say import say
from explorer.cli.time_left import time_left
from explorer.cohorts.images import Images
from explorer.cohorts.layout import cohort_folder
from explorer.core.word_lists import quantity
from explorer.settings import Device

SHOWN_FAILURES = 20


def score_with_findings(cohort: str, model: str, images: list[str] | None, device: Device, films: int) -> None:
    """Score up to `films` films with each inserted finding, and say what was done. Raises the refusals of its parts."""
    folder, folders = cohort_folder(cohort), Images(dict(image_folders(images or [])))
    from explorer.scoring.inserted_run import score_inserted  # torch takes seconds, see `score`

    with time_left("films") as progress:
        done = score_inserted(folder, loaded_model(model, device), folders, films, progress)
    about = done.manifest
    say(
        f"{cohort} by {about.model}: {quantity(done.tried, 'film')} tried, {about.scored:,} scored in total. SIMULATED."
    )
    for case, reason in list(done.failures.items())[:SHOWN_FAILURES]:
        say(f"{case}: {reason}")
    if done.failures:
        say(f"{quantity(len(done.failures), 'film')} failed; the next run tries them again.")
    say(f"{about.split[0].upper()}{about.split[1:]}.")
    say(f"To count what is flagged: python -m explorer detectability --cohort {cohort} --model {about.model}")

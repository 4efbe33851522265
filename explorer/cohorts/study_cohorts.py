"""Study cohorts: cohorts whose cases are the studies of another cohort, from which they are made and renewed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from explorer.cohorts.layout import Folder, checked_name
from explorer.cohorts.manifest import Manifest, StudiesOf, read_manifest
from explorer.core.word_lists import quantity
from models.cards.card import StudyRule
from models.refusal import Refusal

SUFFIX = "-studies"
# `python -m tests.benchmarks.study_flags` has the figures behind it.
_THRESHOLDS_OF_FILMS: Mapping[StudyRule, str] = MappingProxyType(
    {
        "maximum": "Thresholds not chosen on studies are those of the films: a study is flagged if any of its films "
        "is, so false alarms are more frequent than per film. A calibration of films is not used, because it expects "
        "too many positives of a maximum: choose and calibrate on studies.",
        "mean": "Thresholds not chosen on studies are those of the films. A calibration of films is not used, because "
        "it was fitted on single films: choose and calibrate on studies.",
    }
)


class NoStudies(Refusal):
    """A study cohort that cannot be made or changed: `title` says why, `detail` what to do."""


def studies_name(cohort: str) -> str:
    """Return the name of the cohort of a cohort's studies. Raises NoCohort if that is too long."""
    return checked_name(f"{cohort}{SUFFIX}")


def studies_of(folder: Folder) -> StudiesOf | None:
    """Return what a cohort's studies are made from; None if its cases are films. Raises NoCohort."""
    return read_manifest(folder.manifest).studies if folder.manifest.exists() else None


def refuse_study_cohort(folder: Folder, what: str) -> None:
    """Refuse to add `what` to a study cohort, because renewing it would delete that. Raises NoStudies, NoCohort."""
    made_from = studies_of(folder)
    if made_from is not None:
        raise NoStudies(
            f"{folder.name} holds the studies of {made_from.cohort}, and takes no {what} of its own",
            f"Add the {what} to {made_from.cohort}, then run `python -m explorer studies {made_from.cohort}`.",
        )


def study_notes(manifest: Manifest) -> Iterator[str]:
    """Yield what figures count in a study cohort; nothing for other cohorts."""
    made_from = manifest.studies
    if made_from is not None:
        yield (
            f"Counted by study, of the films of {made_from.cohort}: n counts studies. A study's score is the "
            f"{made_from.rule} over its scored films; it has a finding if any of its films is labeled so."
        )
        yield _THRESHOLDS_OF_FILMS[made_from.rule]


def studies_sentence(films: int, studies: int, several: int) -> str:
    """Return `5 films of 3 studies; 2 studies have more than one film`."""
    more = "no study has" if not several else quantity(several, "study has", "studies have")
    return f"{quantity(films, 'film')} of {quantity(studies, 'study', 'studies')}; {more} more than one film"

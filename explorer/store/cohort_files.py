"""Facts about a store's cohorts that do not require tables: manifests, thresholds, marks, maps and features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Lock

from explorer.cohorts import chosen_thresholds
from explorer.cohorts.case_marks import CaseMarks, change_marks, saved_marks, unreadable_marks
from explorer.cohorts.chosen_thresholds import ChosenThresholds
from explorer.cohorts.counted import Counted, counted_by
from explorer.cohorts.damaged import ManifestReader, damage_notes, unchecked_notes
from explorer.cohorts.film_map import KnownMap, features_version, known_map
from explorer.cohorts.film_reports import FilmReport, read_report
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import Manifest, ModelManifest, read_manifest, read_model_manifest
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.unlisted import Unlisted
from explorer.core.uncertainty import Policy
from explorer.store.prepared.opened import Opened
from explorer.store.prepared.scores import ScoreThreshold, read_cuts
from explorer.store.results import Features


class CohortFiles:
    """The listed cohorts below `folders`, and the unlisted ones in `unlisted`. Raises the same errors as `Store`."""

    def __init__(self, folders: Callable[[], Iterable[Folder]], opened: Opened, unlisted: Unlisted) -> None:
        self.unlisted = unlisted
        self._folders = folders
        self._opened = opened
        self._readable = ManifestReader()
        self._keeping = Lock()

    def cohorts(self) -> tuple[Manifest, ...]:
        """Return every listed cohort; one with an unreadable manifest is left out, with a warning in the log."""
        found = (self._readable.cohort(folder) for folder in self._folders())
        return tuple(manifest for manifest in found if manifest is not None)

    def every_folder(self) -> Iterator[Folder]:
        """Yield the folders of all cohorts, listed ones first."""
        yield from self._folders()
        yield from self.unlisted.folders()

    def cohort(self, name: str) -> Manifest:
        """Return a cohort's manifest, listed or not."""
        return read_manifest(self._opened.folder(name).manifest)

    def counted(self, name: str) -> Counted:
        """Return what the cases of a cohort are: films or studies."""
        return counted_by(self.cohort(name))

    def preparing(self, cohort: str, model: str, uncertain: Policy = "ignore") -> float | None:
        """Return the share done while a large cohort is prepared for a model in the background, which this begins.

        Its uncertain labels count as `uncertain` says. None: the next question need not wait for it. Raises what the
        preparation raised.
        """
        return self._opened.preparing(cohort, model, uncertain)

    def is_simulated(self, cohort: str) -> bool:
        """Whether a cohort's films are simulated; False if it does not exist."""
        try:
            return self.cohort(cohort).simulated
        except NoCohort:
            return False

    def cohort_of_id(self, cohort_id: str) -> str | None:
        """Return the cohort with an id, see `explorer.cohorts.public_ids`; listed or not."""
        names = [*(each.name for each in self.cohorts()), *(folder.name for folder in self.unlisted.folders())]
        return next((name for name in names if opaque_id(name) == cohort_id), None)

    def models(self, cohort: str) -> tuple[ModelManifest, ...]:
        """Return the models that have scored a cohort, except those with an unreadable manifest."""
        folder = self._opened.folder(cohort)
        return chosen_thresholds.all_with_thresholds(folder, self._readable.models(folder))

    def model_names(self, cohort: str) -> tuple[str, ...]:
        """Return the names of all models that have scored a cohort, also those with an unreadable manifest."""
        return self._opened.generation(cohort).names

    def left_out(self) -> tuple[str, ...]:
        """Return a sentence for each cohort and model with an unreadable manifest."""
        return tuple(each for folder in self._folders() for each in damage_notes(folder))

    def unchecked(self, cohort: str, model: str) -> tuple[str, ...]:
        """Return warnings: files that cannot be checked for damage, unused thresholds, unreadable marks.

        Raises NoCohort.
        """
        folder = self._opened.folder(cohort)
        ours = (chosen_thresholds.why_not_used(folder, model), unreadable_marks(folder))
        return (*unchecked_notes(folder, model), *(each for each in ours if each is not None))

    def model(self, cohort: str, name: str) -> ModelManifest:
        """Return the manifest of a model's scores of a cohort; `thresholds` describes those in force."""
        folder = self._opened.folder(cohort)
        return chosen_thresholds.with_thresholds(folder, read_model_manifest(folder.model(name)))

    def default_source(self, cohort: str) -> str | None:
        """Return the source whose labels count by default; None: all sources combined."""
        return read_manifest(self._opened.folder(cohort).manifest).default_source

    def chosen_thresholds(self, cohort: str, model: str) -> ChosenThresholds | None:
        """Return the thresholds chosen on this machine; None if the model's own are in force."""
        return chosen_thresholds.thresholds_in_force(self._opened.folder(cohort, model), model)

    def thresholds(self, cohort: str, model: str) -> tuple[ScoreThreshold, ...]:
        """Return the thresholds in force, whoever chose them."""
        return read_cuts(self._opened.folder(cohort, model), model)

    def scores_version(self, cohort: str, model: str) -> str:
        """Return a version that changes only with the scores, films or labels."""
        return chosen_thresholds.scores_version(self._opened.folder(cohort, model), model)

    def keep_thresholds(self, cohort: str, model: str, chosen: ChosenThresholds | None) -> None:
        """Save the thresholds for all later queries; None: the model's own. Raises OSError."""
        with self._keeping:
            chosen_thresholds.save_thresholds(self._opened.folder(cohort, model), model, chosen)
            self._opened.look(cohort)

    def report(self, cohort: str, case: str) -> FilmReport | None:
        """Return the report of a film, read from the cohort's file; None if it has none. Raises DamagedCohort."""
        return read_report(self._opened.folder(cohort), case)

    def marks(self, cohort: str) -> CaseMarks:
        """Return the marks made on this machine; empty if unreadable, which `unchecked` reports."""
        return saved_marks(self._opened.folder(cohort))

    def change_marks(self, cohort: str, edit: Callable[[CaseMarks], CaseMarks]) -> CaseMarks:
        """Change marks, see `explorer.cohorts.mark_edits`. Raises WrongMark and OSError."""
        return change_marks(self._opened.folder(cohort), edit)

    def version(self, cohort: str, model: str) -> str:
        """Return a version that changes with any file of the cohort or of the model's scores."""
        return self._opened.version(cohort, model)

    def film_map(self, cohort: str, model: str) -> KnownMap | None:
        """Return the two-dimensional map of the model's films; None if there is none for these features."""
        return known_map(self._opened.folder(cohort, model), model)

    def features_version(self, cohort: str, model: str) -> str:
        """Return a version that changes only with the model's features."""
        return features_version(self._opened.folder(cohort, model), model)

    def look(self, cohort: str) -> None:
        """Look at a cohort's files now rather than within a second: later answers are from what they hold now."""
        self._opened.look(cohort)

    def folder(self, cohort: str, model: str | None = None) -> Folder:
        """Return the cohort's folder, for work outside the store; with a model, only if the model has scored it."""
        return self._opened.folder(cohort, model)

    def features(self, cohort: str, model: str) -> Features:
        """Return the model's feature vectors of the cohort's films; treat them as read-only."""
        return self._opened.features(cohort, model)

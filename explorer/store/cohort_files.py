"""What a store knows of its cohorts without a table: manifests, thresholds, marks, maps and features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Lock

from explorer.cohorts import chosen_thresholds
from explorer.cohorts.case_marks import CaseMarks, change_marks, saved_marks, unreadable_marks
from explorer.cohorts.chosen_thresholds import ChosenThresholds
from explorer.cohorts.damaged import ManifestReader, damage_notes, unchecked_notes
from explorer.cohorts.film_map import KnownMap, features_version, known_map
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import Manifest, ModelManifest, read_manifest, read_model_manifest
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.unlisted import Unlisted
from explorer.store.queries.loaded import Loaded
from explorer.store.queries.scores import ScoreThreshold, read_cuts
from explorer.store.results import Features


class CohortFiles:
    """Cohorts below `folders`, which are listed, and those of `unlisted`, which are not. Raises what `Store` says."""

    def __init__(self, folders: Callable[[], Iterable[Folder]], loaded: Loaded, unlisted: Unlisted) -> None:
        self.unlisted = unlisted
        self._folders = folders
        self._loaded = loaded
        self._readable = ManifestReader()
        self._keeping = Lock()

    def cohorts(self) -> tuple[Manifest, ...]:
        """Every cohort that is listed; one whose manifest cannot be read is left out, with a warning in the log."""
        found = (self._readable.cohort(folder) for folder in self._folders())
        return tuple(manifest for manifest in found if manifest is not None)

    def every_folder(self) -> Iterator[Folder]:
        """Where cohorts lie, the listed ones first."""
        yield from self._folders()
        yield from self.unlisted.folders()

    def cohort(self, name: str) -> Manifest:
        """What a cohort says of itself, listed or not."""
        return read_manifest(self._loaded.folder(name).manifest)

    def is_simulated(self, cohort: str) -> bool:
        """Whether a cohort's films are the simulator's; one that is not there has none."""
        try:
            return self.cohort(cohort).simulated
        except NoCohort:
            return False

    def cohort_of_id(self, cohort_id: str) -> str | None:
        """The cohort that an address means, see `explorer.cohorts.public_ids`; listed or not."""
        names = [*(each.name for each in self.cohorts()), *(folder.name for folder in self.unlisted.folders())]
        return next((name for name in names if opaque_id(name) == cohort_id), None)

    def models(self, cohort: str) -> tuple[ModelManifest, ...]:
        """The models that have scored a cohort, without those whose manifest cannot be read, as `cohorts`."""
        folder = self._loaded.folder(cohort)
        return chosen_thresholds.all_with_thresholds(folder, self._readable.models(folder))

    def left_out(self) -> tuple[str, ...]:
        """A sentence for each cohort and model whose manifest cannot be read."""
        return tuple(each for folder in self._folders() for each in damage_notes(folder))

    def unchecked(self, cohort: str, model: str) -> tuple[str, ...]:
        """A sentence where damage to the files of the two would not show, for thresholds that are not used, and for
        marks that cannot be read.

        Raises NoCohort.
        """
        folder = self._loaded.folder(cohort)
        ours = (chosen_thresholds.why_not_used(folder, model), unreadable_marks(folder))
        return (*unchecked_notes(folder, model), *(each for each in ours if each is not None))

    def model(self, cohort: str, name: str) -> ModelManifest:
        """What made the scores that one of them has of a cohort; `thresholds` says where those in force are from."""
        folder = self._loaded.folder(cohort)
        return chosen_thresholds.with_thresholds(folder, read_model_manifest(folder.model(name)))

    def default_source(self, cohort: str) -> str | None:
        """Whose labels count where none is asked for; None: those of all sources together."""
        return read_manifest(self._loaded.folder(cohort).manifest).default_source

    def chosen_thresholds(self, cohort: str, model: str) -> ChosenThresholds | None:
        """The thresholds that were chosen on this machine; None where the model's own are in force."""
        return chosen_thresholds.thresholds_in_force(self._loaded.folder(cohort, model), model)

    def thresholds(self, cohort: str, model: str) -> tuple[ScoreThreshold, ...]:
        """The thresholds in force, whoever chose them."""
        return read_cuts(self._loaded.folder(cohort, model), model)

    def scores_version(self, cohort: str, model: str) -> str:
        """Changes when the scores, films or labels change, and with nothing else."""
        return chosen_thresholds.scores_version(self._loaded.folder(cohort, model), model)

    def keep_thresholds(self, cohort: str, model: str, chosen: ChosenThresholds | None) -> None:
        """From the next question on these are the model's thresholds; None: its own. Raises OSError."""
        with self._keeping:
            chosen_thresholds.save_thresholds(self._loaded.folder(cohort, model), model, chosen)

    def marks(self, cohort: str) -> CaseMarks:
        """What was marked on this machine; nothing where that cannot be read, of which `unchecked_notes` tells."""
        return saved_marks(self._loaded.folder(cohort))

    def change_marks(self, cohort: str, edit: Callable[[CaseMarks], CaseMarks]) -> CaseMarks:
        """Mark cases, see `explorer.cohorts.mark_edits`. Raises WrongMark and OSError."""
        return change_marks(self._loaded.folder(cohort), edit)

    def version(self, cohort: str, model: str) -> str:
        """Changes when any file of the two changes."""
        return self._loaded.version(cohort, model)

    def film_map(self, cohort: str, model: str) -> KnownMap | None:
        """Where the model's films lie in two dimensions; None where that was not worked out for these features."""
        return known_map(self._loaded.folder(cohort, model), model)

    def features_version(self, cohort: str, model: str) -> str:
        """Changes when the model's features change, and with nothing else."""
        return features_version(self._loaded.folder(cohort, model), model)

    def folder(self, cohort: str, model: str | None = None) -> Folder:
        """Where the files of the cohort, or of the two, lie, for work that is done elsewhere."""
        return self._loaded.folder(cohort, model)

    def features(self, cohort: str, model: str) -> Features:
        """The feature vectors that the model has of the cohort's films; do not write to them."""
        return self._loaded.features(cohort, model)

"""Makes the study cohort of a cohort: a case per study, with labels and scores combined from the study's films.

It is an ordinary cohort, so that every table, panel and metric works on studies as on films.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.analysis.studies import study_folder
from explorer.analysis.studies.study_films import StudyFilms, study_films
from explorer.analysis.studies.study_labels import study_labels
from explorer.analysis.studies.study_scores import count_scored, prediction_rows, rows_of_cases
from explorer.cohorts.chosen_thresholds import points_file, thresholds_in_force
from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort, own_cohorts
from explorer.cohorts.listing import check_cohort, check_features, check_scores, listed_cohort, listed_scores, shards_in
from explorer.cohorts.manifest import (
    Manifest,
    ModelManifest,
    StudiesOf,
    read_manifest,
    read_model_manifest,
    write_manifest,
)
from explorer.cohorts.parquet_files import read_table, write_batches, write_table
from explorer.cohorts.schema import APPEARANCES, BOXES, CASES, EMBEDDINGS, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.study_cohorts import NoStudies, studies_name, studies_of, studies_sentence
from explorer.cohorts.version import version_of
from explorer.core.progress import OnShare, no_progress, sub_progress
from explorer.core.word_lists import quantity
from explorer.store.prepared.film_tables import Numbers
from explorer.store.prepared.parquet_batches import batches
from explorer.store.prepared.scores import read_cuts, read_scores
from models.cards.card import StudyRule
from models.cards.known_file import sha256_of

LAYOUT = "1"  # changes whenever the same films would give other studies
_OF_FILMS = 0.2  # share of the work before the models
_OF_READING = 0.5  # share of a model's work before its scores are combined and written


@dataclass(frozen=True, slots=True)
class StudiesReport:
    """A study cohort that was made: its manifest, its models, and how many of these were up to date already.

    `shared`: study identifiers that several patients or centers use, which are one study for each.
    """

    manifest: Manifest
    models: tuple[str, ...]
    kept: int
    shared: int

    def sentences(self) -> Iterator[str]:
        """Yield what was made, in words."""
        made_from = self.manifest.studies
        assert made_from is not None
        yield f"{self.manifest.name}: {studies_sentence(made_from.films, self.manifest.cases, made_from.several)}."
        if not made_from.several:
            yield "Figures per study are those per film."
        yield f"A study's score is the {made_from.rule} over its scored films. Models: {', '.join(self.models)}."
        if self.kept:
            yield f"Up to date already: the scores of {self.kept} of {quantity(len(self.models), 'model')}."
        if self.shared:
            yield (
                f"{quantity(self.shared, 'study identifier is', 'study identifiers are')} used by several patients or "
                "centers: the films of each are a study of their own."
            )


def make_studies(
    folder: Folder, models: Sequence[str] = (), rule: StudyRule | None = None, on_progress: OnShare = no_progress
) -> StudiesReport:
    """Make or renew the study cohort of a cohort, with the scores of these models, by default of all.

    Without a `rule`, a study cohort to renew keeps its own; a new one takes the maximum. `on_progress` gets the share
    done.

    Raises NoStudies if studies cannot be made; DamagedCohort and NoCohort for files that cannot be read.
    """
    wanted = _checked_models(folder, models)
    rule = rule or _former_rule(folder.name) or "maximum"
    about = read_manifest(folder.manifest)
    version = _version(folder, wanted)
    check_cohort(folder)
    cases, numbers = _cases(folder)
    films = study_films(cases, _scored(folder, wanted, numbers))
    names = cases["case"].combine_chunks().take(pa.array(films.representatives))
    with study_folder.study_folder_being_built(folder.name) as (made, known):
        study_folder.keep_only(made, wanted)
        making = _Making(folder, made, known, numbers, films, names, rule)
        making.write_films(cases)
        on_progress(_OF_FILMS)
        kept, width = 0, (1 - _OF_FILMS) / len(wanted)
        for number, model in enumerate(wanted):
            kept += making.write_model(model, sub_progress(on_progress, _OF_FILMS + number * width, width))
        studies = StudiesOf(folder.name, version, rule, len(cases), films.several)
        manifest = _manifest(about, made, len(names), studies)
        write_manifest(made.manifest, manifest)
    return StudiesReport(manifest, wanted, kept, films.shared)


def is_current(folder: Folder, studies: Folder, models: Sequence[str] = ()) -> bool:
    """Whether a study cohort holds these models' scores, and its cohort has not changed since it was made."""
    try:
        made_from, there = studies_of(studies), studies.models()
        return (
            made_from is not None
            and made_from.cohort == folder.name
            and set(models) <= set(there)
            and made_from.version == _version(folder, there)
        )
    except (NoCohort, OSError):
        return False


def studies_folder(cohort: str) -> Folder | None:
    """Return the folder of a cohort's studies; None if they were not made."""
    folder = Folder(own_cohorts() / studies_name(cohort))
    return folder if folder.manifest.exists() else None


def _former_rule(cohort: str) -> StudyRule | None:
    former = studies_folder(cohort)
    made_from = None if former is None else studies_of(former)
    return None if made_from is None else made_from.rule


def _checked_models(folder: Folder, models: Sequence[str]) -> tuple[str, ...]:
    if studies_of(folder) is not None:
        raise NoStudies(f"{folder.name} holds studies already", "Name the cohort that they are made from instead.")
    there = folder.models()
    if not there:
        raise NoStudies(
            f"No model has scored {folder.name}", f"Score it first: `python -m explorer score --cohort {folder.name}`."
        )
    for model in models:
        if model not in there:
            raise NoStudies(f"{model} has not scored {folder.name}", f"Models with scores: {', '.join(there)}.")
    return tuple(sorted(set(models))) or there


def _version(folder: Folder, models: Sequence[str]) -> str:
    """Return a version that changes with the films, labels, scores and thresholds that studies are made from."""
    about = read_manifest(folder.manifest)
    files = [folder.manifest] if about.files is not None else [folder.manifest, *folder.own]
    of_models = [f"{model} {_model_version(folder, model)}" for model in sorted(models)]
    return _digest([LAYOUT, *map(_hash, files), *of_models])


def _model_version(folder: Folder, model: str) -> str:
    """Return a version of a model's files. A manifest that lists them has their hashes already."""
    files = [folder.model(model), points_file(folder, model)]
    if read_model_manifest(folder.model(model)).files is None:
        files += [*shards_in(folder.predictions(model)), *shards_in(folder.embeddings(model))]
    return _digest([_hash(path) for path in files])


def _hash(path: Path) -> str:
    return sha256_of(path) if path.exists() else ""


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _scored(folder: Folder, models: Sequence[str], numbers: Numbers) -> NDArray[np.bool_]:
    """Return which films (n,) any of the models scored."""
    scored = np.zeros(len(numbers), bool)
    for model in models:
        check_scores(folder, model)
        for path in shards_in(folder.predictions(model)):
            for batch in batches(path, pa.schema([PREDICTIONS.field("case")]), once=("case",)):
                found = numbers.of(batch["case"])
                scored[found[found >= 0]] = True
    return scored


def _cases(folder: Folder) -> tuple[pa.Table, Numbers]:
    """Return the table of films sorted by case, and the films' numbers there. Raises DamagedCohort."""
    cases = read_table(folder.cases).sort_by("case")
    numbers = {case: film for film, case in enumerate(cases["case"].to_pylist())}
    if len(numbers) < len(cases):
        raise DamagedCohort(f"{folder.name} lists a case twice", "Import it again: a case is one film.")
    return cases, Numbers(numbers)


@dataclass(frozen=True, slots=True, eq=False)
class _Making:
    """A study cohort being made in `made`: the `films` of the cohort in `folder`, and the `names` (m,) of the studies.

    Folders in `known` may hold files of models that are up to date.
    """

    folder: Folder
    made: Folder
    known: tuple[Folder, ...]
    numbers: Numbers
    films: StudyFilms
    names: pa.Array
    rule: StudyRule

    def write_films(self, cases: pa.Table) -> None:
        """Write labels, and the rows of the representatives: a study's facts, boxes and appearances are theirs."""
        rows = cases.take(pa.array(self.films.representatives))
        text = {field.name: pa.string() if pa.types.is_dictionary(field.type) else field.type for field in CASES}
        columns = [
            rows[name].cast(kind) if name in rows.column_names else pa.nulls(len(rows), kind)
            for name, kind in text.items()
        ]  # as text first, because dictionaries have the words in the order of the films
        write_table(self.made.cases, pa.table(columns, names=CASES.names).cast(CASES))
        labels = study_labels(self.folder, self.numbers, self.films, self.names)
        write_batches(self.made.labels, LABEL_ROWS, labels)
        for schema, source, target in (
            (BOXES, self.folder.boxes, self.made.boxes),
            (APPEARANCES, self.folder.appearances, self.made.appearances),
        ):
            if source.exists():
                write_batches(target, schema, rows_of_cases([source], schema, self.names))

    def write_model(self, model: str, on_share: OnShare) -> bool:
        """Write a model's files; returns whether its scores were up to date already."""
        cases = sha256_of(self.made.cases)
        made_from = _digest([LAYOUT, self.rule, _model_version(self.folder, model), cases])
        there = study_folder.with_files_of(self.known, model, made_from)
        if there is not None:
            study_folder.link_model(there, self.made, model)
        else:
            self._write_scores(model, made_from, on_share)
        cuts = read_cuts(self.folder, model)
        columns = {name: [getattr(cut, name) for cut in cuts] for name in OPERATING_POINTS.names}
        write_table(self.made.operating_points(model), pa.table(columns, schema=OPERATING_POINTS))
        write_manifest(self.made.model(model), self._model_manifest(model))
        on_share(1)
        return there is not None

    def _write_scores(self, model: str, made_from: str, on_share: OnShare) -> None:
        """Write features and then scores, whose file notes that both are complete."""
        study_folder.forget_model(self.made, model)
        features = shards_in(self.folder.embeddings(model))
        if features:
            check_features(self.folder, model)
            target = self.made.embeddings(model) / "part-00000.parquet"
            write_batches(target, EMBEDDINGS, rows_of_cases(features, EMBEDDINGS, self.names))
        scores = read_scores(self.folder, model, shards_in(self.folder.predictions(model)), self.numbers)
        on_share(_OF_READING)
        schema = study_folder.noting_origin(PREDICTIONS, made_from, count_scored(scores, self.films))
        rows = prediction_rows(
            scores, self.films, self.names, self.rule, sub_progress(on_share, _OF_READING, 1 - _OF_READING)
        )
        write_batches(study_folder.predictions_file(self.made, model), schema, rows)

    def _model_manifest(self, model: str) -> ModelManifest:
        """Return the model's manifest for studies: origins, weights and splits are those of the films."""
        about = read_model_manifest(self.folder.model(model))
        chosen = thresholds_in_force(self.folder, model)
        if chosen is not None:
            of_films = replace(chosen.about, source=chosen.about.source or self.folder.name)
            about = replace(about, thresholds=of_films.words)
        scored = study_folder.scored_studies(self.made, model)
        return replace(about, scored=scored, failed=len(self.names) - scored, files=listed_scores(self.made, model))


def _manifest(about: Manifest, made: Folder, cases: int, studies: StudiesOf) -> Manifest:
    return replace(
        about,
        name=studies_name(about.name),
        title=f"{about.title}, by study",
        version=version_of(made.cases, made.labels),
        cases=cases,
        counts={"taken": cases},
        files=listed_cohort(made),
        studies=studies,
    )

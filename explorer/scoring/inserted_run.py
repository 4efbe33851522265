"""Scores films of a cohort with simulated findings put into them, one at a time: at places and severities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from zlib import crc32

import numpy as np
import pyarrow as pa

from explorer.cohorts.images import Images
from explorer.cohorts.inserted_scores import INSERTED, inserted_folder
from explorer.cohorts.layout import Folder, NoCohort, additions_folder
from explorer.cohorts.listing import check_cohort
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.parquet_files import read_table
from explorer.core.progress import OnProgress
from explorer.insertion.detectability import PLAN, InsertedFinding, films_with_findings, insertable
from explorer.insertion.insertable import INSERTABLE
from explorer.scoring.card_facts import ScoringModel, model_manifest, operating_points, scoring_classifier, scoring_vlm
from explorer.scoring.healthy_films import healthy_cases
from explorer.scoring.margins import Margins
from explorer.scoring.run import Scorer, check_place, check_roots, held_for_scoring
from explorer.scoring.score_files import ScoreOrigin, ScoreShards
from models.anatomy import anatomy
from models.array_types import Float32
from models.classifier.ensemble import AnyClassifier
from models.perturbations.film import working_film
from models.radiograph import Radiograph
from models.refusal import Refusal
from models.vlm.model import VLM

FILMS = 150  # enough that a share of films is known within 8 percentage points
PART_FILMS = 10  # films per written part, the most that an interrupted run loses
_BATCH = 32

ScoreFilms = Callable[[Sequence[Radiograph]], Float32]  # films -> scores (n, findings)


@dataclass(frozen=True, slots=True)
class FilmToInsert:
    """A film without findings: how to read it, and how to score it with and without one."""

    read: Callable[[], Radiograph]
    score: ScoreFilms


@dataclass(frozen=True, slots=True)
class InsertedRun:
    """The stored result, the number of films that this run tried, and why films failed, by case."""

    manifest: ModelManifest
    tried: int
    failures: Mapping[str, str]


def score_inserted(
    folder: Folder,
    model: AnyClassifier | VLM,
    images: Images,
    films: int = FILMS,
    progress: OnProgress = lambda done, of: None,
    part: int = PART_FILMS,
) -> InsertedRun:
    """Score up to `films` films of a cohort without findings, with each finding that can be inserted and without.

    Finished parts count at once, so an interrupted run resumes. Raises NoCohort if no film is without findings, the
    model looks for none that can be inserted, or the cohort is being replaced; DamagedCohort; NoStudies.
    """
    with held_for_scoring(folder):
        about = scoring_vlm(model.card, model.scale) if isinstance(model, VLM) else scoring_classifier(model.card)
        scorer: Scorer = Margins(model) if isinstance(model, VLM) else model
        check_cohort(folder)
        wanted = healthy_cases(folder, films)
        cases = read_table(folder.cases, ["case", "root", "file"]).to_pydict()
        places = dict(zip(cases["case"], zip(cases["root"], cases["file"], strict=True), strict=True))
        check_roots(folder, {places[case][0] for case in wanted}, images)
        target = inserted_folder(additions_folder(folder))
        target.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_place(target, about.name)

        def score(some: Sequence[Radiograph]) -> Float32:
            found: Float32 = scorer.score_boxed([scorer.boxed(film) for film in some])[0]
            return found

        chosen = {case: FilmToInsert(partial(read_film, images, *places[case]), score) for case in wanted}
        return write_inserted(folder, target, about, chosen, progress, part)


def patient_of(case: str) -> int:
    """Return the seed of the simulated patient whose findings a film gets: another one for each film."""
    return crc32(case.encode()) % 2**31


def write_inserted(
    folder: Folder,
    target: Folder,
    about: ScoringModel,
    films: Mapping[str, FilmToInsert],
    progress: OnProgress = lambda done, of: None,
    part: int = PART_FILMS,
    split: str | None = None,
) -> InsertedRun:
    """Write the scores of films of the cohort `folder` to `target`, except those that are there. Raises NoCohort.

    `split` says how the films relate to the model's training films, if this is known better than from its card.
    """
    findings = _findings(about)
    about = replace(about, maker=ScoreOrigin(about.maker.sha256, f"{about.maker.preprocessing}, {PLAN}"))
    shards = ScoreShards(target, about.name, about.maker)
    with shards.exclusive():
        done, failures = shards.done(), dict[str, str]()
        known = shards.failed()
        left = iter(sorted((case for case in films if case not in done), key=lambda case: case in known))
        tried = 0
        while some := list(islice(left, part)):
            rows: list[pa.Table] = []
            for case in some:
                try:
                    rows.append(_film_rows(case, films[case], about.findings, findings))
                except Refusal as reason:
                    failures[case] = str(reason)
            scored = [case for case in some if case not in failures]
            if scored:
                shards.write_rows(scored, np.empty((len(scored), 0), np.float32), pa.concat_tables(rows))
            tried += len(some)
            shards.write_failed(failures)
            progress(tried, len(films) - len(done))
        manifest = model_manifest(about, _centers(folder), len(shards.done()), len(failures))
        manifest = shards.close(replace(manifest, split=split or manifest.split), operating_points(about))
    return InsertedRun(manifest, tried, failures)


def read_film(images: Images, root: str | None, file: str | None) -> Radiograph:
    """Return a film of an image folder. Raises NoCohort, UnreadableRadiograph."""
    source = images.film(root, file)
    if source is None:
        raise NoCohort("The film is missing", "Put it back into its folder, then score again.")
    return source.radiograph()


def _findings(about: ScoringModel) -> tuple[str, ...]:
    """Return the findings to insert: those with a threshold. Raises NoCohort without any."""
    found = insertable([each for each in about.findings if each in about.points])
    if not found:
        raise NoCohort(
            f"{about.name} has a threshold for no finding that can be inserted", f"These are {', '.join(INSERTABLE)}."
        )
    return found


def _centers(folder: Folder) -> list[str]:
    return sorted(set(read_table(folder.cases, ["center"])["center"].to_pylist()))


def _film_rows(case: str, film: FilmToInsert, scored: Sequence[str], findings: Sequence[str]) -> pa.Table:
    """Return a row for each finding put into a film. Raises the refusals of reading, of anatomy and of insertion."""
    shown = working_film(film.read())
    without = film.score([shown])[0]
    columns: dict[str, list[object]] = {name: [] for name in INSERTED.names}
    for each, score in _scores(shown, patient_of(case), film.score, scored, findings):
        values = (case, each.finding, each.side, each.zone, each.column, each.row, each.severity)
        scores = (score, float(without[scored.index(each.finding)]))
        for name, value in zip(INSERTED.names, (*values, *scores), strict=True):
            columns[name].append(value)
    return pa.table(columns, schema=INSERTED)


def _scores(
    film: Radiograph, seed: int, score: ScoreFilms, scored: Sequence[str], findings: Sequence[str]
) -> Iterator[tuple[InsertedFinding, float]]:
    changed = films_with_findings(film, anatomy(film), findings, seed)
    while some := list(islice(changed, _BATCH)):
        scores = score([replace(film, pixels=pixels) for _, pixels in some])
        for (each, _), row in zip(some, scores, strict=True):
            yield each, float(row[scored.index(each.finding)])

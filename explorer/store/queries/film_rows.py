"""Films by number or name: summaries, complete cases, and the scores of one finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.cohorts.manifest import read_model_manifest
from explorer.core.findings import Outcome
from explorer.core.outcomes import outcome_of
from explorer.core.worst_first import above_threshold
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.labels import together
from explorer.store.queries.scores import read_case, read_cuts
from explorer.store.queries.tables import Tables
from explorer.store.queries.usual_scores import UsualScores
from explorer.store.results import Appearance, Box, Case, CaseLine, Column, FindingScore, SourcedLabel
from explorer.store.slices import Slice

STUDY = 6  # maximum of other films of a study
_LINE = """"case", printf('%016x', id), center::VARCHAR, view::VARCHAR, sex::VARCHAR, age, patient, root, file"""


def lines(cursor: Cursor, cohort: str, films: Sequence[int]) -> dict[int, CaseLine]:
    """Return summaries of the films by number."""
    present: dict[int, list[str]] = {film: [] for film in films}
    for film, finding in cursor.rows(
        f"SELECT film, finding::VARCHAR FROM {cohort}.present WHERE film IN (SELECT unnest(?::INTEGER[])) ORDER BY ALL",
        [list(films)],
    ):
        present[film].append(finding)
    rows = cursor.rows(
        f"""SELECT film, {_LINE}, film IN (FROM {cohort}.none_of_these) FROM {cohort}.cases
        WHERE film IN (SELECT unnest(?::INTEGER[]))""",
        [list(films)],
    )
    return {row[0]: CaseLine(*[*row[1:-1], tuple(present[row[0]]), row[-1]]) for row in rows}


def numbers(cursor: Cursor, cohort: str, names: Sequence[str]) -> dict[str, int]:
    """Return film numbers by name; unknown names are left out."""
    return dict(
        cursor.rows(
            f'SELECT "case", film FROM {cohort}.cases WHERE "case" IN (SELECT unnest(?::VARCHAR[]))', [list(names)]
        )
    )


def patients(cursor: Cursor, cohort: str) -> dict[str, tuple[str | None, str]]:
    """Return patient and center of every film by name, sorted by name."""
    found = cursor.rows(f'SELECT "case", patient, center::VARCHAR FROM {cohort}.cases ORDER BY film')
    return {case: (patient, center) for case, patient, center in found}


def named(cursor: Cursor, cohort: str, opaque_id: str) -> tuple[str, str | None, str | None] | None:
    """Return name, image folder and file of the case with this id."""
    try:
        number = int(opaque_id, 16)
    except ValueError:
        return None
    found = cursor.row(
        f"""SELECT "case", root::VARCHAR, file FROM {cohort}.cases WHERE id = ? AND printf('%016x', id) = ?""",
        [number % 2**64, opaque_id],
    )
    return (found[0], found[1], found[2]) if found else None


def case(cursor: Cursor, cohort: str, folder: Folder, name: str) -> Case | None:
    """Return everything about one film. Scores are read from files: tables for all models would use up the memory."""
    film = numbers(cursor, cohort, [name]).get(name)
    if film is None:
        return None
    line = lines(cursor, cohort, [film])[film]
    study, split, width, height = cursor.row(
        f"SELECT study, split, width, height FROM {cohort}.cases WHERE film = ?", [film]
    )
    said = cursor.rows(
        f"""SELECT finding::VARCHAR, label::VARCHAR, source::VARCHAR, counts FROM {cohort}.said WHERE film = ?
        ORDER BY source, finding::VARCHAR""",
        [film],
    )
    boxes = cursor.rows(
        f"SELECT finding, x, y, width, height, source FROM {cohort}.boxes WHERE film = ? ORDER BY ALL", [film]
    )
    appearances = cursor.rows(
        f"SELECT finding, severity, side, area FROM {cohort}.appearances WHERE film = ? ORDER BY finding", [film]
    )
    labels = tuple(SourcedLabel(*row) for row in said)
    scores, left_out = _every_model(cursor, cohort, folder, _Film(film, name, split, labels))
    return Case(
        **{name: getattr(line, name) for name in CaseLine.__slots__},
        study=study,
        split=split,
        width=width,
        height=height,
        labels=labels,
        scores=scores,
        boxes=tuple(Box(*row) for row in boxes),
        appearances=tuple(Appearance(*row) for row in appearances),
        left_out=left_out,
        same_study=_same_study(cursor, cohort, film),
    )


def _same_study(cursor: Cursor, cohort: str, film: int) -> tuple[CaseLine, ...]:
    """Return other films of the study. Study numbers are unique only within a patient and center."""
    found = cursor.rows(
        f"""SELECT other.film FROM {cohort}.cases one JOIN {cohort}.cases other
            ON other.study = one.study AND other.center = one.center AND other.film <> one.film
            AND other.patient IS NOT DISTINCT FROM one.patient
        WHERE one.film = ? ORDER BY other.film LIMIT {STUDY}""",
        [film],
    )
    there = lines(cursor, cohort, [number for (number,) in found]) if found else {}
    return tuple(there[number] for (number,) in found)


@dataclass(frozen=True, slots=True)
class _Film:
    number: int
    case: str
    split: str | None
    said: Sequence[SourcedLabel]


def _every_model(
    cursor: Cursor, cohort: str, folder: Folder, film: _Film
) -> tuple[tuple[FindingScore, ...], tuple[str, ...]]:
    """Return every model's scores of a film, and a sentence for each model that cannot be read."""
    scores: list[FindingScore] = []
    left_out: list[str] = []
    for model in folder.models():
        try:
            scores += _scores(cursor, cohort, folder, model, film)
        except (DamagedCohort, NoCohort) as damaged:
            left_out.append(f"Scores of {model} are left out: {damaged.title}.")
    return tuple(scores), tuple(left_out)


def _scores(cursor: Cursor, cohort: str, folder: Folder, model: str, film: _Film) -> Iterator[FindingScore]:
    cuts = {(cut.finding, cut.split): cut for cut in read_cuts(folder, model)}
    margins = read_model_manifest(folder.model(model)).unit == "margin"
    usual = UsualScores(cursor, cohort, folder, model)
    for finding, score in sorted(read_case(folder, model, film.case)):
        label = together(each.label for each in film.said if each.finding == finding and each.counts)
        cut = cuts.get((finding, film.split), cuts.get((finding, None)))
        threshold = None if cut is None else cut.threshold
        if cut is not None and cut.chosen:
            (above,) = above_threshold(np.array([score]), np.array([cut.threshold]), margins=margins)
        else:
            above = usual.above(finding, score)
        outcome = outcome_of(label, score, threshold)
        yield FindingScore(model, finding, score, threshold, label, outcome, float(np.float32(above)))


def scored(cursor: Cursor, tables: Tables, model: str, names: Sequence[str]) -> dict[str, dict[str, FindingScore]]:
    """Return the model's pairs of these cases, by case and finding; unknown names are left out."""
    films = {film: name for name, film in numbers(cursor, tables.cohort, names).items()}
    found: dict[str, dict[str, FindingScore]] = {name: {} for name in films.values()}
    for film, finding, score, cut, label, outcome, above in cursor.rows(
        f"""SELECT film, finding::VARCHAR, score, cut, label::VARCHAR, outcome::VARCHAR,
            CASE label WHEN 'present' THEN -badness ELSE badness END FROM {tables.pairs}
        WHERE whole AND film IN (SELECT unnest(?::INTEGER[])) ORDER BY film, finding::VARCHAR""",
        [list(films)],
    ):
        threshold = None if cut is None else tables.cuts[cut].threshold
        outcome = None if outcome is None else Outcome(outcome)
        found[films[film]][finding] = FindingScore(model, finding, score, threshold, label, outcome, above)
    return found


def column(cursor: Cursor, tables: Tables, chosen: Slice, finding: str) -> Column:
    """Return one finding's pairs in the population of a slice."""
    where = tables.where(chosen.population().of(finding))
    found = cursor.arrow(
        f"""SELECT film, CASE label WHEN 'present' THEN 1 WHEN 'absent' THEN 0 ELSE 'nan'::DOUBLE END AS label,
            score, coalesce(threshold, 'nan') AS threshold, center::VARCHAR AS center, patient,
            coalesce(weight, 1) AS weight
        FROM (FROM {tables.pairs} WHERE {where.sql}) LEFT JOIN {tables.model}.cuts USING (cut)
            JOIN (SELECT film, patient, weight FROM {tables.cohort}.cases) USING (film)
        ORDER BY film""",
        where.parameters,
    )
    return Column(*(each.to_numpy() for each in found.columns))

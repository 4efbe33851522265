"""Films by number or name: summaries, complete cases, and the scores of one finding."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from explorer.cohorts.schema import Label
from explorer.core.outcomes import outcome_of
from explorer.core.uncertainty import Policy
from explorer.core.worst_first import above_threshold
from explorer.store.cursor import Cursor
from explorer.store.prepared.labels import label_number, together
from explorer.store.prepared.tables import Tables
from explorer.store.results import Appearance, Box, Case, CaseLine, Column, FindingScore, SourcedLabel
from explorer.store.slices import Slice

STUDY = 6  # maximum of other films of a study
_LINE = """"case", printf('%016x', id), center::VARCHAR, view::VARCHAR, sex::VARCHAR, age, patient, root, file"""


def among(films: Sequence[int]) -> str:
    """Return the SQL condition that a row is of one of these films; for one film, only its part of a table is read."""
    return f"film = {films[0]:d}" if len(films) == 1 else f"film IN (SELECT unnest({list(map(int, films))}::INTEGER[]))"


def lines(cursor: Cursor, cohort: str, films: Sequence[int]) -> dict[int, CaseLine]:
    """Return summaries of the films by number."""
    if not films:
        return {}
    those = among(films)
    present: dict[int, list[str]] = {film: [] for film in films}
    for film, finding in cursor.rows(f"SELECT film, finding::VARCHAR FROM {cohort}.present WHERE {those} ORDER BY ALL"):
        present[film].append(finding)
    rows = cursor.rows(
        f"""SELECT film, {_LINE}, film IN (SELECT film FROM {cohort}.none_of_these WHERE {those})
        FROM {cohort}.cases WHERE {those}"""
    )
    return {row[0]: CaseLine(*[*row[1:-1], tuple(present[row[0]]), row[-1]]) for row in rows}


def numbers(cursor: Cursor, cohort: str, names: Sequence[str]) -> dict[str, int]:
    """Return film numbers by name; unknown names are left out."""
    if not names:
        return {}
    those = "= ?" if len(names) == 1 else "IN (SELECT unnest(?::VARCHAR[]))"
    asked = names if len(names) == 1 else [list(names)]
    return dict(cursor.rows(f'SELECT "case", film FROM {cohort}.cases WHERE "case" {those}', asked))


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


def case(cursor: Cursor, cohort: str, name: str) -> Case | None:
    """Return what a cohort stores about one film, without scores."""
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
    return Case(
        **{name: getattr(line, name) for name in CaseLine.__slots__},
        study=study,
        split=split,
        width=width,
        height=height,
        labels=labels,
        scores=(),
        boxes=tuple(Box(*row) for row in boxes),
        appearances=tuple(Appearance(*row) for row in appearances),
        same_study=() if study is None else _same_study(cursor, cohort, film),
    )


def _same_study(cursor: Cursor, cohort: str, film: int) -> tuple[CaseLine, ...]:
    """Return other films of the study. Study numbers are unique only within a patient and center."""
    found = cursor.rows(
        f"""SELECT other.film FROM (FROM {cohort}.cases WHERE film = ?) one
            JOIN {cohort}.cases other
            ON other.study = one.study AND other.center = one.center AND other.film <> one.film
            AND other.patient IS NOT DISTINCT FROM one.patient
        ORDER BY other.film LIMIT {STUDY}""",
        [film],
    )
    there = lines(cursor, cohort, [number for (number,) in found])
    return tuple(there[number] for (number,) in found)


def scored(cursor: Cursor, tables: Tables, model: str, names: Sequence[str]) -> dict[str, dict[str, FindingScore]]:
    """Return the model's scores of these cases, by case and finding; unknown names are left out.

    Labels are those that count by default.
    """
    films = {film: name for name, film in numbers(cursor, tables.cohort, names).items()}
    found: dict[str, dict[str, FindingScore]] = {name: {} for name in films.values()}
    if not films or not tables.scored:
        return found
    those = among(list(films))
    said: dict[tuple[int, str], list[Label]] = {}
    for film, finding, label in cursor.rows(
        f"SELECT film, finding::VARCHAR, label::VARCHAR FROM {tables.cohort}.said WHERE counts AND {those}"
    ):
        said.setdefault((film, finding), []).append(label)
    cuts = {(cut.finding, cut.split): cut for cut in tables.facts.cuts}
    for film, split, scores, usual in cursor.rows(
        f"""SELECT film, split, scores, above_usual FROM (FROM {tables.model}.films WHERE {those})
            JOIN (SELECT film, split FROM {tables.cohort}.cases WHERE {those}) USING (film) ORDER BY film"""
    ):
        used = [cuts.get((finding, split), cuts.get((finding, None))) for finding in tables.scored]
        thresholds = [math.nan if cut is None else cut.threshold for cut in used]
        over = above_threshold(np.array(scores), np.array(thresholds), margins=tables.facts.margins).astype(np.float32)
        above = np.where(np.isnan(usual), over, usual) if usual else over
        for finding, score, cut, far in zip(tables.scored, scores, used, above.tolist(), strict=True):
            if not math.isnan(score):
                threshold = None if cut is None else cut.threshold
                label = together(said.get((film, finding), ()))
                outcome = outcome_of(label, score, threshold)
                found[films[film]][finding] = FindingScore(model, finding, score, threshold, label, outcome, far)
    return {name: dict(sorted(rows.items())) for name, rows in found.items()}


def column(cursor: Cursor, tables: Tables, chosen: Slice, finding: str, uncertain: Policy = "ignore") -> Column:
    """Return one finding's pairs in the population of a slice; uncertain labels count as `uncertain` says."""
    where = tables.where(chosen.population().of(finding))
    found = cursor.arrow(
        f"""SELECT film, {label_number("'nan'::DOUBLE", uncertain)} AS label,
            score, cut, center::VARCHAR AS center, patient, coalesce(weight, 1) AS weight
        FROM (FROM {tables.pairs} WHERE {where.sql}) JOIN (SELECT film, patient, weight FROM {tables.cohort}.cases)
            USING (film)
        ORDER BY film""",
        where.parameters,
    )
    thresholds = np.array([*(cut.threshold for cut in tables.facts.cuts), np.nan])
    cut = found["cut"].fill_null(len(thresholds) - 1).to_numpy()
    columns = {name: found[name].to_numpy() for name in ("film", "label", "score", "center", "patient", "weight")}
    return Column(
        case=columns["film"],
        label=columns["label"],
        score=columns["score"],
        threshold=thresholds[cut],
        center=columns["center"],
        patient=columns["patient"],
        weight=columns["weight"],
    )

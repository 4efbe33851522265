"""Films by their number or name: lines, whole cases, and the scores of one finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.answers import Box, Case, CaseLine, Column, Said, Scored
from explorer.questions.cursor import Cursor
from explorer.questions.tables import Tables
from explorer.slices import Slice
from explorer.vocabulary import Outcome

_LINE = """"case", printf('%016x', id), center::VARCHAR, view::VARCHAR, sex::VARCHAR, age, patient, root, file"""


def lines(cursor: Cursor, cohort: str, films: Sequence[int]) -> dict[int, CaseLine]:
    """Lines of the films by number."""
    present: dict[int, list[str]] = {film: [] for film in films}
    for film, finding in cursor.rows(
        f"SELECT film, finding::VARCHAR FROM {cohort}.present WHERE film IN (SELECT unnest(?::INTEGER[])) ORDER BY ALL",
        [list(films)],
    ):
        present[film].append(finding)
    rows = cursor.rows(
        f"SELECT film, {_LINE} FROM {cohort}.cases WHERE film IN (SELECT unnest(?::INTEGER[]))", [list(films)]
    )
    return {row[0]: CaseLine(*[*row[1:], tuple(present[row[0]])]) for row in rows}


def numbers(cursor: Cursor, cohort: str, names: Sequence[str]) -> dict[str, int]:
    """The films' numbers by name; names that the cohort does not have are left out."""
    return dict(
        cursor.rows(
            f'SELECT "case", film FROM {cohort}.cases WHERE "case" IN (SELECT unnest(?::VARCHAR[]))', [list(names)]
        )
    )


def patients(cursor: Cursor, cohort: str) -> dict[str, tuple[str | None, str]]:
    """Patient and center of every film, by name and in the order of the names."""
    found = cursor.rows(f'SELECT "case", patient, center::VARCHAR FROM {cohort}.cases ORDER BY film')
    return {case: (patient, center) for case, patient, center in found}


def named(cursor: Cursor, cohort: str, opaque_id: str) -> tuple[str, str | None, str | None] | None:
    """Name, image folder and file of the case with this id."""
    try:
        number = int(opaque_id, 16)
    except ValueError:
        return None
    found = cursor.row(
        f"""SELECT "case", root::VARCHAR, file FROM {cohort}.cases WHERE id = ? AND printf('%016x', id) = ?""",
        [number % 2**64, opaque_id],
    )
    return (found[0], found[1], found[2]) if found else None


def case(cursor: Cursor, models: dict[str, Tables], cohort: str, name: str) -> Case | None:
    """Everything about one film; `models` are the tables of every model of the cohort."""
    film = numbers(cursor, cohort, [name]).get(name)
    if film is None:
        return None
    line = lines(cursor, cohort, [film])[film]
    study, split, width, height = cursor.row(
        f"SELECT study, split, width, height FROM {cohort}.cases WHERE film = ?", [film]
    )
    said = cursor.rows(
        f"""SELECT finding::VARCHAR, label::VARCHAR, source::VARCHAR FROM {cohort}.said WHERE film = ?
        ORDER BY source, finding::VARCHAR""",
        [film],
    )
    boxes = cursor.rows(
        f"SELECT finding, x, y, width, height, source FROM {cohort}.boxes WHERE film = ? ORDER BY ALL", [film]
    )
    return Case(
        **{name: getattr(line, name) for name in CaseLine.__slots__},
        study=study,
        split=split,
        width=width,
        height=height,
        labels=tuple(Said(*row) for row in said),
        scores=tuple(row for model, tables in models.items() for row in _scores(cursor, model, tables, film)),
        boxes=tuple(Box(*row) for row in boxes),
    )


def _scores(cursor: Cursor, model: str, tables: Tables, film: int) -> list[Scored]:
    rows = cursor.rows(
        f"""SELECT finding::VARCHAR, score, threshold, label::VARCHAR, outcome::VARCHAR
        FROM (FROM {tables.pairs} WHERE film = ? AND whole) LEFT JOIN {tables.model}.cuts USING (cut) ORDER BY 1""",
        [film],
    )
    return [
        Scored(model, finding, score, threshold, label, None if outcome is None else Outcome(outcome))
        for finding, score, threshold, label, outcome in rows
    ]


def column(cursor: Cursor, tables: Tables, chosen: Slice, finding: str) -> Column:
    """One finding's pairs in the population of a slice."""
    where = tables.where(replace(chosen.population(), finding=finding, group=None))
    found = cursor.arrow(
        f"""SELECT film, CASE label WHEN 'present' THEN 1 WHEN 'absent' THEN 0 ELSE 'nan'::DOUBLE END AS label,
            score, coalesce(threshold, 'nan') AS threshold, center::VARCHAR AS center, patient
        FROM (FROM {tables.pairs} WHERE {where.sql}) LEFT JOIN {tables.model}.cuts USING (cut)
            JOIN (SELECT film, patient FROM {tables.cohort}.cases) USING (film)
        ORDER BY film""",
        where.parameters,
    )
    case, label, score, threshold, center, patient = (each.to_numpy() for each in found.columns)
    return Column(case, label, score, threshold, center, patient)

"""Whatever the cohort and the slice, the store answers what counting pair by pair does."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from explorer.analysis.cases.case_facts import collect_case_facts
from explorer.analysis.exports.slice_export import export_slice
from explorer.cohorts.layout import Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.core.findings import Outcome
from explorer.core.map_area import area_word
from explorer.core.rates import PatientSums
from explorer.store.queries import gallery
from explorer.store.results import Called, Case, Count, Ranked, Tally
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.store.meeting_films import films_meeting
from tests.support.bands_apart import band_of, size_of, third_of
from tests.support.brute_force import NAME, Pair, Rows, chosen_pairs, group_of, many, pairs_of
from tests.support.patients_counted import assert_counted
from tests.support.random_cohorts import FINDINGS, SOURCES, cohorts, slices, with_cases

pytestmark = pytest.mark.slow

SIZE = 2  # films of a page
here: list[Folder] = []  # the cohort of the moment: one store sees them all, one after the other


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    yield Store(lambda: here)


@settings(
    max_examples=18,  # cohorts, of 6 slices each
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking writes hundreds of cohorts: minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(rows=cohorts(), asked=st.lists(slices(), min_size=6, max_size=6))
def test_answers_are_those_of_counting_pair_by_pair(
    store: Store, plainly: duckdb.DuckDBPyConnection, rows: Rows, asked: list[Slice]
) -> None:
    with TemporaryDirectory() as place:
        here[:] = [rows.write(Path(place))]
        store.look(NAME)
        facets(store, rows)
        asked = [with_cases(chosen, rows) for chosen in asked]
        for number, chosen in enumerate(asked):
            chosen = on_the_map(store, chosen)
            expected = chosen_pairs(rows, chosen)
            assert store.count(chosen) == Count(len(expected), len({pair.case for pair in expected}))
            assert store.tally(chosen) == tallied(expected)
            assert_counted(store.patient_counts(chosen), expected)
            pages(store, rows, chosen, expected)
            exported(store, plainly, chosen, expected, bound=number % 3 == 0)
            membership(store, rows, chosen, expected)
            films_meeting(store, chosen)
        cases(store, rows)
        for source in (None, *SOURCES):
            grid(store, rows, source)
        first = on_the_map(store, asked[0])
        columns(store, rows, first)
        called(store, rows, first)


def on_the_map(store: Store, chosen: Slice) -> Slice:
    """The slice with an area of the map that there is; without it where there is none."""
    known = store.film_map(NAME, "one")
    if chosen.lasso is None or known is None:
        return replace(chosen, lasso=None)
    return replace(chosen, lasso=known.area(area_word(replace(chosen.lasso, map=known.version))))


def facets(store: Store, rows: Rows) -> None:
    found = store.facets(NAME, "one")
    pairs = [pair for pair in pairs_of(rows, "one") if pair.whole]
    assert found.films == len(rows.cases)
    assert found.findings == Counter(pair.finding for pair in pairs)
    assert list(found.findings) == sorted(found.findings)
    for name in ("center", "view", "sex"):
        assert found.of_films[name] == Counter(row[name] for row in rows.cases)
    assert found.of_films["findings_band"] == Counter(many(rows, row["case"]) for row in rows.cases)
    assert found.of_films["age_band"] == Counter(band_of(row["age"]) for row in rows.cases)
    assert found.of_films["part"] == Counter(row["split"] or "no split stated" for row in rows.cases)
    for name, band in (("severity", third_of), ("side", str), ("area", size_of)):
        column = {"severity": "severity_band", "area": "size_band"}.get(name, name)
        names = {row["case"] for row in rows.cases}
        known = {(band(each[name]), each["case"]) for each in rows.appearances if each[name] is not None}
        assert found.appearances[column] == Counter(word for word, case in known if case in names)
    sources = {(pair.source, pair.case) for pair in pairs_of(rows, "one") if pair.source is not None}
    assert found.label_sources == Counter(source for source, _ in sources)
    uncertain = Counter(pair.source for pair in pairs_of(rows, "one") if pair.label == "uncertain" and pair.source)
    whole = sum(pair.label == "uncertain" for pair in pairs)
    assert found.uncertain == uncertain | ({"": whole} if whole else {})
    scores = [pair.score for pair in pairs]
    assert found.score == ((min(scores), max(scores)) if scores else None)
    for chosen in (Slice(NAME, "one"), Slice(NAME, "one", source="cohort")):
        expected = {finding: group_of(rows, chosen, finding) for finding in found.findings}
        assert store.groups(NAME, "one", chosen.source) == expected


def tallied(pairs: list[Pair]) -> tuple[Tally, ...]:
    places = sorted({(pair.finding, str(pair.film["center"])) for pair in pairs})
    found = []
    for finding, center in places:
        those = [pair for pair in pairs if (pair.finding, pair.film["center"]) == (finding, center)]
        outcomes = Counter(pair.outcome for pair in those)
        labels = Counter(pair.label for pair in those)
        found.append(
            Tally(
                finding,
                center,
                hits=outcomes[Outcome.HIT],
                misses=outcomes[Outcome.MISS],
                false_alarms=outcomes[Outcome.FALSE_ALARM],
                correct_rejections=outcomes[Outcome.CORRECT_REJECTION],
                unlabelled=outcomes[None],
                positives=labels["present"],
                negatives=labels["absent"],
            )
        )
    return tuple(found)


def pages(store: Store, rows: Rows, chosen: Slice, expected: list[Pair]) -> None:
    """Each film once by its worst pair: however few pairs are read at first, and in a shuffle."""
    films = list({pair.case: pair for pair in reversed(expected)}.values())  # of each the first
    films.sort(key=expected.index)
    usual = gallery.MARGIN, gallery.WORST_ROWS
    for first, size in ((usual, SIZE), ((0.0, 1), SIZE + 1)):
        gallery.MARGIN, gallery.WORST_ROWS = first
        found = every_page(store, chosen, size)
        assert [seen(film) for film in found] == [seen(pair) for pair in films]
    gallery.MARGIN, gallery.WORST_ROWS = usual
    shuffled = every_page(store, chosen, shuffle=3)
    assert sorted(map(seen, shuffled)) == sorted(map(seen, films))
    assert shuffled == every_page(store, chosen, shuffle=3)
    present = {
        film.case: tuple(sorted(finding for finding in FINDINGS if labelled(rows, film.case, finding) == "present"))
        for film in found
    }
    assert {film.case: film.present for film in found} == present
    for film in found:
        known = {label["label"] for label in rows.counted if label["case"] == film.case} - {"unknown"}
        assert film.none_of_these == (known == {"absent"})


def every_page(store: Store, chosen: Slice, size: int = SIZE, shuffle: int | None = None) -> list[Ranked]:
    found: list[Ranked] = []
    while page := store.page(chosen, len(found) // size, size=size, shuffle=shuffle):
        found += page
        if len(page) < size:
            break
    return found


def seen(pair: Pair | Ranked) -> tuple[object, ...]:
    threshold = math.inf if pair.threshold is None else pair.threshold
    return pair.case, pair.finding, pair.score, threshold, pair.label, str(pair.outcome), pair.chosen


def labelled(rows: Rows, case: str, finding: str) -> str:
    """The label of all sources together, whether the finding is scored or not."""
    scores = {"one": [{"case": case, "finding": finding, "score": 0.5}]}
    alone = replace(rows, scores=scores, cuts={"one": []})
    return next(pair.label for pair in pairs_of(alone, "one") if pair.whole)


def exported(
    store: Store, plainly: duckdb.DuckDBPyConnection, chosen: Slice, expected: list[Pair], *, bound: bool
) -> None:
    """The rows are the pairs in their order; plain DuckDB says the same by the statement, its values `bound`, too."""
    table = store.rows(chosen)
    columns = table.select(["case", "finding", "score", "threshold", "label", "label_source", "outcome"])
    assert [tuple(row.values()) for row in columns.to_pylist()] == [
        (pair.case, pair.finding, pair.score, pair.threshold, pair.label, pair.source, pair.outcome)
        for pair in expected
    ]
    folder = os.getcwd()
    os.chdir(here[0].path)
    try:
        saved = said_plainly(plainly, export_slice(store, chosen, "sql").data.decode())
        plain = said_plainly(plainly, *store.sql(chosen)) if bound else saved
    finally:
        os.chdir(folder)
    assert plain == table.to_pylist() == saved


def said_plainly(plainly: duckdb.DuckDBPyConnection, statement: str, values: object = ()) -> list[dict[str, object]]:
    """The rows; as a relation, DuckDB would plan the statement several times, which takes longest."""
    found = plainly.execute(statement, values)
    names = [name for name, *_ in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def membership(store: Store, rows: Rows, chosen: Slice, expected: list[Pair]) -> None:
    """The case view says that a case is in the slice where one of its pairs is, and begins with the worst of them."""
    first = {pair.case: pair.finding for pair in reversed(expected)}
    groups, models = store.groups(NAME, "one", chosen.source), store.models(NAME)
    for name in [str(row["case"]) for row in rows.cases]:
        case = case_once(store, here[0].path, name)
        assert case is not None
        known = store.film_map(NAME, "one")
        facts = collect_case_facts(case, models, chosen, groups, known and known.place(name))
        assert facts.in_slice == (name in first), (name, chosen)
        if facts.in_slice:
            assert facts.finding == first[name]


@lru_cache(maxsize=16)
def case_once(store: Store, place: Path, name: str) -> Case | None:
    """A case of the cohort in this place: the same for every slice of it."""
    return store.case(NAME, name)


def cases(store: Store, rows: Rows) -> None:
    for name in [str(row["case"]) for row in rows.cases]:
        found = case_once(store, here[0].path, name)
        assert found is not None
        expected = [
            (model, pair.finding, pair.score, pair.threshold, pair.label, pair.outcome)
            for model in sorted(rows.scores)
            for pair in sorted(pairs_of(rows, model), key=lambda pair: pair.finding)
            if pair.case == name and pair.whole
        ]
        assert [
            (row.model, row.finding, row.score, row.threshold, row.label, row.outcome) for row in found.scores
        ] == expected
        assert store.case_named(NAME, opaque_id(NAME, "case", name)) == name
        assert store.cases(NAME, [name])[0].present == found.present
        looks = [each for each in rows.appearances if each["case"] == name]
        assert [(each.finding, each.severity, each.side, each.area) for each in found.appearances] == [
            (each["finding"], each["severity"], each["side"], each["area"])
            for each in sorted(looks, key=lambda each: str(each["finding"]))
        ]


def grid(store: Store, rows: Rows, source: str | None) -> None:
    """Every pair in its place, with the label that counts or that of one source."""
    names = sorted(str(row["case"]) for row in rows.cases)
    found = store.grid(NAME, "one", source)
    known: dict[tuple[int, int], tuple[float, float, float]] = {}
    for pair in pairs_of(rows, "one"):
        place = names.index(pair.case), found.findings.index(pair.finding)
        _, label, _ = known.get(place, (0.0, math.nan, 0.0))
        if pair.source == source if source else pair.whole:
            label = {"present": 1.0, "absent": 0.0}.get(pair.label, math.nan)
        known[place] = pair.score, label, -1 if pair.called is None else pair.called
    nothing = (math.nan, math.nan, -1)
    expected = np.array([[known.get((n, k), nothing) for k in range(len(found.findings))] for n in range(len(names))])
    for at, values in enumerate((found.score, found.label, found.called)):
        np.testing.assert_array_equal(values, expected[:, :, at] if found.findings else expected)


def columns(store: Store, rows: Rows, chosen: Slice) -> None:
    population = replace(chosen.population(), finding=None, group=None, task=None)
    order = sorted(str(row["case"]) for row in rows.cases)
    for finding in FINDINGS[:2]:
        expected = sorted(chosen_pairs(rows, replace(population, finding=finding)), key=lambda pair: pair.case)
        found = store.column(chosen, finding)
        assert [order[film] for film in found.case] == [pair.case for pair in expected]
        labels = [{"present": 1.0, "absent": 0.0}.get(pair.label, np.nan) for pair in expected]
        np.testing.assert_array_equal(found.label, labels)
        np.testing.assert_array_equal(found.score, np.array([pair.score for pair in expected], np.float32))
        thresholds = [np.nan if pair.threshold is None else pair.threshold for pair in expected]
        np.testing.assert_array_equal(found.threshold, thresholds)
        assert found.center.tolist() == [pair.film["center"] for pair in expected]
        assert found.patient.tolist() == [pair.film["patient"] for pair in expected]


def called(store: Store, rows: Rows, chosen: Slice) -> None:
    population = replace(chosen.population(), finding=None, group=None, task=None)
    missed = chosen_pairs(rows, replace(population, finding="Mass", outcomes=(Outcome.MISS,)))
    films = {pair.case for pair in missed}
    population = replace(population, severity=None, side=None, size=None)
    expected = []
    for finding in sorted(set(FINDINGS) - {"Mass"}):
        base = chosen_pairs(rows, replace(population, finding=finding, label_source=None))
        base = [pair for pair in base if pair.called is not None]
        among = [pair for pair in base if pair.case in films]
        if base:
            rest = [pair for pair in base if pair.case not in films]
            expected.append(Called(finding, *(called_by_patient(pairs) for pairs in (among, rest, base))))
    assert store.called(chosen, "Mass") == tuple(expected)


def called_by_patient(pairs: list[Pair]) -> PatientSums:
    hits, rest = Counter[str](), Counter[str]()
    for pair in pairs:
        (hits if pair.called else rest)[pair.film["patient"] or f"film {pair.case}"] += 1
    patients = hits.keys() | rest.keys()
    return PatientSums(
        hits.total(),
        rest.total(),
        sum(n * n for n in hits.values()),
        sum(hits[each] * rest[each] for each in patients),
        sum(n * n for n in rest.values()),
        len(patients),
    )

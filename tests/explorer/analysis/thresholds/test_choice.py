"""Thresholds by a rule or by hand: against trying every one, on the films that are named, and what outcomes follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.leaderboard.report import board_notes, board_report
from explorer.analysis.thresholds.choice import NoThresholds, choose_by_hand, choose_by_rule
from explorer.analysis.thresholds.table import in_sample_films, threshold_table, thresholds_words
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import CASES, OPERATING_POINTS
from explorer.core.rates import Rate
from explorer.core.threshold_rules import RuleName
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.store.where_words import WrongFilter
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording, line_with

HERE = (NAME, MODEL)
Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]


def films(n: int = 60, seed: int = 3) -> list[Film]:
    """Of two centers, 30 each, of 20 patients with films at both; nobody has Hernia, and Mass is often tied."""
    random = np.random.default_rng(seed)
    made = []
    for k in range(n):
        mass = bool(random.random() < 0.4)
        score = round(float(np.clip(random.normal(0.6 if mass else 0.35, 0.12), 0, 1)), 1)
        labels = {"Mass": "present" if mass else "absent", "Hernia": "absent"}
        scores = {"Mass": score, "Hernia": float(random.random())}
        made.append(Film(f"{k:02}", labels, scores, f"p{k // 3}", "North" if k % 2 else "South"))
    return made


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(write_small(tmp_path, films(), {"Mass": 0.95, "Hernia": 0.5}))


def rates(labels: Bools, scores: Floats, cut: float) -> tuple[float, float, float]:
    """Sensitivity, specificity and F1."""
    called = scores >= cut
    hits, calls = (called & labels).sum(), called.sum()
    return hits / labels.sum(), (~called & ~labels).sum() / (~labels).sum(), 2 * hits / (calls + labels.sum())


# What a rule wants to be large, of (sensitivity, specificity, F1), where it may choose at all.
BEST: dict[RuleName, Callable[[tuple[float, float, float]], float]] = {
    "youden": lambda found: found[0] + found[1],
    "f1": lambda found: found[2],
    "sens90": lambda found: found[1] if found[0] >= 0.9 else -1,
    "spec90": lambda found: found[0] if found[1] >= 0.9 else -1,
}


@pytest.mark.parametrize("rule", BEST)
@pytest.mark.parametrize("center", ["North", None])
def test_no_other_threshold_does_better_on_these_films(store: Store, rule: RuleName, center: str | None) -> None:
    chosen = choose_by_rule(store, *HERE, rule, "" if center is None else f"center={center}")
    (point,) = chosen.points
    there = [film for film in films() if center in (None, film.center)]
    labels = np.array([film.labels["Mass"] == "present" for film in there])
    scores = np.array([film.scores["Mass"] for film in there], np.float32)
    mine = BEST[rule](rates(labels, scores, point.threshold))
    others = [BEST[rule](rates(labels, scores, cut)) for cut in np.unique(scores)[1:]]
    assert mine == pytest.approx(max(others))
    assert (chosen.about.films, chosen.about.patients) == (len(there), 20)
    assert chosen.about.positives == {"Hernia": 0, "Mass": labels.sum()}
    assert chosen.about.reasons == {"Hernia": "no positives"}


def test_once_chosen_outcomes_tables_exports_and_versions_are_others(store: Store, wording: Wording) -> None:
    before, own = store.version(*HERE), store.tally(Slice(*HERE, finding="Mass"))
    store.keep_thresholds(*HERE, choose_by_rule(store, *HERE, "youden", "center=North"))
    assert store.version(*HERE) != before
    (cut,) = store.thresholds(*HERE)
    here = films()
    expected = [film.scores["Mass"] >= np.float32(cut.threshold) for film in here if film.labels["Mass"] == "present"]
    tallied = store.tally(Slice(*HERE, finding="Mass"))
    assert sum(each.hits for each in tallied) == sum(expected) > sum(each.hits for each in own)
    assert all(
        each.hits + each.misses == 0 == each.false_alarms for each in store.tally(Slice(*HERE, finding="Hernia"))
    )
    assert set(store.rows(Slice(*HERE, finding="Mass"))["threshold"].to_pylist()) == {cut.threshold}
    _, values = store.sql(Slice(*HERE))
    assert values[:3] == ["Mass", None, cut.threshold] and "operating_points/reader.parquet" not in values
    case = store.case(NAME, "00")
    assert case is not None
    assert {row.finding: row.threshold for row in case.scores} == {"Mass": cut.threshold, "Hernia": None}
    assert store.model(*HERE).thresholds == store.models(NAME)[0].thresholds
    wording(store.model(*HERE).thresholds, "Youden", "North", "30 films")
    store.keep_thresholds(*HERE, None)
    assert store.tally(Slice(*HERE, finding="Mass")) == own and store.model(*HERE).thresholds == "set"


def test_the_table_says_on_which_films_its_rates_are(store: Store, wording: Wording) -> None:
    wording(threshold_table(store, *HERE).films)
    store.keep_thresholds(*HERE, choose_by_rule(store, *HERE, "sens90", "center=South"))
    table = threshold_table(store, *HERE)
    hernia, mass = table.lines
    wording(table.films, "in-sample", "30 films", "20 patients")
    assert (hernia.reason, hernia.thresholds, hernia.sensitivity) == ("no positives", (), Rate(0, 0))
    assert mass.sensitivity.n == mass.positives > 0 and (mass.sensitivity.value or 0) >= 0.9


@pytest.mark.parametrize(("center", "n"), [("North", 30), ("South", 0), (None, 30)])
def test_films_that_thresholds_were_chosen_on_are_counted(store: Store, center: str | None, n: int) -> None:
    asked = Slice(*HERE, center=center, finding="Mass")
    assert (in_sample_films(store, asked), thresholds_words(store, asked)) == (0, "the model's own")
    store.keep_thresholds(*HERE, choose_by_rule(store, *HERE, "youden", "center=North"))
    assert in_sample_films(store, asked) == n
    some = store.films(asked)[::3]
    assert in_sample_films(store, asked, some) == len(set(some) & set(store.films(Slice(*HERE, center="North"))))
    assert ("in-sample on 30 films" in thresholds_words(store, asked)) == bool(n)


def folded(tmp_path: Path) -> Store:
    """The films in three folds; the first patient has films in two of them."""
    folder = write_small(tmp_path, films(), {"Mass": 0.5})
    rows = [row | {"split": f"fold {(int(row['case']) + 1) // 21}"} for row in read_table(folder.cases).to_pylist()]
    write_table(folder.cases, pa.Table.from_pylist(rows, CASES))
    return store_of(folder)


def test_each_fold_has_the_threshold_of_other_folds_patients(tmp_path: Path) -> None:
    store = folded(tmp_path)
    chosen = choose_by_rule(store, *HERE, "f1", "fold")
    facts, grid = store.film_facts(NAME), store.grid(*HERE)
    k = grid.findings.index("Mass")
    assert [point.split for point in chosen.points] == ["fold 0", "fold 1", "fold 2"]
    for point in chosen.points:
        inside = facts.split == point.split
        rest = ~inside & ~np.isin(facts.patient, facts.patient[inside])
        labels, scores = grid.label[rest, k] == 1, grid.score[rest, k]
        best = max(rates(labels, scores, cut)[2] for cut in np.unique(scores)[1:])
        assert rates(labels, scores, point.threshold)[2] == pytest.approx(best)
    store.keep_thresholds(*HERE, chosen)
    assert in_sample_films(store, Slice(*HERE)) == 0
    assert threshold_table(store, *HERE).films.startswith("Rates are cross-fitted")


def test_films_of_no_fold_count_nowhere(tmp_path: Path) -> None:
    """24 films of 60 lie in a fold; the others have no threshold."""
    folder = write_small(tmp_path, films(), {"Mass": 0.5})
    rows = read_table(folder.cases).to_pylist()
    rows = [row | {"split": f"fold {int(row['case']) // 3 % 2}" if int(row["case"]) < 24 else None} for row in rows]
    write_table(folder.cases, pa.Table.from_pylist(rows, CASES))
    store = store_of(folder)
    chosen = choose_by_rule(store, *HERE, "youden", "fold")
    store.keep_thresholds(*HERE, chosen)
    there = sum(film.labels["Mass"] == "present" for film in films()[:24])
    line = next(line for line in threshold_table(store, *HERE).lines if line.finding == "Mass")
    assert chosen.about.films == 24 and line.positives == there == line.sensitivity.n


def test_by_hand_one_finding_is_changed_and_the_others_stay(store: Store, wording: Wording) -> None:
    store.keep_thresholds(*HERE, choose_by_hand(store, *HERE, {"Hernia": 0.125}))
    assert {cut.finding: cut.threshold for cut in store.thresholds(*HERE)} == {"Mass": 0.95, "Hernia": 0.125}
    wording(store.model(*HERE).thresholds, "Hernia")
    ruled = choose_by_rule(store, *HERE, "youden", "")
    both = choose_by_hand(store, *HERE, {"Hernia": 0.25}, ruled)
    assert {point.finding: point.rule for point in both.points} == {"Mass": "largest Youden index", "Hernia": "by hand"}
    assert both.about == replace(ruled.about, by_hand=("Hernia",), reasons={})


@pytest.mark.parametrize(
    ("values", "said"),
    [({"Goiter": 0.5}, "no score for 'Goiter'"), ({"Mass": 1.5}, "from 0 to 1"), ({"Mass": float("nan")}, "nan")],
)
def test_a_hand_that_sets_what_is_no_threshold_is_refused(store: Store, values: dict[str, float], said: str) -> None:
    with pytest.raises(NoThresholds, match=said):
        choose_by_hand(store, *HERE, values)


def test_films_that_give_none_are_refused(store: Store, tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(NoThresholds) as caught:
        choose_by_rule(store, *HERE, "youden", "fold")
    wording(caught.value, "folds")
    with pytest.raises(WrongFilter, match="center=West"):
        choose_by_rule(store, *HERE, "youden", "center=West")
    alike = [replace(film, labels={"Mass": "absent"}) for film in films(4)]
    with pytest.raises(NoThresholds) as caught:
        choose_by_rule(store_of(write_small(tmp_path / "b", alike, {})), *HERE, "youden", "")
    wording(caught.value, "no positives")


def test_where_there_are_no_thresholds_none_is_called_the_models_own(tmp_path: Path, wording: Wording) -> None:
    store = store_of(write_small(tmp_path, films(), {}))
    assert thresholds_words(store, Slice(*HERE)) == threshold_table(store, *HERE).words == "none"
    said = " ".join(
        board_notes(board_report(store, leaderboard(store, Slice(*HERE), HERE[1:]), Slice(*HERE), 0, natural=False))
    )
    assert "own thresholds" not in said
    wording(line_with(said, "F1", HERE[1]))
    (pair, *_) = store.page(Slice(*HERE, finding="Mass"), 0)
    assert pair.outcome is None and pair.label in ("present", "absent")


def test_one_number_for_every_finding_is_not_chosen_until_a_hand_or_a_rule_does(tmp_path: Path) -> None:
    folder = write_small(tmp_path, films(), {"Mass": 0.5, "Hernia": 0.5})
    points = [row | {"rule": "fixed at 0.5"} for row in read_table(folder.operating_points(MODEL)).to_pylist()]
    write_table(folder.operating_points(MODEL), pa.Table.from_pylist(points, OPERATING_POINTS))
    store = store_of(folder)

    def chosen() -> dict[str, bool]:
        page = store.page(Slice(*HERE, finding="Mass"), 0)
        return {cut.finding: cut.chosen for cut in store.thresholds(*HERE)} | {"on the page": page[0].chosen}

    assert thresholds_words(store, Slice(*HERE)) == "fixed at 0.5, not chosen"
    assert chosen() == {"Mass": False, "Hernia": False, "on the page": False}
    store.keep_thresholds(*HERE, choose_by_hand(store, *HERE, {"Hernia": 0.25}))
    assert chosen() == {"Mass": False, "Hernia": True, "on the page": False}
    store.keep_thresholds(*HERE, choose_by_rule(store, *HERE, "youden", ""))
    assert chosen() == {"Mass": True, "on the page": True}  # nobody has Hernia

"""The leaderboard's numbers against scikit-learn and loops in plain Python over random small cohorts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_fscore_support, roc_auc_score

from explorer.analysis.leaderboard.board_rates import BOARD_RATES
from explorer.analysis.leaderboard.columns import BOARD_COLUMNS
from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, BoardMeasure
from explorer.analysis.leaderboard.joint_scores import NoComparison, joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, leaderboard, slice_groups
from explorer.analysis.leaderboard.report import board_report
from explorer.analysis.leaderboard.rows import board_rows
from explorer.analysis.leaderboard.table import format_board
from explorer.metrics.metrics import ece
from explorer.store.slices import Slice
from tests.support.several_models import FINDINGS, MODELS, SeveralModels, write_several
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording, line_with

RESAMPLES, SEED = 6, 5
SMALL = Slice(NAME, MODELS[0])


@dataclass(frozen=True)
class Apart:
    """The same films, gathered film by film: those that every model scored for every finding."""

    made: SeveralModels
    rows: tuple[int, ...]
    units: tuple[int, ...]  # of each row
    natural: bool
    asked: dict[tuple[object, ...], float] = field(default_factory=dict)  # scikit-learn takes a millisecond each

    @classmethod
    def of(cls, made: SeveralModels, natural: bool, center: str | None = None) -> Apart:
        films = made.films[MODELS[0]]
        rows = tuple(
            number
            for number, film in enumerate(films)
            if all(set(each[number].scores) == set(FINDINGS) for each in made.films.values())
            and center in (None, film.center)
        )
        names = [film.patient or number for number, film in enumerate(films)]
        order = [name for name in dict.fromkeys(names) if any(names[row] == name for row in rows)]
        return cls(made, rows, tuple(order.index(names[row]) for row in rows), natural)

    def resample(self, r: int) -> list[int]:
        """Rows of a resample, each as often as it was drawn."""
        units = max(self.units) + 1
        drawn = np.random.default_rng([SEED, r]).integers(0, units, units).tolist()
        return [row for row, unit in zip(self.rows, self.units, strict=True) for _ in range(drawn.count(unit))]

    def value(self, measure: BoardMeasure, model: str, finding: str, rows: Sequence[int]) -> float:
        """One metric of one model and finding over rows, NaN where undefined."""
        key = measure, model, finding, tuple(rows)
        if key not in self.asked:
            self.asked[key] = self._value(measure, model, finding, rows)
        return self.asked[key]

    def _value(self, measure: BoardMeasure, model: str, finding: str, rows: Sequence[int]) -> float:
        films = [self.made.films[model][row] for row in rows]
        said = [(film, film.labels.get(finding)) for film in films]
        known = [(film, label == "present") for film, label in said if label in ("present", "absent")]
        truth = np.array([present for _, present in known], dtype=float)
        scores = np.array([np.float32(film.scores[finding]) for film, _ in known], dtype=float)
        weights = np.array([film.weight if self.natural else 1.0 for film, _ in known])
        threshold = self.made.thresholds[model].get(finding)
        if not len(truth) or (measure != "ECE" and not truth.any()):
            return math.nan
        if measure == "ECE":
            return float(ece(truth[:, None], scores[:, None], weights)[0])
        if measure in ("AP", "AUROC"):
            metric = average_precision_score if measure == "AP" else roc_auc_score
            return math.nan if truth.all() else float(metric(truth, scores, sample_weight=weights))
        if threshold is None:
            return math.nan
        calls = scores >= threshold
        three = precision_recall_fscore_support(
            truth, calls, average="binary", sample_weight=weights, zero_division=np.nan
        )
        for name, value in zip(("precision", "recall", "F1"), three, strict=False):
            self.asked[name, model, finding, tuple(rows)] = float(value)
        return self.asked[measure, model, finding, tuple(rows)]

    def means(
        self, measure: BoardMeasure, members: Sequence[str], models: Sequence[str], rows: Sequence[int]
    ) -> list[float]:
        """By model, over the findings that all models which have any of them have on the films as they are."""
        points = {each: {k: self.value(measure, each, k, self.rows) for k in members} for each in models}
        compared = [each for each in models if any(not math.isnan(value) for value in points[each].values())]
        counted = [k for k in members if compared and not any(math.isnan(points[each][k]) for each in compared)]
        values = {each: {k: self.value(measure, each, k, rows) for k in counted} for each in compared}
        defined = [k for k in counted if not any(math.isnan(values[each][k]) for each in compared)]
        return [
            sum(values[each][k] for k in defined) / len(defined) if each in compared and defined else math.nan
            for each in models
        ]


def members_of(board: Board, part: BoardPart) -> list[str]:
    return [board.findings[place] for place in part.members]


@pytest.mark.slow
@settings(max_examples=5)
@given(st.integers(0, 2**32 - 1), st.integers(3, 24), st.integers(1, 3), st.booleans())
def test_every_mean_rank_and_difference_is_that_of_a_plain_loop(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, centers: int, natural: bool
) -> None:
    made = write_several(tmp_path_factory.mktemp("several"), seed, n, centers)
    store = store_of(made.folder)
    try:
        joint = joint_scores(store, SMALL, MODELS)
    except NoComparison:
        return  # no film was scored by all, or none has a label
    board = board_of(joint, slice_groups(store, SMALL, MODELS), RESAMPLES, SEED, natural)
    for place, part in enumerate(board.parts):
        apart = Apart.of(made, natural, part.center)
        members = members_of(board, part)
        resamples = [apart.resample(r) for r in range(RESAMPLES)]
        areas = [apart.means("AUROC", members, MODELS, rows) for rows in resamples]
        for measure in BOARD_MEASURES:
            means = board.means[place, measure]
            assert means.point == pytest.approx(
                apart.means(measure, members, MODELS, apart.rows), abs=1e-9, nan_ok=True
            )
            samples = [apart.means(measure, members, MODELS, rows) for rows in resamples]
            assert means.samples == pytest.approx(np.array(samples), abs=1e-9, nan_ok=True)
            check_order(board, place, measure, samples, areas)
            check_differences(board, place, measure, samples)


def check_order(
    board: Board, part: int, measure: BoardMeasure, samples: Sequence[list[float]], areas: Sequence[list[float]]
) -> None:
    compared = [model for model in range(len(MODELS)) if any(not math.isnan(each[model]) for each in samples)]
    used = [r for r, each in enumerate(samples) if not any(math.isnan(each[model]) for model in compared)]
    if not used or not compared:
        return
    first = dict.fromkeys(compared, 0.0)
    for r in used:
        sign = -1 if measure == "ECE" else 1
        keys = {model: round(sign * samples[r][model], 10) for model in compared}
        ties = {model: 0.0 if math.isnan(areas[r][model]) else round(areas[r][model], 10) for model in compared}
        best = [model for model in compared if (keys[model], ties[model]) == max((keys[m], ties[m]) for m in compared)]
        if measure == "AUROC":
            best = [model for model in compared if keys[model] == max(keys.values())]
        for model in best:
            first[model] += 1 / len(best) / len(used)
    assert board.order(part, measure).first[compared] == pytest.approx(list(first.values()))


def check_differences(board: Board, part: int, measure: BoardMeasure, samples: Sequence[list[float]]) -> None:
    found = board.against(part, measure, 0)
    if measure in BOARD_RATES:
        return  # see test_board_rates.py
    raw = []
    for model in (1, 2):
        less = [each[model] - each[0] for each in samples if not math.isnan(each[model] - each[0])]
        if not less or board.means[part, measure].units < 2:
            assert math.isnan(found.p[model])
            continue
        fewer = min(sum(each <= 1e-12 for each in less), sum(each >= -1e-12 for each in less))
        raw.append(min(1, 2 * (fewer + 1) / (len(less) + 1)))
        assert found.p[model] == pytest.approx(raw[-1])
        assert (found.low[model], found.high[model]) == pytest.approx(tuple(np.quantile(less, [0.025, 0.975])))
    highest = max(raw, default=0)  # of two rows the smaller p is doubled, up to the larger one
    expected = [p if p == highest else min(highest, 2 * p) for p in raw]
    assert [each for each in found.adjusted.tolist() if not math.isnan(each)] == pytest.approx(expected)


@settings(max_examples=5)
@given(st.integers(0, 2**32 - 1), st.integers(8, 30))
def test_winners_are_the_best_by_ap_and_auroc(tmp_path_factory: pytest.TempPathFactory, seed: int, n: int) -> None:
    made = write_several(tmp_path_factory.mktemp("several"), seed, n)
    store = store_of(made.folder)
    try:
        board = leaderboard(store, SMALL, MODELS)
    except NoComparison:
        return
    apart = Apart.of(made, natural=False)
    for winner in board.winners:
        keys = [
            tuple(round(apart.value(measure, model, winner["finding"], apart.rows), 10) for measure in ("AP", "AUROC"))
            for model in MODELS
        ]
        if any(math.isnan(key[0]) for key in keys):
            assert winner["models"] == [] and winner["AP"] is None
            assert winner["finding"] in board.undefined
        else:
            assert winner["models"] == [model for model, key in zip(MODELS, keys, strict=True) if key == max(keys)]
    assert "Hernia" in board.undefined and board.resamples == 0


def test_a_group_has_only_findings_that_were_seen(tmp_path: Path) -> None:
    made = write_several(tmp_path, 1, 40)
    board = leaderboard(store_of(made.folder), SMALL, MODELS)
    names = {part.name: members_of(board, part) for part in board.parts if part.center is None}
    assert names["unseen findings"] == ["Scoliosis"]
    assert names["seen findings"] == ["Mass", "Normal", "Hernia"]
    assert names["without Normal"] == ["Mass", "Hernia"]
    assert names["own findings"] == ["A name of its own"] and "not grouped" not in names
    assert [part.center for part in board.parts if part.kind == "center"] == ["North", "South", "no center stated"]


def test_films_and_findings_that_not_all_models_know_are_left_out_and_counted(tmp_path: Path) -> None:
    films = [
        Film(str(n), {"Mass": "present" if n % 2 else "absent"}, {"Mass": n / 10, "Hernia": 0.1}) for n in range(6)
    ]
    write_small(tmp_path, films, {}, model="one")
    other = [Film(film.case, film.labels, {"Mass": 0.5, "Normal": 0.5}) for film in films[:4]]
    folder = write_small(tmp_path, [*other, *(Film(film.case, film.labels) for film in films[4:])], {}, model="two")
    board = leaderboard(store_of(folder), Slice(NAME, "one"), ("one", "two"))
    assert (board.films, board.films_left_out) == (4, 2)
    assert (board.findings, board.findings_left_out) == (("Mass",), ("Hernia", "Normal"))
    assert np.isnan(board.means[0, "F1"].point).all(), "no model has a threshold"


def test_a_center_of_a_control_character_has_its_films(tmp_path: Path) -> None:
    """A cohort of an earlier version may have one: NumPy takes a NUL at the end of a text away."""
    films = [
        Film(str(n), {"Mass": "present" if n % 3 else "absent"}, {"Mass": n / 20}, center="\0" if n % 2 else "North")
        for n in range(20)
    ]
    board = leaderboard(store_of(write_small(tmp_path, films, {})), Slice(NAME, MODEL), (MODEL,))
    assert [part.center for part in board.parts if part.kind == "center"] == ["\0", "North"]
    assert all(part.films == 10 for part in board.parts if part.kind == "center")


def test_models_without_a_finding_in_common_are_refused(tmp_path: Path) -> None:
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.5})]
    write_small(tmp_path, films, {}, model="one")
    folder = write_small(tmp_path, [Film("a", {"Mass": "present"}, {"Hernia": 0.5})], {}, model="two")
    with pytest.raises(NoComparison, match="no finding in common"):
        leaderboard(store_of(folder), Slice(NAME, "one"), ("one", "two"))


def test_films_without_labels_are_refused(tmp_path: Path, wording: Wording) -> None:
    folder = write_small(tmp_path, [Film("a", {}, {"Mass": 0.5})], {}, model="one")
    with pytest.raises(NoComparison) as caught:
        leaderboard(store_of(folder), Slice(NAME, "one"), ("one",))
    wording(caught.value, "label")
    with pytest.raises(NoComparison) as caught:
        leaderboard(store_of(folder), Slice(NAME, "one", view="AP"), ("one",))
    wording(caught.value, "filter")


def test_a_slice_has_its_films_alone(tmp_path: Path) -> None:
    made = write_several(tmp_path, 3, 40)
    board = leaderboard(store_of(made.folder), Slice(NAME, "one", view="PA", center="North"), MODELS)
    films = [film for film in made.films["one"] if film.view == "PA" and film.center == "North"]
    assert board.films + board.films_left_out == len(films)
    assert not any(part.kind == "center" for part in board.parts)


def test_the_fewest_positives_are_of_the_findings_that_a_mean_counts(tmp_path: Path, wording: Wording) -> None:
    """Hernia has no threshold: mAP counts it, mean precision does not."""
    films = [
        Film(str(n), {"Mass": "present" if n % 2 else "absent", "Hernia": "present" if n == 3 else "absent"},
             {"Mass": n / 10, "Hernia": n / 20})
        for n in range(10)
    ]  # fmt: skip
    store, chosen = store_of(write_small(tmp_path, films, {"Mass": 0.4}, model="one")), Slice(NAME, "one")
    board = leaderboard(store, chosen, ("one",))
    assert (board.fewest(0, "AP"), board.fewest(0, "precision")) == (1, 5)
    report = board_report(store, board, chosen, 0, natural=False)
    rows = {
        row["metric"]: row["positives_fewest"] for row in board_rows(report) if row["findings"] == board.parts[0].name
    }
    assert (rows["mAP"], rows["precision"]) == (1, 5)
    text = format_board("text", report)
    assert ": 2 findings, 10 films, fewest positives 1\n" in text
    wording(line_with(text, "1 of 2 findings", "10 films", "5"))


def test_every_column_that_compares_is_in_files_and_in_text(tmp_path: Path) -> None:
    made = write_several(tmp_path, 1, 60)
    store = store_of(made.folder)
    board = board_of(joint_scores(store, SMALL, MODELS), slice_groups(store, SMALL, MODELS), RESAMPLES, SEED, False)
    report = board_report(store, board, SMALL, 0, natural=False)
    row = next(board_rows(report))
    assert {name for column in BOARD_COLUMNS for name in column.exported} <= row.keys()
    head = next(line for line in format_board("text", report).splitlines() if line.startswith("model "))
    assert f"mAP less {MODELS[0]}" in head and "P(first)" in head
    assert [(each.key, each.falls("AP"), each.falls("ECE")) for each in BOARD_COLUMNS] == [
        ("difference", True, False),
        ("first", True, True),
    ]

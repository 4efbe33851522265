"""What perturbations change, on four films worked by hand."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from explorer.analysis.leaderboard.joint_scores import NoComparison
from explorer.analysis.robustness.finding_sides import box_side, finding_sides
from explorer.analysis.robustness.flips import RIGHT, WRONG, least_stable
from explorer.analysis.robustness.not_scored import time_words
from explorer.analysis.robustness.relative_error import relative_error
from explorer.analysis.robustness.report import Robustness, robustness
from explorer.analysis.robustness.summary import summary, tail_flips
from explorer.analysis.robustness.table import outcome_flips, robustness_table
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import APPEARANCES, BOXES
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.result_table import table_in
from explorer.store.slices import Slice
from models.perturbations.film import Scale
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording

CUTS = {"Nodule": 0.5, "Hernia": 0.5}
FILMS = [
    Film("a", {"Nodule": "present", "Hernia": "absent"}, {"Nodule": 0.9, "Hernia": 0.6}, patient="1"),
    Film("b", {"Nodule": "present", "Hernia": "present"}, {"Nodule": 0.6, "Hernia": 0.7}, patient="2"),
    Film("c", {"Nodule": "absent", "Hernia": "absent"}, {"Nodule": 0.4, "Hernia": 0.2}, patient="3"),
    Film("d", {"Nodule": "absent", "Hernia": "absent"}, {"Nodule": 0.1, "Hernia": 0.1}, patient="4"),
]
# Mirrored: b's Nodule falls below c's and below the threshold; a's Hernia, a false alarm, falls below it, too.
MIRRORED = {"a": {"Nodule": 0.9, "Hernia": 0.4}, "b": {"Nodule": 0.3, "Hernia": 0.7}}


def write_level(cohort: Folder, level: str, films: list[Film]) -> None:
    write_small(cohort.path / "perturbed", films, CUTS, name=MODEL, model=level)


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    folder = write_small(tmp_path, FILMS, CUTS)
    write_level(folder, "unchanged", FILMS)
    write_level(folder, "flip", changed(MIRRORED))
    return folder


def changed(scores: dict[str, dict[str, float]]) -> list[Film]:
    return [replace(film, scores=film.scores | scores.get(film.case, {})) for film in FILMS]


def compared(cohort: Folder, resamples: int = 0, scale: Scale = "matched") -> Robustness:
    return robustness(store_of(cohort), Slice(NAME, MODEL, source="paper"), scale, resamples, 0)


def names(found: Robustness) -> list[str]:
    return [each.level.name for each in found.results]


def test_changes_of_means_are_as_by_hand(cohort: Folder) -> None:
    found = compared(cohort)
    assert names(found) == ["flip"]
    part, *groups = found.parts
    assert len(part.members) == 2
    changes = found.results[0].changes
    # Nodule: b is third of three, (1 + 2/3) / 2 instead of 1; Hernia stays 1.
    assert changes.at(0, "AP").value == pytest.approx((5 / 6 - 1) / 2)
    # Nodule: b is below c, 3 of 4 pairs instead of all; Hernia stays 1.
    assert changes.at(0, "AUROC").value == pytest.approx(-0.125)
    # Nodule: one of two is found instead of both; Hernia stays 1.
    assert changes.at(0, "sensitivity").value == pytest.approx(-0.25)
    # Nodule: from 0 to 1/4; Hernia: from 1/6, one of three false alarms, to 0.
    assert found.unchanged.at(0, "balanced error").value == pytest.approx(1 / 12)
    assert changes.at(0, "balanced error").value == pytest.approx((1 / 4 - 1 / 6) / 2)
    # Nodule: from both films flagged to one, all of them right; Hernia: from one of two that are right to all.
    assert found.unchanged.at(0, "precision").value == pytest.approx((1 + 1 / 2) / 2)
    assert changes.at(0, "precision").value == pytest.approx((0 + 1 / 2) / 2)
    # Every score has a bin of its own, so ECE is the mean distance from the label. Nodule: b from 0.4 to 0.7 away;
    # Hernia: a from 0.6 to 0.4.
    assert found.unchanged.at(0, "ECE").value == pytest.approx(((0.1 + 0.4 + 0.4 + 0.1) + (0.6 + 0.3 + 0.2 + 0.1)) / 8)
    assert changes.at(0, "ECE").value == pytest.approx((0.3 - 0.2) / 8)
    by_group = [changes.at(place, "AP").value for place, _ in enumerate(groups, 1)]
    assert sorted(by_group) == pytest.approx([-1 / 6, 0])  # only Nodule's group


def test_a_finding_that_is_never_flagged_at_a_level_is_left_out_of_its_change_of_precision(cohort: Folder) -> None:
    write_level(cohort, "rotation-1", changed({"a": {"Nodule": 0.2}, "b": {"Nodule": 0.3}}))
    found = compared(cohort)
    rotated = found.results[-1]
    assert rotated.changes.at(0, "precision").value == pytest.approx(0)  # Hernia alone, one of two as before
    assert rotated.means.at(0, "precision").value == pytest.approx(1 / 2)
    rows = list(csv.DictReader(io.StringIO(table_in("csv", robustness_table(found)))))
    row = next(row for row in rows if row["perturbation"] == "rotation")
    assert (float(row["precision"]), float(row["precision_change"])) == pytest.approx((1 / 2, 0))


def test_flips_are_counted_by_what_the_call_was(cohort: Folder) -> None:
    found = compared(cohort)
    right, wrong = (found.results[0].flips[0][kind] for kind in (RIGHT, WRONG))
    assert (right.hits, right.n) == (1, 7)  # b's Nodule, of all calls but a's Hernia
    assert (wrong.hits, wrong.n) == (1, 1)
    assert right.interval is not None and right.interval[0] < 1 / 7 < right.interval[1]


def test_the_table_has_a_row_for_each_level_and_group_and_n_beside_flips(cohort: Folder) -> None:
    table = robustness_table(compared(cohort, resamples=20))
    text = table_in("text", table)
    assert "reader on perturbed films of small: 4 films of 4 patients." in text
    assert "Mirrored" in text and "n = 7" in text and "unchanged" in text
    rows = list(csv.DictReader(io.StringIO(table_in("csv", table))))
    assert {row["perturbation"] for row in rows} == {"flip"} and len(rows) == 3
    assert float(rows[0]["AP_change"]) == pytest.approx(-1 / 12, abs=1e-6)
    assert float(rows[0]["AP_low"]) <= float(rows[0]["AP_change"]) <= float(rows[0]["AP_high"])


def test_only_films_that_every_level_scored_count(cohort: Folder) -> None:
    write_level(cohort, "inversion", FILMS[:3])
    found = compared(cohort)
    assert len(found.films.cases) == 3 and found.films.unchanged.films_left_out == 1
    assert names(found) == ["flip", "inversion"]


def test_a_model_whose_films_were_not_perturbed_is_refused(tmp_path: Path) -> None:
    folder = write_small(tmp_path, FILMS, CUTS)
    with pytest.raises(NoComparison, match="has not scored perturbed films") as refused:
        compared(folder)
    assert "score --cohort small --model reader --perturb all" in refused.value.detail
    assert "It scores 4 films 106 times each" in refused.value.detail


def test_time_is_in_its_largest_fitting_unit() -> None:
    assert [time_words(seconds) for seconds in (20, 90, 7000, 3 * 3600, 60 * 3600)] == [
        "1 minute",
        "2 minutes",
        "117 minutes",
        "3 hours",
        "2 days",
    ]


def test_a_mirrored_finding_on_one_side_is_told_apart(cohort: Folder) -> None:
    assert compared(cohort).mirrored is None  # nothing says which findings have a side
    rows = {"case": ["b"], "finding": ["Nodule"], "severity": [0.5], "side": ["left"], "area": [0.1]}
    write_table(cohort.appearances, pa.table(rows, schema=APPEARANCES))
    write_manifest(cohort.manifest, replace(read_manifest(cohort.manifest), files=listed_cohort(cohort)))
    found = compared(cohort).mirrored
    assert found is not None
    assert (found.sided.hits, found.sided.n) == (1, 1)  # b's Nodule
    assert (found.other_hits.hits, found.other_hits.n) == (0, 2)  # a's Nodule, b's Hernia
    assert (found.rejections.hits, found.rejections.n) == (0, 4)
    *_, words = summary(compared(cohort))
    assert words.startswith("Mirrored films lose 100 % [21\N{EN DASH}100] (n 1) of hits on findings of one side.")


def test_boxes_say_which_findings_are_on_one_side_where_the_cohort_does_not(cohort: Folder) -> None:
    # a's nodule lies in the left half, b's nodules in both; nothing says where b's hernia is.
    boxes = [("a", "Nodule", 0.1, 0.2), ("b", "Nodule", 0.1, 0.2), ("b", "Nodule", 0.7, 0.2)]
    case, finding, x, width = zip(*boxes, strict=True)
    rows = {"case": case, "finding": finding, "x": x, "y": [0.4] * 3, "width": width, "height": [0.1] * 3}
    write_table(cohort.boxes, pa.table({**rows, "source": ["a reader"] * 3}, schema=BOXES))
    write_manifest(cohort.manifest, replace(read_manifest(cohort.manifest), files=listed_cohort(cohort)))
    found = compared(cohort)
    flips = found.mirrored
    assert flips is not None
    assert (flips.sided.hits, flips.sided.n) == (0, 1)  # a's Nodule
    assert (flips.other_hits.hits, flips.other_hits.n) == (1, 1)  # b's Nodule
    assert (flips.unplaced.hits, flips.unplaced.n) == (0, 1)  # b's Hernia
    assert (flips.rejections.hits, flips.rejections.n) == (0, 4)
    *_, words = summary(found)
    assert "The place of some findings is not stated: 0 %" in words and "(n 1) of their hits are lost" in words


@pytest.mark.parametrize(
    ("x", "width", "side"),
    [
        (0.1, 0.3, "left"),
        (0.315, 0.2, "left"),  # 0.185 of 0.2 on the left
        (0.33, 0.2, "both"),  # 0.17 of 0.2
        (0.485, 0.2, "right"),
        (0.3, 0.45, "both"),  # a heart
        (0.5, 0.2, "right"),
    ],
)
def test_a_box_is_on_one_side_if_nine_tenths_of_it_are(x: float, width: float, side: str) -> None:
    assert box_side(x, width) == side


def test_boxes_of_simulated_findings_give_the_side_that_the_simulator_states(tmp_path: Path) -> None:
    shipped, boxed = Folder(CACHE / "phantom"), Folder(tmp_path)
    for path in (shipped.cases, shipped.boxes):
        (tmp_path / path.name).symlink_to(path)
    rows = read_table(shipped.appearances, ["case", "finding", "side"])
    case, finding, side = (rows[name].to_pylist() for name in rows.column_names)
    cases, findings = sorted(set(case)), sorted(set(finding))
    found = finding_sides(boxed, cases, findings)
    assert found is not None and found.unknown.any()
    places = [(cases.index(one), findings.index(other)) for one, other in zip(case, finding, strict=True)]
    seen = [
        (word, bool(found.one_side[place]))
        for place, word in zip(places, side, strict=True)
        if not found.unknown[place]
    ]
    by_boxes = {word: [one for each, one in seen if (each in ("left", "right")) == word] for word in (True, False)}
    assert (sum(by_boxes[True]), len(by_boxes[True])) == (1164, 1263)  # as docs/stress.md says
    assert [one for word, one in seen if word == "both"] == [False] * 385


@pytest.fixture
def rotated(cohort: Folder) -> Folder:
    """Weakly rotated, b's Nodule is lost; strongly, also a's Nodule, and its Hernia is no false alarm any more."""
    write_level(cohort, "rotation-1", changed({"b": {"Nodule": 0.45}}))
    write_level(cohort, "rotation-4", changed({"b": {"Nodule": 0.3}, "a": {"Nodule": 0.2, "Hernia": 0.3}}))
    return cohort


def test_flips_are_counted_over_the_levels_with_a_strength(rotated: Folder) -> None:
    found = compared(rotated)
    assert (found.weakest.levels, found.dialed.levels) == (1, 2)  # mirrored films have no strength
    flips = dict(outcome_flips(found, found.before, found.dialed))
    lost, dropped = flips["Nodule"][Outcome.HIT], flips["Hernia"][Outcome.FALSE_ALARM]
    assert (lost.hits, lost.n) == (3, 4)  # two hits at two levels
    assert (dropped.hits, dropped.n) == (1, 2)
    assert (flips["Hernia"][Outcome.HIT].hits, flips["Nodule"][Outcome.CORRECT_REJECTION].hits) == (0, 0)
    findings = found.findings
    assert least_stable(found.dialed, 9) == ((1, findings.index("Nodule")), (0, 0))  # b; a: both once
    assert least_stable(found.dialed, 1) == ((1, findings.index("Nodule")),)


def test_flips_at_kinds_that_are_on_or_off_are_counted_apart(rotated: Folder) -> None:
    write_level(rotated, "inversion", changed({"a": {"Nodule": 0.4}, "c": {"Hernia": 0.8}}))
    found = compared(rotated)
    assert [each.level.name for each in found.switched] == ["flip", "inversion"]
    assert (found.dialed.levels, found.on_or_off.levels) == (2, 2)
    mirrored, inverted = (dict(outcome_flips(found, each.before, each.flips)) for each in found.switched)
    assert [(each["Nodule"][Outcome.HIT].hits, each["Nodule"][Outcome.HIT].n) for each in (mirrored, inverted)] == [
        (1, 2),  # b
        (1, 2),  # a
    ]
    dropped, lost = mirrored["Hernia"][Outcome.FALSE_ALARM], inverted["Hernia"][Outcome.CORRECT_REJECTION]
    assert (dropped.hits, dropped.n, lost.hits, lost.n) == (1, 1, 1, 2)  # a; c of c and d
    nodule, hernia = map(found.findings.index, ("Nodule", "Hernia"))
    counts = found.on_or_off.counts
    assert (counts[0, nodule], counts[0, hernia], counts[1, nodule], counts[2, hernia], counts.sum()) == (1, 1, 1, 1, 4)
    titles = [grid.title for grid in robustness_table(found).grids]
    assert titles[-3:-1] == ["flips over 2 levels with a strength", "flips: Mirrored"]


def test_a_finding_of_one_side_does_not_flip_on_mirrored_films(cohort: Folder) -> None:
    rows = {"case": ["b"], "finding": ["Nodule"], "severity": [0.5], "side": ["left"], "area": [0.1]}
    write_table(cohort.appearances, pa.table(rows, schema=APPEARANCES))
    write_manifest(cohort.manifest, replace(read_manifest(cohort.manifest), files=listed_cohort(cohort)))
    found = compared(cohort)
    (mirrored,) = found.switched
    hits = dict(outcome_flips(found, mirrored.before, mirrored.flips))["Nodule"][Outcome.HIT]
    assert (hits.hits, hits.n) == (0, 1)  # a's; b's is lost, but moves to the other side
    assert least_stable(found.on_or_off, 9) == ((0, found.findings.index("Hernia")),)
    assert robustness_table(found).grids[-1].title == "flips: Mirrored, without findings of one side"


def test_the_tail_is_compared_with_the_head_at_the_weakest_strength(rotated: Folder) -> None:
    tail = tail_flips(compared(rotated))
    assert tail is not None
    rates = {tail.rare.name: tail.rare_rate, tail.common.name: tail.common_rate}
    assert tail.common.name == FrequencyGroup.MEDIUM  # Nodule: one of two hits lost; Hernia: none of one
    assert [(rate.hits, rate.n) for rate in rates.values()] == [(0, 1), (1, 2)]
    assert tail.difference.value == pytest.approx(-0.5)


def test_the_first_sentence_names_the_costliest_level(rotated: Folder) -> None:
    found = compared(rotated)
    # Rotated at 4, nodules rank second and third of four: (1/2 + 2/3) / 2; Hernia stays 1.
    expected = (7 / 12 + 1) / 2 - 1
    assert found.results[-1].changes.at(0, "AP").value == pytest.approx(expected)
    first, second, *_ = summary(found)
    assert (
        first
        == "Of 2 levels with a strength, Rotated at strength 4 costs most: mean AP \N{MINUS SIGN}0.208, from 1.000."
    )
    assert second.startswith("Of 1 kind without a strength, Mirrored costs most: mean AP \N{MINUS SIGN}0.083")


def test_the_relative_balanced_error_is_the_rise_beside_alexnets(cohort: Folder) -> None:
    write_level(cohort, "unchanged-c", FILMS)
    for severity in range(1, 6):
        write_level(cohort, f"jpeg-c{severity}", changed({"b": {"Nodule": 0.3}} if severity > 2 else {}))
    found = compared(cohort, scale="medmnist-c")
    # At three of five severities one of two nodules is lost: Nodule's balanced error is 1/4 more, the mean's 1/8.
    rise = found.kind_change(found.kinds()["jpeg"], "balanced error").value
    assert rise == pytest.approx(3 / 5 / 8)
    relative = relative_error(found, "jpeg", found.kinds()["jpeg"])
    assert relative is not None and relative.value == pytest.approx(rise / (0.34576 - 0.28391))
    assert relative_error(compared(cohort), "flip", compared(cohort).kinds()["flip"]) is None


def test_physical_levels_have_rows_and_are_told_apart(cohort: Folder, wording: Wording) -> None:
    write_level(cohort, "dose-3", FILMS)
    found = compared(cohort)
    assert [each.level.name for each in found.results] == ["flip", "dose-3"]
    table = robustness_table(found)
    assert "Lower dose, strength 3" in table_in("text", table)
    wording(next(note for note in table.notes if "simulated patient" in note))

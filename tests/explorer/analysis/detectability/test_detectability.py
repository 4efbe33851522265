"""Shares of inserted findings that are flagged, counted by hand, and the severity from which half are."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.detectability.flagged import (
    apart,
    blind_films,
    flagged,
    flagged_groups,
    lacks_heart,
    model_difference,
)
from explorer.analysis.detectability.report import (
    Detectability,
    detectability,
    doubt_words,
    notes,
    sentences,
    usual_severity,
)
from explorer.analysis.detectability.severity_curve import half_severity, severity_curve
from explorer.analysis.detectability.table import detectability_table
from explorer.analysis.leaderboard.joint_scores import NoComparison
from explorer.core.result_table import table_in
from explorer.metrics.clustered_rates import clustered_rate
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.inserted_rows import Row, mass_rows, write_rows
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

# Four films; the first two are of one patient. Threshold 0.5. Severities 0.3, 0.6, 0.9.
FILMS = [
    Film(
        f"film {number}",
        {"Mass": "absent", "Pleural Effusion": "absent"},
        {"Mass": 0.1, "Pleural Effusion": 0.1},
        patient=patient,
        center=center,
        sex=sex,
    )
    for number, (patient, center, sex) in enumerate(
        [("p", "North", "F"), ("p", "North", "F"), ("q", "South", "M"), ("r", "South", "F")]
    )
]
RIGHT = [(0.2, 0.6, 0.7), (0.1, 0.5, 0.9), (0.6, 0.7, 0.8), (0.1, 0.2, 0.3)]  # flagged 1, 3, 3 of 4
LEFT = [(0.1, 0.1, 0.6), (0.1, 0.1, 0.2), (0.1, 0.6, 0.6), (0.1, 0.1, 0.1)]  # flagged 0, 1, 2 of 4
EFFUSIONS = [
    Row(f"film {film}", "Pleural Effusion", "left", None, None, None, severity, severity * top, 0.55 if film else 0.2)
    for film, top in enumerate((1.0, 1.0, 0.4, 0.4))
    for severity in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
]
ROWS = [*mass_rows(RIGHT, "right base", 0.3), *mass_rows(LEFT, "left base", 0.7), *EFFUSIONS]
CUTS = {"Mass": 0.5, "Pleural Effusion": 0.5}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two models: the second flags every mass on the left, and nothing on film 3."""
    folder = write_small(tmp_path_factory.mktemp("cohorts"), FILMS, CUTS)
    write_small(folder.path.parent, FILMS, CUTS, model="other")
    write_rows(folder, ROWS)
    seen = [(0.9, 0.9, 0.9)] * 3
    write_rows(folder, [*mass_rows(RIGHT[:3], "right base", 0.3), *mass_rows(seen, "left base", 0.7)], "other")
    return store_of(folder)


@pytest.fixture(scope="module")
def found(store: Store) -> Detectability:
    return detectability(store, Slice(NAME, MODEL), MODEL)


def test_the_share_flagged_counts_places_and_its_interval_patients(found: Detectability) -> None:
    at = found.trials.about("Mass", 0.6)
    count = flagged(at)
    assert (count.inserted.hits, count.inserted.n) == (4, 8)
    assert (count.without.hits, count.without.n) == (0, 4)
    hits = np.array([0.6, 0.5, 0.7, 0.2, 0.1, 0.1, 0.6, 0.1]) >= 0.5
    assert count.inserted == clustered_rate(hits, np.array([0, 0, 1, 2, 0, 0, 1, 2]))
    assert count.inserted.independent < 8  # the two places of a film, and the films of a patient, are not independent


def test_films_flagged_without_are_films_and_not_places(found: Detectability) -> None:
    count = flagged(found.trials.about("Pleural Effusion"))
    assert (count.without.hits, count.without.n) == (3, 4)


def test_groups_are_zones_sides_and_what_is_known_of_films(found: Detectability) -> None:
    groups = {(each.by, each.name): each.flagged for each in flagged_groups(found.trials.about("Mass", 0.6))}
    counts = {key: (each.inserted.hits, each.inserted.n) for key, each in groups.items()}
    assert counts == {
        ("zone", "right base"): (3, 4),
        ("zone", "left base"): (1, 4),
        ("side", "right"): (3, 4),
        ("side", "left"): (1, 4),
        ("center", "North"): (2, 4),
        ("center", "South"): (2, 4),
        ("sex", "F"): (2, 6),
        ("sex", "M"): (2, 2),
    }
    difference = apart(found.trials.about("Mass", 0.6), "zone", "right base", "left base")
    assert difference.value == pytest.approx(0.5) and difference.low < 0.5 < difference.high


def test_half_are_flagged_where_the_line_crosses_a_half_for_good() -> None:
    severities = (0.0, 0.5, 1.0)
    shares = np.array([[0.1, 0.3, 0.7], [0.6, 0.6, 0.6], [0.0, 0.1, 0.2], [0.7, 0.2, 0.8], [0.0, 0.5, 0.5]])
    np.testing.assert_allclose(half_severity(severities, shares), [0.75, 0.0, np.inf, 0.75, 0.5])


def test_a_curve_has_the_films_scores_and_the_crossing(found: Detectability) -> None:
    curve = severity_curve(found.trials, "Mass")
    # Means over two places at severity 0.6: 0.35, 0.3, 0.65, 0.15.
    np.testing.assert_allclose(curve.scores[1], np.quantile([0.35, 0.3, 0.65, 0.15], (0.25, 0.5, 0.75)))
    np.testing.assert_allclose(curve.without, [0.1, 0.1, 0.1])
    assert [rate.hits for rate in curve.shares] == [1, 4, 5]
    assert curve.half.value == pytest.approx(0.6) and curve.half.low <= 0.6 <= curve.half.high
    effusion = severity_curve(found.trials, "Pleural Effusion")
    assert effusion.half.value == pytest.approx(0.6)  # half of the films, from 0.6 on
    assert np.isinf(effusion.half.high)  # without the patient of two films, never


def test_two_models_are_compared_on_what_both_scored(store: Store) -> None:
    both = detectability(store, Slice(NAME, MODEL), MODEL, "other")
    assert both.other is not None and len(both.trials.film) == len(both.other.film) == 18
    first, second = (each.about("Mass", 0.6) for each in (both.trials, both.other))
    assert (flagged(first).inserted.hits, flagged(second).inserted.hits) == (4, 6)
    assert model_difference(first, second).value == pytest.approx(2 / 6)


def test_films_on_which_least_is_flagged_come_first(found: Detectability) -> None:
    blind = [(found.trials.films[film], hits, tried) for film, hits, tried in blind_films(found.trials.about("Mass"))]
    assert blind == [("film 3", 0, 6), ("film 1", 2, 6), ("film 0", 3, 6)]


def test_films_labeled_with_a_finding_are_counted_beside(tmp_path: Path) -> None:
    ill = [
        Film(f"ill {place}", {"Mass": "present"}, {"Mass": score, "Pleural Effusion": 0.1})
        for place, score in enumerate((0.4, 0.5, 0.9))
    ]
    folder = write_small(tmp_path, [*FILMS, *ill], CUTS)
    write_rows(folder, ROWS)
    found = detectability(store_of(folder), Slice(NAME, MODEL), MODEL)
    assert set(found.labeled) == {"Mass"} and (found.labeled["Mass"].hits, found.labeled["Mass"].n) == (2, 3)
    assert list(sentences(found, "Mass", 0.6))[1].startswith("Of films labeled Mass, it flags 67 % [")


def test_sentences_have_share_places_and_doubt(found: Detectability) -> None:
    assert usual_severity(found, "Mass") == 0.6
    first, zones, half, trust = sentences(found, "Mass", 0.6)
    assert first.startswith("Mass, severity 0.6: reader flags 50 % [") and "at 8 places in 4 films" in first
    assert zones.startswith("Most often in the right base, 75 % [") and "This may be chance." in zones
    assert zones.endswith("Places over the heart were not measured: these scores are of an earlier version.")
    assert half.startswith("Mass: half are flagged from severity 0.60 [")
    assert trust == "Not validated: whether reader sees an inserted Mass as it sees real ones was not measured."


def test_places_over_the_heart_are_a_zone_and_missing_ones_are_named(store: Store, tmp_path: Path) -> None:
    without = table_in("text", detectability_table(detectability(store, Slice(NAME, MODEL), MODEL)))
    assert re.search(r"zone: over the heart +not measured", without)
    folder = write_small(tmp_path, FILMS, CUTS)
    heart = [replace(row, zone="over the heart") for row in mass_rows([(0.1, 0.2, 0.9)] * 4, "left heart", 0.55)]
    write_rows(folder, [*ROWS, *heart])
    found = detectability(store_of(folder), Slice(NAME, MODEL), MODEL)
    assert not lacks_heart(found.trials) and "4 over the heart" in " ".join(notes(found))
    zones = list(sentences(found, "Mass", 0.6))[1]
    assert "least often over the heart, 0 % [" in zones and "not measured" not in zones
    groups = {(each.by, each.name): each.flagged for each in flagged_groups(found.trials.about("Mass", 0.6))}
    assert (groups["zone", "over the heart"].inserted.hits, groups["zone", "over the heart"].inserted.n) == (0, 4)


def test_the_table_has_every_finding_severity_and_group(found: Detectability) -> None:
    text = table_in("text", detectability_table(found))
    assert "SIMULATED FINDINGS" in text and "zone: right base" in text
    assert "Not validated: whether reader sees an inserted Pleural Effusion" in " ".join(text.split())
    assert doubt_words(found) == "Not validated for reader: Mass, Pleural Effusion."
    lines = table_in("csv", detectability_table(found)).splitlines()
    assert len(lines) == 1 + 3 * (1 + 8) + 6 * (1 + 4)  # whole, zones, sides, centers, sexes; an effusion has one side


def test_a_model_without_trials_is_told_the_command(tmp_path: Path) -> None:
    folder = write_small(tmp_path, FILMS, CUTS)
    with pytest.raises(NoComparison, match="score --cohort small --model reader --insert"):
        detectability(store_of(folder), Slice(NAME, MODEL), MODEL)


def test_only_films_of_the_slice_count(store: Store) -> None:
    some = detectability(store, Slice(NAME, MODEL, center="South"), MODEL)
    assert {some.trials.films[film] for film in some.trials.film.tolist()} == {"film 2", "film 3"}

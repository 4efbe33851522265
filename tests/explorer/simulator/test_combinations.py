"""The kept counts are PadChest's, and agree with the counts of findings.csv."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from explorer.core.findings import FINDINGS, PADCHEST_FRONTAL
from explorer.simulator import combinations
from explorer.simulator.combinations import ALL_FILMS, age_group, combination_counts, recount, write_counts
from explorer.simulator.natural import INFARCTION, INFARCTION_PREVALENCE, natural_frequencies
from explorer.simulator.request import ABNORMAL, NORMAL

VIEW_FILMS = {"PA": 91_728, "AP": 18_905}


@pytest.mark.slow
def test_recounting_the_label_table_gives_the_kept_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("torchxrayvision") is None:
        pytest.skip("PadChest's label table comes with torchxrayvision")
    kept = combinations.COMBINATIONS.read_bytes(), combinations.PATIENTS.read_bytes()
    monkeypatch.setattr(combinations, "COMBINATIONS", tmp_path / "combinations.csv")
    monkeypatch.setattr(combinations, "PATIENTS", tmp_path / "patients.csv")
    write_counts(recount())
    assert ((tmp_path / "combinations.csv").read_bytes(), (tmp_path / "patients.csv").read_bytes()) == kept


def test_every_frontal_film_is_counted_once() -> None:
    assert {view: sum(films.values()) for view, films in combination_counts().combinations.items()} == VIEW_FILMS
    assert sum(VIEW_FILMS.values()) == PADCHEST_FRONTAL


@pytest.mark.parametrize("finding", [NORMAL, *ABNORMAL])
def test_each_finding_sums_to_the_count_of_findings_csv(finding: str) -> None:
    found = sum(
        n for films in combination_counts().combinations.values() for each, n in films.items() if finding in each
    )
    assert found == (FINDINGS[finding].padchest_frontal or 0)
    assert sum(combination_counts().patients.get(finding, {}).values()) <= found


def test_age_groups_end_where_they_say() -> None:
    assert [age_group(years) for years in (19, 44, 45, 59, 60, 74, 75, 95)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert sum(combination_counts().patients[ALL_FILMS].values()) <= PADCHEST_FRONTAL


@pytest.mark.parametrize("view", VIEW_FILMS)
def test_nature_has_the_prevalence_of_the_counts(view: str) -> None:
    known, table = natural_frequencies(view), combination_counts().combinations[view]
    for finding in ABNORMAL:
        share = sum(n for each, n in table.items() if finding in each) / VIEW_FILMS[view]
        assert known.of(finding) == (INFARCTION_PREVALENCE if finding == INFARCTION else pytest.approx(share))
    effusion, mass = ABNORMAL.index("Pleural Effusion"), ABNORMAL.index("Mass")
    both = sum(n for each, n in table.items() if {"Pleural Effusion", "Mass"} <= each)
    assert known.together[mass, effusion] * known.of("Mass") * VIEW_FILMS[view] == pytest.approx(both)
